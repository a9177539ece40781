//! The interface between the write rules and a store of memories. A store checks only identity and version:
//! schema, redaction, origin and limits are checked before a record reaches it, so no store can bypass them.

use super::category::Category;
use super::record::{Author, Memory, Origin, Status};
use super::relevance::{Features, MinRelevance, Query};
use super::replica_entry::{Entry, Live, LoggedEntry, Stamp};
use crate::clock::Millis;
use crate::error::{Error, Result};
use serde::Serialize;
use std::collections::HashSet;

/// A store of memories. A project that has no memories yet is an empty store, not an error.
pub trait Store: Send + Sync {
    /// Runs `work` as one exclusive transaction: all of its writes happen or none, and no other process
    /// writes meanwhile. A rule can therefore rely on the values that it has read.
    ///
    /// # Errors
    /// Those of `work`, whose writes are then undone; `unavailable` if the store cannot be written.
    fn write(&self, work: &mut dyn FnMut(&dyn Transaction) -> Result<()>) -> Result<()>;

    /// Returns the memory with exactly this id.
    fn get(&self, id: &str) -> Result<Option<Memory>>;

    /// Returns the ids that begin with `prefix`, sorted, at most `limit`.
    fn ids(&self, prefix: &str, limit: usize) -> Result<Vec<String>>;

    /// Returns the first `limit` memories in this order. Ages are counted up to `now`.
    fn list(&self, filter: &Filter, order: Order, now: Millis, limit: usize) -> Result<Vec<Memory>>;

    /// Returns the memories with at least this relevance, the most relevant first and the newer of two equal
    /// ones first. Age slightly lowers the rank of memories that are not durable.
    fn search(
        &self,
        query: &Query,
        filter: &Filter,
        min_relevance: MinRelevance,
        now: Millis,
        limit: usize,
    ) -> Result<Found>;

    /// Returns memories that name one of these files: those with a related file first, then those that name
    /// it in their text, each by importance.
    fn about_files(&self, files: &[String], filter: &Filter, limit: usize) -> Result<Vec<Memory>>;

    /// Returns the number of memories of each category and status. Zeros may be left out.
    fn counts(&self) -> Result<Vec<(Category, Status, u64)>>;

    /// Tells whether no memory is active. Takes the same time in a store of any size.
    fn is_empty(&self) -> Result<bool>;

    /// Counts that each of these memories was shown.
    fn record_uses(&self, ids: &[String]) -> Result<()>;

    /// Counts that a session followed each of these memories.
    fn record_followed(&self, ids: &[String]) -> Result<()>;

    /// Returns for each category how often its active memories were shown, and in how many sessions followed.
    /// Zeros may be left out.
    fn use_counts(&self) -> Result<Vec<(Category, u64, u64)>>;

    /// Computes the sentence vectors of some memories that lack them, the newest first, and returns their
    /// number: 0 if no memory lacks any, or there is no model.
    fn embed_some(&self, limit: usize) -> Result<usize>;

    /// Returns the number of memories that lack sentence vectors.
    fn unembedded_count(&self) -> Result<u64>;

    /// Compares the sentence vectors with the memories: removes those that belong to none, and lets missing
    /// ones be computed. Returns the number of memories that lacked theirs unnoticed.
    fn check_vectors(&self) -> Result<u64>;

    /// Removes what was derived from memories that are deleted: their words and vectors.
    fn remove_derived(&self) -> Result<()>;

    /// Calls `visit` with every memory of any status, in the order in which they were written.
    fn for_each(&self, visit: &mut dyn FnMut(Memory) -> Result<()>) -> Result<()>;

    /// Returns at most `limit` entries of the change log after this number, in order.
    fn entries_since(&self, number: i64, limit: usize) -> Result<Vec<LoggedEntry>>;

    /// Returns the entry of a memory, also of one that was deleted.
    fn entry(&self, id: &str) -> Result<Option<Entry>>;

    /// Returns the known authors, and since when this user trusts each.
    fn authors(&self) -> Result<Vec<(Author, Option<Millis>)>>;

    /// Returns the number of active memories that are quoted because an author of another device wrote or
    /// changed them, by author.
    fn foreign_counts(&self) -> Result<Vec<(Author, u64)>>;

    /// Returns the id of this store as a device; `None` before the first write.
    fn device(&self) -> Result<Option<String>>;
}

/// The operations within one transaction of a store.
pub trait Transaction {
    /// Returns the memory with exactly this id.
    fn get(&self, id: &str) -> Result<Option<Memory>>;

    /// Does the same as [`Store::list`].
    fn list(&self, filter: &Filter, order: Order, now: Millis, limit: usize) -> Result<Vec<Memory>>;

    /// Like [`Store::search`], but for any relevance and without regard to age.
    fn search(&self, query: &Query, filter: &Filter, limit: usize) -> Result<Vec<Hit>>;

    /// Returns the memories that share enough words with a text to be possible duplicates, the most similar
    /// first. Retired memories count only if they were retired after `retired_since`.
    fn similar(&self, text: &str, retired_since: Millis) -> Result<Vec<Memory>>;

    /// Returns the active memory that supersedes this id.
    fn successor(&self, id: &str) -> Result<Option<Memory>>;

    /// Returns the number of active memories of this category.
    fn active_count(&self, category: Category) -> Result<u64>;

    /// Inserts a new memory.
    ///
    /// # Errors
    /// `conflict` if the id is taken.
    fn insert(&self, memory: &Memory) -> Result<()>;

