//! Invented recordings, played with a shell script in place of `interleaf`.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use tar::{Builder, EntryType, Header};
use tempfile::{TempDir, tempdir};

use super::*;

/// Replaces `interleaf`: `sh hook` runs the file `hook` of the recorded project.
const SHELL: &str = "/bin/sh";

/// A hook that answers prompts with the transcript and the project as it sees them, and fails on
/// notifications.
const HOOK: &str = r#"
read -r event
case "$event" in
*UserPromptSubmit*)
    touch prompted
    seen="lines: $(wc -l < "$HOME/.claude/t.jsonl"), $(cat note.txt)"
    printf '{"decision":"block","reason":"use pnpm, never npm\\n%s"}' "$seen" ;;
*Notification*) echo broken; exit 3 ;;
esac
"#;

/// A memory command that stores imports, and exports three memories after the first prompt.
const MEMORY: &str = r#"
case "$1" in
import) cp "$2" imported.txt ;;
export) test ! -e prompted || cat <<'END'
{"id": "a", "category": "preference", "title": "t", "text": "use pnpm,\nnever npm", "status": "active"}
{"id": "b", "category": "learning", "title": "the token", "text": "abc", "status": "active"}
{"id": "c", "category": "session_summary", "title": "all fine", "text": "", "status": "active"}
END
esac
"#;

struct Recording {
    folder: TempDir,
    events: Vec<Value>,
}

impl Recording {
    fn new() -> Self {
        let recording = Self { folder: tempdir().unwrap(), events: Vec::new() };
        recording.write(
            "meta.json",
            json!({
                "scenario": "shop", "session": "s2", "project": "/home/dev/shop", "session_story": "a story",
                "transcript_files": {"t.jsonl": "transcript.jsonl"},
            }),
        );
        recording.write("transcript.jsonl", "{\"cwd\":\"/home/dev/shop\"}\n{}\n{}\n");
        recording.pack("project.tar.gz", |archive| {
            file(archive, "shop/hook", HOOK);
            file(archive, "shop/compile", "");
            file(archive, "shop/memory", MEMORY);
            file(archive, "shop/jobs", "test \"$*\" = \"run --all\"");
            file(archive, "shop/note.txt", "first");
        });
        recording
    }

    fn write(&self, name: &str, content: impl ToString) {
        fs::write(self.folder.path().join(name), content.to_string()).unwrap();
    }

    fn pack(&self, name: &str, fill: impl FnOnce(&mut Builder<GzEncoder<File>>)) {
        let file = File::create(self.folder.path().join(name)).unwrap();
        let mut archive = Builder::new(GzEncoder::new(file, Compression::fast()));
        fill(&mut archive);
        archive.into_inner().unwrap().finish().unwrap();
    }

    fn event(&mut self, transcript_lines: Option<usize>, name: &str, fields: Value) {
        let mut event = json!({
            "session_id": "s", "cwd": "/home/dev/shop", "hook_event_name": name,
            "transcript_path": "/home/dev/.claude/t.jsonl",
        });
        event.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        self.events.push(json!({"transcript_lines": transcript_lines, "head": null, "event": event}));
    }

    fn play(&self, args: Args) -> Result<String> {
        self.write("events.jsonl", self.events.iter().map(|event| format!("{event}\n")).collect::<String>());
        let mut out = Vec::new();
        run(&Args { folders: vec![self.folder.path().to_owned()], ..args }, &mut out)?;
        Ok(String::from_utf8(out)?)
    }
}

fn args() -> Args {
    Args { program: Program { path: Some(SHELL.into()) }, ..Args::default() }
}

fn file(archive: &mut Builder<GzEncoder<File>>, path: &str, content: &str) {
    let mut header = Header::new_gnu();
    header.set_size(content.len() as u64);
    header.set_mode(0o644);
    // Written directly into the header, because the builder refuses the paths that these tests need.
    header.as_old_mut().name[..path.len()].copy_from_slice(path.as_bytes());
    header.set_cksum();
    archive.append(&header, content.as_bytes()).unwrap();
}

fn link(archive: &mut Builder<GzEncoder<File>>, path: &str, target: &str) {
    let mut header = Header::new_gnu();
    header.set_entry_type(EntryType::Symlink);
    header.set_size(0);
    archive.append_link(&mut header, path, target).unwrap();
}

/// Replaces the times, which differ from run to run.
fn without_times(report: &str) -> String {
    let times = regex::Regex::new(r"\(\d+\.\d ms\)").unwrap();
    times.replace_all(report, "(- ms)").into_owned()
}

