//! `interleaf learn` saves what earlier sessions taught: the same as their ends would have, once, and it can
//! be stopped and run again.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use interleaf_tests::program::program;
use interleaf_tests::run::run;
use interleaf_tests::scratch::{HANG_TIMEOUT, Scratch};
use interleaf_tests::workspace::fixtures;
use serde_json::{Value, json};

/// The recorded sessions of a project.
const SESSIONS: [&str; 3] = ["s1", "s2", "s3"];

/// The folder in which they were recorded.
const RECORDED_PROJECT: &str = "/home/dev/ledger-api";

/// Returns a project of which Claude Code keeps the transcripts of the recorded sessions.
fn project_with_transcripts() -> Scratch {
    let scratch = Scratch::new();
    for session in SESSIONS {
        let recorded = fixtures().join("sessions/ledger-api").join(session).join("transcript.jsonl");
        let text = fs::read_to_string(recorded).expect("the recording is there");
        scratch.write(transcript(&scratch, session), &text.replace(RECORDED_PROJECT, &project(&scratch)));
    }
    scratch
}

fn project(scratch: &Scratch) -> String {
    scratch.project.display().to_string()
}

fn transcript(scratch: &Scratch, session: &str) -> std::path::PathBuf {
    let name = scratch.project.to_string_lossy().replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    scratch.home.join(".claude/projects").join(name).join(session).with_extension("jsonl")
}

/// Returns the texts of all memories.
fn texts(scratch: &Scratch) -> BTreeSet<String> {
    let list = scratch.interleaf(&["memory", "list", "--json", "--limit", "100"]).success();
    let memories = list.lines().map(|line| serde_json::from_str::<Value>(line).expect("a memory"));
    memories.map(|memory| memory["text"].as_str().expect("a text").to_owned()).collect()
}

#[test]
fn earlier_sessions_are_learned_from_once() {
    let scratch = project_with_transcripts();

    let dry = scratch.interleaf(&["learn", "--dry-run"]).success();
    assert!(dry.contains("3 sessions would be read"), "{dry}");
    assert!(texts(&scratch).is_empty());

    let said = scratch.interleaf(&["learn"]).success();
    assert!(said.starts_with("Read 3 sessions: ") && said.contains("session_summary"), "{said}");
    let learned = texts(&scratch);
    assert!(learned.iter().any(|text| text.contains("pace requests")), "{learned:#?}");

    let again = scratch.interleaf(&["learn"]).success();
    assert!(again.contains("No sessions to learn from"), "{again}");
    assert_eq!(texts(&scratch), learned);
}

#[test]
fn learning_in_pieces_gives_the_same() {
    let (at_once, in_pieces) = (project_with_transcripts(), project_with_transcripts());
    at_once.interleaf(&["learn"]).success();

    for _ in SESSIONS {
        in_pieces.interleaf(&["learn", "--sessions", "1"]).success();
    }

    assert_eq!(texts(&in_pieces), texts(&at_once));
}

#[test]
fn a_session_teaches_the_same_as_its_end_would_have() {
    let (learned, live) = (project_with_transcripts(), project_with_transcripts());
    for session in ["s2", "s3"] {
        fs::remove_file(transcript(&learned, session)).expect("it was there");
    }
    learned.interleaf(&["learn"]).success();

    let event = live.event(
        "SessionEnd",
        json!({ "session_id": "s1", "reason": "other", "transcript_path": transcript(&live, "s1") }),
    );
    live.hook(event).success();
    live.interleaf(&["jobs", "run", "--all"]).success();

    assert_eq!(texts(&learned), texts(&live));
}

#[test]
fn init_says_that_earlier_sessions_can_be_learned_from() {
    let scratch = project_with_transcripts();

    let said = scratch.interleaf(&["init"]).success();

    assert!(said.contains("kept 3 earlier sessions") && said.contains("interleaf learn"), "{said}");
}

#[test]
fn jobs_of_other_sessions_wait_for_their_own_worker() {
    let scratch = project_with_transcripts();
    let elsewhere = scratch.project.join("live.jsonl");
    fs::rename(transcript(&scratch, "s3"), &elsewhere).expect("it was there");
    let stop = json!({ "session_id": "live", "transcript_path": elsewhere });
    scratch.hook(scratch.event("Stop", stop)).success();

    scratch.interleaf(&["learn"]).success();

    let jobs = scratch.interleaf(&["jobs", "--json"]).success();
    let jobs = jobs.lines().map(|line| serde_json::from_str::<Value>(line).expect("a job"));
    let waiting: Vec<Value> = jobs.filter(|job| job["progress"] == "waiting").collect();
    assert!(matches!(&waiting[..], [job] if job["session"] == "live"), "{waiting:#?}");
}

/// Keeps a transcript of a session that began in `cwd`, in the folder that Claude Code names so.
fn keep(scratch: &Scratch, folder_name: &str, session: &str, cwd: &Path) {
    let folder = scratch.home.join(".claude/projects").join(folder_name);
    fs::create_dir_all(&folder).expect("ours");
    let line = json!({ "type": "user", "cwd": cwd, "message": { "role": "user", "content": "hello" } });
    fs::write(folder.join(session).with_extension("jsonl"), format!("{line}\n")).expect("ours");
}

/// Returns the name that Claude Code gives the folder of a path of ASCII characters.
fn name_of(path: &Path) -> String {
    path.to_string_lossy().replace(|c: char| !c.is_ascii_alphanumeric(), "-")
}

