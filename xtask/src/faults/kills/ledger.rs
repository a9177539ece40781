//! What must be stored after the kills, and what may be; compared with what is stored.

use std::collections::{BTreeMap, BTreeSet};

/// What was written, as far as the killed processes tell.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    /// What was acknowledged: it must be stored once.
    pub acknowledged: BTreeSet<String>,
    /// What a process was about to write when it was killed: it may be stored once.
    pub possible: BTreeSet<String>,
}

/// The differences between a ledger and a store.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Differences {
    /// Acknowledged, and not stored.
    pub lost: Vec<String>,
    /// Stored more than once.
    pub doubled: Vec<String>,
    /// Stored, and written by nobody in these words.
    pub altered: Vec<String>,
}

impl Ledger {
    /// Creates a ledger in which all of this was acknowledged.
    pub fn of(acknowledged: impl IntoIterator<Item = String>) -> Self {
        Self { acknowledged: acknowledged.into_iter().collect(), possible: BTreeSet::new() }
    }

    /// Adds what may be stored.
    #[must_use]
    pub fn with_possible(mut self, possible: impl IntoIterator<Item = String>) -> Self {
        self.possible.extend(possible);
        self
    }

    /// Compares it with what is stored, each entry as often as it is there.
    pub fn compare(&self, stored: impl IntoIterator<Item = String>) -> Differences {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        stored.into_iter().for_each(|text| *counts.entry(text).or_default() += 1);
        let is_known = |text: &String| self.acknowledged.contains(text) || self.possible.contains(text);
        let lost = self.acknowledged.iter().filter(|text| !counts.contains_key(*text)).cloned().collect();
        let doubled = counts.iter().filter(|(_, count)| **count > 1).map(|(text, _)| text.clone()).collect();
        let altered = counts.into_keys().filter(|text| !is_known(text)).collect();
        Differences { lost, doubled, altered }
    }
}

impl Differences {
    /// Returns a sentence for each difference.
    pub fn sentences(&self) -> Vec<String> {
        let kinds = [("lost", &self.lost), ("doubled", &self.doubled), ("altered", &self.altered)];
        let sentences = kinds
            .into_iter()
            .flat_map(|(kind, texts)| texts.iter().map(move |text| format!("{kind}: {text}")));
        sentences.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(words: &str) -> Vec<String> {
        words.split_whitespace().map(str::to_owned).collect()
    }

    fn compare(acknowledged: &str, possible: &str, stored: &str) -> Vec<String> {
        let ledger = Ledger::of(texts(acknowledged)).with_possible(texts(possible));
        ledger.compare(texts(stored)).sentences()
    }

    #[test]
    fn what_was_acknowledged_is_stored_once() {
        assert_eq!(compare("a b", "", "b a"), [""; 0]);
        assert_eq!(compare("a b", "", "b"), ["lost: a"]);
        assert_eq!(compare("a b", "", "b a b"), ["doubled: b"]);
    }

    #[test]
    fn what_was_not_acknowledged_is_stored_once_or_not() {
        assert_eq!(compare("a", "b c", "a b"), [""; 0]);
        assert_eq!(compare("a", "b", "a b b"), ["doubled: b"]);
    }

    #[test]
    fn what_nobody_wrote_is_altered() {
        assert_eq!(compare("a", "", "x"), ["lost: a", "altered: x"]);
    }
}
