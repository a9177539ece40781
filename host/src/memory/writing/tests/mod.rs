//! The write rules, each by its name. `docs/write-rules.md` says which test proves which.

mod create;
mod lifecycle;
mod room;
mod sequences;
mod supersede;
mod update;
mod upkeep;

pub(super) use super::super::{
    Category, Draft, Filter, Memories, Memory, Order, Origin, Patch, Policy, Rating, SqliteStore, Status,
    WriteOutcome,
};
pub(super) use crate::clock::Clock;
pub(super) use crate::database::Database;
pub(super) use crate::error::{Error, ErrorKind};
pub(super) use crate::redact::Redactor;
pub(super) use std::sync::Arc;

/// A moment, and a day, in milliseconds.
pub(super) const NOW: i64 = 1_800_000_000_000;
pub(super) const DAY: i64 = 24 * 3_600_000;

/// A store that can be looked at at different moments.
pub(super) struct Place(Database);

impl Place {
    pub fn new() -> Self {
        Self(Database::in_memory().expect("a database"))
    }

    /// The memories so long after [`NOW`], in milliseconds.
    pub fn after(&self, passed: i64) -> Memories {
        let store = Arc::new(SqliteStore::new(self.0.clone()));
        let clock = Clock::Fixed(NOW + passed);
        Memories::new(store, Redactor::new(&[]).expect("patterns"), clock).with_actor("test")
    }
}

pub(super) fn memories() -> Memories {
    Place::new().after(0)
}

pub(super) fn draft(text: &str) -> Draft {
    Draft::new(Category::Learning, text, Origin::Assistant)
}

pub(super) fn of(category: Category, text: &str) -> Draft {
    Draft::new(category, text, Origin::Assistant)
}

pub(super) fn written(memories: &Memories, draft: Draft) -> Memory {
    let id = memories.remember(draft).expect("written").id;
    memories.get(&id).expect("there")
}

pub(super) fn active(memories: &Memories) -> Vec<Memory> {
    memories.list(&Filter::default(), Order::Newest, 1000).expect("a list")
}

/// The refusal of a write, which says what to do.
#[track_caller]
pub(super) fn refused<T: std::fmt::Debug>(result: Result<T, Error>, kind: ErrorKind) -> Error {
    let error = result.expect_err("refused");
    assert_eq!(error.kind, kind, "{error}");
    assert!(error.hint.is_some(), "what is to be done? {error}");
    error
}

/// Where a category holds so many at most.
pub(super) fn capped(memories: Memories, category: Category, most: u64) -> Memories {
    let mut policy = Policy::default();
    policy.of_mut(category).max_kept = most;
    memories.with_policy(policy)
}
