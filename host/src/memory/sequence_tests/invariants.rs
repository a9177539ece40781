//! The rules that must hold after every operation: for each record from one operation to the next, and for
//! the store as a whole.

use super::operations::Operation;
use super::store_under_test::{Outcome, Records, StoreUnderTest, policy};
use crate::memory::near_duplicate::is_duplicate;
use crate::memory::record::MAX_CHANGES;
use crate::memory::test_support::DAY;
use crate::memory::{Category, Filter, Memories, Memory, Origin, Status};
use std::collections::HashMap;

/// Performs operations and compares the store before and after each.
#[derive(Default)]
pub struct Checker {
    step: usize,
    before: Records,
    /// The step in which an active memory got its text; restoring a memory does not count.
    stated: HashMap<String, usize>,
    /// The step in which a memory was retired.
    retired: HashMap<String, usize>,
}

impl Checker {
    /// Performs one operation and checks all rules.
    pub fn perform(&mut self, store: &mut StoreUnderTest, operation: &Operation) -> Result<(), String> {
        self.step += 1;
        let outcome = store.perform(operation);
        let after = store.records();
        let before = std::mem::take(&mut self.before);
        check_outcome(&outcome, &before, &after)?;
        self.remember_steps(&before, &after);
        for memory in after.values() {
            check_record(memory)?;
            before.get(&memory.id).map_or(Ok(()), |before| check_change(before, memory))?;
        }
        check_deletions(&before, &after, operation, store.now())?;
        check_capacity(&after)?;
        check_succession(&after)?;
        self.check_resurrection(&after, store.now())?;
        check_index(store.memories(), &before, &after)?;
        self.before = after;
        Ok(())
    }

    fn remember_steps(&mut self, before: &Records, after: &Records) {
        for memory in after.values() {
            let old = before.get(&memory.id);
            let has_same_text = old.is_some_and(|old| is_duplicate(&old.text, &memory.text));
            if memory.status == Status::Active && !has_same_text {
                self.stated.insert(memory.id.clone(), self.step);
            }
            if memory.status == Status::Retired && old.is_none_or(|old| old.status != Status::Retired) {
                self.retired.insert(memory.id.clone(), self.step);
            }
        }
    }

    /// Checks that a forgotten text is not written again within a day, by any author and in any wording,
    /// except by its successor.
    fn check_resurrection(&self, after: &Records, now: i64) -> Result<(), String> {
        let of_status = |status| after.values().filter(move |memory| memory.status == status);
        let is_recent = |memory: &&Memory| now - memory.status_since < DAY;
        for retired in of_status(Status::Retired).filter(is_recent) {
            let again = of_status(Status::Active).find(|memory| {
                self.stated.get(&memory.id) > self.retired.get(&retired.id)
                    && retired.superseded_by.as_ref() != Some(&memory.id)
                    && is_duplicate(&memory.text, &retired.text)
            });
            ensure(again.is_none(), || format!("the text of `{}` came back: {again:?}", retired.id))?;
        }
        Ok(())
    }
}

fn ensure(holds: bool, message: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(message()) }
}

/// A refused operation changes nothing, and a returned memory is the stored one.
fn check_outcome(outcome: &Outcome, before: &Records, after: &Records) -> Result<(), String> {
    match outcome {
        Outcome::Refused(error) => ensure(before == after, || format!("refused, but changed: {error}")),
        Outcome::Unchanged => ensure(before == after, || "changed, although there was nothing to do".into()),
        Outcome::Returned(memory) => {
            let stored = after.get(&memory.id);
            ensure(stored == Some(memory), || format!("returned {memory:?}, but stored {stored:?}"))
        }
        Outcome::Done => Ok(()),
    }
}