    /// Replaces the version `expected` of a memory. Id, category, schema version and time of creation stay as
    /// they were.
    ///
    /// # Errors
    /// `conflict`, which names the current version, if the version differs; `not-found` if there is no such
    /// memory.
    fn replace(&self, memory: &Memory, expected: u64) -> Result<()>;

    /// Deletes the version `expected` of a memory.
    ///
    /// # Errors
    /// As [`Transaction::replace`].
    fn delete(&self, id: &str, expected: u64) -> Result<()>;

    /// Does the same as [`Store::entry`].
    fn entry(&self, id: &str) -> Result<Option<Entry>>;

    /// Writes a memory that was merged with what came in: a new one, or in place of the version `expected`.
    /// Its authors state the origin `stated`.
    ///
    /// # Errors
    /// As [`insert`](Self::insert) and [`replace`](Self::replace).
    fn put_merged(&self, live: &Live, stated: Origin, expected: Option<u64>) -> Result<()>;

    /// Writes that a memory ended, and deletes the version `expected` of it if one is given. After a purge,
    /// no memory with its id is written again.
    ///
    /// # Errors
    /// As [`delete`](Self::delete).
    fn put_end(&self, id: &str, expected: Option<u64>, stamp: &Stamp, is_purged: bool) -> Result<()>;

    /// Makes all later writes of this store later than this stamp.
    fn observe(&self, stamp: &Stamp) -> Result<()>;

    /// Returns the stamp of a write at this time.
    fn next_stamp(&self, now: Millis) -> Result<Stamp>;

    /// Returns the id of this store as a device.
    fn device(&self) -> Result<String>;

    /// Returns this device as an author.
    fn own_author(&self) -> Result<Author>;

    /// Does the same as [`Store::authors`].
    fn authors(&self) -> Result<Vec<(Author, Option<Millis>)>>;

    /// Makes a device known, whose name may come later: it stays as it is if it is known.
    fn know_author(&self, author: &Author) -> Result<()>;

    /// Writes the name of an author.
    fn write_author(&self, author: &Author) -> Result<()>;

    /// Sets since when this user trusts a device; `None` if they do not.
    fn set_trust(&self, device: &str, since: Option<Millis>) -> Result<()>;
}

/// Conditions on a memory, all of which must be met. The default selects every active memory.
#[derive(Debug, Clone, PartialEq)]
pub struct Filter {
    /// One of these categories; any if empty.
    pub categories: Vec<Category>,
    /// All of these tags, in any spelling that a memory could be written with.
    pub tags: Vec<String>,
    /// Written on one of these branches or without a branch; on any if empty.
    pub branches: Vec<String>,
    /// Not written on one of these branches, unless its category holds on any: see `branches.rs`.
    pub excluded_branches: Vec<String>,
    /// A memory that was written on one of these branches ranks behind others.
    pub outranked_branches: Vec<String>,
    /// Created at or after this time.
    pub since: Option<Millis>,
    /// Last changed before this time.
    pub updated_before: Option<Millis>,
    /// Has had its status since before this time.
    pub status_before: Option<Millis>,
    /// One of these origins; any if empty.
    pub origins: Vec<Origin>,
    /// One of these statuses.
    pub statuses: Vec<Status>,
    /// Not tentative: see `tentative.rs`.
    pub certain_only: bool,
    /// None of these ids.
    pub excluded_ids: HashSet<String>,
    /// None of these memories, which a session saved itself.
    pub excluded_own: Option<OwnMemories>,
}

/// The memories that a session saved itself and still knows. Shown to it, they would only repeat what it said
/// as if it came from an earlier session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnMemories {
    /// The session.
    pub session: String,
    /// The time since which its conversation knows what it said: its last compaction. The summaries of the
    /// session are known in any case.
    pub known_since: Millis,
}

impl OwnMemories {
    /// Tells whether a memory is one of them.
    pub fn include(&self, memory: &Memory) -> bool {
        memory.source.session.as_ref() == Some(&self.session)
            && (memory.category == Category::SessionSummary || memory.created_at >= self.known_since)
    }
}

impl Default for Filter {
    fn default() -> Self {
        Self {
            categories: Vec::new(),
            tags: Vec::new(),
            branches: Vec::new(),
            excluded_branches: Vec::new(),
            outranked_branches: Vec::new(),
            since: None,
            updated_before: None,
            status_before: None,
            origins: Vec::new(),
            statuses: vec![Status::Active],
            certain_only: false,
            excluded_ids: HashSet::new(),
            excluded_own: None,
        }
    }
}

/// The order of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The newest first.
    Newest,
    /// The oldest first.
    Oldest,
    /// The most important first, weighted by age ([`recency`](super::recency)); the newer of two equal ones
    /// first.
    Importance,
}

/// A search result.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Hit {
    /// The memory.
    pub memory: Memory,
    /// Probability that the memory belongs to the query, from 0 to 1.
    pub relevance: f32,
    /// What this probability follows from.
    pub features: Features,
}

/// The result of a search.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Found {
    /// The memories with at least the minimum relevance, in the order of their rank.
    pub hits: Vec<Hit>,
    /// The best of the compared memories below the minimum, which tells why there is no other hit.
    pub best_miss: Option<Hit>,
}

/// Returns the error for a change that is based on an outdated version.
pub(super) fn version_conflict(id: &str, current: u64, expected: u64) -> Error {
    Error::conflict(format!("memory `{id}` is at version {current}, not {expected}"))
        .hint(format!("read it again, then change version {current}"))
}
