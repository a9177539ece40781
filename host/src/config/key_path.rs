//! Looks up paths in the table of keys: the entry at a path, the names that may follow it, and the key that
//! an unknown path probably means.

use std::collections::BTreeSet;

use super::key::Key;
use super::key_table::KEYS;
use crate::layer::{self, EventName};
use crate::memory::{Category, Occasion};

/// The entry at a path.
pub(super) enum PathEntry {
    /// A key.
    Key(&'static Key),
    /// A table that contains keys.
    Section,
    /// Neither a key nor a table that contains keys.
    Unknown,
}

/// Looks up a path in the table of keys.
pub(super) fn lookup(path: &[String]) -> PathEntry {
    let patterns = KEYS.iter().flat_map(|key| key.paths.iter().map(move |pattern| (key, pattern)));
    let mut below = patterns.filter(|(_, pattern)| is_prefix(path, pattern)).peekable();
    if below.peek().is_none() {
        return PathEntry::Unknown;
    }
    let exact = below.find(|(_, pattern)| pattern.split('.').count() == path.len());
    exact.map_or(PathEntry::Section, |(key, _)| PathEntry::Key(key))
}

/// Returns whether a path is the beginning of a pattern such as `layers.NAME.enabled`.
pub(super) fn is_prefix(path: &[String], pattern: &str) -> bool {
    let mut segments = pattern.split('.');
    path.iter().all(|name| segments.next().is_some_and(|segment| matches_segment(name, segment)))
}

fn matches_segment(name: &str, segment: &str) -> bool {
    match segment {
        "NAME" => layer::is_layer_name(name),
        "EVENT" => EventName::parse(name).is_some(),
        "CATEGORY" => name.parse::<Category>().is_ok(),
        "OCCASION" => name.parse::<Occasion>().is_ok(),
        "SIGNAL" => true,
        segment => segment == name,
    }
}

/// Returns all names that match a segment of a pattern, or `None` for `NAME`, which matches any layer.
pub(super) fn names_of_segment(segment: &'static str) -> Option<Vec<&'static str>> {
    match segment {
        "NAME" => None,
        "EVENT" => Some(EventName::ALL.map(EventName::as_str).to_vec()),
        "CATEGORY" => Some(Category::ALL.iter().map(|category| category.as_str()).collect()),
        "OCCASION" => Some(Occasion::ALL.iter().map(|occasion| occasion.as_str()).collect()),
        segment => Some(vec![segment]),
    }
}

fn names_after(path: &[String]) -> BTreeSet<&'static str> {
    let patterns = KEYS.iter().flat_map(|key| key.paths).filter(|pattern| is_prefix(path, pattern));
    let next = patterns.filter_map(|pattern| pattern.split('.').nth(path.len()));
    next.filter_map(names_of_segment).flatten().collect()
}

/// Returns a hint about the unknown key at this path: the most similar known key, a key of the same name in
/// another table, or the known keys of this table.
pub(super) fn suggest(path: &[String]) -> String {
    let Some((last, parent)) = path.split_last() else { return String::new() };
    if let Some(name) = nearest_key(path) {
        return format!("did you mean `{}`?", [parent, &[name.to_owned()]].concat().join("."));
    }
    let mut patterns = KEYS.iter().flat_map(|key| key.paths);
    match patterns.find(|pattern| pattern.rsplit('.').next() == Some(last)) {
        Some(pattern) => format!("did you mean `{pattern}`?"),
        None if parent.last().is_some_and(|section| section == "layers") => {
            "the name of a layer has lower-case letters, digits and hyphens".to_owned()
        }
        None => format!("known here: {}", names_after(parent).into_iter().collect::<Vec<_>>().join(", ")),
    }
}

/// Returns the known name that is most similar to the last one of this path, if one is similar.
pub(super) fn nearest_key(path: &[String]) -> Option<&'static str> {
    let (last, parent) = path.split_last()?;
    let known = names_after(parent).into_iter();
    let max_distance = |name: &str| name.len() / 2;
    let similar = known.filter(|name| name.len().abs_diff(last.len()) <= max_distance(name));
    let (distance, name) = similar.map(|name| (strsim::levenshtein(name, last), name)).min()?;
    (distance <= max_distance(name)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hint_names_a_similar_key_then_a_key_of_the_same_name_then_the_known_keys() {
        let suggest = |path: &str| suggest(&path.split('.').map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(suggest("layers.recall.enabld"), "did you mean `layers.recall.enabled`?");
        assert_eq!(suggest("limit"), "did you mean `limits`?");
        assert_eq!(suggest("hook_units"), "did you mean `budget.hook_units`?");
        assert_eq!(
            suggest("limits.deadline_ms.user-promt"),
            "did you mean `limits.deadline_ms.user-prompt`?"
        );
        assert_eq!(
            suggest("endpoint"),
            "known here: budget, categories, layers, limits, llm, memory, record, record_keep_days, \
             record_max_mb, record_total_max_mb, redact, sync"
        );
        assert_eq!(suggest("categories.decisions"), "did you mean `categories.decision`?");
        assert_eq!(suggest("categories.tech-debt"), "did you mean `categories.tech_debt`?");
        assert_eq!(
            suggest("categories.decision.retention"),
            "did you mean `categories.decision.retention_days`?"
        );
        let categories = suggest("categories.zebra");
        assert!(categories.starts_with("known here: blocker, constraint, context, decision, "));
        assert!(suggest("layers.Shared").starts_with("the name of a layer has"));
    }
}
