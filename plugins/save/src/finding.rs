//! A finding: something worth saving, found by rules or a model and not yet written. A retirement: a memory
//! whose subject ended.

use serde_json::Value;

use crate::known_memory::KnownMemory;
use interleaf_layer::memory::{Category, LifecycleEvent};

pub use interleaf_layer::memory::{Intent, Origin};

/// The tag of memories that every session sees at its start.
pub const CHEAT_SHEET_TAG: &str = "cheat-sheet";

/// The tag of rules for all work that follows, which a session sees at its start.
pub const RULE_TAG: &str = "convention";

/// Maximum number of memories that a session adds to the cheat sheet.
pub const MAX_CHEAT_SHEET: usize = 2;

/// The tag of memories that are likely but not certain. The host shows them to no session until they are
/// confirmed.
pub const TENTATIVE_TAG: &str = "tentative";

/// A quote that supports a finding. The host looks it up, and gives a finding that quotes a tool the origin
/// of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// The quoted text, verbatim except for white space.
    pub quote: String,
    /// The cursor of the quoted entry.
    pub cursor: u64,
}

/// Something worth saving.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The category.
    pub category: Category,
    /// The title, one line; derived from the text if absent.
    pub title: Option<String>,
    /// The text, for readers who did not see the session.
    pub text: String,
    /// Structured content that follows the category's schema: a JSON object.
    pub content: Value,
    /// Tags.
    pub tags: Vec<String>,
    /// Related files.
    pub files: Vec<String>,
    /// Questions to which it is the answer, as somebody would ask them. Only a model writes them.
    pub cues: Vec<String>,
    /// Probability that the finding is true, from 0 to 1.
    pub confidence: f32,
    /// Importance of the finding, from 0 to 1.
    pub importance: f32,
    /// The source of its words: the assistant, for what the session itself said, or a tool, for the content
    /// of a file or the output of a command. A tool's words keep this origin even if the assistant repeats
    /// them.
    pub origin: Origin,
    /// Probability that the finding is worth saving, from 0 to 1. Ranks findings if not all can be saved.
    pub score: f32,
    /// The known memory that it is about, if a model named one.
    pub about: Option<Target>,
    /// The quotes that support it.
    pub evidence: Vec<Evidence>,
    /// Identifies the finding within a session, so that a repeated flush writes it once.
    pub key: String,
}

/// The known memory that a finding is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The memory.
    pub memory: KnownMemory,
    /// What the finding does to it: update it, supersede it, or neither, because both hold (create).
    pub intent: Intent,
}

/// A memory to retire because its subject ended, without a successor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retirement {
    /// The memory.
    pub memory: KnownMemory,
    /// How its subject ended.
    pub event: LifecycleEvent,
    /// The reason, in one sentence.
    pub why: String,
    /// The quotes that prove it.
    pub evidence: Vec<Evidence>,
}

impl Finding {
    /// Tells whether it is likely but not certain.
    pub fn is_tentative(&self) -> bool {
        self.tags.iter().any(|tag| tag == TENTATIVE_TAG)
    }
}
