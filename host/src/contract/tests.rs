//! Layers made for another contract than this host's: its text with something changed, and components that a toolchain
//! would make of that.

mod broken;
mod made;
mod wrong;

use super::ours::TEXT;
use super::{Inspection, inspect};
use crate::layer::{Code, EventName, Layer, Need};

/// A world that answers prompts and may import everything.
const PROMPTS: &str = "include host; export user-prompt;";

/// The component of a world in the contract with these replacements.
fn layer(world: &str, changes: &[(&str, &str)]) -> Vec<u8> {
    let mut texts: Vec<String> = TEXT.iter().map(|(_, text)| (*text).to_owned()).collect();
    texts.push(format!("package interleaf:layer@0.1.0; world made {{ {world} }}"));
    for (from, to) in changes {
        assert!(texts.iter().any(|text| text.contains(from)), "the contract does not say {from}");
        texts.iter_mut().for_each(|text| *text = text.replace(from, to));
    }
    made::component(&texts)
}

fn inspected(wasm: &[u8]) -> Inspection {
    let mut inspection = inspect(wasm).expect("it is a component");
    inspection.mismatches.retain(|fault| !fault.interface.starts_with(made::OUTSIDE));
    inspection
}

/// The faults, each in its words.
fn told(wasm: &[u8]) -> Vec<String> {
    inspected(wasm).mismatches.iter().map(ToString::to_string).collect()
}

#[test]
fn the_embedded_layers_keep_the_contract() {
    for layer in Layer::embedded() {
        let Code::InMemory(wasm) = &layer.code else { panic!("embedded layers are at hand") };

        let inspection = inspected(wasm);

        assert_eq!(inspection.mismatches, [], "{}", layer.name);
        assert_eq!(inspection.answers, layer.answers, "{}", layer.name);
        assert_eq!(inspection.contract.as_deref(), Some("0.1.0"), "{}", layer.name);
    }
}

#[test]
fn a_layer_tells_what_it_answers_and_needs() {
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
    assert_eq!(inspection.needs, Need::ALL);
}
