//! Layers made for another contract than this host's: its text with something changed, and components that a toolchain
//! would make of that.

mod broken;
mod wrong;

use wit_component::{ComponentEncoder, StringEncoding, dummy_module, embed_component_metadata};
use wit_parser::{LiftLowerAbi, ManglingAndAbi, Resolve, SourceMap};

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
    component(&texts, "made")
}

fn component(texts: &[String], world: &str) -> Vec<u8> {
    let mut source = SourceMap::default();
    for (n, text) in texts.iter().enumerate() {
        source.push_str(&format!("{n}.wit"), text);
    }
    let mut resolve = Resolve::default();
    let package = resolve.push_group(source.parse().map_err(|(_, error)| error).expect("WIT")).expect("WIT");
    let world = resolve.select_world(&[package], Some(world)).expect("the world");
    let mut module = dummy_module(&resolve, world, ManglingAndAbi::Legacy(LiftLowerAbi::Sync));
    embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8).expect("metadata");
    let encoder = ComponentEncoder::default().module(&module).expect("a module");
    encoder.validate(true).encode().expect("a component")
}

fn inspected(wasm: &[u8]) -> Inspection {
    inspect(wasm).expect("it is a component")
}

/// The faults, each in its words.
fn told(wasm: &[u8]) -> Vec<String> {
    inspected(wasm).faults.iter().map(ToString::to_string).collect()
}

#[test]
fn the_embedded_layers_keep_the_contract() {
    for layer in Layer::embedded() {
        let Code::AtHand(wasm) = &layer.code else { panic!("embedded layers are at hand") };

        let inspection = inspected(wasm);

        assert_eq!(inspection.faults, [], "{}", layer.name);
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
    assert_eq!((inspection.size, inspection.faults), (wasm.len(), Vec::new()));
}

#[test]
fn every_event_and_every_import_is_known() {
    let events: String = EventName::ALL.iter().map(|event| format!("export {event};")).collect();

    let inspection = inspected(&layer(&format!("include host; {events}"), &[]));

    assert_eq!((inspection.faults, inspection.answers), (Vec::new(), EventName::ALL.to_vec()));
    assert_eq!(inspection.needs, Need::ALL);
}