/// Returns the sessions that `learn` would read in this folder.
fn would_read(scratch: &Scratch, folder: &Path) -> BTreeSet<String> {
    let mut learn = scratch.command(program());
    learn.args(["learn", "--dry-run", "--sessions", "5000"]).current_dir(folder);
    let listed = run(&mut learn, b"", HANG_TIMEOUT).success();
    let sessions = listed.lines().filter_map(|line| Path::new(line).file_stem()?.to_str());
    sessions.filter(|name| !name.contains(' ')).map(str::to_owned).collect()
}

fn repository(scratch: &Scratch, name: &str) -> PathBuf {
    let folder = scratch.root.join(name);
    fs::create_dir_all(&folder).expect("ours");
    scratch.git(&["init", "--quiet", folder.to_str().expect("UTF-8")]);
    folder
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

#[test]
fn of_two_projects_that_share_a_folder_of_transcripts_each_learns_its_own() {
    let scratch = Scratch::new();
    let (dot, hyphen) = (repository(&scratch, "my.app"), repository(&scratch, "my-app"));
    assert_eq!(name_of(&dot), name_of(&hyphen));
    keep(&scratch, &name_of(&dot), "of-dot", &dot);
    keep(&scratch, &name_of(&dot), "of-hyphen", &hyphen);

    assert_eq!(would_read(&scratch, &dot), set(&["of-dot"]));
    assert_eq!(would_read(&scratch, &hyphen), set(&["of-hyphen"]));
}

#[test]
fn sessions_of_work_trees_and_subfolders_are_learned_from_wherever_it_runs() {
    let scratch = Scratch::new();
    let (root, tree) = (&scratch.project, scratch.root.join("fix"));
    scratch.git(&["worktree", "add", "--quiet", tree.to_str().expect("UTF-8"), "-b", "fix"]);
    let (sub, gone, tree_sub) = (root.join("api"), root.join("removed"), tree.join("api"));
    let module = repository(&scratch, "shop/vendor/module");
    let beside = repository(&scratch, "shop-api");
    fs::create_dir_all(&sub).expect("ours");
    let sessions = [
        ("root", root),
        ("sub", &sub),
        ("gone", &gone),
        ("tree", &tree),
        ("tree-sub", &tree_sub),
        ("of-the-module", &module),
        ("of-another", &beside),
    ];
    for (session, cwd) in sessions {
        keep(&scratch, &name_of(cwd), session, cwd);
    }

    for folder in [root, &sub, &tree] {
        let found = would_read(&scratch, folder);
        assert_eq!(found, set(&["root", "sub", "gone", "tree", "tree-sub"]), "{}", folder.display());
    }
    assert_eq!(would_read(&scratch, &module), set(&["of-the-module"]));
    assert_eq!(would_read(&scratch, &beside), set(&["of-another"]));
}

#[test]
fn paths_that_are_long_or_hold_an_emoji_are_found_by_learn_init_and_import() {
    let scratch = Scratch::new();
    let (emoji, long) = (repository(&scratch, "é🙂x"), repository(&scratch, &"long/".repeat(50)));
    let encoded = |path: &Path| {
        let units = path.to_str().expect("UTF-8").encode_utf16();
        let keep = |unit: u16| char::from_u32(unit.into()).filter(char::is_ascii_alphanumeric).unwrap_or('-');
        units.map(keep).collect::<String>()
    };
    // Nobody but the client knows the hash.
    let cut = format!("{}-1a2b3c", &encoded(&long)[..200]);
    for (name, root) in [(encoded(&emoji), &emoji), (cut, &long)] {
        keep(&scratch, &name, "mine", root);
        let notes = scratch.home.join(".claude/projects").join(&name).join("memory");
        fs::create_dir_all(&notes).expect("ours");
        fs::write(notes.join("MEMORY.md"), "- The staging vendor key expires every Monday\n").expect("ours");

        assert_eq!(would_read(&scratch, root), set(&["mine"]));
        for (arguments, said) in [
            (&["init", "--dry-run"][..], ""),
            (&["init"], "kept 1 earlier session of this project"),
            (&["import", "claude-code", "--dry-run"], "1"),
        ] {
            let mut command = scratch.command(program());
            let ran = run(command.args(arguments).current_dir(root), b"", HANG_TIMEOUT);
            assert!(
                ran.code == Some(0) && ran.out().contains(said),
                "{arguments:?}: {}{}",
                ran.out(),
                ran.err()
            );
        }
    }
}

#[test]
fn no_session_is_lost_among_thousands() {
    let scratch = Scratch::new();
    for number in 0..1_200 {
        keep(&scratch, &name_of(&scratch.project), &format!("s{number}"), &scratch.project);
    }

    assert_eq!(would_read(&scratch, &scratch.project).len(), 1_200);
}

#[test]
fn a_folder_that_the_person_names_is_read_whatever_project_it_is_of() {
    let scratch = Scratch::new();
    keep(&scratch, "copied", "theirs", Path::new("/srv/elsewhere"));
    let folder = scratch.home.join(".claude/projects/copied");

    let listed = scratch
        .interleaf(&["learn", "--dry-run", "--transcripts", folder.to_str().expect("UTF-8")])
        .success();

    assert!(listed.contains("theirs.jsonl"), "{listed}");
    let missing = scratch.interleaf(&["learn", "--transcripts", "/nowhere/at/all"]);
    assert!(missing.err().contains("/nowhere/at/all is not a folder"), "{}", missing.err());
}
