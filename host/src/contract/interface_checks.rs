//! Compares the exports and imports of a component with the contract, interface by interface.

use std::collections::BTreeSet;

use wasmparser::component_types::{ComponentAnyTypeId, ComponentEntityType};

use super::component::{Component, Item};
use super::interfaces::{Contract, InterfaceName};
use super::type_comparison::Comparison;
use super::{Mismatch, type_notation, wasi_imports};
use crate::layer::{CONTRACT_VERSION, EventName};

/// Maximum number of exports that a message lists.
const MAX_LISTED_EXPORTS: usize = 5;

/// Returns the mismatches of the exports, which are the events that the component answers.
pub(super) fn check_exports(component: &Component, contract: &Contract) -> Vec<Mismatch> {
    let exports = component.exports.iter().filter_map(|item| Some((InterfaceName::parse(&item.name)?, item)));
    let exports: Vec<_> = exports.filter(|(name, _)| name.is_of_contract()).collect();
    let mut mismatches = unserved_versions(exports.iter().map(|(name, _)| name));
    let served = exports.iter().filter(|(name, _)| name.is_served());
    mismatches.extend(served.filter_map(|(name, item)| check_export(name, item, component, contract)));
    let answers_event = component.exports.iter().any(|item| EventName::of_export(&item.name).is_some());
    if mismatches.is_empty() && !answers_event {
        mismatches.push(no_event_mismatch(component));
    }
    mismatches
}

fn no_event_mismatch(component: &Component) -> Mismatch {
    let events = event_names();
    let exports = component.exports.iter().map(|item| item.name.as_str()).take(MAX_LISTED_EXPORTS);
    let exports: Vec<&str> = exports.collect();
    let exports = if exports.is_empty() { "no export".to_owned() } else { exports.join(", ") };
    Mismatch::new(
        format!("interleaf:layer@{CONTRACT_VERSION}"),
        format!("it answers no event: expected an export of one of {events}, found {exports}"),
    )
    .hint(format!("export an event from its world, such as interleaf:layer/user-prompt@{CONTRACT_VERSION}"))
}

fn check_export(
    name: &InterfaceName<'_>,
    item: &Item,
    component: &Component,
    contract: &Contract,
) -> Option<Mismatch> {
    let Some(event) = EventName::parse(name.interface) else {
        return (!name.is_newer()).then(|| unknown_event(name));
    };
    let function = if event == EventName::Job { "run" } else { "handle" };
    let expected = contract.interface(event.as_str())?.functions.get(function)?;
    let mismatch = |message: String| Mismatch::new(name.full, message).in_function(function);
    let found = item.interface().and_then(|id| component.types().get(id)?.exports.get(function));
    let Some(ComponentEntityType::Func(found)) = found.map(|item| item.ty) else {
        let expected = type_notation::contract_function(expected, &contract.resolve);
        return Some(mismatch(format!("expected {expected}, found no such function")));
    };
    let difference = Comparison { contract, component }.function(expected, component.types().get(found)?);
    difference.map(|message| mismatch(message).hint(rebuild_hint(name)))
}

fn unknown_event(name: &InterfaceName<'_>) -> Mismatch {
    let events = event_names();
    let message = format!("no such event: expected one of {events}, found {}", name.interface);
    Mismatch::new(name.full, message).hint(rebuild_hint(name))
}

fn event_names() -> String {
    EventName::ALL.map(EventName::as_str).join(", ")
}

/// Returns the mismatches of the imports: everything that this host does not provide.
pub(super) fn check_imports(component: &Component, contract: &Contract) -> Vec<Mismatch> {
    let of_contract = |items: &'_ [Item]| -> Vec<String> {
        let names = items.iter().filter(|item| {
            InterfaceName::parse(&item.name).is_some_and(|name| name.is_of_contract() && !name.is_served())
        });
        names.map(|item| item.name.clone()).collect()
    };
    // Exports of another version are already reported.
    let is_reported = !of_contract(&component.exports).is_empty();
    let unserved = of_contract(&component.imports);
    let names: Vec<InterfaceName<'_>> =
        unserved.iter().filter_map(|name| InterfaceName::parse(name)).collect();
    let mut mismatches = if is_reported { Vec::new() } else { unserved_versions(names.iter()) };
    mismatches.extend(component.imports.iter().flat_map(|item| check_import(item, component, contract)));
    mismatches
}

