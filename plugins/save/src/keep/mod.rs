//! Finds become memories: best first, as many as a session may leave behind ([`best`]), what a project is told once
//! ([`once`]), the summary ([`summary`]), and what came to its end ([`ended`]). What is said again is no second memory: the host
//! is asked what it is about ([`resolve`]), and what has a memory of its own is written into that ([`renew`]). Each
//! is written under a key, so that a flush that was cut off can be repeated.

mod best;
mod done;
mod draft;
mod ended;
mod once;
mod renew;
mod resolve;
mod summary;

use crate::bindings::interleaf::layer::types::Error;
use crate::host;
use crate::progress::Kept;

pub use done::Done;

/// The tag of what is worth having at every start.
const LEADING: &str = "cheat-sheet";

/// The value of the session's state in which the keys of its memories are.
const KEPT: &str = "kept";

/// Writes memories for one session.
pub struct Keeper<'a> {
    session: &'a str,
    promote: bool,
    kept: Kept,
    /// What was done, and what was not although somebody wanted it.
    pub done: Vec<Done>,
}

impl<'a> Keeper<'a> {
    /// For this session. Unless `promote`, nothing goes onto the cheat sheet.
    ///
    /// # Errors
    /// Where the state cannot be read now; likewise below: then the flush is repeated.
    pub fn of(session: &'a str, promote: bool) -> Result<Self, Error> {
        Ok(Self { session, promote, kept: host::kept(KEPT)?, done: Vec::new() })
    }

    fn remember(&self) -> Result<(), Error> {
        host::keep(KEPT, &self.kept)
    }
}
