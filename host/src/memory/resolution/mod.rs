//! What becomes of a draft about a matter that may be known already: a new memory, a change of one, its end, a successor,
//! or nothing. The memories are asked first ([`Memories::assess`]); what they say bounds what the draft's author may
//! have done ([`Memories::resolve`]). Between the two a model may be asked; whatever it answers, the table decides
//! (`table.rs`), in the same step in which it is done.

mod act;
mod assess;
#[cfg(test)]
mod documented;
mod table;
#[cfg(test)]
mod tests;

use super::content::LifecycleEvent;
use super::draft::Draft;
use super::record::Memory;
use super::{Memories, rules};
use crate::error::Result;

/// What an author wants to have done with a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Intent {
    /// A memory of its own.
    Create,
    /// A change of what is known.
    Update,
    /// The end of what is known.
    Retire,
    /// A memory in the place of what is known.
    Supersede,
}

/// What may be done about a draft, from what is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AllowedActions {
    /// Nothing is known of the matter.
    CreateOnly,
    /// Something is, and it may be changed.
    AnyExceptRetire,
    /// Something is, and it may be changed or retired.
    Any,
    /// The draft tells the end of something that is not known.
    NoAction,
}

/// How a draft stands to what is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Similarity {
    /// It says the same, in the same words or others.
    Duplicate,
    /// It says nearly the same, but for a number or what it denies.
    Correction,
    /// It is about the same matter.
    Related,
}

/// What is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words of the intent, and nothing")]
pub enum ResolutionAction {
    Created,
    Updated,
    Retired,
    Superseded,
    Skipped,
}

/// The memory that a draft is about.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// It.
    pub memory: Memory,
    /// How the draft stands to it.
    pub similarity: Similarity,
}

/// What the memories say to a draft.
#[derive(Debug, Clone, PartialEq)]
pub struct Assessment {
    /// What may be done.
    pub allowed: AllowedActions,
    /// What it is about, if that is known.
    pub candidate: Option<Candidate>,
    /// Why nothing may be done at all, whatever anybody wants.
    pub vetoes: Vec<String>,
}

/// A memory at the version that the author of a draft has read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryVersion {
    /// Its id.
    pub id: String,
    /// The version that was read.
    pub version: u64,
}

/// A draft, and what its author wants.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    /// The draft.
    pub draft: Draft,
    /// What is to be done with it.
    pub intent: Intent,
    /// What came to its end by it.
    pub event: Option<LifecycleEvent>,
    /// The memory that the author says it is about, by id and the version they have seen; otherwise the memories say. One
    /// that says the same goes before it.
    pub target: Option<MemoryVersion>,
    /// Why, in a line of at most 300 characters: it stays in the history.
    pub reason: String,
    /// By which a change is known, so that it is made once.
    pub key: Option<String>,
}

/// What was done about a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolution {
    /// What.
    pub action: ResolutionAction,
    /// The memory that stands for the draft now: the new one, the changed one, the one that ended. None where nothing was
    /// done and nothing is known.
    pub id: Option<String>,
    /// The one whose place it took.
    pub superseded: Option<String>,
    /// The principle behind it, or the vetoes.
    pub reason: String,
    /// What had to make room.
    pub evicted: Vec<super::Evicted>,
}

impl Memories {
    /// What the memories say to a draft. `event` is what came to its end by it.
    ///
    /// # Errors
    /// `invalid` and `denied` as [`remember`](Self::remember).
    pub fn assess(&self, draft: Draft, event: Option<LifecycleEvent>) -> Result<Assessment> {
        let draft = rules::lawful(self.drafted(draft, "assessed")?, &self.redactor)?;
        self.write(|step| self.assess_in(step, &draft, event, None))
    }
}
