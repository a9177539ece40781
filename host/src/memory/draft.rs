//! What somebody asks to have written: a new memory, or a change of one. Proposed, not yet lawful.

use super::kinds::{Category, Origin};
use super::record::Source;
use crate::clock::Millis;
use serde_json::Value;

/// A memory proposed but not written.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// Its kind.
    pub category: Category,
    /// One line of at most 120 characters; the first sentence of the text where absent.
    pub title: Option<String>,
    /// What there is to know.
    pub text: String,
    /// The parts its category asks for: a JSON object.
    pub content: Value,
    /// Words to find it by.
    pub tags: Vec<String>,
    /// Paths it is about.
    pub related_files: Vec<String>,
    /// How sure it is true, 0 to 1.
    pub confidence: f32,
    /// How much depends on it, 0 to 1.
    pub importance: f32,
    /// Where its words come from.
    pub origin: Origin,
    /// Who proposes it, when and where.
    pub source: Source,
    /// The id it is to have; a random one where absent.
    pub id: Option<String>,
    /// When it was first written; now where absent.
    pub created_at: Option<Millis>,
}

impl Draft {
    /// A draft with nothing but words: middling importance, and confidence as in something said once.
    pub fn new(category: Category, text: impl Into<String>, origin: Origin) -> Self {
        Self {
            category,
            title: None,
            text: text.into(),
            content: Value::Object(serde_json::Map::new()),
            tags: Vec::new(),
            related_files: Vec::new(),
            confidence: 0.8,
            importance: 0.5,
            origin,
            source: Source::default(),
            id: None,
            created_at: None,
        }
    }
}

/// A change of a memory. What is absent stays.
#[derive(Debug, Clone, PartialEq)]
pub struct Patch {
    /// Where the new words come from.
    pub origin: Origin,
    /// A new title.
    pub title: Option<String>,
    /// A new text.
    pub text: Option<String>,
    /// A new content, in place of the whole.
    pub content: Option<Value>,
    /// New tags, in place of all.
    pub tags: Option<Vec<String>>,
    /// New paths, in place of all.
    pub related_files: Option<Vec<String>>,
    /// A new confidence.
    pub confidence: Option<f32>,
    /// A new importance.
    pub importance: Option<f32>,
    /// Why, for the history: one line of at most 300 characters, never empty.
    pub reason: String,
    /// By which the change is known: one that is in the history already is not made again.
    pub key: Option<String>,
}

impl Patch {
    /// A change of nothing yet, in words of this origin, for this reason.
    pub fn new(origin: Origin, reason: impl Into<String>) -> Self {
        Self {
            origin,
            title: None,
            text: None,
            content: None,
            tags: None,
            related_files: None,
            confidence: None,
            importance: None,
            reason: reason.into(),
            key: None,
        }
    }

    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        self.changed().is_empty()
    }

    /// Whether it changes what the memory says, rather than how it is found and weighed.
    pub(super) fn rewords(&self) -> bool {
        self.title.is_some() || self.text.is_some() || self.content.is_some()
    }

    /// The names of what it changes, for the history.
    pub(super) fn changed(&self) -> Vec<&'static str> {
        let parts = [
            ("title", self.title.is_some()),
            ("text", self.text.is_some()),
            ("content", self.content.is_some()),
            ("tags", self.tags.is_some()),
            ("related files", self.related_files.is_some()),
            ("confidence", self.confidence.is_some()),
            ("importance", self.importance.is_some()),
        ];
        parts.into_iter().filter(|(_, changed)| *changed).map(|(name, _)| name).collect()
    }
}
