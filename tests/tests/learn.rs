//! `interleaf learn` saves what earlier sessions taught: the same as their ends would have, once, and it can
//! be stopped and run again.

use std::collections::BTreeSet;
use std::fs;

use interleaf_tests::scratch::Scratch;
use interleaf_tests::workspace::fixtures;
use serde_json::{Value, json};

/// The recorded sessions of a project.
const SESSIONS: [&str; 3] = ["s1", "s2", "s3"];

/// Returns a project of which Claude Code keeps the transcripts of the recorded sessions.
fn project_with_transcripts() -> Scratch {
    let scratch = Scratch::new();
    for session in SESSIONS {
        let recorded = fixtures().join("sessions/ledger-api").join(session).join("transcript.jsonl");
        let text = fs::read_to_string(recorded).expect("the recording is there");
        scratch.write(transcript(&scratch, session), &text);
    }
    scratch
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
    assert!(said.starts_with("Read 3 sessions: ") && said.contains("preference"), "{said}");
    let learned = texts(&scratch);
    assert!(learned.iter().any(|text| text.contains("pnpm")), "{learned:#?}");

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
