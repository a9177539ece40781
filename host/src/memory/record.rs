//! A stored memory as plain data: its fields, its origin, its status and its history. The sibling modules
//! write, store and find records. The doc comments of the fields are the descriptions in the published JSON
//! Schema.

use super::category::Category;
use super::word_enum::word_enum;
use crate::clock::Millis;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// Version of the record format. A record keeps the version with which it was written.
pub const SCHEMA_VERSION: &str = "1.0";

/// Maximum number of history entries per memory; the oldest are dropped first.
pub(super) const MAX_CHANGES: usize = 50;

/// One stored memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Memory {
    /// Version of the record format with which the memory was first written.
    #[serde(default = "schema_version")]
    pub schema_version: String,
    /// Permanent id of ten characters.
    pub id: String,
    /// Kind of the memory.
    pub category: Category,
    /// Title: one line of at most 120 characters.
    pub title: String,
    /// The text of the memory.
    pub text: String,
    /// Fields of the category, as a JSON object.
    pub content: Value,
    /// Tags in lower case, sorted, without duplicates.
    pub tags: Vec<String>,
    /// Paths of the files that the memory is about.
    pub related_files: Vec<String>,
    /// Cues: how one would ask for the memory without knowing its words, in any language. Search finds the
    /// memory by them, too; they are not shown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asked_as: Vec<String>,
    /// What the memory names of the working tree, as far as it was there when the memory was written. Where
    /// it no longer is, the memory may be out of date.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub citations: Vec<Citation>,
    /// How certain it is that the memory is true, 0 to 1.
    pub confidence: f32,
    /// How important the memory is, 0 to 1.
    pub importance: f32,
    /// Source of the words.
    pub origin: Origin,
    /// Where the memory was written, and by which layer.
    pub source: Source,
    /// Time of creation.
    pub created_at: Millis,
    /// Time of the last change.
    pub updated_at: Millis,
    /// Whether the memory is in use.
    pub status: Status,
    /// Time since which it has this status.
    #[serde(default)]
    pub status_since: Millis,
    /// Why it was retired or archived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status_reason: Option<String>,
    /// When a person confirmed a memory that was not theirs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmed_at: Option<Millis>,
    /// Ids of the memories that it supersedes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub supersedes: Vec<String>,
    /// Id of the memory that supersedes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<String>,
    /// History, oldest entry first; the newest fifty entries are kept.
    pub changes: Vec<Change>,
    /// Number of the version, which every change increments. A change must name the version that it is based
    /// on.
    pub version: u64,
    /// How often the memory was shown.
    pub uses: u64,
    /// In how many sessions it was followed after it was shown: its words quoted, its command run, its file
    /// changed.
    #[serde(default)]
    pub followed: u64,
}

word_enum! {
    /// Source of a memory's words, the most trusted first.
    Origin, "origin" {
        /// A person typed them at a terminal.
        Person = "person",
        /// The assistant or a layer wrote them.
        Assistant = "assistant",
        /// A tool printed them, so their author is unknown.
        ToolOutput = "tool_output",
        /// They were imported from a file.
        Imported = "imported",
        /// They came with a clone: this user did not write them.
        Shared = "shared",
    }
}

impl Origin {
    /// Tells whether the words are untrusted: they are quoted with their origin and never shown as a rule of
    /// the project.
    pub const fn is_untrusted(self) -> bool {
        matches!(self, Self::ToolOutput | Self::Imported | Self::Shared)
    }
}

word_enum! {
    /// Whether a memory is in use.
    Status, "status" {
        /// It is found and shown.
        Active = "active",
        /// It was forgotten, and is deleted after the grace period.
        Retired = "retired",
        /// It is kept for good, but neither found nor shown.
        Archived = "archived",
    }
}

/// A file that a memory names, or a name in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Citation {
    /// Path of the file, relative to the project's root.
    pub file: String,
    /// The symbol, command or version that the memory names and the file contained. Absent for the file
    /// itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub term: Option<String>,
}

/// Where a memory was written. Unknown parts are absent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Source {
    /// Id of the Claude Code session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Name of the layer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer: Option<String>,
    /// Name of the hook event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// Commit that was checked out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Branch that was checked out. A memory without a branch applies to every branch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
}

impl Source {
    /// Returns the source of a memory that applies to every branch.
    pub(super) fn on_every_branch(self) -> Self {
        Self { branch: None, ..self }
    }
}

/// Who wrote a memory first, or made a change.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Author {
    /// The device.
    pub device: String,
    /// The name of its user, as they state it. Empty if none is known.
    pub name: String,
}

/// One entry of a memory's history.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Change {
    /// Time of the change.
    pub at: Millis,
    /// What was changed, and why.
    pub what: String,
    /// The layer or the command that made the change.
    pub by: String,
    /// Who made it. Absent in histories that were written before authors were recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<Author>,
    /// Previous values by field; of a long text its beginning.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub was: BTreeMap<String, String>,
    /// Idempotency key of a layer: a change with a key that is in the history already is not made again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}

impl Memory {
    /// Inserts imported history before the memory's own. The version continues from the imported version. But
    /// if the imported history is shorter than the maximum, the number of its entries counts instead of the
    /// version that the import states.
    pub(super) fn prepend_history(&mut self, version: u64, mut changes: Vec<Change>) {
        let entries = changes.len() as u64;
        self.version += if changes.len() < MAX_CHANGES { entries } else { version.max(entries) };
        changes.append(&mut self.changes);
        changes.into_iter().for_each(|change| self.push_change(change));
    }

    /// Adds an entry to the history and drops the oldest entries beyond [`MAX_CHANGES`].
    pub(super) fn push_change(&mut self, change: Change) {
        self.changes.push(change);
        let surplus = self.changes.len().saturating_sub(MAX_CHANGES);
        self.changes.drain(..surplus);
    }
}

fn schema_version() -> String {
    SCHEMA_VERSION.to_owned()
}
