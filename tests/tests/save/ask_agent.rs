//! With `ask_agent`, the agent goes on once at the end of a turn, to note down what later sessions need.

use interleaf::harness::{Harness, event};
use interleaf_tests::transcript_builder::TranscriptBuilder;
use serde_json::json;

use super::{after, lesson};

fn asked(harness: &Harness, event: &str) -> bool {
    let reply = harness.send(event).expect("an event").reply.to_json("Stop");
    reply.is_some_and(|reply| reply.contains("interleaf remember"))
}

#[test]
fn the_agent_is_asked_once_and_only_if_something_happened() {
    let setting = "[layers.save.settings]\nask_agent = true";
    let harness = after(&lesson()).config(setting).expect("a setting");
    let continued = event::event("Stop", json!({ "stop_hook_active": true }));

    assert!(!asked(&harness, &continued), "it goes on because of a hook already");
    assert!(asked(&harness, &event::stop("done")));
    assert!(!asked(&harness, &event::stop("done")), "it was asked a moment ago");

    let quiet = TranscriptBuilder::new().user("what does the parser do?").assistant("It parses.");
    let harness = after(&quiet).config(setting).expect("a setting");
    assert!(!asked(&harness, &event::stop("It parses.")));
}

#[test]
fn without_the_setting_nobody_is_asked() {
    assert!(!asked(&after(&lesson()), &event::stop("done")));
}
