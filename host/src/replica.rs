//! Replicas: copies of a project's memories outside its store, through which they travel to other devices and
//! people. A replica is brought up to date by `interleaf sync` and by the worker, never by a hook.

mod exchange;
mod git_notes;
mod note;

pub use exchange::{Exchange, ExchangeReport, Outgoing};
pub use git_notes::GitNotes;

use crate::error::Result;
use crate::memory::Entry;

/// A copy of the memories in a place that others can reach.
pub trait Replica {
    /// Returns the name of the place, such as `git-notes`, and where exactly it is.
    fn place(&self) -> &str;

    /// Reads what has changed since `state`, which an earlier call returned; everything if it is empty. Returns
    /// the new state.
    ///
    /// # Errors
    /// `Unavailable` if the place cannot be reached.
    fn read(&mut self, state: &str) -> Result<Incoming>;

    /// Merges entries into the replica. An entry whose memory may not travel only changes what is there. Returns
    /// the titles of the memories that changed the replica.
    ///
    /// # Errors
    /// `Conflict` if somebody else has changed the replica since it was read; `Unavailable` if the place cannot
    /// be reached.
    fn write(&mut self, entries: &[Entry]) -> Result<Vec<String>>;
}

/// What was read from a replica.
#[derive(Debug, Default)]
pub struct Incoming {
    /// The entries.
    pub entries: Vec<Entry>,
    /// What could not be read: where it stands, and why.
    pub unreadable: Vec<(String, String)>,
    /// Where to go on the next time.
    pub state: String,
}
