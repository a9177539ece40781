//! Superseding a memory: the new memory is written and the old one is retired in one transaction, and each
//! names the other. A superseded memory and its successor are never active at the same time.

use super::create::{WriteOutcome, WriteResult};
use super::update::not_active;
use crate::error::{Error, Result};
use crate::memory::content::{self, LifecycleEvent};
use crate::memory::draft::Draft;
use crate::memory::record::{Change, Memory, Status};
use crate::memory::store::Transaction;
use crate::memory::{Memories, memory_id, write_rules};
use std::collections::HashSet;

impl Memories {
    /// Writes a memory that supersedes the one with this id and version. If another active memory says the
    /// same as the draft, that memory becomes the successor.
    ///
    /// # Errors
    /// As [`remember`](Self::remember) and [`retire`](Self::retire); `denied` if untrusted words would
    /// supersede trusted ones.
    pub fn supersede(&self, id: &str, version: u64, draft: Draft, reason: &str) -> Result<WriteResult> {
        let reason = write_rules::validate_reason(reason, &self.redactor)?;
        let (id, memory) = (self.get(id)?.id, self.memory_from_draft(draft, "written")?);
        let memory = self.validate(memory)?;
        self.write(|tx| {
            let old = self.get_at_version(tx, &id, Some(version))?;
            self.supersede_in(tx, old, memory, &reason)
        })
    }

    /// Supersedes a memory within a transaction by a validated one.
    pub(in crate::memory) fn supersede_in(
        &self,
        tx: &dyn Transaction,
        old: Memory,
        memory: Memory,
        reason: &str,
    ) -> Result<WriteResult> {
        if old.status != Status::Active {
            return Err(not_active(&old));
        }
        write_rules::check_write_enabled(&memory, &self.policy)?;
        write_rules::merge_origins(old.origin, memory.origin)?;
        let duplicate = self.find_duplicate(tx, &memory, Some(&old.id))?;
        let successor = duplicate.clone().unwrap_or_else(|| memory.id.clone());
        // The old memory is retired first, so that the new one has room in a full category.
        self.retire_superseded(tx, &old, &successor, reason)?;
        match duplicate {
            Some(id) => {
                self.add_predecessor(tx, &id, &old.id, reason)?;
                Ok(WriteResult { id, outcome: WriteOutcome::Duplicate, evicted: Vec::new() })
            }
            None => self.insert(tx, Memory { supersedes: vec![old.id], ..memory }),
        }
    }

    /// Checks that neither a successor nor a predecessor of a memory is active.
    ///
    /// # Errors
    /// `conflict`, which names the other memory.
    pub(super) fn check_succession(&self, tx: &dyn Transaction, memory: &Memory) -> Result<()> {
        if let Some(successor) = active_successor(tx, memory)? {
            let id = memory_id::id_for_command(&successor.id);
            return Err(Error::conflict(format!("memory `{id}` supersedes it and is active"))
                .hint(format!("retire that one first: interleaf memory retire {id}")));
        }
        for id in &memory.supersedes {
            if tx.get(id)?.is_some_and(|old| old.status == Status::Active) {
                let id = memory_id::id_for_command(id);
                return Err(Error::conflict(format!("memory `{id}`, which it supersedes, is active"))
                    .hint(format!("retire that one first: interleaf memory retire {id}")));
            }
        }
        Ok(())
    }

    fn retire_superseded(
        &self,
        tx: &dyn Transaction,
        old: &Memory,
        successor: &str,
        reason: &str,
    ) -> Result<()> {
        let superseded = Memory {
            superseded_by: Some(successor.to_owned()),
            content: content::after_event(old.category, LifecycleEvent::Superseded, &old.content),
            ..old.clone()
        };
        self.retire_in(tx, superseded, reason).map(drop)
    }

    /// Records in an existing memory that it supersedes another one.
    fn add_predecessor(&self, tx: &dyn Transaction, id: &str, old: &str, reason: &str) -> Result<()> {
        let mut memory = self.get_at_version(tx, id, None)?;
        let version = memory.version;
        memory.supersedes.push(old.to_owned());
        memory.version += 1;
        let what = format!("superseded {old}: {reason}");
        let memory = self.with_change(tx, memory, Change { what, ..Change::default() })?;
        tx.replace(&memory, version)
    }
}

