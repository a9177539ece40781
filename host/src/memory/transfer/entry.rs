//! One entry of an import: lenient about what is missing or unknown, strict about what is there.

use super::super::Draft;
use super::super::kinds::{Category, Origin, Status};
use super::super::record::{Change, Memory, Source};
use super::ImportTrust;
use crate::clock::Millis;
use crate::error::{Error, Result};
use serde::Deserialize;
use serde_json::Value;

/// What is read of an entry. Fields that are not named here are ignored.
#[derive(Deserialize)]
pub(super) struct Entry {
    text: String,
    id: Option<String>,
    category: Option<String>,
    title: Option<String>,
    content: Option<Value>,
    tags: Option<Vec<String>>,
    related_files: Option<Vec<String>>,
    confidence: Option<f32>,
    importance: Option<f32>,
    origin: Option<String>,
    source: Option<Source>,
    created_at: Option<Moment>,
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

/// Milliseconds since the epoch, or a date, or a date and time as in RFC 3339.
#[derive(Deserialize)]
#[serde(untagged)]
enum Moment {
    Millis(Millis),
    Text(String),
}

impl Entry {
    /// What the entry says of its life so far, laid over the memory that is to be. One that was forgotten where it was
    /// exported comes in forgotten, and its grace begins anew. What only its own person can know (that they confirmed it,
    /// what happened to it) is taken from nobody else.
    pub(super) fn life(self, trust: ImportTrust, mut memory: Memory) -> Memory {
        memory.status = self.status.unwrap_or(Status::Active);
        memory.supersedes = self.supersedes;
        if memory.status != Status::Active {
            memory.status_reason = self.status_reason;
            memory.superseded_by = self.superseded_by;
        }
        if trust == ImportTrust::Own {
            memory.confirmed_at = self.confirmed_at;
            memory.status_since = self.status_since.unwrap_or(memory.status_since).min(memory.updated_at);
            memory.resume(self.version, self.changes);
        }
        memory
    }

    /// The entry as a draft. A text alone is a learning.
    pub(super) fn draft(&self, trust: ImportTrust) -> Result<Draft> {
        let category =
            self.category.as_deref().map_or(Ok(Category::Learning), |word| lenient(word).parse())?;
        let origin = match (trust, self.origin.as_deref()) {
            (ImportTrust::Untrusted, _) => Origin::Imported,
            (ImportTrust::Own, None) => Origin::Person,
            (ImportTrust::Own, Some(word)) => lenient(word).parse()?,
        };
        let plain = Draft::new(category, self.text.as_str(), origin);
        Ok(Draft {
            title: self.title.clone(),
            content: self.content.clone().unwrap_or(Value::Null),
            tags: self.tags.clone().unwrap_or_default(),
            related_files: self.related_files.clone().unwrap_or_default(),
            confidence: self.confidence.unwrap_or(plain.confidence),
            importance: self.importance.unwrap_or(plain.importance),
            source: self.source.clone().unwrap_or_default(),
            id: self.id.clone(),
            created_at: self.created_at.as_ref().map(Moment::millis).transpose()?,
            ..plain
        })
    }
}

impl Moment {
    fn millis(&self) -> Result<Millis> {
        match self {
            Self::Millis(millis) => Ok(*millis),
            Self::Text(text) => {
                let date_and_time =
                    if text.contains('T') { text.clone() } else { format!("{text}T00:00:00Z") };
                let moment: Result<jiff::Timestamp, _> = date_and_time.parse();
                moment.map(jiff::Timestamp::as_millisecond).map_err(|_| {
                    Error::invalid(format!("`{}` is no date", text.escape_debug()))
                        .hint("write created_at as 2026-01-31, 2026-01-31T12:00:00Z or milliseconds")
                })
            }
        }
    }
}

/// Other programs write `Tech-Debt`.
fn lenient(word: &str) -> String {
    word.to_lowercase().replace(['-', ' '], "_")
}