#[test]
fn the_report_shows_what_was_injected_and_counts_the_silent_events() {
    let mut recording = Recording::new();
    recording.event(None, "SessionStart", json!({"source": "startup"}));
    recording.event(None, "Stop", json!({}));
    recording.event(Some(2), "UserPromptSubmit", json!({"prompt": "how do I\ninstall?"}));
    recording.event(Some(3), "Notification", json!({"message": "x"}));

    let report = recording.play(args()).unwrap();

    let (events, table) = report.split_once("event   ").unwrap();
    assert_eq!(
        without_times(events),
        "shop/s2\n    a story\n\n… 2 silent events\n\n#2 UserPromptSubmit how do I install?  (- ms)\n    \
         use pnpm, never npm\n    lines: 2, first\n\n#3 Notification  (- ms)\n    ! exit code 3\n\nsaved \
         from this session:\n    - [preference] use pnpm, never npm\n    - [learning] abc\n    - \
         [session_summary] \n\n"
    );
    let counts: Vec<_> =
        table.lines().skip(1).map(|line| line.split_whitespace().collect::<Vec<_>>()).collect();
    assert_eq!((counts[3][0], counts[3][1], counts[3][4]), ("UserPromptSubmit", "1", "1"));
    assert_eq!((counts[4][0], counts[4][1], counts[4][4]), ("all", "4", "1"));
}

#[test]
fn files_follow_the_tools_after_the_event_and_other_events_can_be_left_out() {
    let mut recording = Recording::new();
    let note = "/home/dev/shop/note.txt";
    recording.event(
        Some(1),
        "PostToolUse",
        tool("Write", json!({"file_path": note, "content": "second, third"})),
    );
    let edit = json!({"file_path": note, "old_string": "second", "new_string": "fourth"});
    recording.event(Some(1), "PostToolUse", tool("Edit", edit));
    recording.event(Some(1), "UserPromptSubmit", json!({"prompt": "x"}));

    let report =
        recording.play(Args { json: true, events: vec!["UserPromptSubmit".to_owned()], ..args() }).unwrap();

    let lines: Vec<Value> = report.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2, "the event, and what is saved of the session");
    assert_eq!(lines[1]["saved"].as_array().map(Vec::len), Some(3));
    assert_eq!(
        (&lines[0]["event"], &lines[0]["session"], &lines[0]["code"]),
        (&json!(2), &json!("shop/s2"), &json!(0))
    );
    assert!(lines[0]["injected"].as_str().unwrap().contains("lines: 1, fourth, third"), "{}", lines[0]);
}

#[test]
fn nothing_outside_the_scratch_folder_is_written() {
    let outside = tempdir().unwrap();
    let mut recording = Recording::new();
    let victim = outside.path().join("victim");
    for path in [
        victim.clone(),
        PathBuf::from("/home/dev/shop/../../../../../..").join(victim.strip_prefix("/").unwrap()),
    ] {
        recording.event(None, "PostToolUse", tool("Write", json!({"file_path": path, "content": "x"})));
    }
    recording.event(Some(1), "Stop", json!({"transcript_path": victim, "cwd": outside.path().join("new")}));

    recording.play(args()).unwrap();

    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
}

#[test]
fn the_branch_follows_the_recording() {
    let (mut recording, origin) = (Recording::new(), tempdir().unwrap());
    let git = |words: &[&str]| {
        let git = |words| Command::new("git").args(words).current_dir(origin.path()).output().unwrap();
        let ran = git(&[&["-c", "user.name=dev", "-c", "user.email=dev@localhost"], words].concat());
        String::from_utf8(ran.stdout).unwrap()
    };
    git(&["init", "--quiet", "--initial-branch", "main"]);
    fs::write(origin.path().join("hook"), HOOK).unwrap();
    for verb in ["compile", "jobs", "memory"] {
        fs::write(origin.path().join(verb), "").unwrap();
    }
    let heads = ["first", "second"].map(|note| {
        fs::write(origin.path().join("note.txt"), note).unwrap();
        git(&["add", "--all"]);
        git(&["commit", "--quiet", "--message", note]);
        recording.pack(&format!("{note}.tar.gz"), |archive| {
            archive.append_dir_all("shop", origin.path()).unwrap()
        });
        git(&["rev-parse", "HEAD"])[..12].to_owned()
    });
    for (from, to) in [("first.tar.gz", "project.tar.gz"), ("second.tar.gz", "project_after.tar.gz")] {
        fs::rename(recording.folder.path().join(from), recording.folder.path().join(to)).unwrap();
    }
    for head in [&heads[0], &heads[1], &heads[0]] {
        recording.event(Some(1), "UserPromptSubmit", json!({"prompt": "x"}));
        recording.events.last_mut().unwrap()["head"] = json!(head);
    }

    let report = recording.play(Args { json: true, ..args() }).unwrap();

    let notes: Vec<_> = report
        .lines()
        .filter(|line| line.contains("\"event\""))
        .map(|line| line.contains("second"))
        .collect();
    assert_eq!(notes, [false, true, false], "{report}");
}

#[test]
fn archives_that_would_escape_are_refused() {
    type Fill = fn(&mut Builder<GzEncoder<File>>);
    let cases: [(&str, Fill); 6] = [
        ("climbs", |archive| file(archive, "shop/../../x", "x")),
        ("is absolute", |archive| file(archive, "/tmp/x", "x")),
        ("lies beside the project", |archive| file(archive, "other/x", "x")),
        ("links out", |archive| link(archive, "shop/x", "/etc")),
        ("links out by climbing", |archive| link(archive, "shop/x", "../y")),
        ("keeps its history elsewhere", |archive| file(archive, "shop/.git", "gitdir: /srv/other/.git")),
    ];
    for (what, fill) in cases {
        let recording = Recording::new();
        recording.pack("project.tar.gz", fill);

        let error = recording.play(args()).unwrap_err();

        assert!(format!("{error:#}").contains("project.tar.gz"), "{what}: {error:#}");
    }
}

