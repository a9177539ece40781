//! Transcripts that are missing, cut off, growing, huge or no files at all: hooks go on, and what can be read
//! of a session is saved.

use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use interleaf_tests::program::program;
use interleaf_tests::run::run;
use interleaf_tests::scratch::{HANG_TIMEOUT, Scratch};
use interleaf_tests::transcript_builder::TranscriptBuilder;
use serde_json::{Value, json};

use super::stored_project::{RULE, StoredProject, lesson};

/// Ends a session with a transcript at this path, and runs its jobs.
#[track_caller]
fn end(project: &StoredProject, session: &str, transcript: &Path) {
    for (event, mut fields) in [
        ("SessionStart", json!({ "source": "startup" })),
        ("Stop", json!({ "stop_hook_active": false, "last_assistant_message": "done" })),
        ("SessionEnd", json!({ "reason": "other" })),
    ] {
        fields["transcript_path"] = transcript.display().to_string().into();
        project.hook(session, event, fields);
    }
    let _ = project.run(&["jobs", "run", "--all"]);
}

fn jobs(project: &StoredProject) -> Vec<Value> {
    let jobs = project.run(&["jobs", "--json"]).success();
    jobs.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[track_caller]
fn assert_saved(project: &StoredProject, what: &str) {
    project.wait(what, || project.texts().len() > project.before.len());
    project.assert_nothing_lost();
}

fn written(project: &StoredProject, bytes: &[u8]) -> PathBuf {
    let path = project.transcript("odd");
    fs::write(&path, bytes).expect("ours");
    path
}

#[test]
fn a_transcript_without_a_session_in_it_saves_nothing_and_its_job_is_done() {
    let random: Vec<u8> = (0..200_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    for content in [None, Some(Vec::new()), Some(random)] {
        let project = StoredProject::new();
        let path = project.transcript("odd");
        let _ = content.map(|bytes| written(&project, &bytes));

        end(&project, "odd", &path);

        project.wait("the jobs are over", || jobs(&project).iter().all(|job| job["progress"] == "done"));
        assert_eq!(project.texts(), project.before);
        assert_eq!(project.points(), Vec::<String>::new());
    }
}

#[test]
fn what_stands_before_a_half_line_is_saved() {
    let project = StoredProject::new();
    let half = r#"{"type":"user","message":{"role":"user","content":"and then"#;

    end(&project, "odd", &written(&project, format!("{}{half}", lesson()).as_bytes()));

    assert_saved(&project, "the session is saved");
}

#[test]
fn what_follows_an_enormous_line_is_saved() {
    let project = StoredProject::new();
    let path = project.transcript("odd");
    let mut file = File::create(&path).expect("ours");
    // A hole in the file: it takes no room on the disk.
    file.seek(SeekFrom::Start(64 << 20)).expect("a place");
    write!(file, "\n{}", lesson()).expect("ours");

    end(&project, "odd", &path);

    assert_saved(&project, "the session is saved");
}

#[test]
fn a_transcript_that_grows_meanwhile_is_saved_to_its_end() {
    let project = StoredProject::new();
    let text = lesson();
    let lines: Vec<&str> = text.lines().collect();
    let (first, rest) = lines.split_at(3);
    let path = written(&project, format!("{}\n", first.join("\n")).as_bytes());
    end(&project, "odd", &path);

    let mut file = File::options().append(true).open(&path).expect("ours");
    writeln!(file, "{}", rest.join("\n")).expect("ours");
    end(&project, "odd", &path);

    assert_saved(&project, "the whole session is saved");
}

/// A transcript that is a pipe is in the tests of stuck workers.
#[test]
fn a_transcript_that_is_no_file_or_endless_disturbs_no_other_session() {
    for kind in ["folder", "device", "half a gigabyte of nothing"] {
        let project = StoredProject::new();
        let path = match kind {
            "folder" => project.scratch.home.clone(),
            "device" => PathBuf::from("/dev/zero"),
            _ => {
                let path = project.transcript("odd");
                File::create(&path).and_then(|file| file.set_len(512 << 20)).expect("a hole");
                path
            }
        };

        end(&project, "odd", &path);
        let [start, prompt] = project.session("sound");

        assert!(start.contains(RULE) && prompt.contains(RULE), "{kind}: {start} {prompt}");
        assert_saved(&project, kind);
    }
}

/// The client only appends to a transcript, so a shorter one is another.
#[test]
fn a_transcript_that_a_shorter_one_replaces_is_read_from_its_beginning() {
    let project = StoredProject::new();
    let turn = |session: TranscriptBuilder, number| {
        session.user(&format!("look at the file number {number}")).assistant("It is as expected.")
    };
    let long = (0..40).fold(TranscriptBuilder::new(), turn).lines();
    let path = written(&project, long.as_bytes());
    end(&project, "odd", &path);
    project.wait("the jobs are over", || jobs(&project).iter().all(|job| job["progress"] == "done"));
    assert!(lesson().len() < long.len());

    end(&project, "odd", &written(&project, lesson().as_bytes()));

    assert_saved(&project, "the session is saved");
}

/// Interleaf may be installed in a project that Claude Code has worked in for months.
#[test]
fn transcripts_from_before_the_installation_are_left_alone() {
    let scratch = Scratch::new();
    let _ = scratch.interleaf(&["init"]).success();
    let folder = scratch.root.join("transcripts");
    fs::create_dir(&folder).expect("ours");
    fs::write(folder.join("old.jsonl"), lesson()).expect("ours");
    let file = File::options().append(true).open(folder.join("old.jsonl")).expect("ours");
    file.set_modified(SystemTime::now() - Duration::from_secs(3_600)).expect("ours");

    let mut worker = scratch.command(program());
    worker.args(["work", "--transcripts"]).arg(&folder).env("CLAUDE_PROJECT_DIR", &scratch.project);
    let _ = run(&mut worker, b"", HANG_TIMEOUT).success();

    let doctor = scratch.interleaf(&["doctor"]);
    assert!(doctor.out().contains("Everything is in order."), "{}", doctor.out());
}
