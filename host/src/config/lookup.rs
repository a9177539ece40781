//! Finding one's way in the table of keys: what stands at a path, and what could.

use std::collections::BTreeSet;

use super::keys::{KEYS, Key};
use crate::layer::{self, EventName};
use crate::memory::Category;

/// What stands at a path.
pub(super) enum Spot {
    /// A key.
    Key(&'static Key),
    /// A table in which keys stand.
    Section,
    /// Nothing that is known.
    Unknown,
}

/// Looks a path up in the table.
pub(super) fn spot(path: &[String]) -> Spot {
    let places = KEYS.iter().flat_map(|key| key.paths.iter().map(move |place| (key, place)));
    let mut beneath = places.filter(|(_, place)| starts_with(place, path)).peekable();
    if beneath.peek().is_none() {
        return Spot::Unknown;
    }
    let whole = beneath.find(|(_, place)| place.split('.').count() == path.len());
    whole.map_or(Spot::Section, |(key, _)| Spot::Key(key))
}

fn starts_with(place: &str, path: &[String]) -> bool {
    let mut segments = place.split('.');
    path.iter().all(|part| segments.next().is_some_and(|segment| segment_takes(segment, part)))
}

fn segment_takes(segment: &str, part: &str) -> bool {
    match segment {
        "NAME" => layer::is_layer_name(part),
        "EVENT" => EventName::parse(part).is_some(),
        "CATEGORY" => part.parse::<Category>().is_ok(),
        segment => segment == part,
    }
}

/// The names that can stand after this path, for suggestions.
pub(super) fn names_after(path: &[String]) -> BTreeSet<&'static str> {
    let places = KEYS.iter().flat_map(|key| key.paths);
    let names = places
        .filter(|place| starts_with(place, path))
        .filter_map(|place| place.split('.').nth(path.len()))
        .flat_map(words_for)
        .filter(|name| *name != "NAME");
    names.collect()
}

/// What can be written for a name of the table.
fn words_for(name: &'static str) -> Vec<&'static str> {
    match name {
        "EVENT" => EventName::ALL.map(EventName::as_str).to_vec(),
        "CATEGORY" => Category::ALL.iter().map(|category| category.as_str()).collect(),
        name => vec![name],
    }
}
