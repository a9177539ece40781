//! The SQLite files of a project, that of its memories and that of its sessions: opening one, migrating its
//! schema, and running one transaction at a time.
//!
//! Every hook opens the file of the memories, so opening is kept cheap: the file is opened at its first use,
//! reading creates nothing, and a hook that only reads runs no statement that writes. This module handles
//! files, transactions and deadlines. The modules `memory/sqlite_store`, `state` and `sessions` define the
//! content of the tables.

mod backup;
mod connection;
mod damage_note;
mod deadline;
mod foreign_database;
mod integrity;
mod migrations;
mod new_file;
mod replacement;
mod rolling_backups;
mod salvage;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use rusqlite::{ErrorCode, Transaction, TransactionBehavior};

use crate::dirs::with_suffix;
use crate::error::{Error, ErrorKind, Result};
use connection::Connection;
use deadline::Deadline;
pub use foreign_database::ForeignDatabase;
pub use integrity::Thoroughness;
use migrations::Schema;
pub use rolling_backups::RollingBackups;
pub use salvage::SalvageReport;

/// The next step for a damaged file of memories.
const REPAIR_HINT: &str = "interleaf memory repair";

/// A project's database, opened when it is first used. Clones share the connection.
#[derive(Clone)]
pub struct Database(Arc<Inner>);

/// Work that is done before the file of a database is created.
type Preparation = Box<dyn Fn() + Send + Sync>;

struct Inner {
    schema: &'static Schema,
    /// `None` for a database in memory, which exists as long as its connection.
    path: Option<PathBuf>,
    preparation: Option<Preparation>,
    connection: Mutex<Option<Connection>>,
    deadline: Arc<Deadline>,
    /// Whether each commit waits until the disk has it.
    is_durable: AtomicBool,
}

