//! Shared code of the tests of the write rules.

use super::{Category, Draft, Filter, Memories, Memory, Order, Origin, Policy, SqliteStore};
use crate::clock::Clock;
use crate::database::Database;
use crate::error::{Error, ErrorKind};
use crate::redact::Redactor;
use proptest::test_runner::{Config, RngSeed};
use std::sync::Arc;

/// The seed of property tests.
const SEED: u64 = 20_261_122;

/// The time of [`memories`], in milliseconds since the epoch.
pub const NOW: i64 = 1_800_000_000_000;
/// A day in milliseconds.
pub const DAY: i64 = 24 * 3_600_000;

/// A store whose memories can be read and written at different times.
pub struct TestStore(Database);

impl TestStore {
    pub fn new() -> Self {
        Self(Database::in_memory().expect("a database"))
    }

    /// Returns the memories at `millis` after [`NOW`].
    pub fn after(&self, millis: i64) -> Memories {
        let store = Arc::new(SqliteStore::new(self.0.clone()));
        let clock = Clock::Fixed(NOW + millis);
        Memories::new(store, Redactor::new(&[]).expect("patterns"), clock).with_actor("test")
    }
}

/// Returns an empty store's memories.
pub fn memories() -> Memories {
    TestStore::new().after(0)
}

/// Returns a draft of a learning.
pub fn draft(text: &str) -> Draft {
    draft_of(Category::Learning, text)
}

pub fn draft_of(category: Category, text: &str) -> Draft {
    Draft::new(category, text, Origin::Assistant)
}

/// Writes a draft and returns the memory.
pub fn remember(memories: &Memories, draft: Draft) -> Memory {
    let id = memories.remember(draft).expect("written").id;
    memories.get(&id).expect("there")
}

pub fn active(memories: &Memories) -> Vec<Memory> {
    memories.list(&Filter::default(), Order::Newest, 1000).expect("a list")
}

/// Returns the error of a refused write, which must have a hint.
#[track_caller]
pub fn refused<T: std::fmt::Debug>(result: Result<T, Error>, kind: ErrorKind) -> Error {
    let error = result.expect_err("refused");
    assert_eq!(error.kind, kind, "{error}");
    assert!(error.hint.is_some(), "no hint: {error}");
    error
}

/// Sets the maximum number of active memories of a category.
pub fn with_max_kept(memories: Memories, category: Category, max: u64) -> Memories {
    let mut policy = Policy::default();
    policy.of_mut(category).max_kept = max;
    memories.with_policy(policy)
}

/// Returns the configuration of a property test with this number of cases: the same ones in every run, unless
/// a variable of proptest chooses others.
pub fn config(cases: u32) -> Config {
    let default = Config::default();
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { default.cases } else { cases };
    let rng_seed = if default.rng_seed == RngSeed::Random { RngSeed::Fixed(SEED) } else { default.rng_seed };
    Config { cases, rng_seed, failure_persistence: None, ..default }
}
