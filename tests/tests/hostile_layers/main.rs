//! Layers that misbehave, one file for each kind of misdeed. Each says what the layer got, what Claude Code
//! saw and what was recorded; beside each runs `recall`, whose block must come out as if it had been alone.
//! `SECURITY.md` tells the same as a table, and a test here holds that every test it names exists.

mod deadlines_and_traps;
mod floods;
mod forged_memories;
mod in_a_hook;
mod incompatible;
mod resource_limits;
mod security_page;
mod text_injection;
mod ungranted_decisions;
mod wasi_access;

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use interleaf::harness::{Harness, Outcome, event};
use interleaf::log::Level;
use interleaf_tests::guests;

const MEMORY: &str = "Use pnpm, never npm, as the package manager: CI rejects an npm lock file";
const QUESTION: &str = "Which package manager do we use here, npm or pnpm?";

/// How long an event may take before it counts as hanging: ten seconds, and as long again twice over for
/// compiling both layers beforehand on a machine that has other things to do.
const HANG: Duration = Duration::from_secs(30);

/// The hostile layer with these grants, in JSON, and `recall` with a memory that it will find.
fn hostile(grants: &str) -> Harness {
    beside_recall(Harness::component("hostile", guests::hostile()).expect("it loads"), grants)
}

/// The layer of `tests/layers/wat/NAME.wat`, likewise.
fn wat(name: &str) -> Harness {
    beside_recall(Harness::component("hostile", guests::wat(name)).expect("it loads"), "{}")
}

fn beside_recall(layer: Harness, grants: &str) -> Harness {
    let layer = layer.grants(grants).expect("the grants are valid");
    let recall = Harness::embedded("recall").expect("it is embedded").and(layer);
    recall.remember("preference", MEMORY).expect("it is lawful")
}

/// Has the layer do this, in a session of its own, and sees to it that `recall` was heard nevertheless.
fn commit(harness: impl Into<Arc<Harness>>, misdeed: &str) -> Outcome {
    static SESSIONS: AtomicU32 = AtomicU32::new(0);
    let session = format!("session-{}", SESSIONS.fetch_add(1, Ordering::Relaxed));
    let prompt = event::prompt(&format!("{misdeed}: {QUESTION}"));
    let outcome = send(harness, event::in_session(&prompt, &session));
    let block = block(&outcome, "recall");
    assert!(block.contains(MEMORY), "{misdeed}: {block:?} {:?}", outcome.log);
    outcome
}

/// Sends one event, under the guard.
fn send(harness: impl Into<Arc<Harness>>, event: String) -> Outcome {
    let (harness, (done, outcome)) = (harness.into(), mpsc::channel());
    std::thread::spawn(move || drop(done.send(harness.send(&event))));
    outcome.recv_timeout(HANG).expect("it does not hang").expect("an event")
}

/// The block of this layer, as the model sees it; empty where there is none.
fn block(outcome: &Outcome, layer: &str) -> String {
    let opening = format!("<interleaf-memory layer=\"{layer}\">\n");
    let (_, rest) = outcome.context().split_once(&opening).unwrap_or_default();
    let (block, _) = rest.split_once("\n</interleaf-memory>").unwrap_or_default();
    block.to_owned()
}

/// What the model sees of the hostile layer, without the heading.
fn said(outcome: &Outcome) -> String {
    block(outcome, "hostile").split_once('\n').map(|(_, lines)| lines.to_owned()).unwrap_or_default()
}

/// The one warning or error in the log, which names the hostile layer.
fn recorded(outcome: &Outcome) -> &str {
    let mut lines = outcome.log.iter().filter(|line| line.level >= Level::Warn);
    let line = lines.next().expect("the misdeed is in the log");
    assert_eq!(line.layer.as_deref(), Some("hostile"));
    assert!(lines.next().is_none(), "one misdeed, one line: {:?}", outcome.log);
    &line.message
}

/// That the layer was stopped: it said nothing, decided nothing, and this was recorded.
#[track_caller]
fn assert_stopped(outcome: &Outcome, record: &str) {
    assert_eq!(recorded(outcome), record);
    assert_eq!(block(outcome, "hostile"), "");
    let reply = &outcome.reply;
    assert!(reply.permission.is_none() && reply.block.is_none() && reply.notice.is_none());
}

#[test]
fn a_layer_that_behaves_is_heard_beside_the_other() {
    let outcome = commit(hostile("{}"), "behave");

    assert_eq!(said(&outcome), "- all is well");
    assert!(outcome.log.is_empty());
}