impl Database {
    /// Returns the database in this file, which need not exist. Opens nothing yet.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self::new(Some(path.into()), None, &migrations::MEMORIES)
    }

    /// Returns the database of sessions in this file, which need not exist. Opens nothing yet.
    pub fn of_sessions(path: impl Into<PathBuf>) -> Self {
        Self::new(Some(path.into()), None, &migrations::SESSIONS)
    }

    /// Returns the database in this file. If the file has to be created, `prepare` is called first.
    pub fn prepared_by(path: impl Into<PathBuf>, prepare: impl Fn() + Send + Sync + 'static) -> Self {
        Self::new(Some(path.into()), Some(Box::new(prepare)), &migrations::MEMORIES)
    }

    /// Creates an empty database of the newest schema in memory. It exists until its last clone is dropped.
    ///
    /// # Errors
    /// `Unavailable` if SQLite has no memory.
    pub fn in_memory() -> Result<Self> {
        let database = Self::new(None, None, &migrations::MEMORIES);
        let mut sqlite = rusqlite::Connection::open_in_memory()?;
        database.0.schema.migrate(&mut sqlite)?;
        database.0.deadline.apply_to(&sqlite)?;
        *database.0.lock_connection() = Some(Connection::new(sqlite, None));
        Ok(database)
    }

    fn new(path: Option<PathBuf>, preparation: Option<Preparation>, schema: &'static Schema) -> Self {
        let (connection, deadline) = (Mutex::default(), Arc::new(Deadline::new(path.as_deref())));
        let is_durable = AtomicBool::new(false);
        Self(Arc::new(Inner { schema, path, preparation, connection, deadline, is_durable }))
    }

    /// Lets each commit from now on wait until the disk has it, or not. Without that, a commit survives a
    /// crash of the process, and one of the last seconds may be lost with a power failure.
    pub fn set_durable(&self, is_durable: bool) {
        self.0.is_durable.store(is_durable, Ordering::Relaxed);
    }

    /// Sets the time at which every call ends: calls stop waiting for locks, running statements are
    /// interrupted, and unfinished calls return an [`Unavailable`](ErrorKind::Unavailable) error.
    pub fn set_deadline(&self, deadline: Instant) {
        self.0.deadline.set(deadline);
    }

    /// Sets the time until which calls wait for locks, in addition to the deadline. Later calls wait a moment
    /// only.
    pub fn set_lock_deadline(&self, deadline: Instant) {
        self.0.deadline.set_lock_deadline(deadline);
    }

    /// Moves an earlier deadline to this time, for a write that must still happen after other work has used
    /// up the time.
    pub fn extend_deadline(&self, deadline: Instant) {
        self.0.deadline.extend(deadline);
    }

    /// Returns the path of the file; `None` for a database in memory.
    pub fn path(&self) -> Option<&Path> {
        self.0.path.as_deref()
    }

    /// Reads in one snapshot. Returns `None` if no file exists yet: reading creates nothing.
    ///
    /// Must not be called from within `read` or [`write`](Self::write): there is one connection.
    ///
    /// # Errors
    /// `Unavailable` if the file cannot be read now, is damaged, or was written by a newer Interleaf; and
    /// every error of `read`.
    pub fn read<R>(&self, read: impl FnOnce(&rusqlite::Connection) -> Result<R>) -> Result<Option<R>> {
        self.with_path_in_errors(|inner| {
            let mut slot = inner.lock_connection();
            if slot.is_none() {
                *slot = inner.open_for_reading()?;
            }
            let Some(connection) = slot.as_mut() else { return Ok(None) };
            inner.begin_call()?;
            let snapshot = connection.sqlite.transaction()?;
            read(&snapshot).map(Some)
        })
    }

    /// Writes in one transaction that holds the write lock from its beginning. Creates the file (mode 0600)
    /// and its folder (mode 0700) if they are missing. An error of `write` undoes the whole transaction. A
    /// commit survives a crash of the process, and a power failure after [`set_durable`](Self::set_durable).
    ///
    /// # Errors
    /// As for [`read`](Self::read), and `Unavailable` if the file or the disk refuses the write.
    pub fn write<R>(&self, write: impl FnOnce(&Transaction) -> Result<R>) -> Result<R> {
        self.with_path_in_errors(|inner| {
            let mut slot = inner.lock_connection();
            loop {
                let connection = inner.writable(&mut slot)?;
                let behavior = TransactionBehavior::Immediate;
                let transaction = connection.sqlite.transaction_with_behavior(behavior)?;
                if connection::is_replaced(connection.opened.as_ref()) {
                    drop(transaction);
                    *slot = None;
                    continue;
                }
                let written = write(&transaction)?;
                transaction.commit()?;
                connection.committed();
                return Ok(written);
            }
        })
    }

    /// Returns the problems of the file; none if it is sound or does not exist.
    ///
    /// # Errors
    /// `Unavailable` if the file cannot be read, or there was no time left to check it.
    pub fn problems(&self, thoroughness: Thoroughness) -> Result<Vec<String>> {
        let mut problems = self.read(|connection| integrity::problems(connection, thoroughness))?;
        problems.get_or_insert_default().extend(self.path().and_then(damage_note::read));
        Ok(problems.unwrap_or_default())
    }

    /// Refuses a database that a newer Interleaf wrote: nothing of it is damaged.
    ///
    /// # Errors
    /// `Unavailable`, with the version of its schema.
    pub fn check_not_newer(&self) -> Result<()> {
        self.path().map_or(Ok(()), |path| self.0.schema.check_not_newer(path))
    }

    /// Deletes the incomplete files that killed processes left beside the database.
    ///
    /// # Errors
    /// `Unavailable` if a file cannot be deleted.
    pub fn remove_abandoned_files(&self) -> Result<()> {
        let Some(folder) = self.path().and_then(Path::parent).filter(|folder| folder.exists()) else {
            return Ok(());
        };
        new_file::remove_abandoned(folder).map_err(|error| {
            Error::unavailable(format!("{}: an old file cannot be deleted: {error}", folder.display()))
        })
    }

    /// Returns the write-ahead log if it cannot be read, because SQLite cannot create the index of it in a
    /// folder that cannot be written.
    pub fn unreadable_log(&self) -> Option<PathBuf> {
        let log = with_suffix(self.path()?, "-wal");
        let is_immutable = self.0.lock_connection().as_ref().is_some_and(|open| open.is_immutable);
        (is_immutable && std::fs::metadata(&log).is_ok_and(|log| log.len() > 0)).then_some(log)
    }

    /// Moves the write-ahead log into the file and empties it, unless another process is reading it.
    ///
    /// That waits for the disk two or three times, 10 to 25 ms on the machine where this was measured, so
    /// call it only when nobody is waiting. It happens automatically once the log is long.
    ///
    /// # Errors
    /// `Unavailable` if the disk refuses the write.
    pub fn checkpoint(&self) -> Result<()> {
        self.with_path_in_errors(|inner| {
            inner.lock_connection().as_ref().map_or(Ok(()), Connection::checkpoint)
        })
    }

    /// Empties the write-ahead log well before a hook would have to, and writes the first page of the next
    /// one, because that write waits for the disk, too.
    ///
    /// # Errors
    /// As for [`checkpoint`](Self::checkpoint).
    pub fn checkpoint_if_long(&self) -> Result<()> {
        self.with_path_in_errors(|inner| {
            inner.lock_connection().as_ref().map_or(Ok(()), Connection::checkpoint_if_long)
        })
    }

    /// Makes what was deleted unreadable in the file and its log.
    ///
    /// # Errors
    /// `Unavailable` if another process uses the file for too long.
    pub fn vacuum(&self) -> Result<()> {
        let vacuum = "VACUUM; PRAGMA wal_checkpoint(TRUNCATE);";
        self.with_connection(|sqlite| sqlite.execute_batch(vacuum).map_err(Into::into)).map(drop)
    }

    /// Makes what was deleted unreadable in the file, its log and its backups, which are deleted.
    ///
    /// # Errors
    /// As for [`vacuum`](Self::vacuum); also if a file cannot be deleted.
    pub fn erase_deleted(&self) -> Result<()> {
        self.vacuum()?;
        self.path().map_or(Ok(()), |path| RollingBackups::beside(path).delete_all())
    }

    /// Runs a statement outside of any transaction. Returns `None` if no file exists.
    fn with_connection<R>(&self, work: impl FnOnce(&rusqlite::Connection) -> Result<R>) -> Result<Option<R>> {
        self.with_path_in_errors(|inner| {
            let mut slot = inner.lock_connection();
            if slot.is_none() {
                *slot = inner.open_for_reading()?;
            }
            inner.begin_call()?;
            slot.as_ref().map(|connection| work(&connection.sqlite)).transpose()
        })
    }

    /// Runs `work` and adds the file's path to errors that concern the file.
    fn with_path_in_errors<R>(&self, work: impl FnOnce(&Inner) -> Result<R>) -> Result<R> {
        work(&self.0).map_err(|error| match &self.0.path {
            Some(path) if error.kind == ErrorKind::Unavailable => {
                let is_damaged = error.hint.as_deref() == Some(REPAIR_HINT);
                let error = if is_damaged { error.hint(self.0.schema.repair_hint) } else { error };
                error.context(path.display())
            }
            _ => error,
        })
    }
}

