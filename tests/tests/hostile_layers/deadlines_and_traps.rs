//! Layers that do not come to an end, or to the wrong one.

use super::*;

#[test]
fn a_layer_that_spins_is_stopped_at_its_deadline() {
    assert_stopped(&commit(hostile("{}"), "spin"), "stopped at its deadline of 400 ms");
}

#[test]
fn a_layer_that_spins_around_a_host_call_is_stopped_at_its_deadline() {
    let outcome = commit(hostile(r#"{"state": true}"#), "spin around a host call");

    assert_stopped(&outcome, "stopped at its deadline of 400 ms");
}

#[test]
fn a_layer_that_spins_before_it_is_called_is_stopped_at_its_deadline() {
    assert_stopped(&commit(wat("spin-in-start"), "start"), "stopped at its deadline of 400 ms");
}

#[test]
fn a_layer_that_spins_while_it_is_handed_the_event_is_stopped_at_its_deadline() {
    assert_stopped(&commit(wat("spin-in-realloc"), "take this"), "stopped at its deadline of 400 ms");
}

#[test]
fn a_layer_that_traps_is_named() {
    let outcome = commit(hostile("{}"), "trap");

    assert_stopped(&outcome, "trapped: wasm trap: wasm `unreachable` instruction executed");
}

#[test]
fn a_layer_that_traps_before_it_is_called_is_named() {
    let outcome = commit(wat("trap-in-start"), "start");

    assert_stopped(&outcome, "trapped: wasm trap: wasm `unreachable` instruction executed");
}

#[test]
fn a_layer_that_exits_ends_itself_and_not_the_hook() {
    for code in [0, 1] {
        let outcome = commit(hostile("{}"), &format!("exit with {code}"));

        assert_stopped(&outcome, &format!("exited with code {code} instead of answering"));
    }
}

#[test]
fn a_layer_s_own_error_is_recorded() {
    let outcome = commit(hostile("{}"), "refuse");

    assert_stopped(&outcome, "answered with an error: invalid: I do not feel like it");
}
