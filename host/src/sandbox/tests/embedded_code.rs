//! Tests of the code that is part of the program.

use super::Account;
use crate::harness::{Harness, event};
use crate::layer::{Code, Layer};
use crate::sandbox::Sandbox;

/// The beginning of the names of a processor's features, in the description of what code was compiled for.
const HAS_FEATURE: &[u8] = b"has_";

fn code(layer: &Layer) -> &'static [u8] {
    match layer.code {
        Code::Embedded(code) => code.bytes(),
        _ => panic!("{} is not embedded", layer.name),
    }
}

#[test]
fn every_embedded_layer_loads_without_a_compilation_and_without_a_cache() {
    for stack in [64 << 10, 512 << 10, 1 << 20] {
        let sandbox = Sandbox::new(None).expect("a sandbox");
        for layer in Layer::embedded() {
            sandbox.load_for_event(&layer, stack).unwrap_or_else(|error| panic!("{}: {error}", layer.name));
            assert!(sandbox.is_compiled(&layer) && sandbox.is_probably_compiled(&layer), "{}", layer.name);
        }
        assert_eq!(sandbox.compilation_count(), 0);
        assert!(!sandbox.engines.has_compiler());
    }
}

#[test]
fn embedded_code_still_runs_after_another_load_of_it_is_dropped() {
    let harness = || Harness::embedded("recall").expect("it is embedded");
    let (first, second) = (harness(), harness());
    for harness in [&first, &second] {
        harness.send(&event::prompt("how do we page through the ledger?")).expect("an event");
    }

    drop(first);

    let outcome = second.send(&event::prompt("how do we page through the ledger?")).expect("an event");
    assert!(outcome.log.is_empty(), "{:?}", outcome.log);
}

#[test]
fn embedded_layers_leave_no_trace_in_the_cache_and_need_no_secret() {
    let account = Account::new();
    let sandbox = account.sandbox();

    for layer in Layer::embedded() {
        sandbox.load(&layer).expect("it loads");
    }

    assert!(!account.scratch.path().join("cache").exists() && !account.secret().exists());
}

#[test]
fn embedded_code_needs_no_instruction_that_only_some_processors_have() {
    for layer in Layer::embedded() {
        let code = code(&layer);
        // Each feature of the processor is stored by name, followed by its value: a boolean (2), true or
        // false.
        let features: Vec<&[u8]> = (0..code.len().saturating_sub(HAS_FEATURE.len()))
            .filter(|at| code[*at..].starts_with(HAS_FEATURE))
            .map(|at| &code[at..])
            .collect();
        let is_name = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'_';
        let of_processor = features.iter().filter_map(|text| {
            let end = text.iter().position(|byte| !is_name(byte))?;
            (text[end] == 2).then(|| (String::from_utf8_lossy(&text[..end]), text[end + 1]))
        });
        let of_processor: Vec<_> = of_processor.collect();

        let needed: Vec<_> = of_processor.iter().filter(|(_, value)| *value != 0).collect();
        assert!(needed.is_empty(), "{}: {needed:?}", layer.name);
        if cfg!(target_arch = "x86_64") {
            assert!(of_processor.iter().any(|(name, _)| name == "has_avx2"), "{of_processor:?}");
        }
    }
}
