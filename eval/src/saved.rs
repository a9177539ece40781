//! The memories that a session saves, as `interleaf memory export` prints them.

use std::collections::HashSet;

use anyhow::{Context, Result};
use interleaf_expectations::{Expectations, Memory, SavedCounts};
use interleaf_text::collapse_whitespace;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A memory in the store.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SavedMemory {
    id: String,
    category: String,
    title: String,
    text: String,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    content: Value,
    status: String,
}

impl SavedMemory {
    /// Reads an export with one memory per line.
    pub fn read_all(export: &str) -> Result<Vec<Self>> {
        let memories = export.lines().map(serde_json::from_str).collect::<Result<_, _>>();
        memories.context("`interleaf memory export` printed a line that is not a memory")
    }

    /// Tells whether it is active and not in `before`.
    pub fn is_new_and_active(&self, before: &HashSet<String>) -> bool {
        self.is_active() && !before.contains(&self.id)
    }

    /// Returns a line for people: its category and its text.
    pub fn line(&self) -> String {
        format!("- [{}] {}", self.category, collapse_whitespace(&self.text))
    }

    /// Tells whether it is likely but not certain, so that no session is shown it.
    pub fn is_tentative(&self) -> bool {
        self.tags.iter().any(|tag| tag == "tentative")
    }

    fn is_active(&self) -> bool {
        self.status == "active"
    }

    /// Returns its title, text and content on one line.
    fn words(&self) -> String {
        collapse_whitespace(&format!("{} {} {}", self.title, self.text, self.content))
    }
}

/// Returns the ids of memories.
pub fn ids(memories: &[SavedMemory]) -> HashSet<String> {
    memories.iter().map(|memory| memory.id.clone()).collect()
}

/// Judges the memories that a session saved: `after` are all memories of the store, `before` the ids of those
/// that existed at its start.
pub fn judge(
    before: &HashSet<String>,
    after: &[SavedMemory],
    expectations: &Expectations,
) -> (SavedCounts, Vec<String>) {
    let words: Vec<String> = after.iter().map(SavedMemory::words).collect();
    let judged = |keep: &dyn Fn(&SavedMemory) -> bool| -> Vec<Memory<'_>> {
        let kept = after.iter().zip(&words).filter(|(memory, _)| keep(memory));
        kept.map(|(saved, words)| Memory {
            category: &saved.category,
            title: &saved.title,
            words,
            is_tentative: saved.is_tentative(),
        })
        .collect()
    };
    let (active, new) = (judged(&SavedMemory::is_active), judged(&|memory| !before.contains(&memory.id)));
    expectations.judge_saved(&active, &new)
}
