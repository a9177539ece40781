//! Tests with components that are built for a changed contract: the text of the contract with replacements.

mod invalid_component_tests;
mod mismatch_tests;
mod wit_component;

use super::interfaces::WIT_FILES;
use super::{Inspection, inspect};
use crate::layer::{EventName, Layer, Need};

/// A world that answers prompts and may import everything.
const PROMPT_WORLD: &str = "include host; export user-prompt;";

/// Builds the component of a world in the contract with these replacements.
fn layer(world: &str, changes: &[(&str, &str)]) -> Vec<u8> {
    let mut texts: Vec<String> = WIT_FILES.iter().map(|(_, text)| (*text).to_owned()).collect();
    texts.push(format!("package interleaf:layer@0.1.0; world test {{ {world} }}"));
    for (from, to) in changes {
        assert!(texts.iter().any(|text| text.contains(from)), "the contract does not contain {from}");
        texts.iter_mut().for_each(|text| *text = text.replace(from, to));
    }
    wit_component::component(&texts)
}

fn inspected(wasm: &[u8]) -> Inspection {
    let mut inspection = inspect(wasm).expect("it is a component");
    inspection.mismatches.retain(|mismatch| !mismatch.interface.starts_with(wit_component::OUTSIDE));
    inspection
}

/// Returns the mismatches as text.
fn mismatches(wasm: &[u8]) -> Vec<String> {
    inspected(wasm).mismatches.iter().map(ToString::to_string).collect()
}

#[test]
fn the_embedded_layers_conform_to_the_contract() {
    for (layer, (_, wasm)) in Layer::embedded().iter().zip(Layer::embedded_components()) {
        let inspection = inspected(wasm);

        assert_eq!(inspection.mismatches, [], "{}", layer.name);
        assert_eq!(inspection.answers, layer.answers, "{}", layer.name);
        assert_eq!(inspection.contract.as_deref(), Some("0.1.0"), "{}", layer.name);
    }
}

#[test]
fn an_inspection_lists_the_events_and_needs_of_a_layer() {
    let wasm = layer("export job; export stop; import log; import jobs; import memory;", &[]);

    let inspection = inspected(&wasm);

    assert_eq!(inspection.answers, [EventName::Stop, EventName::Job]);
    assert_eq!(inspection.needs, [Need::Memory, Need::Jobs]);
    assert!(inspection.imports.contains(&"interleaf:layer/log@0.1.0".to_owned()), "{:?}", inspection.imports);
    assert_eq!((inspection.size, inspection.mismatches), (wasm.len(), Vec::new()));
}

#[test]
fn every_event_and_every_import_is_known() {
    let events: String = EventName::ALL.iter().map(|event| format!("export {event};")).collect();

    let inspection = inspected(&layer(&format!("include host; {events}"), &[]));

    assert_eq!((inspection.mismatches, inspection.answers), (Vec::new(), EventName::ALL.to_vec()));
    let all = Need::ALL.into_iter().filter(|need| *need != Need::MemoryWrite);
    assert_eq!(inspection.needs, all.collect::<Vec<_>>(), "whole interfaces tell nothing about writing");
}
