//! Memories that exist already, as far as a flush concerns them: which one a finding is about, and which ones
//! ended.

use crate::finding::{Category, Evidence};

/// A memory that exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownMemory {
    /// The host's id. No model sees it.
    pub id: String,
    /// The version that was read.
    pub version: u64,
    /// The category.
    pub category: Category,
    /// One line.
    pub title: String,
    /// The text.
    pub text: String,
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

/// Looks up known memories.
pub trait MemoryLookup {
    /// Returns at most `limit` memories of these categories: those that match one of the texts, then the
    /// newest.
    fn known(&self, categories: &[Category], texts: &[&str], limit: usize) -> Vec<KnownMemory>;
}

/// A project without memories.
pub struct NoMemories;

impl MemoryLookup for NoMemories {
    fn known(&self, _: &[Category], _: &[&str], _: usize) -> Vec<KnownMemory> {
        Vec::new()
    }
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
