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

    /// What happened, each with the version that it made.
    pub fn entries(&self) -> impl Iterator<Item = (u64, &'a Value)> {
        let entries = self.0["changes"].as_array().expect("a history");
        let first = self.version() + 1 - entries.len() as u64;
        (first..).zip(entries)
    }

    /// Whether nothing of it has been dropped yet.
    pub fn is_whole(&self) -> bool {
        self.version() <= MAX_ENTRIES
    }

    /// Whether it is as long as the version says.
    pub fn is_complete(&self) -> bool {
        self.entries().count() as u64 == self.version().min(MAX_ENTRIES)
    }

    /// What was written of the change that made this version.
    pub fn what(&self, version: u64) -> Option<&'a str> {
        self.entries().find(|(made, _)| *made == version).and_then(|(_, entry)| entry["what"].as_str())
    }

    /// How many entries have these words.
    pub fn count(&self, words: &str) -> usize {
        let has = |entry: &Value| entry["what"].as_str().is_some_and(|what| what.contains(words));
        self.entries().filter(|(_, entry)| has(entry)).count()
    }

    /// The status that it had in this version.
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

    /// What it said, each with the moment from which on it said so, in milliseconds.
    pub fn sayings(&self) -> Vec<(i64, &'a str)> {
        let mut since = self.0["created_at"].as_i64().expect("a moment");
        let mut sayings = Vec::new();
        for (_, entry) in self.entries() {
            if let Some(was) = entry["was"].get("text") {
                sayings.push((since, was.as_str().expect("a text")));
                since = entry["at"].as_i64().expect("a moment");
            }
        }
        sayings.push((since, self.0["text"].as_str().expect("a text")));
        sayings
    }
}
