//! Which memories to show when there are more than fit.

use std::collections::HashSet;

/// Memories in the order in which they will be shown, each once.
pub struct Picked {
    room: usize,
    seen: HashSet<String>,
    items: Vec<(String, f32)>,
}

impl Picked {
    /// Room for so many.
    pub fn new(room: usize) -> Self {
        Self { room, seen: HashSet::new(), items: Vec::new() }
    }

    /// Takes it unless it is there already or nothing more fits.
    pub fn add(&mut self, id: String, relevance: f32) {
        if self.items.len() < self.room && self.seen.insert(id.clone()) {
            self.items.push((id, relevance));
        }
    }
}

impl IntoIterator for Picked {
    type Item = (String, f32);
    type IntoIter = std::vec::IntoIter<(String, f32)>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

/// Divides `room` between rules and the work at hand: half each, and what one does not need the other may use.
/// Rules come first in the result. A memory that is both counts as a rule.
pub fn share(rules: Vec<(String, f32)>, context: Vec<(String, f32)>, room: usize) -> Vec<(String, f32)> {
    let mut context = unique(context);
    context.sort_by(|a, b| b.1.total_cmp(&a.1));
    let for_context = context.len().min(room / 2);
    let rules: Vec<_> = rules.into_iter().take(room - for_context).collect();
    let ruled: HashSet<&String> = rules.iter().map(|(id, _)| id).collect();
    context.retain(|(id, _)| !ruled.contains(id));
    context.truncate(room - rules.len());
    rules.into_iter().chain(context).collect()
}

/// Each memory once, with the best relevance it was found with.
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
    fn rules_and_work_at_hand_get_half_each_when_both_have_enough() {
        let shared = share(named("rule", 9), named("work", 9), 6);

        assert_eq!(shared.iter().filter(|(id, _)| id.starts_with("rule")).count(), 3);
        assert_eq!(shared.len(), 6);
    }

    #[test]
    fn what_one_does_not_need_the_other_may_use() {
        assert_eq!(share(named("rule", 9), named("work", 1), 6).len(), 6);
        assert_eq!(share(named("rule", 1), named("work", 9), 6).len(), 6);
    }

    #[test]
    fn a_memory_is_picked_once_with_its_best_relevance() {
        let found = vec![("a".to_owned(), 0.4), ("a".to_owned(), 0.7)];

        assert_eq!(share(Vec::new(), found, 4), vec![("a".to_owned(), 0.7)]);
    }

    #[test]
    fn nothing_more_is_taken_than_fits() {
        let mut picked = Picked::new(1);
        picked.add("a".to_owned(), 1.0);
        picked.add("b".to_owned(), 1.0);

        assert_eq!(picked.into_iter().collect::<Vec<_>>(), vec![("a".to_owned(), 1.0)]);
    }
}
