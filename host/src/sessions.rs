//! The record of a project's sessions: what was said and run in them, kept when Claude Code deletes its
//! transcripts.
//!
//! The record is true by construction: it holds prompts, the assistant's closing message of each turn, the
//! commands that ran with their outcomes, the files that changed and the commits that were made, as the
//! transcript has them, and nothing that somebody concluded. It is one SQLite file beside the memories, which
//! never travels: neither exchange nor exports nor backups touch it.
//!
//! [`Record::take`] reads a transcript from where the last reading ended, in short transactions. Every row
//! has a key that comes from the transcript, so a reading may be killed or repeated at any point. What it
//! reads has no secrets: the reader of transcripts has removed them. Nothing here runs on a hook's path but
//! [`Record::episodes_for`], which opens the database only for a failure that is in an episode.

mod call_writer;
mod commit_lines;
mod consent;
mod episode_finder;
mod erasure;
mod listing;
mod redaction_upgrade;
mod run_outcome;
mod session_search;
mod session_writer;
mod shell_runs;
mod signature_file;
mod size_limit;
mod stored_text;
mod taking;
#[cfg(test)]
mod tests;
mod turn_index;
mod turn_vectors;

use std::fs;
use std::path::{Path, PathBuf};

pub use consent::{Consent, choose_for_project, is_announced, note_announced};
pub use listing::{CommitMade, KnownEpisode, RecordedRun, RecordedSession, SessionSummary, Turn};
pub use run_outcome::RunOutcome;
pub use session_search::{FoundIn, SearchHit, SearchQuery};
pub use size_limit::Removed;
pub use taking::{Taken, TranscriptSource};
use turn_vectors::LazyModel;

use crate::clock::{Clock, Millis};
use crate::database::Database;
use crate::dirs::with_suffix;
use crate::error::Result;
use crate::redact::Redactor;

/// The name of the file, beside that of the memories.
pub const RECORD_FILE: &str = "sessions.db";

/// The recorded sessions of one project.
#[derive(Clone)]
pub struct Record {
    database: Database,
    redactor: Redactor,
    clock: Clock,
    /// The project's folder as it stands in transcripts, without secrets; paths below it are shortened.
    root: String,
    model: LazyModel,
}

impl Record {
    /// Returns the record in this file, which need not exist. Opens nothing yet.
    pub fn at(file: impl Into<PathBuf>, redactor: Redactor, clock: Clock) -> Self {
        Self {
            database: Database::of_sessions(file),
            redactor,
            clock,
            root: String::new(),
            model: LazyModel::default(),
        }
    }

    /// Sets the project's folder.
    #[must_use]
    pub fn with_root(mut self, root: &Path) -> Self {
        self.root = self.redactor.redact(&root.to_string_lossy()).into_owned();
        self
    }

    /// Sets the file of the sentence model, which need not exist. Without one, words alone count.
    #[must_use]
    pub fn with_model(mut self, file: PathBuf) -> Self {
        self.model = LazyModel::at(file);
        self
    }

    /// Returns the database, to set its deadlines.
    pub fn database(&self) -> &Database {
        &self.database
    }

    /// Returns the file.
    pub fn file(&self) -> Option<&Path> {
        self.database.path()
    }

    /// Tells whether anything was ever recorded.
    pub fn exists(&self) -> bool {
        self.file().is_some_and(Path::exists)
    }

    /// Returns the size of the file and its write-ahead log, in bytes.
    pub fn size_bytes(&self) -> u64 {
        self.file().map_or(0, size_of_file)
    }

    /// Returns the time of the newest turn.
    ///
    /// # Errors
    /// `Unavailable` if the file cannot be read.
    pub fn newest_at(&self) -> Result<Option<Millis>> {
        let newest = self.database.read(|db| {
            Ok(db.query_row("SELECT max(last_at) FROM sessions", [], |row| row.get::<_, Option<Millis>>(0))?)
        })?;
        Ok(newest.flatten())
    }
}

/// Returns the size of a database with its write-ahead log, in bytes.
fn size_of_file(file: &Path) -> u64 {
    let log = with_suffix(file, "-wal");
    [file, &log].iter().filter_map(|file| fs::metadata(file).ok()).map(|file| file.len()).sum()
}
