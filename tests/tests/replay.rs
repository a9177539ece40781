//! Recorded sessions of real projects, with what an earlier session of each learned: what fits comes back, and where
//! the recording asks for silence there is silence.

use std::path::PathBuf;

use interleaf_tests::scratch::Scratch;
use interleaf_tests::workspace::fixtures;
use serde_json::Value;

/// Every session that has an earlier one to remember.
const SESSIONS: [&str; 6] =
    ["ledger-api/s2", "ledger-api/s3", "handbook/s2", "handbook/s3", "atlas-mono/s2", "atlas-mono/s3"];

#[test]
fn no_recorded_session_gets_a_memory_where_silence_is_wanted() {
    for session in SESSIONS {
        let events = replay(session);

        assert!(!events.is_empty(), "{session}");
        for event in events {
            let place = format!("{session}, event {}, {}", event["event"], event["name"]);
            assert_eq!((event["code"].as_i64(), event["stderr"].as_str()), (Some(0), Some("")), "{place}");
            assert_ne!(event["verdict"]["noise"], true, "{place}: {}", event["injected"]);
        }
    }
}

#[test]
fn a_prompt_about_the_vendor_brings_what_is_known_about_the_vendor() {
    let events = replay("ledger-api/s2");

    let prompt = events.iter().find(|event| event["event"] == 19).expect("the recording has 28 events");
    assert!(prompt["what"].as_str().unwrap().contains("50 account requests in parallel"));
    assert!(prompt["injected"].as_str().unwrap().contains("vendor"), "{prompt}");
}

#[test]
fn the_report_for_people_ends_with_times_and_the_score() {
    let scratch = Scratch::new();
    let [session, memories] = fixture("ledger-api/s2");

    let report = scratch.interleaf(&["replay", &session, "--memories", &memories, "--check"]).success();

    for line in
        ["ledger-api/s2\n", "#0 SessionStart startup", "silent events\n", "\nevent ", "\nall ", "\nrecall: "]
    {
        assert!(report.contains(line), "{line:?} is missing in:\n{report}");
    }
    let left = scratch.root.read_dir().unwrap().filter(|entry| {
        entry.as_ref().unwrap().file_name().to_string_lossy().starts_with("interleaf-replay")
    });
    assert_eq!(left.count(), 0, "the scratch folder is still there");
}

/// Every event of a session as JSON, with the memories of the project's first session.
fn replay(session: &str) -> Vec<Value> {
    let [session, memories] = fixture(session);
    let scratch = Scratch::new();
    let report =
        scratch.interleaf(&["replay", &session, "--memories", &memories, "--check", "--json"]).success();
    let lines = report.lines().map(|line| serde_json::from_str(line).expect("a line is an object"));
    // The last line of a session tells what is saved of it.
    lines.filter(|line: &Value| line.get("event").is_some()).collect()
}

/// The folder of a session, and the file with the memories of its project.
fn fixture(session: &str) -> [String; 2] {
    let (project, _) = session.split_once('/').expect("a session is named with its project");
    let memories = fixtures().join("memories").join(format!("{project}.jsonl"));
    let path = |path: PathBuf| path.display().to_string();
    [path(fixtures().join("sessions").join(session)), path(memories)]
}
