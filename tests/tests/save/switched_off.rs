//! A session for which Interleaf was switched off is never saved, not even after it was resumed.

use std::fs;
use std::time::{Duration, SystemTime};

use interleaf_tests::program::program;
use interleaf_tests::run::{ProcessOutput, run};
use interleaf_tests::scratch::HANG_TIMEOUT;
use interleaf_tests::transcript_builder::TranscriptBuilder;
use serde_json::{Value, json};

use super::lesson;
use super::project::Project;

/// Sends an event of a session for which Interleaf is switched off.
fn hook_while_switched_off(project: &Project, name: &str, session: &str) -> ProcessOutput {
    let fields = json!({
        "session_id": session, "source": "startup", "prompt": "hello", "reason": "other",
        "stop_hook_active": false, "transcript_path": "/nowhere.jsonl",
    });
    let mut hook = project.scratch.command(program());
    let event = project.scratch.event(name, fields);
    run(hook.arg("hook").env("INTERLEAF_DISABLE", "1"), event.as_bytes(), HANG_TIMEOUT)
}

/// Keeps a transcript where Claude Code would, and returns its folder.
fn keep(project: &Project, session: &str, transcript: &TranscriptBuilder) -> std::path::PathBuf {
    let root = &project.scratch.project;
    let name = root.to_string_lossy().replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let folder = project.scratch.home.join(".claude/projects").join(name);
    let first = json!({ "type": "system", "cwd": root });
    fs::create_dir_all(&folder).expect("ours");
    let text = format!("{first}\n{}", transcript.lines());
    fs::write(folder.join(session).with_extension("jsonl"), text).expect("ours");
    folder
}

#[test]
fn a_session_that_is_resumed_with_interleaf_on_is_not_saved() {
    for switched_off in ["SessionStart", "UserPromptSubmit", "SessionEnd"] {
        let project = Project::new("", None);

        let silent = hook_while_switched_off(&project, switched_off, "one");
        project
            .scratch
            .hook(project.scratch.event("SessionStart", json!({"session_id": "one", "source": "resume"})))
            .success();
        project.session("one", &lesson().lines());

        assert_eq!((silent.code, silent.out(), silent.err()), (Some(0), String::new(), String::new()));
        assert_eq!(project.memories(), Vec::<Value>::new(), "{switched_off}");
        project.session("two", &lesson().lines());
        assert!(project.memories().len() > 1, "another session is saved: {switched_off}");
    }
}

#[test]
fn a_hook_that_is_switched_off_writes_a_note_and_nothing_else() {
    let project = Project::new("", None);
    for name in ["SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"] {
        let _ = hook_while_switched_off(&project, name, "one");
    }

    let data = fs::read_dir(project.scratch.interleaf_home.join("data")).expect("the folder is there");
    let names: Vec<String> =
        data.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    assert_eq!(names, ["switched-off"]);
}

#[test]
fn learn_leaves_out_a_session_that_was_switched_off() {
    let project = Project::new("", None);
    let folder = keep(&project, "off", &lesson());
    keep(&project, "on", &lesson());
    let _ = hook_while_switched_off(&project, "SessionStart", "off");

    for arguments in [
        &["learn", "--dry-run"][..],
        &["learn", "--dry-run", "--transcripts", folder.to_str().expect("UTF-8")],
    ] {
        let listed = project.scratch.interleaf(arguments).success();
        assert!(listed.contains("on.jsonl") && !listed.contains("off.jsonl"), "{listed}");
    }
    project.scratch.interleaf(&["learn"]).success();

    let sources: Vec<Value> = project.memories().iter().map(|it| it["source"]["session"].clone()).collect();
    assert!(!sources.is_empty() && sources.iter().all(|session| session == "on"), "{sources:?}");
}

#[test]
fn a_session_that_was_switched_off_later_is_not_saved_by_the_search_for_missed_ends() {
    for is_switched_off in [true, false] {
        let project = Project::new("", None);
        let start = json!({ "session_id": "one", "source": "startup" });
        project.scratch.hook(project.scratch.event("SessionStart", start)).success();
        let folder = keep(&project, "one", &lesson());
        let file = fs::File::options().append(true).open(folder.join("one.jsonl")).expect("ours");
        file.set_modified(SystemTime::now() - Duration::from_secs(3_600)).expect("ours");
        if is_switched_off {
            let _ = hook_while_switched_off(&project, "UserPromptSubmit", "one");
        }

        let mut worker = project.scratch.command(program());
        worker
            .args(["work", "--transcripts"])
            .arg(&folder)
            .env("CLAUDE_PROJECT_DIR", &project.scratch.project);
        let _ = run(&mut worker, b"", HANG_TIMEOUT).success();
        let _ = project.scratch.interleaf(&["jobs", "run", "--all"]);

        assert_eq!(project.memories().is_empty(), is_switched_off);
    }
}

#[test]
fn private_text_is_not_saved() {
    let project = Project::new("", None);
    let talk = lesson()
        .user("from now on always write commit messages in Dutch <private>not the Zebrafish deal</private>")
        .assistant("Done. <private>We decided to sell the Zebrafish unit, because")
        .user("<private>always use the Zebrafish account for deploys");

    project.session("one", &talk.lines());
    let stop = json!({ "session_id": "two", "stop_hook_active": false,
        "last_assistant_message": "We decided to use <private>Zebrafish</private> for the export" });
    project.scratch.hook(project.scratch.event("Stop", stop)).success();

    assert!(
        project.memories().iter().any(|memory| memory.to_string().contains("Dutch")),
        "{:#?}",
        project.memories()
    );
    let stored = walk(&project.scratch.interleaf_home);
    assert!(stored.len() > 3, "{stored:?}");
    for file in stored {
        let content = fs::read(&file).expect("ours");
        let holds = content.windows(9).any(|bytes| bytes.eq_ignore_ascii_case(b"zebrafish"));
        assert!(!holds, "{}", file.display());
    }
}

/// Returns all files below a folder.
fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).expect("ours").flatten().map(|entry| entry.path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}
