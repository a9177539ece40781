//! Recorded sessions of real projects, with what an earlier session of each taught: what fits is shown again,
//! and where the recording asks for silence there is silence.

mod kit;

use std::thread;

use kit::{eval, eval_for_people, memories, session};
use serde_json::Value;

/// Every session that has an earlier one to remember.
const LATER_SESSIONS: [&str; 6] =
    ["ledger-api/s2", "ledger-api/s3", "handbook/s2", "handbook/s3", "atlas-mono/s2", "atlas-mono/s3"];

/// Maximum share of the events where silence is wanted that may show a memory.
const MAX_NOISE: f64 = 0.03;

#[test]
fn hardly_an_event_of_the_recorded_sessions_shows_a_memory_where_silence_is_wanted() {
    // Side by side, because most of the time is spent waiting.
    let played = thread::scope(|scope| {
        LATER_SESSIONS.map(|name| scope.spawn(move || replay(name))).map(|session| session.join())
    });
    let (mut silent, mut noisy) = (0, Vec::new());
    for (name, events) in LATER_SESSIONS.into_iter().zip(played) {
        let events = events.expect("it was played");

        assert!(!events.is_empty(), "{name}");
        for event in events {
            let place = format!("{name}, event {}, {}", event["event"], event["name"]);
            assert_eq!((event["code"].as_i64(), event["stderr"].as_str()), (Some(0), Some("")), "{place}");
            silent += 1;
            if event["verdict"]["noise"] == true {
                noisy.push(format!("{place}: {}", event["injected"]));
            }
        }
    }
    assert!((noisy.len() as f64) <= MAX_NOISE * f64::from(silent), "of {silent}: {noisy:#?}");
}

#[test]
fn a_prompt_about_the_vendor_brings_what_is_known_about_the_vendor() {
    let events = replay("ledger-api/s2");

    let prompt = events.iter().find(|event| event["event"] == 19).expect("the recording has 28 events");
    assert!(prompt["subject"].as_str().unwrap().contains("50 account requests in parallel"));
    assert!(prompt["injected"].as_str().unwrap().contains("vendor"), "{prompt}");
}

#[test]
fn the_report_for_people_ends_with_times_and_the_score() {
    let name = "ledger-api/s2";

    let report = eval_for_people(&["replay", &session(name), "--memories", &memories(name), "--check"]);

    for line in
        ["ledger-api/s2\n", "#0 SessionStart startup", "silent events\n", "\nevent ", "\nall ", "\nrecall: "]
    {
        assert!(report.contains(line), "{line:?} is missing in:\n{report}");
    }
}

/// The events of a session as they were played, with the memories of the project's first session.
fn replay(name: &str) -> Vec<Value> {
    let lines = eval(&["replay", &session(name), "--memories", &memories(name), "--check"]);
    lines.into_iter().filter(|line| line.get("event").is_some()).collect()
}
