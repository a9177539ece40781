//! Replicas: copies of a project's memories outside its store, through which they travel to other devices and
//! people. A replica is brought up to date by `interleaf sync` and by the worker, never by a hook.

mod exchange;
mod git_notes;
mod memory_file;
mod memory_folder;
mod note;

pub use exchange::{Exchange, ExchangeReport, Outgoing};
pub use git_notes::GitNotes;
pub(crate) use memory_file::read as read_memory_file;
pub use memory_folder::MemoryFolder;

use std::path::Path;

use crate::error::Result;
use crate::memory::{Author, Entry};
use crate::project::Project;

/// The kinds of places.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum ReplicaKind {
    /// Notes in the project's git repository and its remote, `refs/notes/interleaf/…`
    GitNotes,
    /// Files in the project, `.claude/memory/…`, which you commit like code
    Files,
}

impl ReplicaKind {
    /// Every kind.
    pub const ALL: [Self; 2] = [Self::GitNotes, Self::Files];

    /// Returns the replica of this kind of a project. What it has to record is below `folder`.
    ///
    /// # Errors
    /// `Unavailable` if git fails, `Denied` if the place is not safe to write to.
    pub fn open<'a>(self, project: &'a Project, folder: &Path) -> Result<Box<dyn Replica + 'a>> {
        Ok(match self {
            Self::GitNotes => Box::new(GitNotes::new(project, folder)?),
            Self::Files => Box::new(MemoryFolder::new(&project.root)?),
        })
    }
}

/// A copy of the memories in a place that others can reach.
pub trait Replica {
    /// Returns the name of the place, such as `git-notes`, and where exactly it is.
    fn place(&self) -> &str;

    /// Returns the author of what stands there without a time of its own, if that can be.
    fn author(&self) -> Option<Author> {
        None
    }

    /// Reads what has changed since `state`, which an earlier call returned; everything if it is empty.
    /// Returns the new state.
    ///
    /// # Errors
    /// `Unavailable` if the place cannot be reached.
    fn read(&mut self, state: &str) -> Result<Incoming>;

    /// Merges entries into the replica. An entry whose memory may not travel only changes what is there.
    /// Returns the titles of the memories that changed the replica.
    ///
    /// # Errors
    /// `Conflict` if somebody else has changed the replica since it was read; `Unavailable` if the place
    /// cannot be reached.
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
