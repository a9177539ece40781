//! Layers that do not end, trap or exit.

use super::*;

#[test]
fn a_layer_that_spins_is_stopped_at_its_deadline() {
    assert_stopped(&misbehave(hostile("{}"), "spin"), "stopped at its deadline of 400 ms");
}

#[test]
fn a_layer_that_spins_around_a_host_call_is_stopped_at_its_deadline() {
    let outcome = misbehave(hostile(r#"{"state": true}"#), "spin around a host call");

    assert_stopped(&outcome, "stopped at its deadline of 400 ms");
}

#[test]
fn a_layer_that_spins_before_it_is_called_is_stopped_at_its_deadline() {
    assert_stopped(&misbehave(wat("spin-in-start"), "start"), "stopped at its deadline of 400 ms");
}

#[test]
fn a_layer_that_spins_while_it_receives_the_event_is_stopped_at_its_deadline() {
    assert_stopped(&misbehave(wat("spin-in-realloc"), "take this"), "stopped at its deadline of 400 ms");
}

#[test]
fn a_layer_that_traps_is_named() {
    let outcome = misbehave(hostile("{}"), "trap");

    assert_stopped(&outcome, "trapped: wasm trap: wasm `unreachable` instruction executed");
}

#[test]
fn a_layer_that_traps_before_it_is_called_is_named() {
    let outcome = misbehave(wat("trap-in-start"), "start");

    assert_stopped(&outcome, "trapped: wasm trap: wasm `unreachable` instruction executed");
}

#[test]
fn a_layer_that_exits_does_not_end_the_hook() {
    for code in [0, 1] {
        let outcome = misbehave(hostile("{}"), &format!("exit with {code}"));

        assert_stopped(&outcome, &format!("exited with code {code} instead of answering"));
    }
}

#[test]
fn an_error_that_a_layer_returns_is_logged() {
    let outcome = misbehave(hostile("{}"), "refuse");

    assert_stopped(&outcome, "answered with an error: invalid: I do not feel like it");
}
