//! What is wrong with what a component exports: the events it answers.

use super::compare::Comparison;
use super::found::{Found, Item};
use super::name::Name;
use super::ours::Ours;
use super::{Mismatch, imports};
use crate::layer::{CONTRACT_VERSION, EventName};
use wasmparser::component_types::ComponentEntityType;

/// Everything that is wrong.
pub(super) fn faults(found: &Found, ours: &Ours) -> Vec<Mismatch> {
    let named = found.exports.iter().filter_map(|item| Some((Name::read(&item.name)?, item)));
    let named: Vec<_> = named.filter(|(name, _)| name.is_ours()).collect();
    let foreign = imports::other_versions(named.iter().map(|(name, _)| name));
    let mut faults = foreign;
    let served = named.iter().filter(|(name, _)| name.is_served());
    faults.extend(served.filter_map(|(name, item)| fault(name, item, found, ours)));
    if faults.is_empty() && !found.exports.iter().any(|item| EventName::of_export(&item.name).is_some()) {
        faults.push(answers_nothing(found));
    }
    faults
}

fn answers_nothing(found: &Found) -> Mismatch {
    let events = EventName::ALL.map(EventName::as_str).join(", ");
    let exports: Vec<&str> = found.exports.iter().map(|item| item.name.as_str()).take(5).collect();
    let exports = if exports.is_empty() { "no export".to_owned() } else { exports.join(", ") };
    Mismatch::new(
        format!("interleaf:layer@{CONTRACT_VERSION}"),
        format!("it answers no event: expected an export of one of {events}, found {exports}"),
    )
    .hint(format!("have its world export an event, such as interleaf:layer/user-prompt@{CONTRACT_VERSION}"))
}

/// What is wrong with one exported interface of the contract.
fn fault(name: &Name<'_>, item: &Item, found: &Found, ours: &Ours) -> Option<Mismatch> {
    let Some(event) = EventName::parse(name.interface) else {
        return (!name.is_newer()).then(|| unheard_of(name));
    };
    let function = if event == EventName::Job { "run" } else { "handle" };
    let expected =
        ours.interface(event.as_str()).and_then(|interface| Ours::function(interface, function))?;
    let about = |what: String| Mismatch::new(name.whole, what).of(function);
    let theirs = item.interface().and_then(|id| found.types().get(id)?.exports.get(function));
    let Some(ComponentEntityType::Func(theirs)) = theirs.map(|item| item.ty) else {
        let expected = super::notation::our_function(&expected, &ours.resolve);
        return Some(about(format!("expected {expected}, found no such function")));
    };
    let difference = Comparison { ours, found }.function(&expected, found.types().get(theirs)?);
    difference.map(|what| about(what).hint(imports::remedy(name)))
}

fn unheard_of(name: &Name<'_>) -> Mismatch {
    let events = EventName::ALL.map(EventName::as_str).join(", ");
    Mismatch::new(name.whole, format!("no such event: expected one of {events}, found {}", name.interface))
        .hint(imports::remedy(name))
}
