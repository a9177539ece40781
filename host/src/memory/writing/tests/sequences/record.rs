//! What holds for each record from one deed to the next: it grows by one entry or stays as it was.

use super::super::super::super::record::MOST_CHANGES;
use super::super::*;
use std::collections::BTreeMap;

/// Everything in a store, by id.
pub type Records = BTreeMap<String, Memory>;

/// Everything in this store.
pub fn records(memories: &Memories) -> Records {
    let mut records = Records::new();
    memories
        .each(&mut |memory| {
            records.insert(memory.id.clone(), memory);
            Ok(())
        })
        .expect("all of them");
    records
}

/// The error of a rule that does not hold.
pub fn ensure(holds: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what()) }
}

/// A record by itself: its history is as long as its version says, and it is no surer than it may be.
pub fn check(memory: &Memory) -> Result<(), String> {
    let kept = MOST_CHANGES.min(usize::try_from(memory.version).unwrap_or(usize::MAX));
    ensure(memory.changes.len() == kept, || {
        format!("`{}` has version {} and {} entries", memory.id, memory.version, memory.changes.len())
    })?;
    let persons = memory.origin == Origin::Person || memory.confirmed_at.is_some();
    ensure(memory.confidence <= 0.9 || persons, || format!("`{}` is surer than it may be", memory.id))?;
    ensure((1..=12).contains(&memory.tags.len()), || format!("`{}` has tags {:?}", memory.id, memory.tags))
}

/// A record from one deed to the next.
pub fn check_step(before: &Memory, after: &Memory) -> Result<(), String> {
    let id = &before.id;
    let fixed = |it: &Memory| (it.id.clone(), it.category, it.created_at, it.schema_version.clone());
    ensure(fixed(before) == fixed(after), || format!("`{id}` is another: {before:?} → {after:?}"))?;
    match after.version.checked_sub(before.version) {
        Some(0) => ensure(before == after, || format!("`{id}` changed and has the same version: {after:?}")),
        Some(1) => check_appended(before, after),
        _ => Err(format!("`{id}` went from version {} to {}", before.version, after.version)),
    }?;
    let reworded = before.text != after.text && after.origin != Origin::Person;
    ensure(!reworded || after.confirmed_at.is_none(), || {
        format!("`{id}` is said to be confirmed in words that no person saw")
    })
}

/// One entry more, and those before as they were; beyond the most, the oldest are gone.
fn check_appended(before: &Memory, after: &Memory) -> Result<(), String> {
    let gone = usize::from(before.changes.len() == MOST_CHANGES);
    let (kept, new) = after.changes.split_at(after.changes.len().saturating_sub(1));
    ensure(kept == &before.changes[gone..] && new.len() == 1, || {
        format!("the history of `{}` was {:?} and is {:?}", before.id, before.changes, after.changes)
    })
}
