//! One connection to the database file: how the file is opened or created, and when its write-ahead log (WAL)
//! is emptied.
//!
//! The first process that opens the file reads the whole WAL, so it must not get long. Emptying it (a
//! checkpoint) waits for the disk, so it must not happen often, and never just because a process ends.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::{ErrorCode, OpenFlags, Transaction, TransactionBehavior};

use super::deadline::without_waiting;
use super::migrations::Schema;
use super::{damage_note, integrity, new_file};
use crate::dirs::with_suffix;
use crate::error::{Error, Result};

/// Length of the WAL, in bytes, above which a hook empties it after its first write: about 60 pages, 15
/// writes of a hook. To read 240 pages took a hook 0.5 ms.
const MAX_WAL_BYTES: u64 = 256 << 10;

/// The same for a process whose commits wait for the disk: a command of a person, which writes more at once.
/// Of sixteen such writers, fifteen wait while one empties the WAL.
const MAX_WAL_BYTES_IF_DURABLE: u64 = 4 * MAX_WAL_BYTES;

/// Length of the WAL, in bytes, above which a background process empties it: so early that hooks find the WAL
/// shorter than [`MAX_WAL_BYTES`].
const MAX_WAL_BYTES_IN_BACKGROUND: u64 = MAX_WAL_BYTES / 4;

/// Number of pages that one process may write into the WAL before SQLite empties it. With only 250 pages,
/// every fifth of thousands of successive writes would wait for the disk.
const AUTO_CHECKPOINT_PAGES: u32 = 4_000;

/// Maximum size of the page cache of a process that writes, in KiB. It holds only what the process has read,
/// so a hook needs no more than before; an import of 100,000 memories changes pages all over the index.
const PAGE_CACHE_KIB: u32 = 24 << 10;

/// A mutex of this program guards each connection, so SQLite needs no mutex of its own.
const FLAGS: OpenFlags = OpenFlags::SQLITE_OPEN_READ_WRITE.union(OpenFlags::SQLITE_OPEN_NO_MUTEX);

/// An open connection.
pub(super) struct Connection {
    pub(super) sqlite: rusqlite::Connection,
    /// Whether the file was opened as one that nobody changes, because its folder cannot be written.
    pub(super) is_immutable: bool,
    /// Whether commits wait for the disk; `None` until the pragmas of a writing connection are set.
    durability: Option<bool>,
    /// Whether at least one transaction was committed.
    has_written: bool,
    /// The path of the WAL; `None` for a database in memory.
    wal: Option<PathBuf>,
    /// The file; `None` for a database in memory.
    pub(super) opened: Option<OpenedFile>,
}

/// The path of a database file, with its device and inode when it was opened.
pub(super) type OpenedFile = (PathBuf, (u64, u64));

impl Connection {
    /// Wraps a connection to the file at `path`.
    pub(super) fn new(sqlite: rusqlite::Connection, path: Option<&Path>) -> Self {
        let wal = path.map(|path| with_suffix(path, "-wal"));
        let opened = path.and_then(|path| Some((path.to_owned(), file_id(path)?)));
        Self { sqlite, is_immutable: false, durability: None, has_written: false, wal, opened }
    }

    /// Sets the pragmas that writing needs. A copy that was put in place has no write-ahead log. With
    /// `synchronous = NORMAL`, commits survive a crash of the process, and the file stays intact through a
    /// power failure. With `FULL`, commits survive that as well, and the slowest of eight writers waited
    /// 638 ms. Foreign keys are not checked: the only one is that of the tags, whose rows the store deletes
    /// itself, and SQLite would read all tags for each deleted memory.
    pub(super) fn make_ready_to_write(&mut self, is_durable: bool) -> Result<()> {
        if self.durability != Some(is_durable) {
            let synchronous = if is_durable { "FULL" } else { "NORMAL" };
            self.sqlite.execute_batch(&format!(
                "PRAGMA journal_mode = WAL; PRAGMA synchronous = {synchronous}; PRAGMA foreign_keys = OFF; \
                 PRAGMA wal_autocheckpoint = {AUTO_CHECKPOINT_PAGES}; PRAGMA cache_size = -{PAGE_CACHE_KIB}"
            ))?;
            self.durability = Some(is_durable);
        }
        Ok(())
    }

    /// Records that a transaction was committed. Empties a long WAL after the first commit of a process: most
    /// processes are hooks, which write once and end.
    pub(super) fn committed(&mut self) {
        if !self.has_written {
            self.has_written = true;
            self.checkpoint_quietly();
        }
    }

