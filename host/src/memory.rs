//! Memories: facts that the project has learned, the rules for writing them, and the search that finds them
//! again.
//!
//! A memory is proposed as a [`Draft`]. [`Memories`] redacts, normalizes and validates it, gives it an id and
//! a history, and passes it to a [`Store`]. Every write goes through it, so the rules apply to layers,
//! commands and imports, with every kind of store. Forgetting a memory retires it; only retention deletes it,
//! after a grace period.
//!
//! This module does not decide who may access memories (`grant/`) or which of them the model sees (the
//! layers), and does not depend on Claude Code.

mod branches;
mod category;
mod citations;
pub mod content;
mod draft;
mod import_export;
mod memories;
mod memory_id;
mod near_duplicate;
mod policy;
mod quantities;
mod recency;
mod record;
mod record_schema;
mod relevance;
mod replica_entry;
mod replication;
mod reranking;
mod resolution;
mod sentence_vectors;
#[cfg(test)]
mod sequence_tests;
mod sqlite_store;
mod store;
mod tentative;
#[cfg(test)]
mod test_support;
#[cfg(test)]
mod tests;
mod tokenizer;
mod usefulness;
mod verify;
mod word_enum;
mod write_rules;
mod writing;

pub use branches::{BranchState, Branches};
pub use category::Category;
pub use draft::{Draft, Patch};
pub use import_export::{ImportReport, ImportTrust, NearDuplicates, fitting_tags, says_nearly_the_same};
pub use memories::Memories;
pub use memory_id::{id_for_command, id_of_key, of_import as id_of_import, short_id, unknown as unknown_id};
pub use near_duplicate::has_same_words;
pub use policy::{CategoryPolicy, Policy};
pub use record::{Author, Change, Citation, Memory, Origin, SCHEMA_VERSION, Source, Status};
pub use record_schema::record_schema;
pub use relevance::{
    Contribution, Features, MinRelevance, Occasion, Query, WastedTokens, WastedTokensByOccasion,
    contributions,
};
pub use replica_entry::{Entry, EntryKind, Live, LoggedEntry, Stamp, Stamps};
pub use replication::{AppliedEntries, is_private, may_travel, summed};
pub use resolution::{
    AllowedActions, Assessment, Candidate, Intent, MemoryVersion, Proposal, Resolution, ResolutionAction,
    Similarity,
};
pub use sentence_vectors::SentenceVectors;
pub use sqlite_store::{SqliteStore, add_missing, become_new_device, reindex};
pub use store::{Filter, Found, Hit, Order, OwnMemories, Store, Transaction};
pub use tentative::is_tentative;
pub use tokenizer::search_terms;
pub use verify::Violation;
pub use write_rules::{
    PRIVATE_TAG, PRIVILEGED_TAGS, TENTATIVE_TAG, is_privileged_tag, is_project_rule, normalize_tag,
};
pub use writing::{Evicted, Rating, RetentionReport, WriteOutcome, WriteResult};
