//! A memory comes in the place of another: the new one is written and the old one retired in one step, each naming the
//! other. What was superseded is never shown as current, and what came in its place is never without its past.

use super::super::content::{LifecycleEvent, status_after};
use super::super::draft::Draft;
use super::super::kinds::Status;
use super::super::record::{Change, Memory};
use super::super::store::Transaction;
use super::super::{Memories, rules};
use super::create::{WriteOutcome, WriteResult};
use super::update::not_active;
use crate::error::{Error, Result};
use std::collections::HashSet;

impl Memories {
    /// Writes a memory in the place of the one with this id and version. Where another active memory says it already,
    /// that one takes the place.
    ///
    /// # Errors
    /// As [`remember`](Self::remember) and [`retire`](Self::retire); `denied` where foreign words would replace this
    /// user's own.
    pub fn supersede(&self, id: &str, version: u64, draft: Draft, reason: &str) -> Result<WriteResult> {
        let reason = rules::reason(reason, &self.redactor)?;
        let (id, memory) = (self.get(id)?.id, self.drafted(draft, "written")?);
        let memory = rules::lawful(memory, &self.redactor)?;
        self.write(|step| {
            let old = self.seen(step, &id, Some(version))?;
            self.succeed(step, old, memory, &reason)
        })
    }

    /// Puts a lawful memory in the place of what was seen within a step.
    pub(in super::super) fn succeed(
        &self,
        step: &dyn Transaction,
        old: Memory,
        memory: Memory,
        reason: &str,
    ) -> Result<WriteResult> {
        if old.status != Status::Active {
            return Err(not_active(&old));
        }
        rules::wanted(&memory, &self.policy)?;
        rules::mixed(old.origin, memory.origin)?;
        let standing = self.said_before(step, &memory, Some(&old.id))?;
        let successor = standing.clone().unwrap_or_else(|| memory.id.clone());
        // The old one first: its place is the new one's, also where the category is full.
        self.leave(step, &old, &successor, reason)?;
        match standing {
            Some(id) => {
                self.take_over(step, &id, &old.id, reason)?;
                Ok(WriteResult { id, outcome: WriteOutcome::Duplicate, evicted: Vec::new() })
            }
            None => self.insert(step, Memory { supersedes: vec![old.id], ..memory }),
        }
    }

    /// That what is to count does not stand beside what came in its place, or in whose place it came.
    ///
    /// # Errors
    /// `conflict`, naming the other.
    pub(super) fn check_succession(&self, step: &dyn Transaction, memory: &Memory) -> Result<()> {
        if let Some(successor) = successor(step, memory)? {
            return Err(Error::conflict(format!("memory `{}` came in its place", successor.id))
                .hint(format!("retire that one first: interleaf memory retire {}", successor.id)));
        }
        for id in &memory.supersedes {
            if step.get(id)?.is_some_and(|old| old.status == Status::Active) {
                return Err(Error::conflict(format!("memory `{id}`, in whose place it came, is active"))
                    .hint(format!("retire that one first: interleaf memory retire {id}")));
            }
        }
        Ok(())
    }

    /// Retires the old one, with the name of its successor.
    fn leave(&self, step: &dyn Transaction, old: &Memory, successor: &str, reason: &str) -> Result<()> {
        let left = Memory {
            superseded_by: Some(successor.to_owned()),
            content: status_after(old.category, LifecycleEvent::Superseded, &old.content),
            ..old.clone()
        };
        self.retire_in(step, left, reason).map(drop)
    }

    /// Has a memory that was there already name what it stands for now.
    fn take_over(&self, step: &dyn Transaction, id: &str, old: &str, reason: &str) -> Result<()> {
        let mut memory = self.seen(step, id, None)?;
        let seen = memory.version;
        memory.supersedes.push(old.to_owned());
        memory.version += 1;
        let what = format!("took the place of {old}: {reason}");
        let memory = self.noted(memory, Change { what, ..Change::default() });
        step.replace(&memory, seen)
    }
}

/// The active memory that came in the place of this one, or in the place of what did.
fn successor(step: &dyn Transaction, memory: &Memory) -> Result<Option<Memory>> {
    let mut seen = HashSet::new();
    let mut next = Some((memory.id.clone(), memory.superseded_by.clone()));
    while let Some((id, successor)) = next.take() {
        if let Some(standing) = step.successor(&id)? {
            return Ok(Some(standing));
        }
        // What an import says of its successors may lead in a circle.
        if let Some(successor) = successor.filter(|id| seen.insert(id.clone()))
            && let Some(successor) = step.get(&successor)?
        {
            if successor.status == Status::Active {
                return Ok(Some(successor));
            }
            next = Some((successor.id, successor.superseded_by));
        }
    }
    Ok(None)
}
