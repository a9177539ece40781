//! Replicas: copies of a project's memories outside its store, through which they travel to other devices and
//! people. A replica is brought up to date by `interleaf sync` and by the worker, never by a hook.

mod cs_document;
mod exchange;
mod exchange_preview;
mod file_content;
mod git_notes;
mod known_files;
mod memory_file;
mod memory_folder;
mod note;
mod note_layout;
mod outgoing_change;
mod postgres;

pub(crate) use cs_document::{cs_documents, cs_fields};
pub use exchange::{Exchange, ExchangeReport, Progress};
pub use git_notes::GitNotes;
pub(crate) use memory_file::{FileSource, read as read_memory_file};
pub use memory_folder::MemoryFolder;
pub(crate) use memory_folder::{FOLDER as MEMORY_FOLDER, PLACE as MEMORY_FOLDER_PLACE};
pub use outgoing_change::{ChangeKind, OutgoingChange};
pub use postgres::Postgres;

use std::path::Path;

use note_layout::NoteLayout;

use crate::config::SyncConfig;
use crate::error::{Error, Result};
use crate::memory::{Author, Entry, EntryKind, Status, may_travel};
use crate::project::Project;
use crate::team_server::TeamServer;

/// The kinds of places.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum ReplicaKind {
    /// Notes in the project's git repository and its remote, `refs/notes/interleaf/…`
    GitNotes,
    /// The same in the layout of cs-memory, `refs/notes/cs/…`, which cs-memory reads and writes too
    CsNotes,
    /// Files in the project, `.claude/memory/…`, which you commit like code
    Files,
    /// A Postgres server, `sync.postgres` of your configuration
    Postgres,
}

impl ReplicaKind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::GitNotes, Self::CsNotes, Self::Files, Self::Postgres];

    /// Returns the replica of this kind of a project. What it has to record is below `folder`.
    ///
    /// # Errors
    /// `Unavailable` if git fails, `Denied` if the place is not safe to write to, `Invalid` if no server is
    /// configured.
    pub fn open<'a>(
        self,
        project: &'a Project,
        config: &SyncConfig,
        folder: &Path,
    ) -> Result<Box<dyn Replica + 'a>> {
        Ok(match self {
            Self::GitNotes => Box::new(GitNotes::new(project, NoteLayout::Interleaf, folder)?),
            Self::CsNotes => Box::new(GitNotes::new(project, NoteLayout::CsMemory, folder)?),
            Self::Files => Box::new(MemoryFolder::new(&project.root)?),
            Self::Postgres => {
                let server = TeamServer::configured(config)?.ok_or_else(no_server)?;
                Box::new(Postgres::new(server, project_name(project, config)))
            }
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

    /// Returns the number of entries that [`Replica::write`] should get at most.
    fn page(&self) -> usize {
        usize::MAX
    }

    /// Checks what an exchange needs, without sending anything.
    ///
    /// # Errors
    /// `Unavailable` if the place cannot be used, `Denied` if this user may not use it.
    fn check(&mut self) -> Result<()> {
        Ok(())
    }

    /// Reads what has changed since `state`, which an earlier call returned; everything if it is empty.
    /// Returns the new state.
    ///
    /// # Errors
    /// `Unavailable` if the place cannot be reached.
    fn read(&mut self, state: &str) -> Result<Incoming>;

    /// Merges entries into the replica. An entry whose memory may not travel only changes what is there.
    ///
    /// # Errors
    /// `Conflict` if somebody else has changed the replica since it was read; `Unavailable` if the place
    /// cannot be reached.
    fn write(&mut self, entries: &[Entry]) -> Result<Written>;

    /// Returns what [`Replica::write`] would do now, and changes nothing there. The replica was read before.
    ///
    /// # Errors
    /// As for [`Replica::write`].
    fn preview(&mut self, entries: &[Entry]) -> Result<Written>;
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
    /// Whether there is more to read at once.
    pub has_more: bool,
    /// Whether the replica lacks what it was sent before, so that everything should be sent again.
    pub wants_all: bool,
}

/// What was written to a replica.
#[derive(Debug, Default)]
pub struct Written {
    /// What changed the replica. A memory may stand there twice.
    pub sent: Vec<OutgoingChange>,
    /// What this user may not change there.
    pub withheld: Vec<OutgoingChange>,
    /// Where reading goes on, if what was just written need not be read.
    pub state: Option<String>,
}

/// Returns the name of a project on a server: the configured one, or host and path of its git remote, or the
/// name of its folder.
pub fn project_name(project: &Project, config: &SyncConfig) -> String {
    let folder = || project.root.file_name().map(|name| name.to_string_lossy().into_owned());
    config.project.clone().or_else(|| project.remote_name()).or_else(folder).unwrap_or_default()
}

fn no_server() -> Error {
    Error::invalid("no Postgres server is configured").hint(
        "add to your own config.toml: [sync] and below it postgres = \"postgres://ACCOUNT@HOST/DATABASE\"",
    )
}

/// Tells whether others may see an entry that they do not have.
fn travels(entry: &Entry) -> bool {
    match &entry.kind {
        EntryKind::Live(live) => may_travel(&live.memory),
        EntryKind::Retired(_) => false,
        EntryKind::Purged(_) => true,
    }
}

/// Returns what others see of an entry that they have: of a memory that no longer travels, that it is
/// retired.
fn as_others_see(entry: &Entry) -> Entry {
    match &entry.kind {
        EntryKind::Live(live) if live.memory.status == Status::Active && !travels(entry) => {
            Entry { id: entry.id.clone(), kind: EntryKind::Retired(live.stamps.latest().clone()) }
        }
        _ => entry.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::PLACES;
    use clap::ValueEnum as _;

    #[test]
    fn the_configuration_and_the_command_line_name_the_same_places() {
        let names: Vec<String> = ReplicaKind::ALL
            .iter()
            .filter_map(|kind| kind.to_possible_value())
            .map(|value| value.get_name().to_owned())
            .collect();

        assert_eq!(names, PLACES);
        assert_eq!(ReplicaKind::ALL.len(), ReplicaKind::value_variants().len());
    }
}
