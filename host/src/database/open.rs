//! An open connection: how far it may be used, and the log it leaves behind.
//!
//! SQLite writes ahead into a log beside the file. Whoever opens the file first reads the log through, so
//! it must not get long; emptying it waits for the disk, so it must not happen often, and never because a
//! process ends.

use super::deadline;
use crate::error::Result;
use rusqlite::Connection;
use std::path::{Path, PathBuf};

/// How long a log may get before it is emptied, in bytes: about 250 pages, fifty writes of a hook. Reading
/// it through takes 0.1 ms for 100 pages and 1.2 ms for 1,000.
const LONG_LOG: u64 = 1024 * 1024;

/// The same where nobody waits: so early that hooks find it shorter than [`LONG_LOG`].
const RATHER_LONG_LOG: u64 = LONG_LOG / 4;

/// How many pages one process may write into the log before it empties it: thousands of writes in a row
/// would wait for the disk every fifth time if it were as few as above.
const MOST_PAGES: u32 = 4_000;

/// An open connection.
pub(super) struct Open {
    pub(super) connection: Connection,
    /// Opened as a file that nobody changes, because its folder cannot be written.
    pub(super) unchanging: bool,
    /// The pragmas of a writing connection have been set.
    ready_to_write: bool,
    /// Something was written.
    has_written: bool,
    /// The log of a file. A database in memory has none.
    log: Option<PathBuf>,
}

impl Open {
    /// The connection to the file at `path`.
    pub(super) fn new(connection: Connection, path: Option<&Path>) -> Self {
        let log = path.map(|path| {
            let mut log = path.as_os_str().to_owned();
            log.push("-wal");
            log.into()
        });
        Self { connection, unchanging: false, ready_to_write: false, has_written: false, log }
    }

    /// `synchronous = NORMAL` keeps what was committed through a crash of the process, and the file whole
    /// through a power cut; `FULL` made the worst of eight writers wait 638 ms.
    pub(super) fn make_ready_to_write(&mut self) -> Result<()> {
        if !self.ready_to_write {
            self.connection.execute_batch(&format!(
                "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA wal_autocheckpoint = {MOST_PAGES}"
            ))?;
            self.ready_to_write = true;
        }
        Ok(())
    }

    /// After a commit: the first one of a process looks after the log, because most processes are hooks,
    /// which write once and end.
    pub(super) fn written(&mut self) {
        if !self.has_written {
            self.has_written = true;
            self.keep_log_short();
        }
    }

    /// Empties the log, unless somebody is reading it.
    pub(super) fn checkpoint(&self) -> Result<()> {
        if self.unchanging {
            return Ok(());
        }
        let empty = || self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        Ok(deadline::without_waiting(empty)?)
    }

    /// The same where the log is rather long.
    pub(super) fn checkpoint_if_long(&self) -> Result<()> {
        if self.log_length() > RATHER_LONG_LOG { self.checkpoint() } else { Ok(()) }
    }

    /// Where it fails now, another will succeed.
    fn keep_log_short(&self) {
        if self.log_length() > LONG_LOG {
            let _ = self.checkpoint();
        }
    }

    fn log_length(&self) -> u64 {
        self.log.as_ref().and_then(|log| std::fs::metadata(log).ok()).map_or(0, |log| log.len())
    }
}

/// The end of many writes in a row.
impl Drop for Open {
    fn drop(&mut self) {
        if self.has_written {
            self.keep_log_short();
        }
    }
}
