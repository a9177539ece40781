//! What the table decided, done.

use super::super::content::{LifecycleEvent, merged, status_after};
use super::super::draft::Patch;
use super::super::record::Memory;
use super::super::store::Step;
use super::super::{Memories, Outcome, Written, rules};
use super::{Action, Assessment, Candidate, Likeness, Proposal, Resolved, table};
use crate::error::Result;

impl Memories {
    /// Does what the table says about a draft, in the step in which it is looked up.
    ///
    /// # Errors
    /// As [`remember`](Self::remember); `conflict`, naming the present version, where the memory that the author judged
    /// has changed since; `denied` where it is no longer active, of another category, or not this draft's to change.
    pub fn resolve(&self, proposal: Proposal) -> Result<Resolved> {
        let reason = rules::reason(&proposal.reason, &self.redactor)?;
        let draft = self.drafted(proposal.draft.clone(), &format!("written: {reason}"))?;
        let draft = rules::lawful(draft, &self.redactor)?;
        self.write(|step| {
            if let Some(known) = step.get(&draft.id)? {
                return Ok(nothing(Some(known.id), "it was written before"));
            }
            let assessed = self.assess_in(step, &draft, proposal.event, proposal.seen.as_ref())?;
            self.settle(step, draft, assessed, &Proposal { reason, ..proposal })
        })
    }

    fn settle(
        &self,
        step: &dyn Step,
        draft: Memory,
        assessed: Assessment,
        proposal: &Proposal,
    ) -> Result<Resolved> {
        if !assessed.vetoes.is_empty() {
            return Ok(nothing(None, &assessed.vetoes.join("; ")));
        }
        let likeness = assessed.candidate.as_ref().map_or(Likeness::Related, |it| it.likeness);
        let cell = table::look_up(assessed.structure, proposal.intent, likeness);
        let resolved = match (cell.action, assessed.candidate) {
            (Action::Create, _) => created(self.admit(step, draft)?),
            (Action::Update, Some(known)) => {
                changed(self.change(step, known.memory.clone(), patch(&known, &draft, proposal))?)
            }
            (Action::Retire, Some(known)) => {
                let ended = ended(known.memory, proposal.event);
                Resolved { action: Action::Retire, ..changed(self.retire_in(step, ended, &proposal.reason)?) }
            }
            (Action::Supersede, Some(known)) => {
                let old = known.memory.id.clone();
                let draft = inheriting(&known.memory, draft);
                let written = self.succeed(step, known.memory, draft, &proposal.reason)?;
                Resolved { action: Action::Supersede, superseded: Some(old), ..created(written) }
            }
            _ => nothing(None, cell.because),
        };
        Ok(Resolved { because: cell.because.to_owned(), ..resolved })
    }
}

/// What an update makes of what is known. Words that say the same as before stay as they were: who told it first may have
/// been thorough.
fn patch(known: &Candidate, draft: &Memory, proposal: &Proposal) -> Patch {
    let (old, anew) = (&known.memory, known.likeness != Likeness::Same);
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

fn created(written: Written) -> Resolved {
    let action = if written.outcome == Outcome::Created { Action::Create } else { Action::Nothing };
    let displaced = written.displaced;
    Resolved { action, id: Some(written.id), superseded: None, because: String::new(), displaced }
}

fn changed(memory: Memory) -> Resolved {
    Resolved { action: Action::Update, id: Some(memory.id), ..nothing(None, "") }
}

fn nothing(id: Option<String>, because: &str) -> Resolved {
    let displaced = Vec::new();
    Resolved { action: Action::Nothing, id, superseded: None, because: because.to_owned(), displaced }
}
