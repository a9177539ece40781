//! What is wrong with what a component imports: everything that this host does not have.

use std::collections::BTreeSet;

use wasmparser::component_types::{ComponentAnyTypeId, ComponentEntityType};

use super::compare::Comparison;
use super::found::{Found, Item};
use super::name::Name;
use super::ours::Ours;
use super::{Mismatch, notation, wasi};
use crate::layer::CONTRACT_VERSION;

/// Everything that is wrong.
pub(super) fn faults(found: &Found, ours: &Ours) -> Vec<Mismatch> {
    let names = found.imports.iter().filter_map(|item| Name::read(&item.name)).filter(Name::is_ours);
    let names: Vec<Name<'_>> = names.collect();
    let known = found.exports.iter().filter_map(|item| Name::read(&item.name)).filter(Name::is_ours);
    // Where the exports are of another version they were told off for it already.
    let told = known.filter(|name| !name.is_served()).count() > 0;
    let mut faults = if told { Vec::new() } else { other_versions(names.iter()) };
    faults.extend(found.imports.iter().flat_map(|item| of_item(item, found, ours)));
    faults
}

fn of_item(item: &Item, found: &Found, ours: &Ours) -> Vec<Mismatch> {
    match Name::read(&item.name) {
        Some(name) if name.is_ours() && name.is_served() => of_ours(&name, item, found, ours),
        Some(name) if name.is_ours() => Vec::new(),
        Some(name) => wasi::fault(&name).into_iter().collect(),
        None => nameless(item).into_iter().collect(),
    }
}

/// An import that belongs to no interface. Types need no host; a resource does.
fn nameless(item: &Item) -> Option<Mismatch> {
    let is_harmless =
        matches!(item.ty, ComponentEntityType::Type { created: ComponentAnyTypeId::Defined(_), .. });
    let what = "expected imports of whole interfaces, found one that belongs to none".to_owned();
    (!is_harmless).then(|| Mismatch::new(&item.name, what).hint(wasi::WHAT_THERE_IS))
}

/// An interface of the contract. Importing fewer functions than there are is fine.
fn of_ours(name: &Name<'_>, item: &Item, found: &Found, ours: &Ours) -> Vec<Mismatch> {
    let about = |what: String| Mismatch::new(name.whole, what).hint(remedy(name));
    let Some(interface) = ours.interface(name.interface) else {
        let expected = ours.imports().join(", ");
        return vec![about(format!(
            "no such interface: expected one of {expected}, found {}",
            name.interface
        ))];
    };
    let exports = item.interface().and_then(|id| found.types().get(id)).map(|interface| &interface.exports);
    let compare = Comparison { ours, found };
    let faults = exports.into_iter().flatten().filter_map(|(function, item)| {
        let what = match item.ty {
            ComponentEntityType::Func(id) => {
                let theirs = found.types().get(id)?;
                match Ours::function(interface, function) {
                    Some(expected) => compare.function(&expected, theirs)?,
                    None => no_such_function(interface, &notation::their_function(theirs, found)),
                }
            }
            ComponentEntityType::Type { created: ComponentAnyTypeId::Resource(_), .. } => {
                "expected a function or a type, found a resource, and the contract has none".to_owned()
            }
            _ => return None,
        };
        Some(about(what).of(function))
    });
    faults.collect()
}

fn no_such_function(interface: &wit_parser::Interface, found: &str) -> String {
    let names: Vec<&str> = interface.functions.keys().map(String::as_str).collect();
    format!("no such function: expected one of {}, found {found}", names.join(", "))
}

/// A fault for each version of the contract that this host does not serve, naming the first interface of it.
pub(super) fn other_versions<'a>(names: impl Iterator<Item = &'a Name<'a>>) -> Vec<Mismatch> {
    let mut told = BTreeSet::new();
    let foreign = names.filter(|name| !name.is_served());
    foreign.filter(|name| told.insert(name.version())).map(other_version).collect()
}

fn other_version(name: &Name<'_>) -> Mismatch {
    let version = name.version().map_or("no version".to_owned(), |version| format!("version {version}"));
    let series = CONTRACT_VERSION.rsplit_once('.').map_or(CONTRACT_VERSION, |(series, _)| series);
    let what = format!(
        "expected version {series}.x of the contract (this host serves {CONTRACT_VERSION}), found {version}"
    );
    Mismatch::new(name.whole, what).hint(remedy(name))
}

/// What to do about an interface that is not what this host has.
pub(super) fn remedy(name: &Name<'_>) -> String {
    match name.is_newer() {
        true => format!("update interleaf, or build the layer against the wit/ folder of {CONTRACT_VERSION}"),
        false => {
            format!("build the layer against the wit/ folder of {CONTRACT_VERSION}, as this host has it")
        }
    }
}
