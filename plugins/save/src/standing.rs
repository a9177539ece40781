//! Memories that stand already, as far as a flush has to do with them: what a find is about, and what came to its end.

use crate::find::{Category, Evidence};

/// A memory that stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// By which the host knows it. No model is told it.
    pub id: String,
    /// As it was seen.
    pub version: u64,
    /// Its kind.
    pub category: Category,
    /// One line.
    pub title: String,
    /// What it says.
    pub text: String,
}

/// What is to be done with a find that is about a memory that stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Intent {
    /// Both hold: a memory of its own.
    Create,
    /// It says the same, or more of it.
    Update,
    /// It holds in its place.
    Supersede,
}

/// Which memory a find is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct About {
    /// It.
    pub memory: Standing,
    /// What is to be done.
    pub intent: Intent,
}

/// What befell what a memory tells of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words of the contract")]
pub enum Event {
    Resolved,
    Removed,
    Reversed,
    Superseded,
    Deprecated,
}

/// A memory whose matter came to its end without a successor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// It.
    pub memory: Standing,
    /// What befell it.
    pub event: Event,
    /// In a sentence.
    pub why: String,
    /// The words that say so.
    pub evidence: Vec<Evidence>,
}

/// Whoever knows which memories stand.
pub trait Memories {
    /// At most so many memories of these categories: those that fit one of these texts, then the newest.
    fn standing(&self, categories: &[Category], texts: &[&str], most: usize) -> Vec<Standing>;
}

/// None stand: as in a project that remembers nothing.
pub struct Nothing;

impl Memories for Nothing {
    fn standing(&self, _: &[Category], _: &[&str], _: usize) -> Vec<Standing> {
        Vec::new()
    }
}

impl Event {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Resolved, Self::Removed, Self::Reversed, Self::Superseded, Self::Deprecated];

    /// Its name.
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

    /// Its name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Update => "update",
            Self::Supersede => "supersede",
        }
    }
}