/// Returns the active memory that supersedes this one, directly or through others.
fn active_successor(tx: &dyn Transaction, memory: &Memory) -> Result<Option<Memory>> {
    let mut visited = HashSet::new();
    let mut next = Some((memory.id.clone(), memory.superseded_by.clone()));
    while let Some((id, successor)) = next.take() {
        if let Some(successor) = tx.successor(&id)? {
            return Ok(Some(successor));
        }
        // The links of an import may form a circle.
        if let Some(successor) = successor.filter(|id| visited.insert(id.clone()))
            && let Some(successor) = tx.get(&successor)?
        {
            if successor.status == Status::Active {
                return Ok(Some(successor));
            }
            next = Some((successor.id, successor.superseded_by));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use crate::memory::test_support::{active, draft_of, memories, refused, remember, with_max_kept};
    use crate::memory::{Category, Filter, Origin};
    use serde_json::json;

    const OLD: &str = "The vendor API allows 10 requests a second";
    const NEW: &str = "The vendor API allows 20 requests a second";

    fn known() -> (Memories, Memory) {
        let memories = memories();
        let content = json!({ "rule": "10 a second", "impact": ["pace the client"], "active": true });
        let old = remember(&memories, Draft { content, ..draft_of(Category::Constraint, OLD) });
        (memories, old)
    }

    #[test]
    fn successor_and_predecessor_link_to_each_other_and_only_the_successor_is_active() {
        let (memories, old) = known();

        let new = memories
            .supersede(&old.id, 1, draft_of(Category::Constraint, NEW), "the vendor raised it")
            .expect("written");

        let (new, old) = (memories.get(&new.id).expect("there"), memories.get(&old.id).expect("there"));
        assert_eq!((&new.supersedes, &old.superseded_by), (&vec![old.id.clone()], &Some(new.id.clone())));
        assert_eq!((old.status, &old.content["active"]), (Status::Retired, &json!(false)));
        assert_eq!(active(&memories), [new]);
        let found = memories.search_with_min_relevance(0.0, OLD, &Filter::default(), 9).expect("searched");
        assert_eq!(found.len(), 1);
    }

    #[test]
    fn a_superseded_memory_is_restored_only_after_its_successor_is_retired() {
        let (memories, old) = known();
        let new =
            memories.supersede(&old.id, 1, draft_of(Category::Constraint, NEW), "raised").expect("written");

        assert!(refused(memories.restore(&old.id, None, "r"), ErrorKind::Conflict).message.contains(&new.id));
        memories.retire(&new.id, None, "a mistake").expect("retired");
        let old = memories.restore(&old.id, None, "r").expect("restored");
        assert_eq!((old.superseded_by, &old.content["active"]), (None, &json!(true)));
    }

    #[test]
    fn an_existing_duplicate_of_the_successor_becomes_the_successor() {
        let (memories, old) = known();
        let existing = remember(&memories, draft_of(Category::Constraint, NEW));

        let result = memories
            .supersede(&old.id, 1, draft_of(Category::Constraint, NEW), "raised")
            .expect("taken over");

        assert_eq!((result.outcome, &result.id), (WriteOutcome::Duplicate, &existing.id));
        let existing = memories.get(&existing.id).expect("there");
        assert_eq!((existing.supersedes, active(&memories).len()), (vec![old.id], 1));
    }

    #[test]
    fn a_successor_fits_into_a_full_category() {
        let (memories, old) = known();
        let memories = with_max_kept(memories, Category::Constraint, 1);

        memories.supersede(&old.id, 1, draft_of(Category::Constraint, NEW), "raised").expect("written");

        assert_eq!(active(&memories).len(), 1);
    }

    #[test]
    fn a_wrong_version_or_untrusted_words_supersede_nothing() {
        let (memories, old) = known();
        let untrusted = Draft { origin: Origin::Imported, ..draft_of(Category::Constraint, NEW) };

        refused(
            memories.supersede(&old.id, 7, draft_of(Category::Constraint, NEW), "r"),
            ErrorKind::Conflict,
        );
        refused(memories.supersede(&old.id, 1, untrusted, "r"), ErrorKind::Denied);
        assert_eq!(active(&memories), [old]);
    }

    #[test]
    fn a_successor_is_restored_only_after_its_predecessor_is_retired() {
        let (memories, old) = known();
        let new =
            memories.supersede(&old.id, 1, draft_of(Category::Constraint, NEW), "raised").expect("written");
        memories.retire(&new.id, None, "a mistake").expect("retired");
        memories.restore(&old.id, None, "it was right").expect("restored");

        assert!(refused(memories.restore(&new.id, None, "r"), ErrorKind::Conflict).message.contains(&old.id));

        memories.retire(&old.id, None, "wrong after all").expect("retired");
        memories.restore(&new.id, None, "r").expect("restored");
        assert!(refused(memories.restore(&old.id, None, "r"), ErrorKind::Conflict).message.contains(&new.id));
    }

    #[test]
    fn a_chain_of_successors_blocks_restoring_its_first_memory() {
        let (memories, old) = known();
        let newer = "The vendor API allows 40 requests a second";
        let new =
            memories.supersede(&old.id, 1, draft_of(Category::Constraint, NEW), "raised").expect("written");
        let last = memories
            .supersede(&new.id, 1, draft_of(Category::Constraint, newer), "raised again")
            .expect("written");

        assert!(
            refused(memories.restore(&old.id, None, "r"), ErrorKind::Conflict).message.contains(&last.id)
        );
    }
}
