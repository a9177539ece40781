//! Chooses among memories when there are more than fit.

use std::collections::HashSet;

/// Memories in the order in which they are shown, each once.
pub struct Selection {
    max_items: usize,
    ids: HashSet<String>,
    items: Vec<(String, f32)>,
}

impl Selection {
    /// Creates an empty selection of at most `max_items` memories.
    pub fn new(max_items: usize) -> Self {
        Self { max_items, ids: HashSet::new(), items: Vec::new() }
    }

    /// Tells whether it has no memory.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Adds a memory, unless the selection has it or is full.
    pub fn add(&mut self, id: String, relevance: f32) {
        if self.items.len() < self.max_items && self.ids.insert(id.clone()) {
            self.items.push((id, relevance));
        }
    }
}

impl IntoIterator for Selection {
    type Item = (String, f32);
    type IntoIter = std::vec::IntoIter<(String, f32)>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

/// Divides `max_items` places between rules and current work: half each, and either may use the places that
/// the other leaves. Rules come first in the result. A memory that is both counts as a rule.
pub fn share(rules: Vec<(String, f32)>, work: Vec<(String, f32)>, max_items: usize) -> Vec<(String, f32)> {
    let mut work = unique(work);
    work.sort_by(|a, b| b.1.total_cmp(&a.1));
    let for_work = work.len().min(max_items / 2);
    let rules: Vec<_> = rules.into_iter().take(max_items - for_work).collect();
    let rule_ids: HashSet<&String> = rules.iter().map(|(id, _)| id).collect();
    work.retain(|(id, _)| !rule_ids.contains(id));
    work.truncate(max_items - rules.len());
    rules.into_iter().chain(work).collect()
}

/// Returns each memory once, with its best relevance.
fn unique(found: Vec<(String, f32)>) -> Vec<(String, f32)> {
    let mut best: Vec<(String, f32)> = Vec::new();
    for (id, relevance) in found {
        match best.iter_mut().find(|(known, _)| *known == id) {
            Some(known) => known.1 = known.1.max(relevance),
            None => best.push((id, relevance)),
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(prefix: &str, count: usize) -> Vec<(String, f32)> {
        (0..count).map(|n| (format!("{prefix}{n}"), 0.5)).collect()
    }

    #[test]
    fn rules_and_current_work_get_half_the_places_each() {
        let shared = share(named("rule", 9), named("work", 9), 6);

        assert_eq!(shared.iter().filter(|(id, _)| id.starts_with("rule")).count(), 3);
        assert_eq!(shared.len(), 6);
    }

    #[test]
    fn one_kind_may_use_the_places_that_the_other_leaves() {
        assert_eq!(share(named("rule", 9), named("work", 1), 6).len(), 6);
        assert_eq!(share(named("rule", 1), named("work", 9), 6).len(), 6);
    }

    #[test]
    fn a_memory_is_selected_once_with_its_best_relevance() {
        let found = vec![("a".to_owned(), 0.4), ("a".to_owned(), 0.7)];

        assert_eq!(share(Vec::new(), found, 4), vec![("a".to_owned(), 0.7)]);
    }

    #[test]
    fn a_selection_holds_no_more_than_its_maximum() {
        let mut selection = Selection::new(1);
        selection.add("a".to_owned(), 1.0);
        selection.add("b".to_owned(), 1.0);

        assert_eq!(selection.into_iter().collect::<Vec<_>>(), vec![("a".to_owned(), 1.0)]);
    }
}