    /// Empties the WAL, unless another process is reading it.
    pub(super) fn checkpoint(&self) -> Result<()> {
        if self.is_immutable {
            return Ok(());
        }
        let truncate = || self.sqlite.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        Ok(without_waiting(truncate)?)
    }

    /// Empties the WAL if it is longer than [`MAX_WAL_BYTES_IN_BACKGROUND`], and begins the next one.
    pub(super) fn checkpoint_if_long(&self) -> Result<()> {
        if self.is_immutable || self.wal_bytes() <= MAX_WAL_BYTES_IN_BACKGROUND {
            return Ok(());
        }
        self.checkpoint()?;
        self.begin_wal()
    }

    /// Writes one page into an empty WAL. The first write waits for the disk, so that no hook has to.
    fn begin_wal(&self) -> Result<()> {
        // While another process was reading, the WAL was not emptied.
        if self.wal_bytes() > 0 {
            return Ok(());
        }
        let begin = || {
            // A migration must not come between reading the version and writing it back.
            let write = Transaction::new_unchecked(&self.sqlite, TransactionBehavior::Immediate)?;
            let version: i64 = write.pragma_query_value(None, "user_version", |row| row.get(0))?;
            write.pragma_update(None, "user_version", version)?;
            write.commit()
        };
        Ok(without_waiting(begin)?)
    }

    /// Empties a long WAL. Ignores a failure: another process will succeed.
    fn checkpoint_quietly(&self) {
        let is_durable = self.durability == Some(true);
        let limit = if is_durable { MAX_WAL_BYTES_IF_DURABLE } else { MAX_WAL_BYTES };
        if self.wal_bytes() > limit {
            let _ = self.checkpoint();
        }
    }

    fn wal_bytes(&self) -> u64 {
        self.wal.as_ref().and_then(|wal| fs::metadata(wal).ok()).map_or(0, |wal| wal.len())
    }
}

impl Drop for Connection {
    /// Empties a WAL that the later writes of this process have made long.
    fn drop(&mut self) {
        if self.has_written {
            self.checkpoint_quietly();
        }
    }
}

/// Tells whether another file is now at the path, such as a repaired one. A commit to the old one would be
/// lost. A file that was deleted is not replaced.
pub(super) fn is_replaced(opened: Option<&OpenedFile>) -> bool {
    opened.is_some_and(|(path, opened)| file_id(path).is_some_and(|now| now != *opened))
}

fn file_id(path: &Path) -> Option<(u64, u64)> {
    fs::metadata(path).ok().map(|file| (file.dev(), file.ino()))
}

/// Opens the file. Returns `None` if it is missing.
pub(super) fn open(path: &Path) -> Result<Option<rusqlite::Connection>> {
    match fs::metadata(path) {
        Ok(file) if !file.is_file() => Err(integrity::damaged("something else is in the place of its file")),
        Ok(file) if file.len() == 0 => Err(integrity::damaged("the file is empty")),
        Ok(_) => open_existing(path).map(Some),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(Error::unavailable(format!("the database cannot be read ({error})"))),
    }
}

/// Opens the file, and creates it first if it is missing.
pub(super) fn open_or_create(path: &Path, schema: &Schema) -> Result<rusqlite::Connection> {
    if let Some(connection) = open(path)? {
        return Ok(connection);
    }
    new_file::create(path, schema)?;
    open_existing(path)
}

/// Opens an existing file so that closing it costs nothing. By default the last process that closes a file
/// empties the WAL, which waits 16 to 26 ms for the disk after a write, and deletes it, so that the next
/// process creates it again.
pub(super) fn open_existing(path: &Path) -> Result<rusqlite::Connection> {
    damage_note::check_wal(path);
    let sqlite = rusqlite::Connection::open_with_flags(path, FLAGS)?;
    sqlite.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    Ok(sqlite)
}

/// Opens the file as one that nobody changes, which needs no lock and no WAL. Only for folders that cannot be
/// written: commits that are still in the WAL are not visible.
pub(super) fn open_immutable(path: &Path) -> Result<rusqlite::Connection> {
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    let uri = format!("file:{}?immutable=1", percent_encode(path));
    Ok(rusqlite::Connection::open_with_flags(uri, flags)?)
}

/// Tells whether SQLite could not create the files beside the database: the folder cannot be written.
pub(super) fn cannot_create_wal(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly))
}

/// Encodes the path for a URI: every byte but letters, digits and `/-_.~` becomes `%xx`.
fn percent_encode(path: &Path) -> String {
    let is_literal = |byte: &u8| byte.is_ascii_alphanumeric() || b"/-_.~".contains(byte);
    let encode =
        |byte: u8| if is_literal(&byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    path.as_os_str().as_encoded_bytes().iter().copied().map(encode).collect()
}
