//! Whether a component keeps the contract of `wit/`, told before anything of it runs.
//!
//! The sandbox finds out as well, when it links, but in the words of a linker. Here a difference is named with its
//! interface, its function, what was expected and what was found. The code inside the component is not looked at, and
//! nothing of this is on a hook's way: the contract is parsed when it is asked for.

mod compare;
mod exports;
mod found;
mod imports;
mod name;
mod notation;
mod ours;
mod refuse;
#[cfg(test)]
mod tests;
mod wasi;

use std::fmt;

use serde::Serialize;

use crate::error::Result;
use crate::layer::{EventName, Need};
use found::Found;
use name::Name;
use ours::Ours;

/// What a component is to this host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Inspection {
    /// Its size in bytes.
    pub size: usize,
    /// The events it answers, in the order of a session.
    pub answers: Vec<EventName>,
    /// What it imports that has to be granted.
    pub needs: Vec<Need>,
    /// Every interface it imports, as the file writes it, such as `wasi:cli/environment@0.2.6`.
    pub imports: Vec<String>,
    /// The version of the contract it was built for: the newest it mentions.
    pub contract: Option<String>,
    /// Why it cannot run here; empty where it can.
    #[serde(rename = "faults")]
    pub mismatches: Vec<Mismatch>,
}

/// One reason why a component cannot run here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mismatch {
    /// The interface, as the file writes it.
    pub interface: String,
    /// The function in it.
    pub function: Option<String>,
    /// What was expected and what was found.
    pub what: String,
    /// What to do about it, where that is known.
    pub next: Option<String>,
}

impl Mismatch {
    fn new(interface: impl Into<String>, what: impl Into<String>) -> Self {
        Self { interface: interface.into(), function: None, what: what.into(), next: None }
    }

    fn of(mut self, function: &str) -> Self {
        self.function = Some(function.to_owned());
        self
    }

    fn hint(mut self, next: impl Into<String>) -> Self {
        self.next = Some(next.into());
        self
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.function {
            Some(function) => write!(f, "{}, function {function}: {}", self.interface, self.what),
            None => write!(f, "{}: {}", self.interface, self.what),
        }
    }
}

/// Reads what a component exports and imports, and compares it with the contract.
///
/// # Errors
/// `Invalid` when the bytes are no component, with what they are instead.
pub fn inspect(wasm: &[u8]) -> Result<Inspection> {
    refuse::what_is_no_component(wasm)?;
    let found = Found::read(wasm)?;
    let ours = Ours::read()?;
    let names = |items: &[found::Item]| items.iter().map(|item| item.name.clone()).collect::<Vec<_>>();
    let (exports, imports) = (names(&found.exports), names(&found.imports));
    let is_answered =
        |event: &EventName| exports.iter().any(|name| EventName::of_export(name) == Some(*event));
    let is_needed = |need: &Need| imports.iter().any(|name| Need::of_import(name) == Some(*need));
    Ok(Inspection {
        size: wasm.len(),
        answers: EventName::ALL.into_iter().filter(is_answered).collect(),
        needs: Need::ALL.into_iter().filter(is_needed).collect(),
        contract: newest(exports.iter().chain(&imports)),
        mismatches: faults(&found, &ours),
        imports,
    })
}

fn faults(found: &Found, ours: &Ours) -> Vec<Mismatch> {
    let mut faults = exports::faults(found, ours);
    faults.extend(imports::faults(found, ours));
    faults
}

/// The newest version of the contract that these names mention.
fn newest<'a>(names: impl Iterator<Item = &'a String>) -> Option<String> {
    let versions = names.filter_map(|name| Name::read(name)).filter(Name::is_ours);
    versions.filter_map(|name| name.version()).max().map(|version| version.to_string())
}
