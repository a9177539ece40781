//! Checks whether a component conforms to the contract in `wit/`, before it runs.
//!
//! The sandbox also detects a mismatch when it links a component, but reports it in terms of a linker. Here,
//! each mismatch names its interface and function, the expected type and the found type. The code inside the
//! component is not checked. Hooks never run these checks, and the contract is parsed only on demand.

mod component;
mod interface_checks;
mod interfaces;
#[cfg(test)]
mod tests;
mod type_comparison;
mod type_notation;
mod wasi_imports;

use std::fmt;

use serde::Serialize;

use crate::error::Result;
use crate::layer::{EventName, Need};
use component::{Component, check_format};
use interfaces::{Contract, InterfaceName};

/// The exports and imports of a component, and whether it can run here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Inspection {
    /// Its size in bytes.
    pub size: usize,
    /// The events that it answers, in the order of a session.
    pub answers: Vec<EventName>,
    /// The imports that have to be granted.
    pub needs: Vec<Need>,
    /// Every interface that it imports, as the file writes it, such as `wasi:cli/environment@0.2.6`.
    pub imports: Vec<String>,
    /// The version of the contract for which it was built: the newest version that it names.
    pub contract: Option<String>,
    /// The reasons why it cannot run here; empty if it can.
    #[serde(rename = "faults")]
    pub mismatches: Vec<Mismatch>,
}

/// A reason why a component cannot run here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mismatch {
    /// The interface, as the file writes it.
    pub interface: String,
    /// The function in the interface.
    pub function: Option<String>,
    /// The expected and the found type, or another description of the mismatch.
    #[serde(rename = "what")]
    pub message: String,
    /// The next step for the author of the layer, if one is known.
    #[serde(rename = "next")]
    pub hint: Option<String>,
}

impl Mismatch {
    fn new(interface: impl Into<String>, message: impl Into<String>) -> Self {
        Self { interface: interface.into(), function: None, message: message.into(), hint: None }
    }

    fn in_function(mut self, function: &str) -> Self {
        self.function = Some(function.to_owned());
        self
    }

    fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.function {
            Some(function) => write!(f, "{}, function {function}: {}", self.interface, self.message),
            None => write!(f, "{}: {}", self.interface, self.message),
        }
    }
}

/// Reads the exports and imports of a component, and compares them with the contract.
///
/// # Errors
/// `Invalid` if the bytes are not a component; the message identifies the actual format.
pub fn inspect(wasm: &[u8]) -> Result<Inspection> {
    check_format(wasm)?;
    let component = Component::read(wasm)?;
    let contract = Contract::parse()?;
    let names = |items: &[component::Item]| items.iter().map(|item| item.name.clone()).collect::<Vec<_>>();
    let (exports, imports) = (names(&component.exports), names(&component.imports));
    let is_answered =
        |event: &EventName| exports.iter().any(|name| EventName::of_export(name) == Some(*event));
    let needs = needs(&component, &contract);
    let mut mismatches = interface_checks::check_exports(&component, &contract);
    mismatches.extend(interface_checks::check_imports(&component, &contract));
    Ok(Inspection {
        size: wasm.len(),
        answers: EventName::ALL.into_iter().filter(is_answered).collect(),
        needs,
        contract: newest_version(exports.iter().chain(&imports)),
        mismatches,
        imports,
    })
}

/// Returns what the component needs to be granted, judged by the functions that it imports.
fn needs(component: &Component, contract: &Contract) -> Vec<Need> {
    let of_import = |item: &component::Item| {
        let functions = component.functions(item);
        let interface = InterfaceName::parse(&item.name).and_then(|name| contract.interface(name.interface));
        let is_whole = interface.is_some_and(|interface| interface.functions.len() == functions.len());
        Need::of_import(&item.name, &functions, is_whole)
    };
    let needed: Vec<Need> = component.imports.iter().flat_map(of_import).collect();
    Need::ALL.into_iter().filter(|need| needed.contains(need)).collect()
}

/// Returns the newest version of the contract among these names.
fn newest_version<'a>(names: impl Iterator<Item = &'a String>) -> Option<String> {
    let names = names.filter_map(|name| InterfaceName::parse(name)).filter(InterfaceName::is_of_contract);
    names.filter_map(|name| name.version()).max().map(|version| version.to_string())
}
