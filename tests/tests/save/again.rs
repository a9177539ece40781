//! Once, whatever is repeated: the same flush, the same turn, the same session.

use super::{after, lesson, saved, texts};
use interleaf::harness::event;

#[test]
fn a_session_that_ends_twice_is_saved_once() {
    let harness = after(&lesson());

    let first = saved(&harness);
    let second = saved(&harness);

    assert!(!first.memories.is_empty());
    assert_eq!(ids(&first), ids(&second));
}

#[test]
fn a_turn_that_goes_on_is_read_again_and_saved_once() {
    let whole = lesson();
    let half = whole.lines().lines().take(6).map(|line| format!("{line}\n")).collect::<String>();
    let harness = after(&whole).transcript(&half);

    harness.send(&event::stop("")).expect("an event");
    let first = harness.work().expect("the jobs end");
    let harness = harness.transcript(&whole.lines());
    let second = saved(&harness);

    assert_eq!(texts(&first, "preference").len(), 1, "{:?}", first.memories);
    assert_eq!(texts(&second, "preference"), texts(&first, "preference"));
    // Its failure was read with the first half, its success with the second.
    assert_eq!(texts(&second, "runbook").len(), 1, "{:?}", second.memories);
    assert_eq!(
        texts(&second, "session_summary").len(),
        1,
        "the later summary takes the place of the earlier"
    );
}

#[test]
fn nothing_is_left_in_the_state_but_how_far_it_was_read() {
    let harness = after(&lesson());

    let outcome = saved(&harness);

    let flushes: Vec<_> = outcome.log.iter().filter(|line| line.message.contains("\"flush\"")).collect();
    assert_eq!(flushes.len(), 1, "{:?}", outcome.log);
    assert!(!flushes[0].message.contains("pnpm"), "the log tells nobody's words: {}", flushes[0].message);
}

fn ids(outcome: &interleaf::harness::Outcome) -> Vec<String> {
    let mut ids: Vec<String> = outcome.memories.iter().map(|memory| memory.id.clone()).collect();
    ids.sort();
    ids
}
