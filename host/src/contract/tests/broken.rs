//! Bytes that are no component, or no more: every one is an answer, none a panic.

use super::{PROMPTS, layer};
use crate::contract::inspect;
use crate::error::ErrorKind;
use crate::layer::{Code, Layer};

/// What is said of these bytes.
fn refused(bytes: &[u8]) -> (String, String) {
    let error = inspect(bytes).expect_err("it is no component");
    assert_eq!(error.kind, ErrorKind::Invalid);
    (error.message, error.hint.unwrap_or_default())
}

fn real_layer() -> Vec<u8> {
    let Code::InMemory(wasm) = Layer::embedded().remove(0).code else {
        panic!("embedded layers are at hand")
    };
    wasm.into_owned()
}

#[test]
fn a_file_that_is_no_component_is_called_what_it_is() {
    assert_eq!(refused(b"").0, "the file is empty");
    assert_eq!(refused(b"\0asm").0, "the file breaks off within its first eight bytes");
    assert!(refused(b"\0asm\x01\0\0\0").1.contains("wasm32-wasip2"));
    assert_eq!(refused(b"\0asm\x01\0\0\0").0, "this is a core module, not a component");
    assert!(refused(b"\x7fELF\x02\x01").0.contains(".cwasm"));
    assert!(refused(b"  (component)").1.contains("wasm-tools parse"));
    assert!(refused(b"#!/bin/sh").0.contains("not WebAssembly"));
}

#[test]
fn a_component_that_breaks_off_is_told_where() {
    let whole = layer(PROMPTS, &[]);

    let (what, _) = refused(&whole[..whole.len() - 10]);

    let size = whole.len() - 10;
    assert_eq!(what, format!("the component breaks off after {size} bytes, in the middle of a section"));
}

/// Only a cut between two of the outermost sections leaves a component: one with less in it.
#[test]
fn a_component_that_is_cut_anywhere_is_refused_or_lacks_something() {
    let whole = real_layer();
    let cuts: Vec<usize> = (0..whole.len()).step_by(64).collect();

    let seems_whole = |end: &&usize| inspect(&whole[..**end]).is_ok_and(|told| told.mismatches.is_empty());

    let seeming: Vec<&usize> = cuts.iter().filter(seems_whole).collect();
    assert!(seeming.len() * 100 < cuts.len(), "{seeming:?} of {} seem whole", whole.len());
}

#[test]
fn a_component_with_bytes_changed_anywhere_panics_nothing() {
    let whole = layer(PROMPTS, &[]);
    // A xorshift: no source of randomness, so a failure can be had again.
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
            let place = next() % bytes.len();
            bytes[place] = next() as u8;
        }
        let _ = inspect(&bytes);
    }
}
