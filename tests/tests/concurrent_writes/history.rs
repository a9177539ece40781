//! An exported memory, read as the history of its changes.

use serde_json::Value;

/// Maximum length of a history; older entries are dropped.
const MAX_ENTRIES: u64 = 50;

/// The history of one memory.
pub struct History<'a>(pub &'a Value);

impl<'a> History<'a> {
    pub fn id(&self) -> &'a str {
        self.0["id"].as_str().expect("an id")
    }

    pub fn version(&self) -> u64 {
        self.0["version"].as_u64().expect("a version")
    }

    /// Returns the entries, each with the version that it made.
    pub fn entries(&self) -> impl Iterator<Item = (u64, &'a Value)> {
        let entries = self.0["changes"].as_array().expect("a history");
        let first = self.version() + 1 - entries.len() as u64;
        (first..).zip(entries)
    }

    /// Tells whether no entry has been dropped yet.
    pub fn has_all_entries(&self) -> bool {
        self.version() <= MAX_ENTRIES
    }

    /// Tells whether its length matches the version.
    pub fn is_complete(&self) -> bool {
        self.entries().count() as u64 == self.version().min(MAX_ENTRIES)
    }

    /// Returns the description of the change that made this version.
    pub fn what(&self, version: u64) -> Option<&'a str> {
        self.entries().find(|(made, _)| *made == version).and_then(|(_, entry)| entry["what"].as_str())
    }

    /// Counts the entries with these words.
    pub fn count(&self, words: &str) -> usize {
        let has = |entry: &Value| entry["what"].as_str().is_some_and(|what| what.contains(words));
        self.entries().filter(|(_, entry)| has(entry)).count()
    }

    /// Returns the status in this version.
    pub fn status_at(&self, version: u64) -> &'static str {
        let until = self.entries().filter(|(made, _)| *made <= version);
        until.fold("active", |status, (_, entry)| {
            match entry["what"].as_str().and_then(|what| what.split_once(':')).map(|(word, _)| word) {
                Some("retired") => "retired",
                Some("archived") => "archived",
                Some("restored" | "unarchived") => "active",
                _ => status,
            }
        })
    }

    /// Returns its texts over time, each with the moment in milliseconds since when it applied.
    pub fn texts_over_time(&self) -> Vec<(i64, &'a str)> {
        let mut since = self.0["created_at"].as_i64().expect("a moment");
        let mut texts_over_time = Vec::new();
        for (_, entry) in self.entries() {
            if let Some(was) = entry["was"].get("text") {
                texts_over_time.push((since, was.as_str().expect("a text")));
                since = entry["at"].as_i64().expect("a moment");
            }
        }
        texts_over_time.push((since, self.0["text"].as_str().expect("a text")));
        texts_over_time
    }
}
