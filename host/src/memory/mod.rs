//! What the project learned: records, the rules of writing them, and finding them again.
//!
//! A memory is proposed as a [`Draft`]. [`Memories`] makes it lawful (redacted, tidied, within the limits
//! of its origin), gives it an id and a history, and hands it to a [`Store`], which keeps it and finds it.
//! There is no other way in: the rules hold for layers, commands and imports alike, above every store.
//! What is forgotten is retired; only the upkeep deletes, a grace period later.
//!
//! This module does not know who may ask (`grant/`), what is shown to the model (the layers), or Claude Code.

mod ageing;
pub mod content;
mod draft;
mod duplicates;
mod identity;
mod kinds;
mod memories;
mod policy;
mod record;
mod record_schema;
mod relevance;
mod resolution;
mod rules;
mod sqlite;
mod store;
#[cfg(test)]
mod tests;
mod transfer;
mod verify;
mod words;
mod writing;

pub use draft::{Draft, Patch};
pub use identity::id_of_key;
pub use kinds::{Category, Origin, Status};
pub use memories::Memories;
pub use policy::{CategoryPolicy, Policy};
pub use record::{Change, Memory, SCHEMA_VERSION, Source};
pub use record_schema::record_schema;
pub use relevance::{MIN_RELEVANCE, Query};
pub use resolution::{
    AllowedActions, Assessment, Candidate, Intent, MemoryVersion, Proposal, Resolution, ResolutionAction,
    Similarity,
};
pub use rules::{PRIVILEGED_TAGS, is_project_rule};
pub use sqlite::SqliteStore;
pub use store::{Filter, Hit, Order, Store, Transaction};
pub use transfer::{ImportReport, ImportTrust};
pub use verify::Violation;
pub use writing::{Evicted, Rating, RetentionReport, WriteOutcome, WriteResult};
