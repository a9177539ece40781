//! The one SQLite file of a project: opening it, bringing its schema up to date, and one transaction at a time.
//!
//! Every hook opens this file, so opening costs as little as it can: nothing is opened before it is asked for,
//! nothing is created by reading, and a reading hook runs no statement that writes. This module knows files,
//! transactions and deadlines. What the tables mean is known to `memory/sqlite` and `state`, and only to them.

mod deadline;
mod fault;
mod file;
mod schema;
#[cfg(test)]
pub(crate) mod tests;

use crate::error::{Error, Result};
use deadline::Deadline;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// How long the log may grow, in pages of 4 KiB, before a writer empties it. Whoever opens the file first reads the log
/// through: 0.1 ms for 100 pages, 1.2 ms for 1,000, which is SQLite's default.
const LOG_PAGES: u32 = 250;

/// A project's database, opened when it is first used. Clones share the connection.
#[derive(Clone)]
pub struct Database(Arc<Inner>);

struct Inner {
    /// `None` is a database in memory, which lives as long as its connection.
    path: Option<PathBuf>,
    open: Mutex<Option<Open>>,
    deadline: Arc<Deadline>,
}

/// An open connection and how far it may be used.
struct Open {
    connection: Connection,
    /// The pragmas of a writing connection have been set.
    ready_to_write: bool,
    /// Opened as a file that nobody changes, because its folder cannot be written.
    unchanging: bool,
}

impl Database {
    /// The database in this file, which need not exist. Opens nothing.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self::new(Some(path.into()))
    }

    /// An empty database of the newest schema that is gone with its last clone.
    pub fn in_memory() -> Result<Self> {
        let database = Self::new(None);
        let mut connection = Connection::open_in_memory()?;
        schema::migrate(&mut connection)?;
        database.0.deadline.watch(&connection);
        *database.0.slot() = Some(Open::new(connection));
        Ok(database)
    }

    fn new(path: Option<PathBuf>) -> Self {
        Self(Arc::new(Inner { path, open: Mutex::default(), deadline: Arc::new(Deadline::new()) }))
    }

    /// From now on everything is over by `deadline`: locks are waited for no longer, running statements are
    /// stopped, and what did not finish is an [`unavailable`](crate::error::Kind::Unavailable) error.
    pub fn set_deadline(&self, deadline: Instant) {
        self.0.deadline.set(deadline);
    }

    /// Moves what the log beside the file holds into the file and empties the log, unless others are using it. That waits
    /// for the disk two or three times, 10 to 25 ms on the machine this was measured on, so it belongs where nobody waits:
    /// after the answer, in the worker. Without it a writer does it every [`LOG_PAGES`].
    pub fn settle(&self) -> Result<()> {
        self.located(|inner| {
            let slot = inner.slot();
            let Some(open) = slot.as_ref().filter(|open| !open.unchanging) else { return Ok(()) };
            inner.limit_waiting(&open.connection)?;
            Ok(open.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?)
        })
    }

    /// The file, where there is one.
    pub fn path(&self) -> Option<&Path> {
        self.0.path.as_deref()
    }

    /// Reads in one snapshot. `None` where no file exists yet: reading creates nothing. Must not be called from
    /// within `read` or [`write`](Self::write): there is one connection.
    ///
    /// # Errors
    /// `unavailable` when the file cannot be read now, is damaged, or was written by a newer Interleaf.
    pub fn read<R>(&self, read: impl FnOnce(&Connection) -> Result<R>) -> Result<Option<R>> {
        self.located(|inner| {
            let mut slot = inner.slot();
            if slot.is_none() {
                *slot = inner.open_for_reading()?;
            }
            let Some(open) = slot.as_mut() else { return Ok(None) };
            inner.limit_waiting(&open.connection)?;
            let snapshot = open.connection.transaction()?;
            read(&snapshot).map(Some)
        })
    }

    /// Writes in one transaction that holds the write lock from its beginning. Creates the file (mode 0600) and
    /// its folder (0700) where they are missing. An error of `write` undoes all of it.
    ///
    /// # Errors
    /// As for [`read`](Self::read), and where the file or the disk refuses.
    pub fn write<R>(&self, write: impl FnOnce(&Transaction) -> Result<R>) -> Result<R> {
        self.located(|inner| {
            let mut slot = inner.slot();
            let open = match slot.take() {
                Some(open) if !open.unchanging => slot.insert(open),
                _ => slot.insert(inner.open_for_writing()?),
            };
            inner.limit_waiting(&open.connection)?;
            open.make_ready_to_write()?;
            let transaction = open.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let written = write(&transaction)?;
            transaction.commit()?;
            Ok(written)
        })
    }

    /// Runs `work` and lets its errors name the file.
    fn located<R>(&self, work: impl FnOnce(&Inner) -> Result<R>) -> Result<R> {
        work(&self.0).map_err(|error| match &self.0.path {
            Some(path) => fault::locate(error, path),
            None => error,
        })
    }
}

impl Inner {
    /// The connection. A panic inside a transaction rolled it back, so a poisoned lock protects nothing.
    fn slot(&self) -> MutexGuard<'_, Option<Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn open_for_reading(&self) -> Result<Option<Open>> {
        let Some(path) = &self.path else { return Ok(None) };
        let Some(connection) = file::open(path)? else { return Ok(None) };
        self.deadline.watch(&connection);
        self.limit_waiting(&connection)?;
        match schema::version(&connection) {
            Err(error) if file::lacks_companions(&error) => {
                let open = self.brought_up_to_date(file::open_unchanging(path)?)?;
                Ok(Some(Open { unchanging: true, ..open }))
            }
            Ok(schema::NEWEST) => Ok(Some(Open::new(connection))),
            _ => self.brought_up_to_date(connection).map(Some),
        }
    }

    fn open_for_writing(&self) -> Result<Open> {
        let path = self.path.as_ref().ok_or_else(|| Error::unavailable("the database in memory is gone"))?;
        self.brought_up_to_date(file::open_or_create(path)?)
    }

    fn brought_up_to_date(&self, mut connection: Connection) -> Result<Open> {
        self.deadline.watch(&connection);
        self.limit_waiting(&connection)?;
        schema::bring_up_to_date(&mut connection, || self.deadline.left())?;
        Ok(Open::new(connection))
    }

    /// Locks are waited for until the deadline, and after it nothing begins.
    fn limit_waiting(&self, connection: &Connection) -> Result<()> {
        let left = self.deadline.left();
        if left.is_zero() {
            return Err(fault::late());
        }
        Ok(connection.busy_timeout(left)?)
    }
}

impl Open {
    fn new(connection: Connection) -> Self {
        Self { connection, ready_to_write: false, unchanging: false }
    }

    /// `synchronous = NORMAL` keeps what was committed through a crash of the process, and the file whole
    /// through a power cut; `FULL` made the worst of eight writers wait 638 ms.
    fn make_ready_to_write(&mut self) -> Result<()> {
        if !self.ready_to_write {
            let log = format!("PRAGMA wal_autocheckpoint = {LOG_PAGES};");
            self.connection.execute_batch("PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;")?;
            self.connection.execute_batch(&log)?;
            self.ready_to_write = true;
        }
        Ok(())
    }
}
