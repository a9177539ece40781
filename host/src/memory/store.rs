//! Where memories are kept, as the write rules see it: a handful of questions that every store answers.
//!
//! A store keeps what it is given. It checks nothing but identity and version: schema, redaction, origin
//! and limits are settled before a record arrives here, so no store can be a way round them.

use super::kinds::{Category, Origin, Status};
use super::record::Memory;
use super::relevance::Query;
use crate::clock::Millis;
use crate::error::{Error, Result};
use serde::Serialize;
use std::collections::HashSet;

/// A place that keeps memories. A project without any is an empty store, not an error.
pub trait Store: Send + Sync {
    /// Does `work` as one step: all of it happens or nothing, and nobody else writes meanwhile. So what a rule saw is
    /// still so when it is acted upon, whatever other processes do.
    ///
    /// # Errors
    /// Those of the work, which then did not happen; `unavailable` where the store cannot be written.
    fn write(&self, work: &mut dyn FnMut(&dyn Transaction) -> Result<()>) -> Result<()>;

    /// The memory with exactly this id.
    fn get(&self, id: &str) -> Result<Option<Memory>>;

    /// The ids that begin with `prefix`, in order, at most `limit`.
    fn ids(&self, prefix: &str, limit: usize) -> Result<Vec<String>>;

    /// The first `limit` memories in this order, `now` being what age is counted to.
    fn list(&self, filter: &Filter, order: Order, now: Millis, limit: usize) -> Result<Vec<Memory>>;

    /// The most relevant memories of at least `floor`, best first; of equals the newer. What is about a moment stands
    /// a little behind once that is long ago.
    fn search(
        &self,
        query: &Query,
        filter: &Filter,
        floor: f32,
        now: Millis,
        limit: usize,
    ) -> Result<Vec<Hit>>;

    /// Memories that name one of these files: in their related files, and after those in their text; the most
    /// important first.
    fn about(&self, files: &[String], filter: &Filter, limit: usize) -> Result<Vec<Memory>>;

    /// How many memories there are of each category and status; those of which there are none may be left out.
    fn count(&self) -> Result<Vec<(Category, Status, u64)>>;

    /// Counts one more use of each of these.
    fn used(&self, ids: &[String]) -> Result<()>;

    /// Shows every memory, whatever its status, in the order they were written.
    fn each(&self, visit: &mut dyn FnMut(Memory) -> Result<()>) -> Result<()>;
}

/// What can be done to a store within one step.
pub trait Transaction {
    /// The memory with exactly this id.
    fn get(&self, id: &str) -> Result<Option<Memory>>;

    /// As [`Store::list`].
    fn list(&self, filter: &Filter, order: Order, now: Millis, limit: usize) -> Result<Vec<Memory>>;

    /// As [`Store::search`], without regard to age.
    fn search(&self, query: &Query, filter: &Filter, floor: f32, limit: usize) -> Result<Vec<Hit>>;

    /// The memories that share so many words with a text that they may say the same, the likeliest first; of the
    /// retired ones those since `retired_since`.
    fn similar(&self, text: &str, retired_since: Millis) -> Result<Vec<Memory>>;

    /// The active memory that names this id among those in whose place it came.
    fn successor(&self, id: &str) -> Result<Option<Memory>>;

    /// How many of this category are active.
    fn active(&self, category: Category) -> Result<u64>;

    /// Keeps a new memory.
    ///
    /// # Errors
    /// `conflict` where the id is taken.
    fn insert(&self, memory: &Memory) -> Result<()>;

    /// Puts `memory` in the place of the version `expected` of itself. Its id, category, schema version and the moment of
    /// its making stay what they were.
    ///
    /// # Errors
    /// `conflict`, naming the present version, where it is another; `not-found` where there is none.
    fn replace(&self, memory: &Memory, expected: u64) -> Result<()>;

    /// Takes this version of a memory away for good.
    ///
    /// # Errors
    /// As [`Transaction::replace`].
    fn delete(&self, id: &str, expected: u64) -> Result<()>;
}

/// Which memories are meant. The default is all active ones.
#[derive(Debug, Clone, PartialEq)]
pub struct Filter {
    /// Of one of these categories; of any where empty.
    pub categories: Vec<Category>,
    /// With all of these tags.
    pub tags: Vec<String>,
    /// WriteResult on this branch or on none: what was noted on another branch may not hold here.
    pub branch: Option<String>,
    /// WriteResult at this moment or later.
    pub since: Option<Millis>,
    /// Of one of these origins; of any where empty.
    pub origins: Vec<Origin>,
    /// In one of these states.
    pub statuses: Vec<Status>,
    /// None of these ids.
    pub except: HashSet<String>,
}

impl Default for Filter {
    fn default() -> Self {
        Self {
            categories: Vec::new(),
            tags: Vec::new(),
            branch: None,
            since: None,
            origins: Vec::new(),
            statuses: vec![Status::Active],
            except: HashSet::new(),
        }
    }
}

/// In which order memories are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The newest first.
    Newest,
    /// The most important first, what is about a moment the less the longer ago it is
    /// ([`ageing`](super::ageing)); of equals the newer.
    Importance,
}

/// A memory found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Hit {
    /// The memory.
    pub memory: Memory,
    /// How sure it belongs to what was looked for, 0 to 1.
    pub relevance: f32,
}

/// The error for a change of a version that is no longer the present one.
pub(super) fn outdated(id: &str, present: u64, seen: u64) -> Error {
    Error::conflict(format!("memory `{id}` has version {present} by now, not {seen}"))
        .hint(format!("read it again, then change what it says now, as version {present}"))
}
