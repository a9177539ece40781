//! A finding: something worth saving that rules or a model found, before it is written; and a retirement: a
//! memory whose subject ended.

use std::hash::Hasher as _;

use fnv::FnvHasher;
use serde_json::Value;

use crate::known_memory::KnownMemory;
use interleaf_layer::memory::Category;

/// Where the words of a finding come from. A tool's words stay a tool's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The person or the assistant.
    Assistant,
    /// A tool: the content of a file, the output of a command.
    ToolOutput,
}

/// A quote that supports a finding. The host looks it up; a finding that quotes a tool gets the tool's
/// origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// Verbatim, except for white space.
    pub quote: String,
    /// The cursor of the quoted entry.
    pub cursor: u64,
}

/// Something worth saving.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The category.
    pub category: Category,
    /// One line; derived from the text if absent.
    pub title: Option<String>,
    /// The text, for readers who did not see the session.
    pub text: String,
    /// Structured content by the category's schema: a JSON object.
    pub content: Value,
    /// Tags.
    pub tags: Vec<String>,
    /// Related files.
    pub files: Vec<String>,
    /// How likely it is true, 0 to 1.
    pub confidence: f32,
    /// How much depends on it, 0 to 1.
    pub importance: f32,
    /// Where its words come from.
    pub origin: Origin,
    /// How likely it is worth saving, 0 to 1. Sorts findings when not all can be saved.
    pub score: f32,
    /// The known memory it is about, if a model named one.
    pub about: Option<Target>,
    /// The quotes that support it.
    pub evidence: Vec<Evidence>,
    /// Identifies the finding within a session, so that a repeated flush writes it once.
    pub key: String,
}

/// What to do with a finding that is about a known memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Intent {
    /// Both hold: write a separate memory.
    Create,
    /// It repeats or extends the memory.
    Update,
    /// It replaces the memory.
    Supersede,
}

/// The known memory that a finding is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The memory.
    pub memory: KnownMemory,
    /// What to do with the finding.
    pub intent: Intent,
}

/// How the subject of a memory ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names of the contract")]
pub enum LifecycleEvent {
    Resolved,
    Removed,
    Reversed,
    Superseded,
    Deprecated,
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

impl LifecycleEvent {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Resolved, Self::Removed, Self::Reversed, Self::Superseded, Self::Deprecated];

    /// The name in a model's answer.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Resolved => "resolved",
            Self::Removed => "removed",
            Self::Reversed => "reversed",
            Self::Superseded => "superseded",
            Self::Deprecated => "deprecated",
        }
    }
}

impl Intent {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Create, Self::Update, Self::Supersede];

    /// The name in a model's answer.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Update => "update",
            Self::Supersede => "supersede",
        }
    }
}

/// Returns the FNV-1a hash of a text. Hashes are stored and part of memory keys, so they must not change with
/// the compiler, as the standard library's may.
pub fn stable_hash(text: &str) -> u64 {
    let mut hasher = FnvHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish()
}
