//! One entry of an import: what other programs and this one write about a memory.

use serde::Deserialize;
use serde_json::Value;

use super::ImportTrust;
use crate::clock::Millis;
use crate::error::{Error, Result};
use crate::memory::category::Category;
use crate::memory::draft::Draft;
use crate::memory::memory_id;
use crate::memory::record::{Change, Memory, Origin, Source, Status};

/// One entry of an import. Fields that are not named here are ignored.
#[derive(Deserialize)]
pub(super) struct Entry {
    text: String,
    pub(super) id: Option<String>,
    category: Option<String>,
    title: Option<String>,
    content: Option<Value>,
    tags: Option<Vec<String>>,
    related_files: Option<Vec<String>>,
    asked_as: Option<Vec<String>>,
    confidence: Option<f32>,
    importance: Option<f32>,
    origin: Option<String>,
    source: Option<Source>,
    created_at: Option<Time>,
    status: Option<Status>,
    status_since: Option<Millis>,
    status_reason: Option<String>,
    confirmed_at: Option<Millis>,
    #[serde(default)]
    supersedes: Vec<String>,
    superseded_by: Option<String>,
    #[serde(default)]
    changes: Vec<Change>,
    #[serde(default)]
    version: u64,
}

/// Milliseconds since the epoch, a date, or a date and time as in RFC 3339.
#[derive(Deserialize)]
#[serde(untagged)]
enum Time {
    Millis(Millis),
    Text(String),
}

impl Entry {
    /// Replaces ids that a memory cannot have, also in links and in the history. An empty id counts as none.
    pub(super) fn with_valid_ids(mut self) -> Self {
        let is_given = |id: &String| !id.trim().is_empty();
        self.id = self.id.filter(is_given);
        self.supersedes.retain(is_given);
        self.superseded_by = self.superseded_by.filter(is_given);
        let ids = self.id.iter_mut().chain(&mut self.supersedes).chain(&mut self.superseded_by);
        for id in ids.filter(|id| !memory_id::is_id(id)) {
            let old = std::mem::replace(id, memory_id::of_import(id));
            for change in &mut self.changes {
                change.what = change.what.replace(&old, id);
            }
        }
        self
    }

    /// Converts the entry to a draft. An entry without a category is a learning.
    pub(super) fn draft(&self, trust: ImportTrust) -> Result<Draft> {
        let category =
            self.category.as_deref().map_or(Ok(Category::Learning), |word| normalize_word(word).parse())?;
        let origin = match (trust, self.origin.as_deref()) {
            (ImportTrust::Untrusted, _) => Origin::Imported,
            (ImportTrust::Own, None) => Origin::Person,
            (ImportTrust::Own, Some(word)) => normalize_word(word).parse()?,
        };
        let default = Draft::new(category, self.text.as_str(), origin);
        Ok(Draft {
            title: self.title.clone(),
            content: self.content.clone().unwrap_or(Value::Null),
            tags: self.tags.clone().unwrap_or_default(),
            related_files: self.related_files.clone().unwrap_or_default(),
            asked_as: self.asked_as.clone().unwrap_or_default(),
            confidence: self.confidence.unwrap_or(default.confidence),
            importance: self.importance.unwrap_or(default.importance),
            source: self.source.clone().unwrap_or_default(),
            id: self.id.clone(),
            created_at: self.created_at.as_ref().map(Time::millis).transpose()?,
            ..default
        })
    }

    /// Sets status, links and history as the entry states them. A retired memory is imported as retired, with
    /// a new grace period. Confirmation and history are taken over only if the entries are this user's own.
    pub(super) fn restore_lifecycle(self, trust: ImportTrust, mut memory: Memory) -> Memory {
        memory.status = self.status.unwrap_or(Status::Active);
        memory.supersedes = self.supersedes;
        if memory.status != Status::Active {
            memory.status_reason = self.status_reason;
            memory.superseded_by = self.superseded_by;
        }
        if trust == ImportTrust::Own {
            memory.confirmed_at = self.confirmed_at;
            memory.status_since = self.status_since.unwrap_or(memory.status_since).min(memory.updated_at);
            memory.prepend_history(self.version, self.changes);
        }
        memory
    }
}

impl Time {
    fn millis(&self) -> Result<Millis> {
        match self {
            Self::Millis(millis) => Ok(*millis),
            Self::Text(text) => {
                let date_and_time =
                    if text.contains('T') { text.clone() } else { format!("{text}T00:00:00Z") };
                let time: Result<jiff::Timestamp, _> = date_and_time.parse();
                time.map(jiff::Timestamp::as_millisecond).map_err(|_| {
                    Error::invalid(format!("`{}` is not a date", text.escape_debug()))
                        .hint("write created_at as 2026-01-31, 2026-01-31T12:00:00Z or milliseconds")
                })
            }
        }
    }
}

/// Accepts the spelling of other programs, such as `Tech-Debt`.
fn normalize_word(word: &str) -> String {
    word.to_lowercase().replace(['-', ' '], "_")
}
