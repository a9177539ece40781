//! Requests of a caller: a new memory (a draft) or a change to a memory (a patch). The write rules have not
//! checked them yet.

use super::category::Category;
use super::record::{Origin, Source};
use crate::clock::Millis;
use serde_json::Value;

/// Confidence of a draft that does not state one.
const DEFAULT_CONFIDENCE: f32 = 0.8;

/// Importance of a draft that does not state one.
const DEFAULT_IMPORTANCE: f32 = 0.5;

/// A memory that is proposed but not written.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// Kind of the memory.
    pub category: Category,
    /// Title: one line of at most 120 characters. Without one, the first sentence of the text is used.
    pub title: Option<String>,
    /// Text of the memory.
    pub text: String,
    /// Fields of the category, as a JSON object.
    pub content: Value,
    /// Tags.
    pub tags: Vec<String>,
    /// Paths of the files that the memory is about.
    pub related_files: Vec<String>,
    /// How one would ask for the memory without knowing its words.
    pub asked_as: Vec<String>,
    /// Probability that the memory is true, from 0 to 1.
    pub confidence: f32,
    /// Importance of the memory, from 0 to 1.
    pub importance: f32,
    /// Source of the words.
    pub origin: Origin,
    /// Session and layer that made the draft.
    pub source: Source,
    /// Id of the memory; random if absent.
    pub id: Option<String>,
    /// Time of creation; now if absent.
    pub created_at: Option<Millis>,
}

impl Draft {
    /// Returns a draft that has only a text, with default confidence and importance.
    pub fn new(category: Category, text: impl Into<String>, origin: Origin) -> Self {
        Self {
            category,
            title: None,
            text: text.into(),
            content: Value::Object(serde_json::Map::new()),
            tags: Vec::new(),
            related_files: Vec::new(),
            asked_as: Vec::new(),
            confidence: DEFAULT_CONFIDENCE,
            importance: DEFAULT_IMPORTANCE,
            origin,
            source: Source::default(),
            id: None,
            created_at: None,
        }
    }
}

/// A change to a memory. Absent fields stay as they are.
#[derive(Debug, Clone, PartialEq)]
pub struct Patch {
    /// Source of the new words.
    pub origin: Origin,
    /// New title.
    pub title: Option<String>,
    /// New text.
    pub text: Option<String>,
    /// New content, which replaces the old one.
    pub content: Option<Value>,
    /// New tags, which replace the old ones.
    pub tags: Option<Vec<String>>,
    /// New paths, which replace the old ones.
    pub related_files: Option<Vec<String>>,
    /// New cues, which replace the old ones.
    pub asked_as: Option<Vec<String>>,
    /// New confidence.
    pub confidence: Option<f32>,
    /// New importance.
    pub importance: Option<f32>,
    /// Whether the memory holds on every branch from now on.
    pub leaves_branch: bool,
    /// Reason for the history: one line of 1 to 300 characters.
    pub reason: String,
    /// Idempotency key: a change whose key is already in the history is not made again.
    pub key: Option<String>,
}

impl Patch {
    /// Returns a patch without changes.
    pub fn new(origin: Origin, reason: impl Into<String>) -> Self {
        Self {
            origin,
            title: None,
            text: None,
            content: None,
            tags: None,
            related_files: None,
            asked_as: None,
            confidence: None,
            importance: None,
            leaves_branch: false,
            reason: reason.into(),
            key: None,
        }
    }

    /// Tells whether the patch changes nothing.
    pub fn is_empty(&self) -> bool {
        self.changed_fields().is_empty()
    }

    /// Tells whether the patch changes the words of the memory, and not only its ranking and tags.
    pub(super) fn changes_words(&self) -> bool {
        self.title.is_some() || self.text.is_some() || self.content.is_some()
    }

    /// Returns the names of the fields that the patch changes, for the history.
    pub(super) fn changed_fields(&self) -> Vec<&'static str> {
        let fields = [
            ("title", self.title.is_some()),
            ("text", self.text.is_some()),
            ("content", self.content.is_some()),
            ("tags", self.tags.is_some()),
            ("related files", self.related_files.is_some()),
            ("cues", self.asked_as.is_some()),
            ("confidence", self.confidence.is_some()),
            ("importance", self.importance.is_some()),
            ("branch", self.leaves_branch),
        ];
        fields.into_iter().filter(|(_, changed)| *changed).map(|(name, _)| name).collect()
    }
}
