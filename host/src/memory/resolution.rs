//! Resolution: decides whether a draft becomes a new memory, changes, retires or supersedes a known one, or
//! is skipped. The stored memories are compared with the draft first ([`Memories::assess`]), and the result
//! limits the actions allowed to the author of the draft ([`Memories::resolve`]). A layer may ask a model
//! between the two steps. Regardless of the model's answer, the decision table (`decision_table.rs`) decides,
//! in the transaction that writes.

mod assessment;
mod decision_table;
#[cfg(test)]
mod tests;

use super::content::{self, LifecycleEvent};
use super::draft::{Draft, Patch};
use super::record::Memory;
use super::store::Transaction;
use super::tentative::joined_tags;
use super::{Evicted, Memories, WriteOutcome, WriteResult, write_rules};
use crate::error::Result;

/// The action that the author of a draft requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Intent {
    /// Write a new memory.
    Create,
    /// Change a known memory.
    Update,
    /// Retire a known memory.
    Retire,
    /// Write a memory that supersedes a known one.
    Supersede,
}

/// The actions that the stored memories allow for a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AllowedActions {
    /// No memory matches the draft.
    CreateOnly,
    /// A memory matches, and its category needs a successor to be retired.
    AnyExceptRetire,
    /// A memory matches.
    Any,
    /// The draft ends something that no memory mentions.
    NoAction,
}

/// How similar a draft is to a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Similarity {
    /// It says the same, in the same words or in others.
    Duplicate,
    /// It says nearly the same, but differs in a number or a negation.
    Correction,
    /// It is about the same subject.
    Related,
}

/// The action taken for a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResolutionAction {
    /// A new memory was written.
    Created,
    /// A known memory was changed.
    Updated,
    /// A known memory was retired.
    Retired,
    /// A new memory was written, and it supersedes a known one.
    Superseded,
    /// Nothing was done.
    Skipped,
}

/// The memory that a draft is about.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The memory.
    pub memory: Memory,
    /// How similar the draft is to it.
    pub similarity: Similarity,
}

/// The comparison of a draft with the stored memories.
#[derive(Debug, Clone, PartialEq)]
pub struct Assessment {
    /// The allowed actions.
    pub allowed: AllowedActions,
    /// The memory that the draft is about, if there is one.
    pub candidate: Option<Candidate>,
    /// Reasons that forbid every action, regardless of the intent.
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

/// A draft and the request of its author.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    /// The draft.
    pub draft: Draft,
    /// The requested action.
    pub intent: Intent,
    /// How the subject of the draft ended, if it did.
    pub event: Option<LifecycleEvent>,
    /// The memory that the author has chosen. Without it, or if another memory says the same as the draft,
    /// the stored memories determine the candidate.
    pub target: Option<MemoryVersion>,
    /// Reason for the history: one line of 1 to 300 characters.
    pub reason: String,
    /// Idempotency key of a change.
    pub key: Option<String>,
}

/// The result of a proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolution {
    /// The action taken.
    pub action: ResolutionAction,
    /// The memory that was written, changed, retired or found to say the same. `None` if nothing was done
    /// and no memory matches.
    pub id: Option<String>,
    /// The memory that was superseded.
    pub superseded: Option<String>,
    /// The rule of the decision table that applied, or the vetoes.
    pub reason: String,
    /// Memories that were retired to make room.
    pub evicted: Vec<Evicted>,
}

impl Memories {
    /// Compares a draft with the stored memories. `event` says how its subject ended.
    ///
    /// # Errors
    /// `invalid` and `denied` as [`remember`](Self::remember).
    pub fn assess(&self, draft: Draft, event: Option<LifecycleEvent>) -> Result<Assessment> {
        let draft = write_rules::validate(self.memory_from_draft(draft, "assessed")?, &self.redactor)?;
        self.write(|tx| self.assess_in(tx, &draft, event, None))
    }

    /// Applies the decision table to a draft, in one transaction with the comparison.
    ///
    /// # Errors
    /// As [`remember`](Self::remember); `conflict`, which names the current version, if the target has
    /// changed since the author read it; `denied` if the target is not active, of another category or
    /// of a more trusted origin.
    pub fn resolve(&self, proposal: Proposal) -> Result<Resolution> {
        let reason = write_rules::validate_reason(&proposal.reason, &self.redactor)?;
        let draft = self.memory_from_draft(proposal.draft.clone(), &format!("written: {reason}"))?;
        let draft = self.validate(draft)?;
        self.write(|tx| {
            if let Some(known) = tx.get(&draft.id)? {
                return Ok(skipped(Some(known.id), "the draft was written before"));
            }
            let assessment = self.assess_in(tx, &draft, proposal.event, proposal.target.as_ref())?;
            self.apply_decision(tx, draft, assessment, &Proposal { reason, ..proposal })
        })
    }

