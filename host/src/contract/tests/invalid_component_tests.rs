//! Tests with bytes that are not a component, or a damaged one: each gives an error, and none causes a panic.

use super::{PROMPT_WORLD, layer};
use crate::contract::inspect;
use crate::error::ErrorKind;
use crate::layer::Layer;

/// Returns the message and the hint for these bytes.
fn rejection(bytes: &[u8]) -> (String, String) {
    let error = inspect(bytes).expect_err("it is not a component");
    assert_eq!(error.kind, ErrorKind::Invalid);
    (error.message, error.hint.unwrap_or_default())
}

fn real_layer() -> Vec<u8> {
    Layer::embedded_components()[0].1.to_vec()
}

#[test]
fn a_file_that_is_not_a_component_is_identified() {
    assert_eq!(rejection(b"").0, "the file is empty");
    assert_eq!(rejection(b"\0asm").0, "the file ends within its first eight bytes");
    assert!(rejection(b"\0asm\x01\0\0\0").1.contains("wasm32-wasip2"));
    assert_eq!(rejection(b"\0asm\x01\0\0\0").0, "this is a core module, not a component");
    assert!(rejection(b"\x7fELF\x02\x01").0.contains(".cwasm"));
    assert!(rejection(b"  (component)").1.contains("wasm-tools parse"));
    assert!(rejection(b"#!/bin/sh").0.contains("not WebAssembly"));
}

#[test]
fn a_truncated_component_is_reported_with_its_size() {
    let whole = layer(PROMPT_WORLD, &[]);

    let (what, _) = rejection(&whole[..whole.len() - 10]);

    let size = whole.len() - 10;
    assert_eq!(what, format!("the component ends after {size} bytes, in the middle of a section"));
}

/// Only a cut between two of the outermost sections leaves a valid component, with fewer sections.
#[test]
fn a_component_truncated_anywhere_is_rejected_or_incomplete() {
    let whole = real_layer();
    let cuts: Vec<usize> = (0..whole.len()).step_by(64).collect();

    let seems_complete =
        |end: &&usize| inspect(&whole[..**end]).is_ok_and(|inspection| inspection.mismatches.is_empty());

    let complete_cuts: Vec<&usize> = cuts.iter().filter(seems_complete).collect();
    assert!(complete_cuts.len() * 100 < cuts.len(), "{complete_cuts:?} of {} seem complete", whole.len());
}

#[test]
fn a_component_with_random_changes_causes_no_panic() {
    let whole = layer(PROMPT_WORLD, &[]);
    // A xorshift generator with a fixed seed, so that a failure can be reproduced.
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed as usize
    };
    for _ in 0..3_000 {
        let mut bytes = whole.clone();
        for _ in 0..1 + next() % 4 {
            let position = next() % bytes.len();
            bytes[position] = next() as u8;
        }
        let _ = inspect(&bytes);
    }
}
