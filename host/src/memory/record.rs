//! What a memory is: one stored record, where its words come from, and what it may therefore do.
//!
//! Plain data. How a record is written, kept and found is the business of the modules beside this one.

use super::kinds::{Category, Origin, Status};
use crate::clock::Millis;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// One stored memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Memory {
    /// How this record is written: [`SCHEMA_VERSION`] of the program that wrote it first.
    #[serde(default = "schema_version")]
    pub schema_version: String,
    /// Ten characters that name it for good.
    pub id: String,
    /// Its kind.
    pub category: Category,
    /// One line, at most 120 characters.
    pub title: String,
    /// What there is to know.
    pub text: String,
    /// The parts that its category asks for: a JSON object.
    pub content: Value,
    /// Lower-case words, sorted, each once.
    pub tags: Vec<String>,
    /// Paths it is about.
    pub related_files: Vec<String>,
    /// How sure it is true, 0 to 1.
    pub confidence: f32,
    /// How much depends on it, 0 to 1.
    pub importance: f32,
    /// Where its words come from.
    pub origin: Origin,
    /// Who wrote it, when and where.
    pub source: Source,
    /// When it was first written.
    pub created_at: Millis,
    /// When it was last changed.
    pub updated_at: Millis,
    /// Whether it still counts.
    pub status: Status,
    /// Since when it does or does not.
    #[serde(default)]
    pub status_since: Millis,
    /// Why it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status_reason: Option<String>,
    /// When a person said that it is true, of one that was not theirs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmed_at: Option<Millis>,
    /// Ids of the memories in whose place it came.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub supersedes: Vec<String>,
    /// The memory that came in its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<String>,
    /// What happened to it, oldest first; the newest fifty are kept.
    pub changes: Vec<Change>,
    /// Goes up by one with every change; whoever changes it names the version they saw.
    pub version: u64,
    /// How often it was shown.
    pub uses: u64,
}

/// How records are written now. A record keeps the version it was made with.
pub const SCHEMA_VERSION: &str = "1.0";

/// How many entries of its history a memory keeps.
pub(super) const MOST_CHANGES: usize = 50;

/// Where a memory was written. Whatever is not known is absent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Source {
    /// The session of Claude Code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The layer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer: Option<String>,
    /// The hook event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// The commit that was checked out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The branch that was checked out. A memory with a branch belongs to it; one without belongs everywhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
}

/// One entry of a memory's history.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Change {
    /// When.
    pub at: Millis,
    /// What was done, in words.
    pub what: String,
    /// Who did it: a layer, a command.
    pub by: String,
    /// What was there before, by field; of a long text its beginning.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub was: BTreeMap<String, String>,
    /// The key that a layer gave the change, by which it makes it once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}

impl Memory {
    /// Puts the history that a record of this version had elsewhere before its own, which goes on counting from there. The
    /// entries are what is known: one with fewer than are kept never had more.
    pub(super) fn resume(&mut self, version: u64, mut changes: Vec<Change>) {
        let known = changes.len() as u64;
        self.version += if changes.len() < MOST_CHANGES { known } else { version.max(known) };
        changes.append(&mut self.changes);
        changes.into_iter().for_each(|change| self.note(change));
    }

    /// Adds to the history, which forgets its oldest entries first.
    pub(super) fn note(&mut self, change: Change) {
        self.changes.push(change);
        let surplus = self.changes.len().saturating_sub(MOST_CHANGES);
        self.changes.drain(..surplus);
    }
}

fn schema_version() -> String {
    SCHEMA_VERSION.to_owned()
}