/// The history is as long as the version says, and confidence and tags are within their bounds.
fn check_record(memory: &Memory) -> Result<(), String> {
    let entries = MAX_CHANGES.min(usize::try_from(memory.version).unwrap_or(usize::MAX));
    ensure(memory.changes.len() == entries, || {
        format!("`{}` has version {} and {} entries", memory.id, memory.version, memory.changes.len())
    })?;
    let by_person = memory.origin == Origin::Person || memory.confirmed_at.is_some();
    ensure(memory.confidence <= 0.9 || by_person, || format!("`{}` is too confident", memory.id))?;
    ensure((1..=12).contains(&memory.tags.len()), || format!("`{}` has tags {:?}", memory.id, memory.tags))
}

/// A record stays as it was, or changes by one version with one more entry in its history.
fn check_change(before: &Memory, after: &Memory) -> Result<(), String> {
    let id = &before.id;
    let fixed = |it: &Memory| (it.id.clone(), it.category, it.created_at, it.schema_version.clone());
    ensure(fixed(before) == fixed(after), || format!("`{id}` is another: {before:?} → {after:?}"))?;
    match after.version.checked_sub(before.version) {
        Some(0) => ensure(before == after, || format!("`{id}` changed within a version: {after:?}")),
        Some(1) => check_history(before, after),
        _ => Err(format!("`{id}` went from version {} to {}", before.version, after.version)),
    }?;
    let is_reworded = before.text != after.text && after.origin != Origin::Person;
    ensure(!is_reworded || after.confirmed_at.is_none(), || {
        format!("`{id}` is confirmed although its words changed after the confirmation")
    })
}

/// The history has one new entry, and its old entries are unchanged; beyond the maximum the oldest is gone.
fn check_history(before: &Memory, after: &Memory) -> Result<(), String> {
    let dropped = usize::from(before.changes.len() == MAX_CHANGES);
    let (old, new) = after.changes.split_at(after.changes.len().saturating_sub(1));
    ensure(old == &before.changes[dropped..] && new.len() == 1, || {
        format!("the history of `{}` was {:?} and is {:?}", before.id, before.changes, after.changes)
    })
}

/// Only retention deletes, and only memories whose grace period is over.
fn check_deletions(before: &Records, after: &Records, operation: &Operation, now: i64) -> Result<(), String> {
    let grace = DAY * i64::try_from(policy().grace_days).expect("days");
    for deleted in before.values().filter(|memory| !after.contains_key(&memory.id)) {
        let is_due = matches!(operation, Operation::ApplyRetention)
            && deleted.status == Status::Retired
            && now - deleted.status_since > grace;
        ensure(is_due, || format!("{deleted:?} is gone"))?;
    }
    Ok(())
}

fn check_capacity(after: &Records) -> Result<(), String> {
    Category::ALL.iter().try_for_each(|&category| {
        let max = policy().of(category).max_kept;
        let is_active = |it: &&Memory| it.status == Status::Active && it.category == category;
        let count = after.values().filter(is_active).count() as u64;
        ensure(max == 0 || count <= max, || format!("{category} holds {count}, and the maximum is {max}"))
    })
}

/// A superseded memory and its successor are not both active.
fn check_succession(after: &Records) -> Result<(), String> {
    let is_active = |id: &String| after.get(id).is_some_and(|memory| memory.status == Status::Active);
    let active = || after.values().filter(|memory| is_active(&memory.id));
    let both = active().find(|new| new.supersedes.iter().any(is_active));
    ensure(both.is_none(), || format!("{both:?} is active, and so is a memory that it supersedes"))?;
    let superseded = active().find(|old| old.superseded_by.is_some());
    ensure(superseded.is_none(), || format!("{superseded:?} is active and names a successor"))
}

/// The index follows every change: a memory is found by its text exactly if it is active.
fn check_index(memories: &Memories, before: &Records, after: &Records) -> Result<(), String> {
    for memory in after.values().filter(|memory| before.get(&memory.id) != Some(memory)) {
        let hits = memories
            .search_with_min_relevance(0.0, &memory.text, &Filter::default(), 1000)
            .expect("searched");
        let is_found = hits.iter().any(|hit| hit.memory.id == memory.id);
        ensure(is_found == (memory.status == Status::Active), || format!("found: {is_found}; {memory:?}"))?;
    }
    Ok(())
}
