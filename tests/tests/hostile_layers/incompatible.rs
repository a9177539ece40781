//! Components that are not what the host expects: of another type, for another world, broken.

use interleaf::error::ErrorKind;

use super::*;

#[test]
fn an_event_of_the_wrong_type_is_logged_with_interface_and_function() {
    for name in ["wrong-type", "wrong-function"] {
        let outcome = misbehave(wat(name), "answer");

        let message = "could not be run: its export interleaf:layer/user-prompt, function handle: ";
        assert!(logged(&outcome).starts_with(message), "{}", logged(&outcome));
        assert_eq!(block(&outcome, "hostile"), "");
    }
}

#[test]
fn an_import_that_the_host_does_not_have_is_named() {
    let outcome = misbehave(wat("unknown-import"), "answer");

    assert!(logged(&outcome).starts_with("could not be run: "), "{}", logged(&outcome));
    assert!(logged(&outcome).contains("interleaf:layer/root-shell"), "{}", logged(&outcome));
}

#[test]
fn a_layer_for_a_newer_contract_is_not_called() {
    let outcome = misbehave(wat("newer-contract"), "answer");

    assert!(outcome.log.is_empty());
    assert_eq!(block(&outcome, "hostile"), "");
}

#[test]
fn pointers_outside_the_layer_s_memory_stop_the_layer() {
    for name in ["wild-pointers", "wild-room"] {
        let outcome = misbehave(wat(name), "answer");

        assert_eq!(block(&outcome, "hostile"), "");
        assert!(logged(&outcome).starts_with("could not be run: "), "{}", logged(&outcome));
    }
}

#[test]
fn a_file_that_is_not_a_component_is_refused_before_it_runs() {
    let whole = guests::hostile();
    let module = b"\0asm\x01\0\0\0".to_vec();
    let mut corrupt = whole.clone();
    corrupt.iter_mut().skip(whole.len() / 2).take(64).for_each(|byte| *byte ^= 0x5a);

    for broken in [Vec::new(), b"#!/bin/sh\n".to_vec(), module, whole[..whole.len() / 2].to_vec(), corrupt] {
        let tried =
            Harness::component("hostile", broken).and_then(|layer| layer.send(&event::prompt("behave")));
        let error = tried.expect_err("refused");

        assert_eq!(error.kind, ErrorKind::Invalid, "{error}");
    }
}
