//! Layers that flood their output, log, state, queue and host calls.

use super::*;

#[test]
fn a_reply_that_is_too_large_is_dropped() {
    let outcome = misbehave(hostile("{}"), "flood the output");

    assert_stopped(&outcome, "output limit of 65536 bytes exceeded by 983060 bytes");
}

#[test]
fn a_list_longer_than_memory_is_dropped() {
    let outcome = misbehave(wat("endless-list"), "answer");

    assert_eq!(block(&outcome, "hostile"), "");
    assert!(logged(&outcome).starts_with("could not be run: "), "{}", logged(&outcome));
}

#[test]
fn printed_output_of_a_layer_is_discarded() {
    for misbehavior in ["print", "flood the standard output"] {
        let outcome = misbehave(hostile("{}"), misbehavior);

        assert_eq!(hostile_text(&outcome), "- printed");
        assert!(outcome.log.is_empty(), "{:?}", outcome.log);
    }
}

#[test]
fn a_flooded_log_drops_lines_and_reports_it_once() {
    let outcome = misbehave(hostile("{}"), "flood the log");

    assert_eq!(hostile_text(&outcome), "- flooded");
    assert_eq!(outcome.log.len(), 51);
    assert_eq!(
        (&*outcome.log[49].message, &*outcome.log[50].message),
        ("line 49", "more lines were dropped")
    );
}

#[test]
fn host_calls_per_event_are_limited() {
    let outcome = misbehave(hostile(r#"{"memory": "read"}"#), "flood the host");

    assert_stopped(
        &outcome,
        "answered with an error: over budget: the 256 host calls of this event are used up",
    );
}

#[test]
fn a_limit_that_the_layer_conceals_is_logged() {
    let outcome = misbehave(hostile(r#"{"memory": "read"}"#), "flood the host in silence");

    assert!(block(&outcome, "hostile").contains("as if nothing were"));
    assert_eq!(logged(&outcome), "exceeded a limit: the 256 host calls of this event are used up");
}

#[test]
fn a_flooded_state_is_stopped_at_its_limit() {
    let outcome = misbehave(hostile(r#"{"state": true}"#), "flood the state");

    assert_eq!(block(&outcome, "hostile"), "");
    assert_eq!(
        logged(&outcome),
        "answered with an error: over budget: `hostile` would hold more than 1048576 bytes: state limit \
         exceeded by 49954 bytes; remove values that are no longer needed"
    );
}

#[test]
fn a_flooded_queue_is_stopped_at_the_session_limit() {
    let outcome = misbehave(hostile(r#"{"jobs": true}"#), "flood the queue");

    assert_stopped(
        &outcome,
        "answered with an error: over budget: the 200 captures and jobs of this session are used up",
    );
}

#[test]
fn a_large_string_is_refused_and_a_huge_one_is_not_even_copied() {
    let large = misbehave(hostile(r#"{"memory": "read"}"#), "hand over a large string");
    assert_stopped(
        &large,
        "answered with an error: over budget: \
         a host call of 2097152 bytes exceeds the limit of 1048576 bytes",
    );

    let huge = misbehave(hostile(r#"{"memory": "read"}"#), "hand over a huge string");
    assert_stopped(&huge, "host call limit of 1048576 bytes exceeded many times over");
}

#[test]
fn deep_nesting_is_refused_without_harm() {
    let outcome = misbehave(hostile(r#"{"memory": "write", "state": true}"#), "hand over deep JSON");

    assert_eq!(block(&outcome, "hostile"), "");
    assert!(
        logged(&outcome)
            .starts_with("answered with an error: invalid: the content must be JSON: recursion limit"),
        "{}",
        logged(&outcome)
    );
}
