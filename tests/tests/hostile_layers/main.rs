//! Layers that misbehave, one file for each kind of misbehavior. Each test checks what the layer got, what
//! Claude Code saw and what was logged. `recall` runs beside the layer, and its block must be the same as if
//! it ran alone. `SECURITY.md` lists these cases as a table, and a test here checks that every test named
//! there exists.

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

/// Time after which an event counts as hanging: ten seconds, plus twenty for compiling both layers on a busy
/// machine.
const HANG_TIMEOUT: Duration = Duration::from_secs(30);

/// Returns the hostile layer with these grants (JSON), beside `recall` with a memory that it will find.
fn hostile(grants: &str) -> Harness {
    beside_recall(Harness::component("hostile", guests::hostile()).expect("it loads"), grants)
}

/// Returns the layer of `tests/layers/wat/NAME.wat` without grants, beside `recall`.
fn wat(name: &str) -> Harness {
    beside_recall(Harness::component("hostile", guests::wat(name)).expect("it loads"), "{}")
}

fn beside_recall(layer: Harness, grants: &str) -> Harness {
    let layer = layer.grants(grants).expect("the grants are valid");
    let recall = Harness::embedded("recall").expect("it is embedded").and(layer);
    recall.remember("preference", MEMORY).expect("it is lawful")
}

/// Makes the layer misbehave in a session of its own, and checks that `recall` answered nevertheless.
fn misbehave(harness: impl Into<Arc<Harness>>, misbehavior: &str) -> Outcome {
    static SESSIONS: AtomicU32 = AtomicU32::new(0);
    let session = format!("session-{}", SESSIONS.fetch_add(1, Ordering::Relaxed));
    let prompt = event::prompt(&format!("{misbehavior}: {QUESTION}"));
    let outcome = send(harness, event::in_session(&prompt, &session));
    let block = block(&outcome, "recall");
    // Beside a memory about the same, which a layer has just written, only its title may be shown.
    let title = MEMORY.split_once(':').map_or(MEMORY, |(title, _)| title);
    assert!(block.contains(title), "{misbehavior}: {block:?} {:?}", outcome.log);
    outcome
}

/// Sends one event and fails if it hangs.
fn send(harness: impl Into<Arc<Harness>>, event: String) -> Outcome {
    let (harness, (done, outcome)) = (harness.into(), mpsc::channel());
    std::thread::spawn(move || drop(done.send(harness.send(&event))));
    outcome.recv_timeout(HANG_TIMEOUT).expect("it does not hang").expect("an event")
}

/// Returns the block of a layer as the model sees it; empty if there is none.
fn block(outcome: &Outcome, layer: &str) -> String {
    let opening = format!("<interleaf-memory layer=\"{layer}\">\n");
    let (_, rest) = outcome.context().split_once(&opening).unwrap_or_default();
    let (block, _) = rest.split_once("\n</interleaf-memory>").unwrap_or_default();
    block.to_owned()
}

/// Returns the text of the hostile layer that the model sees, without the heading and without the words that
/// mark it as a layer's.
fn hostile_text(outcome: &Outcome) -> String {
    let block = block(outcome, "hostile");
    block.split_once('\n').map(|(_, lines)| lines.replace("- layer says: ", "- ")).unwrap_or_default()
}

/// Returns the only warning or error in the log, which must name the hostile layer.
fn logged(outcome: &Outcome) -> &str {
    let mut lines = outcome.log.iter().filter(|line| line.level >= Level::Warn);
    let line = lines.next().expect("the misbehavior is in the log");
    assert_eq!(line.layer.as_deref(), Some("hostile"));
    assert!(lines.next().is_none(), "one misbehavior, one line: {:?}", outcome.log);
    &line.message
}

/// Checks that the layer was stopped: it showed nothing, decided nothing, and this message was logged.
#[track_caller]
fn assert_stopped(outcome: &Outcome, record: &str) {
    assert_eq!(logged(outcome), record);
    assert_eq!(block(outcome, "hostile"), "");
    let reply = &outcome.reply;
    assert!(reply.permission.is_none() && reply.block.is_none() && reply.notice.is_none());
}

#[test]
fn a_well_behaved_layer_answers_beside_recall() {
    let outcome = misbehave(hostile("{}"), "behave");

    assert_eq!(hostile_text(&outcome), "- all is well");
    assert!(outcome.log.is_empty());
}