#[test]
fn configuration_and_hooks_of_a_recorded_repository_are_not_unpacked() {
    let (recording, kept) = (Recording::new(), tempdir().unwrap());
    recording.pack("project.tar.gz", |archive| {
        for verb in ["compile", "jobs", "memory"] {
            file(archive, &format!("shop/{verb}"), "");
        }
        file(archive, "shop/.git/HEAD", "ref: refs/heads/main\n");
        file(archive, "shop/.git/config", "[core]\n\tfsmonitor = touch /tmp/owned\n");
        file(archive, "shop/.GIT/hooks/post-checkout", "#!/bin/sh\ntouch /tmp/owned\n");
        link(archive, "shop/CLAUDE.md", "AGENTS.md");
    });

    recording.play(Args { keep: Some(kept.path().to_owned()), ..args() }).unwrap();

    let project = kept.path().join("home/dev/shop");
    assert!(!fs::read_to_string(project.join(".git/config")).unwrap().contains("fsmonitor"));
    assert!(!project.join(".GIT/hooks").exists());
    assert_eq!(fs::read_link(project.join("CLAUDE.md")).unwrap(), Path::new("AGENTS.md"));
}

#[test]
fn a_kept_folder_keeps_the_memories_and_can_be_used_again() {
    let (recording, kept) = (Recording::new(), tempdir().unwrap());
    recording.write("m.jsonl", "{}");
    let memories = Some(recording.folder.path().join("m.jsonl"));
    let args = Args { keep: Some(kept.path().join("new")), memories, ..args() };

    recording.play(args.clone()).unwrap();
    recording.play(args).unwrap();

    assert_eq!(fs::read_to_string(kept.path().join("new/home/dev/shop/imported.txt")).unwrap(), "{}");
}

#[test]
fn a_folder_with_other_files_is_refused() {
    let (recording, kept) = (Recording::new(), tempdir().unwrap());
    fs::write(kept.path().join("thesis.txt"), "").unwrap();

    let error = recording.play(Args { keep: Some(kept.path().to_owned()), ..args() }).unwrap_err();

    assert!(error.to_string().contains("not from a replay"), "{error}");
}

#[test]
fn a_folder_in_a_repository_is_refused() {
    let (recording, repository) = (Recording::new(), tempdir().unwrap());
    fs::create_dir(repository.path().join(".git")).unwrap();
    let keep = repository.path().join("target/new");

    let error = recording.play(Args { keep: Some(keep.clone()), ..args() }).unwrap_err();

    assert!(error.to_string().contains("lies in the git repository"), "{error}");
    assert!(!keep.exists());
}

#[test]
fn the_score_counts_shown_facts_facts_in_view_and_unexpected_facts() {
    let mut recording = Recording::new();
    for prompt in ["a", "b", "c"] {
        recording.event(Some(1), "UserPromptSubmit", json!({"prompt": prompt}));
    }
    recording.event(None, "Stop", json!({}));
    recording.write(
        "expectations.json",
        json!({
            "save": [
                {"id": "s1/pnpm", "must_match": ["PNPM", "npm"], "priority": "must"},
                {"id": "s1/other", "must_match": ["pnpm", "lines"], "priority": "must"},
            ],
            "must_not_save": [{"what": "a token", "pattern": "(?<!x)abc"}],
            "inject": [
                {"event": 0, "inject": ["s1/pnpm", "s1/other"]},
                {"event": 1, "inject": "silence"},
                {"event": 2, "inject": "optional", "allow": ["s1/pnpm"]},
                {"event": 3, "inject": ["s1/pnpm"]},
            ],
        }),
    );

    let report = recording.play(Args { check: true, ..args() }).unwrap();

    let (_, score) = report.split_once("recall: ").unwrap();
    assert_eq!(
        score,
        "2 of 3 wanted facts (1 shown in time, 1 still in view)\nfalse injections: 1 of 1 events that \
         should be silent, 1 unexpected facts\nsaved: 1 of 2 facts that must be, 0 that may be; 1 of 2 \
         memories state an expected fact; 1 state what must not be saved\n    shop/s2 #0 UserPromptSubmit \
         a: missing s1/other\n    shop/s2 #1 UserPromptSubmit b: unexpected s1/pnpm; not silent\n    \
         shop/s2: not saved: s1/other\n    shop/s2: must not be saved (a token): the token\n    shop/s2: \
         states no expected fact: the token (learning)\n"
    );
}

fn tool(name: &str, input: Value) -> Value {
    json!({"tool_name": name, "tool_input": input, "tool_use_id": "t", "tool_response": {}})
}