    fn apply_decision(
        &self,
        tx: &dyn Transaction,
        draft: Memory,
        assessment: Assessment,
        proposal: &Proposal,
    ) -> Result<Resolution> {
        if !assessment.vetoes.is_empty() {
            return Ok(skipped(None, &assessment.vetoes.join("; ")));
        }
        let similarity = assessment.candidate.as_ref().map_or(Similarity::Related, |it| it.similarity);
        let rule = decision_table::look_up(assessment.allowed, proposal.intent, similarity);
        let resolution = match (rule.action, assessment.candidate) {
            (ResolutionAction::Created, _) => created(self.insert_unless_duplicate(tx, draft)?),
            (ResolutionAction::Updated, Some(known)) => {
                updated(self.update_in(tx, known.memory.clone(), patch(&known, &draft, proposal))?)
            }
            (ResolutionAction::Retired, Some(known)) => {
                let ended = after_event(known.memory, proposal.event);
                let retired = self.retire_in(tx, ended, &proposal.reason)?;
                Resolution { action: ResolutionAction::Retired, ..updated(retired) }
            }
            (ResolutionAction::Superseded, Some(known)) => {
                let old = known.memory.id.clone();
                let successor = inherit(&known.memory, draft);
                let written = self.supersede_in(tx, known.memory, successor, &proposal.reason)?;
                let action = ResolutionAction::Superseded;
                Resolution { action, superseded: Some(old), ..created(written) }
            }
            _ => skipped(None, rule.reason),
        };
        Ok(Resolution { reason: rule.reason.to_owned(), ..resolution })
    }
}

/// Returns the patch that merges a draft into a known memory. If both say the same, the words stay as they
/// were, because the first author may have been more thorough.
fn patch(known: &Candidate, draft: &Memory, proposal: &Proposal) -> Patch {
    let (old, is_new) = (&known.memory, known.similarity != Similarity::Duplicate);
    let merged = content::merge(old.category, &old.content, &draft.content);
    let content = write_rules::fit_content(&old.content, &draft.content, merged);
    let content = match proposal.event {
        Some(event) => content::after_event(old.category, event, &content),
        None => content,
    };
    Patch {
        title: (is_new && proposal.draft.title.is_some()).then(|| draft.title.clone()),
        text: is_new.then(|| draft.text.clone()),
        content: (content != old.content).then_some(content),
        tags: Some(joined_tags(write_rules::join_tags(&old.tags, &draft.tags), old, draft)),
        related_files: Some(write_rules::join_files(&old.related_files, &draft.related_files)),
        asked_as: Some(write_rules::join_cues(&old.asked_as, &draft.asked_as)),
        confidence: Some(old.confidence.max(draft.confidence)),
        importance: Some(old.importance.max(draft.importance)),
        // What is said again on another branch does not hold on the first one alone.
        leaves_branch: old.source.branch.is_some() && old.source.branch != draft.source.branch,
        key: proposal.key.clone(),
        ..Patch::new(draft.origin, proposal.reason.clone())
    }
}

/// Returns the memory with the event recorded in its content.
fn after_event(memory: Memory, event: Option<LifecycleEvent>) -> Memory {
    match event {
        Some(event) => {
            let content = content::after_event(memory.category, event, &memory.content);
            Memory { content, ..memory }
        }
        None => memory,
    }
}

/// Returns the draft with the tags, files, cues and importance of the memory that it supersedes, so that it
/// is found in the same way and ranks as high.
fn inherit(old: &Memory, draft: Memory) -> Memory {
    let may_carry = |tag: &&String| write_rules::may_carry(draft.origin, tag);
    let tags: Vec<String> = old.tags.iter().filter(may_carry).cloned().collect();
    Memory {
        tags: joined_tags(write_rules::join_tags(&tags, &draft.tags), old, &draft),
        related_files: write_rules::join_files(&old.related_files, &draft.related_files),
        asked_as: write_rules::join_cues(&old.asked_as, &draft.asked_as),
        importance: old.importance.max(draft.importance),
        ..draft
    }
}

fn created(written: WriteResult) -> Resolution {
    let action = match written.outcome {
        WriteOutcome::Created => ResolutionAction::Created,
        WriteOutcome::Duplicate => ResolutionAction::Skipped,
    };
    Resolution { action, id: Some(written.id), evicted: written.evicted, ..skipped(None, "") }
}

fn updated(memory: Memory) -> Resolution {
    Resolution { action: ResolutionAction::Updated, id: Some(memory.id), ..skipped(None, "") }
}

fn skipped(id: Option<String>, reason: &str) -> Resolution {
    let action = ResolutionAction::Skipped;
    Resolution { action, id, superseded: None, reason: reason.to_owned(), evicted: Vec::new() }
}