impl Inner {
    /// Locks the connection. Ignores poisoning: a panic inside a transaction has rolled it back.
    fn lock_connection(&self) -> MutexGuard<'_, Option<Connection>> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn open_for_reading(&self) -> Result<Option<Connection>> {
        let Some(path) = &self.path else { return Ok(None) };
        let Some(sqlite) = connection::open(path)? else { return Ok(None) };
        self.apply_deadline(&sqlite)?;
        match migrations::version(&sqlite) {
            Ok(version) if version == self.schema.newest_version() => {
                Ok(Some(Connection::new(sqlite, Some(path))))
            }
            Err(error) if connection::cannot_create_wal(&error) => {
                let mut immutable = self.migrated(connection::open_immutable(path)?)?;
                immutable.is_immutable = true;
                Ok(Some(immutable))
            }
            _ => self.migrated(sqlite).map(Some),
        }
    }

    /// Returns a connection that can write, and lets it wait for locks until the deadline.
    fn writable<'s>(&self, slot: &'s mut Option<Connection>) -> Result<&'s mut Connection> {
        let connection = match slot.take() {
            Some(connection) if !connection.is_immutable => slot.insert(connection),
            _ => slot.insert(self.open_for_writing()?),
        };
        self.begin_call()?;
        connection.make_ready_to_write(self.is_durable.load(Ordering::Relaxed))?;
        Ok(connection)
    }

    fn open_for_writing(&self) -> Result<Connection> {
        let path = self.path.as_ref().ok_or_else(|| Error::unavailable("the database in memory is gone"))?;
        if let Some(prepare) = self.preparation.as_ref().filter(|_| !path.exists()) {
            prepare();
        }
        self.migrated(connection::open_or_create(path, self.schema)?)
    }

    fn migrated(&self, mut sqlite: rusqlite::Connection) -> Result<Connection> {
        self.apply_deadline(&sqlite)?;
        self.schema.migrate_file(&mut sqlite)?;
        Ok(Connection::new(sqlite, self.path.as_deref()))
    }

    fn apply_deadline(&self, sqlite: &rusqlite::Connection) -> Result<()> {
        self.deadline.apply_to(sqlite)?;
        if !self.schema.connection.is_empty() {
            sqlite.execute_batch(self.schema.connection)?;
        }
        self.begin_call()
    }

    /// Lets the call wait for locks until the deadline. Fails after the deadline.
    fn begin_call(&self) -> Result<()> {
        if self.deadline.begin_call() { Ok(()) } else { Err(out_of_time()) }
    }
}

/// Lets `?` carry SQLite's errors. They are all of one kind: the request was right, but the database cannot
/// serve it now.
impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::OperationInterrupted) => out_of_time(),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                Self::unavailable("the database is locked by another process")
                    .hint("try again; if it stays locked, end the other `interleaf` process")
            }
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
                Self::unavailable(format!("the database is damaged ({error})")).hint(REPAIR_HINT)
            }
            Some(ErrorCode::DiskFull) => {
                Self::unavailable("the disk is full").hint("free some space; nothing was changed")
            }
            Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
                Self::unavailable(format!("the database cannot be opened or written ({error})"))
                    .hint("check the permissions of the file and its folder")
            }
            _ => Self::unavailable(format!("the database failed ({error})")),
        }
    }
}

fn out_of_time() -> Error {
    Error::unavailable("there was no time left for the database")
}
