//! The one SQLite file of a project: opening it, bringing its schema up to date, and one transaction at a
//! time.
//!
//! Every hook opens this file, so opening costs as little as it can: nothing is opened before it is asked
//! for, nothing is created by reading, and a reading hook runs no statement that writes. This module knows
//! files, transactions and deadlines. What the tables mean is known to `memory/sqlite` and `state`, and
//! only to them.

mod deadline;
mod fault;
mod file;
mod open;
mod schema;
#[cfg(test)]
mod tests;

use crate::error::{Error, Result};
use deadline::Deadline;
use open::Open;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// A project's database, opened when it is first used. Clones share the connection.
#[derive(Clone)]
pub struct Database(Arc<Inner>);

struct Inner {
    /// `None` is a database in memory, which lives as long as its connection.
    path: Option<PathBuf>,
    open: Mutex<Option<Open>>,
    deadline: Arc<Deadline>,
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
        database.0.deadline.watch(&connection)?;
        *database.0.slot() = Some(Open::new(connection, None));
        Ok(database)
    }

    fn new(path: Option<PathBuf>) -> Self {
        Self(Arc::new(Inner { path, open: Mutex::default(), deadline: Arc::new(Deadline::new()) }))
    }

    /// From now on everything is over by `deadline`: locks are waited for no longer, running statements are
    /// stopped, and what did not finish is an [`unavailable`](crate::error::ErrorKind::Unavailable) error.
    pub fn set_deadline(&self, deadline: Instant) {
        self.0.deadline.set(deadline);
    }

    /// Moves the deadline to this moment, if there is one and it is sooner: for what must be written down after others
    /// have used up their time.
    pub fn extend_deadline(&self, deadline: Instant) {
        self.0.deadline.extend(deadline);
    }

    /// The file, where there is one.
    pub fn path(&self) -> Option<&Path> {
        self.0.path.as_deref()
    }

    /// Reads in one snapshot. `None` where no file exists yet: reading creates nothing. Must not be called
    /// from within `read` or [`write`](Self::write): there is one connection.
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
            inner.limit_waiting()?;
            let snapshot = open.connection.transaction()?;
            read(&snapshot).map(Some)
        })
    }

    /// Writes in one transaction that holds the write lock from its beginning. Creates the file (mode 0600)
    /// and its folder (0700) where they are missing. An error of `write` undoes all of it. What was
    /// committed survives the end of the process, however it ends.
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
            inner.limit_waiting()?;
            open.make_ready_to_write()?;
            let transaction = open.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let written = write(&transaction)?;
            transaction.commit()?;
            open.written();
            Ok(written)
        })
    }

    /// Moves what the log beside the file holds into the file and empties it, unless others are reading it.
    /// That waits for the disk two or three times, 10 to 25 ms on the machine this was measured on, so it
    /// belongs where nobody waits. It happens by itself once the log is long.
    ///
    /// # Errors
    /// `unavailable` where the disk refuses.
    pub fn checkpoint(&self) -> Result<()> {
        self.located(|inner| inner.slot().as_ref().map_or(Ok(()), Open::checkpoint))
    }

    /// The same where the log has become so long that a hook would soon have to. Not every time: whoever writes first into
    /// an empty log waits for the disk as well.
    ///
    /// # Errors
    /// As for [`checkpoint`](Self::checkpoint).
    pub fn checkpoint_if_long(&self) -> Result<()> {
        self.located(|inner| inner.slot().as_ref().map_or(Ok(()), Open::checkpoint_if_long))
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
        self.watch(&connection)?;
        match schema::version(&connection) {
            Ok(schema::NEWEST) => Ok(Some(Open::new(connection, Some(path)))),
            Err(error) if file::lacks_companions(&error) => {
                let mut open = self.brought_up_to_date(file::open_unchanging(path)?)?;
                open.unchanging = true;
                Ok(Some(open))
            }
            _ => self.brought_up_to_date(connection).map(Some),
        }
    }

    fn open_for_writing(&self) -> Result<Open> {
        let path = self.path.as_ref().ok_or_else(|| Error::unavailable("the database in memory is gone"))?;
        self.brought_up_to_date(file::open_or_create(path)?)
    }

    fn brought_up_to_date(&self, mut connection: Connection) -> Result<Open> {
        self.watch(&connection)?;
        schema::bring_up_to_date(&mut connection, || self.deadline.left())?;
        Ok(Open::new(connection, self.path.as_deref()))
    }

    fn watch(&self, connection: &Connection) -> Result<()> {
        self.deadline.watch(connection)?;
        self.limit_waiting()
    }

    /// Locks are waited for until the deadline, and after it nothing begins.
    fn limit_waiting(&self) -> Result<()> {
        if self.deadline.begin() { Ok(()) } else { Err(fault::late()) }
    }
}
