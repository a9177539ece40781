//! What the table decided, done.

use super::super::content::{LifecycleEvent, merged, status_after};
use super::super::draft::Patch;
use super::super::record::Memory;
use super::super::store::Transaction;
use super::super::{Memories, WriteOutcome, WriteResult, rules};
use super::{Assessment, Candidate, Proposal, Resolution, ResolutionAction, Similarity, table};
use crate::error::Result;

impl Memories {
    /// Does what the table says about a draft, in the step in which it is looked up.
    ///
    /// # Errors
    /// As [`remember`](Self::remember); `conflict`, naming the present version, where the memory that the author judged
    /// has changed since; `denied` where it is no longer active, of another category, or not this draft's to change.
    pub fn resolve(&self, proposal: Proposal) -> Result<Resolution> {
        let reason = rules::reason(&proposal.reason, &self.redactor)?;
        let draft = self.drafted(proposal.draft.clone(), &format!("written: {reason}"))?;
        let draft = rules::lawful(draft, &self.redactor)?;
        self.write(|step| {
            if let Some(known) = step.get(&draft.id)? {
                return Ok(nothing(Some(known.id), "it was written before"));
            }
            let assessed = self.assess_in(step, &draft, proposal.event, proposal.target.as_ref())?;
            self.settle(step, draft, assessed, &Proposal { reason, ..proposal })
        })
    }

    fn settle(
        &self,
        step: &dyn Transaction,
        draft: Memory,
        assessed: Assessment,
        proposal: &Proposal,
    ) -> Result<Resolution> {
        if !assessed.vetoes.is_empty() {
            return Ok(nothing(None, &assessed.vetoes.join("; ")));
        }
        let similarity = assessed.candidate.as_ref().map_or(Similarity::Related, |it| it.similarity);
        let cell = table::look_up(assessed.allowed, proposal.intent, similarity);
        let resolved = match (cell.action, assessed.candidate) {
            (ResolutionAction::Created, _) => created(self.admit(step, draft)?),
            (ResolutionAction::Updated, Some(known)) => {
                changed(self.change(step, known.memory.clone(), patch(&known, &draft, proposal))?)
            }
            (ResolutionAction::Retired, Some(known)) => {
                let ended = ended(known.memory, proposal.event);
                Resolution {
                    action: ResolutionAction::Retired,
                    ..changed(self.retire_in(step, ended, &proposal.reason)?)
                }
            }
            (ResolutionAction::Superseded, Some(known)) => {
                let old = known.memory.id.clone();
                let draft = inheriting(&known.memory, draft);
                let written = self.succeed(step, known.memory, draft, &proposal.reason)?;
                Resolution { action: ResolutionAction::Superseded, superseded: Some(old), ..created(written) }
            }
            _ => nothing(None, cell.reason),
        };
        Ok(Resolution { reason: cell.reason.to_owned(), ..resolved })
    }
}

/// What an update makes of what is known. Words that say the same as before stay as they were: who told it first may have
/// been thorough.
fn patch(known: &Candidate, draft: &Memory, proposal: &Proposal) -> Patch {
    let (old, anew) = (&known.memory, known.similarity != Similarity::Duplicate);
    let content =
        rules::fitting(&old.content, &draft.content, merged(old.category, &old.content, &draft.content));
    let content = proposal.event.map_or(content.clone(), |event| status_after(old.category, event, &content));
    Patch {
        title: (anew && proposal.draft.title.is_some()).then(|| draft.title.clone()),
        text: anew.then(|| draft.text.clone()),
        content: (content != old.content).then_some(content),
        tags: Some(rules::joined_tags(&old.tags, &draft.tags)),
        related_files: Some(rules::joined_files(&old.related_files, &draft.related_files)),
        confidence: Some(old.confidence.max(draft.confidence)),
        importance: Some(old.importance.max(draft.importance)),
        key: proposal.key.clone(),
        ..Patch::new(draft.origin, proposal.reason.clone())
    }
}

/// What ended, with the field of its content that says so.
fn ended(memory: Memory, event: Option<LifecycleEvent>) -> Memory {
    let content =
        event.map_or(memory.content.clone(), |event| status_after(memory.category, event, &memory.content));
    Memory { content, ..memory }
}

/// A successor is found where its predecessor was, and matters as much.
fn inheriting(old: &Memory, draft: Memory) -> Memory {
    let may = |tag: &&String| rules::may_carry(draft.origin, tag);
    let tags: Vec<String> = old.tags.iter().filter(may).cloned().collect();
    Memory {
        tags: rules::joined_tags(&tags, &draft.tags),
        related_files: rules::joined_files(&old.related_files, &draft.related_files),
        importance: old.importance.max(draft.importance),
        ..draft
    }
}

fn created(written: WriteResult) -> Resolution {
    let action = if written.outcome == WriteOutcome::Created {
        ResolutionAction::Created
    } else {
        ResolutionAction::Skipped
    };
    let evicted = written.evicted;
    Resolution { action, id: Some(written.id), superseded: None, reason: String::new(), evicted }
}

fn changed(memory: Memory) -> Resolution {
    Resolution { action: ResolutionAction::Updated, id: Some(memory.id), ..nothing(None, "") }
}

fn nothing(id: Option<String>, reason: &str) -> Resolution {
    let evicted = Vec::new();
    Resolution { action: ResolutionAction::Skipped, id, superseded: None, reason: reason.to_owned(), evicted }
}
