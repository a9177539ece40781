//! Layers that misbehave: each is stopped at its limit, the others' replies arrive, and the log names the culprit.

use interleaf::error::Error;
use interleaf::harness::{Harness, Outcome, event};
use interleaf::log::Level;
use interleaf_tests::guests;

const MEMORY: &str = "Use pnpm, never npm, as the package manager: CI rejects an npm lock file";
const QUESTION: &str = "Which package manager do we use here, npm or pnpm?";

fn hostile() -> Harness {
    Harness::component("hostile", guests::hostile()).expect("the component loads")
}

fn ask(harness: &Harness, prompt: &str) -> Outcome {
    harness.send(&event::prompt(prompt)).expect("an event")
}

/// The one line that names the hostile layer.
fn told_off(outcome: &Outcome) -> &str {
    let mut lines = outcome.log.iter().filter(|line| line.level >= Level::Warn);
    let line = lines.next().expect("the failure is in the log");
    assert_eq!(line.layer.as_deref(), Some("hostile"));
    assert!(lines.next().is_none(), "one failure, one line: {:?}", outcome.log);
    &line.message
}

#[test]
fn a_well_behaved_layer_answers() {
    assert!(ask(&hostile(), "behave").context().contains("all is well"));
}

#[test]
fn a_layer_that_spins_is_stopped_at_its_deadline() {
    let outcome = ask(&hostile(), "spin");

    assert_eq!(told_off(&outcome), "stopped at its deadline of 400 ms");
    assert_eq!(outcome.context(), "");
}

#[test]
fn a_layer_that_allocates_without_end_meets_the_memory_limit() {
    let outcome = ask(&hostile(), "allocate");

    assert_eq!(told_off(&outcome), "memory limit of 134217728 bytes exceeded by 65536 bytes");
}

#[test]
fn a_layer_that_recurses_without_end_meets_the_stack_limit() {
    assert_eq!(told_off(&ask(&hostile(), "recurse")), "stack limit exceeded: endless recursion?");
}

#[test]
fn a_layer_that_traps_is_named() {
    assert!(told_off(&ask(&hostile(), "trap")).starts_with("trapped: "));
}

#[test]
fn a_layer_that_floods_its_reply_meets_the_output_limit() {
    assert!(
        told_off(&ask(&hostile(), "flood the output")).starts_with("output limit of 65536 bytes exceeded")
    );
}

#[test]
fn a_layer_that_floods_the_host_is_told_that_its_calls_are_used_up() -> Result<(), Error> {
    let outcome = ask(&hostile().grants(r#"{"memory": "read"}"#)?, "flood the host");

    assert_eq!(
        told_off(&outcome),
        "answered with an error: over budget: the 256 host calls of this event are used up"
    );
    Ok(())
}

#[test]
fn a_layer_that_floods_the_log_loses_its_lines_and_nothing_else() {
    let outcome = ask(&hostile(), "flood the log");

    assert!(outcome.context().contains("flooded"));
    assert_eq!(outcome.log.len(), 256);
}

#[test]
fn a_layer_s_own_error_is_in_the_log() {
    assert_eq!(
        told_off(&ask(&hostile(), "refuse")),
        "answered with an error: invalid: I do not feel like it"
    );
}

#[test]
fn whatever_one_layer_does_the_others_are_heard() -> Result<(), Error> {
    for misdeed in ["spin", "allocate", "trap", "recurse", "flood the output", "refuse"] {
        let harness = Harness::embedded("recall")?.and(hostile()).remember("preference", MEMORY)?;

        let outcome = ask(&harness, &format!("{misdeed}: {QUESTION}"));

        assert!(outcome.context().contains("pnpm"), "{misdeed}: {:?}", outcome.log);
        assert!(!told_off(&outcome).is_empty(), "{misdeed}");
    }
    Ok(())
}

#[test]
fn nothing_is_granted_that_was_not_given() {
    for prompt in ["write", "ask for the project", "remember across events", "flood the host"] {
        let outcome = ask(&hostile(), prompt);
        assert!(told_off(&outcome).contains("denied: layer hostile was not granted this"), "{prompt}");
    }
}

#[test]
fn a_layer_that_may_read_may_not_write() -> Result<(), Error> {
    let outcome = ask(&hostile().grants(r#"{"memory": "read"}"#)?, "write");

    assert!(told_off(&outcome).contains("its grants would need `memory = \"write\"`"));
    assert!(outcome.memories.is_empty());
    Ok(())
}

#[test]
fn a_layer_cannot_claim_that_a_person_wrote_something() -> Result<(), Error> {
    let outcome = ask(&hostile().grants(r#"{"memory": "write"}"#)?, "claim a person wrote it");

    assert!(told_off(&outcome).contains("cannot claim the origin person"));
    assert!(outcome.memories.is_empty());
    Ok(())
}

#[test]
fn a_layer_that_may_write_writes() -> Result<(), Error> {
    let outcome = ask(&hostile().grants(r#"{"memory": "write"}"#)?, "write");

    assert_eq!(outcome.memories.len(), 1);
    assert_eq!(outcome.memories[0].source.layer.as_deref(), Some("hostile"));
    Ok(())
}

#[test]
fn state_lasts_from_one_event_to_the_next() -> Result<(), Error> {
    let harness = hostile().grants(r#"{"state": true}"#)?;

    assert!(ask(&harness, "remember across events").context().contains("event 1"));
    assert!(ask(&harness, "remember across events").context().contains("event 2"));
    Ok(())
}

#[test]
fn a_decision_without_the_power_is_dropped_and_logged() -> Result<(), Error> {
    let without = ask(&hostile(), "decide");
    assert_eq!(without.reply.block, None);
    assert_eq!(told_off(&without), "answered block, but has no power to; it was ignored");

    let with = ask(&hostile().grants(r#"{"decide": ["block"]}"#)?, "decide");
    assert_eq!(with.reply.block.as_deref(), Some("hostile: because I say so"));
    Ok(())
}

#[test]
fn a_layer_shows_only_what_it_has_read() {
    let outcome = ask(&hostile(), "show what was not read");

    assert_eq!(outcome.context(), "");
    assert!(told_off(&outcome).contains("which it has not read"));
}

#[test]
fn what_a_layer_prints_goes_nowhere() {
    let outcome = ask(&hostile(), "print");

    assert!(outcome.context().contains("printed"));
    assert!(!outcome.context().contains("must not reach"));
}
