//! A repeated flush, turn or session end saves each lesson once.

use super::{after, lesson, saved, texts};
use interleaf::harness::event;
use interleaf_tests::transcript_builder::TranscriptBuilder;

#[test]
fn a_session_that_ends_twice_is_saved_once() {
    let harness = after(&lesson());

    let first = saved(&harness);
    let second = saved(&harness);

    assert!(!first.memories.is_empty());
    assert_eq!(ids(&first), ids(&second));
}

#[test]
fn a_turn_that_continues_is_read_again_and_saved_once() {
    let whole = lesson();
    let half = whole.lines().lines().take(6).map(|line| format!("{line}\n")).collect::<String>();
    let harness = after(&whole).transcript(&half);

    harness.send(&event::stop("")).expect("an event");
    let first = harness.run_jobs().expect("the jobs end");
    let harness = harness.transcript(&whole.lines());
    let second = saved(&harness);

    assert_eq!(texts(&first, "preference").len(), 1, "{:?}", first.memories);
    assert_eq!(texts(&second, "preference"), texts(&first, "preference"));
    // The failure is in the first half, its fix in the second.
    assert_eq!(texts(&second, "runbook").len(), 1, "{:?}", second.memories);
    assert_eq!(
        texts(&second, "session_summary").len(),
        1,
        "the later summary takes the place of the earlier"
    );
}

#[test]
fn a_session_that_is_too_long_for_one_flush_is_read_in_parts() {
    let padding = "no news here; ".repeat(1000);
    let mut conversation = TranscriptBuilder::new()
        .user("from now on never use npm here, always use pnpm: CI rejects npm lockfiles");
    for step in 0..700 {
        conversation = conversation.command(&format!("make step{step}"), &padding);
    }
    let conversation = conversation
        .user("from now on commit messages follow conventional commits, the changelog is made of them");

    let outcome = saved(&after(&conversation));

    let flushes = outcome.log.iter().filter(|line| line.message.contains("\"flush\"")).count();
    assert!((2..=4).contains(&flushes), "{flushes} flushes");
    assert_eq!(texts(&outcome, "preference").len(), 2, "{:?}", outcome.memories);
}

#[test]
fn a_session_is_one_flush_and_its_log_line_quotes_nobody() {
    let harness = after(&lesson());

    let outcome = saved(&harness);

    let flushes: Vec<_> = outcome.log.iter().filter(|line| line.message.contains("\"flush\"")).collect();
    assert_eq!(flushes.len(), 1, "{:?}", outcome.log);
    assert!(!flushes[0].message.contains("pnpm"), "the log quotes nobody: {}", flushes[0].message);
}

fn ids(outcome: &interleaf::harness::Outcome) -> Vec<String> {
    let mut ids: Vec<String> = outcome.memories.iter().map(|memory| memory.id.clone()).collect();
    ids.sort();
    ids
}