fn check_import(item: &Item, component: &Component, contract: &Contract) -> Vec<Mismatch> {
    match InterfaceName::parse(&item.name) {
        Some(name) if name.is_of_contract() && name.is_served() => {
            check_contract_import(&name, item, component, contract)
        }
        Some(name) if name.is_of_contract() => Vec::new(),
        Some(name) => wasi_imports::check(&name).into_iter().collect(),
        None => check_unnamed_import(item).into_iter().collect(),
    }
}

/// Checks an import that belongs to no interface. A type other than a resource needs nothing from the host.
fn check_unnamed_import(item: &Item) -> Option<Mismatch> {
    let is_type =
        matches!(item.ty, ComponentEntityType::Type { created: ComponentAnyTypeId::Defined(_), .. });
    let message = "expected imports of whole interfaces, found an import that belongs to none";
    (!is_type).then(|| Mismatch::new(&item.name, message).hint(wasi_imports::AVAILABLE_IMPORTS))
}

/// Checks an imported interface of the contract. A component may import only some of its functions.
fn check_contract_import(
    name: &InterfaceName<'_>,
    item: &Item,
    component: &Component,
    contract: &Contract,
) -> Vec<Mismatch> {
    let mismatch = |message: String| Mismatch::new(name.full, message).hint(rebuild_hint(name));
    let Some(interface) = contract.interface(name.interface) else {
        let expected = contract.importable_interfaces().join(", ");
        let found = name.interface;
        return vec![mismatch(format!("no such interface: expected one of {expected}, found {found}"))];
    };
    let imported = item.interface().and_then(|id| component.types().get(id));
    let functions = imported.map(|interface| &interface.exports).into_iter().flatten();
    let comparison = Comparison { contract, component };
    let mismatches = functions.filter_map(|(function, item)| {
        let message = match item.ty {
            ComponentEntityType::Func(id) => {
                let found = component.types().get(id)?;
                match interface.functions.get(function.as_str()) {
                    Some(expected) => comparison.function(expected, found)?,
                    None => unknown_function(interface, &type_notation::component_function(found, component)),
                }
            }
            ComponentEntityType::Type { created: ComponentAnyTypeId::Resource(_), .. } => {
                "expected a function or a type, found a resource; the contract has none".to_owned()
            }
            _ => return None,
        };
        Some(mismatch(message).in_function(function))
    });
    mismatches.collect()
}

fn unknown_function(interface: &wit_parser::Interface, found: &str) -> String {
    let names: Vec<&str> = interface.functions.keys().map(String::as_str).collect();
    format!("no such function: expected one of {}, found {found}", names.join(", "))
}

/// Returns a mismatch for each version of the contract that this host does not serve, with the first
/// interface of that version.
fn unserved_versions<'a>(names: impl Iterator<Item = &'a InterfaceName<'a>>) -> Vec<Mismatch> {
    let mut reported = BTreeSet::new();
    let unserved = names.filter(|name| !name.is_served());
    unserved.filter(|name| reported.insert(name.version())).map(unserved_version).collect()
}

fn unserved_version(name: &InterfaceName<'_>) -> Mismatch {
    let version = name.version().map_or("no version".to_owned(), |version| format!("version {version}"));
    let series = CONTRACT_VERSION.rsplit_once('.').map_or(CONTRACT_VERSION, |(series, _)| series);
    let message = format!(
        "expected version {series}.x of the contract (this host serves {CONTRACT_VERSION}), found {version}"
    );
    Mismatch::new(name.full, message).hint(rebuild_hint(name))
}

/// Returns the hint for an interface that differs from this host's.
fn rebuild_hint(name: &InterfaceName<'_>) -> String {
    match name.is_newer() {
        true => format!("update interleaf, or build the layer against the wit/ folder of {CONTRACT_VERSION}"),
        false => format!("build the layer against the wit/ folder of version {CONTRACT_VERSION}"),
    }
}
