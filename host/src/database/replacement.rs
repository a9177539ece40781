//! Puts another file in the place of a database: a backup, or what could be saved of a damaged file. The old
//! one is set aside, and nothing of it is deleted.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use rusqlite::TransactionBehavior;
use tempfile::NamedTempFile;

use super::new_file::remove_beside;
use super::salvage::{self, SalvageReport};
use super::{Database, backup, connection, damage_note};
use crate::dirs::{cannot_write, create_private_folder, remove_if_there, with_suffix};
use crate::error::{Error, Result};

/// Maximum number of files that are set aside under one suffix.
const MAX_ASIDE: u32 = 1_000;

impl Database {
    /// Replaces the database with a copy of a backup, and sets the old one aside under `suffix`. Returns
    /// where it is now, if there was one.
    ///
    /// # Errors
    /// As for [`Database::back_up_to`]; the database is then unchanged.
    pub fn restore_from(&self, backup_file: &Path, suffix: &str) -> Result<Option<PathBuf>> {
        let path = self.file()?;
        // On a new machine, the project has stored nothing yet.
        if let Some(folder) = path.parent() {
            create_private_folder(folder).map_err(|error| cannot_write(folder, &error))?;
        }
        let prepared = backup::prepare(backup_file, path)?;
        self.replace(prepared, suffix)
    }

    /// Replaces a damaged database with what can be read of it, and sets the old one aside under `suffix`.
    /// `finish` completes the new database before it takes the place of the old one. Returns what was saved,
    /// and where the old one is now.
    ///
    /// # Errors
    /// `Unavailable` if the new file cannot be written; every error of `finish`. The database is then
    /// unchanged.
    pub fn salvage(
        &self,
        suffix: &str,
        finish: impl FnOnce(&Database) -> Result<()>,
    ) -> Result<(SalvageReport, Option<PathBuf>)> {
        let path = self.file()?;
        let (new_file, report) = salvage::salvage(path)?;
        let new = Database::at(new_file.path());
        finish(&new)?;
        new.checkpoint()?;
        drop(new);
        remove_beside(new_file.path());
        Ok((report, self.replace(new_file, suffix)?))
    }

    fn file(&self) -> Result<&Path> {
        self.path().ok_or_else(|| Error::invalid("the database is in memory"))
    }

    /// Puts the new file in place. Writers wait meanwhile: they find that the file was replaced once they
    /// have the lock, and open the new one.
    fn replace(&self, new: NamedTempFile, suffix: &str) -> Result<Option<PathBuf>> {
        let path = self.file()?.to_owned();
        // This connection would keep the old file open.
        *self.0.lock_connection() = None;
        let mut old = connection::open_existing(&path).ok();
        // A file that is damaged can be beyond both.
        let truncate =
            |old: &rusqlite::Connection| old.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        let _ = old.as_ref().map(truncate);
        let lock = old.as_mut().map(|old| old.transaction_with_behavior(TransactionBehavior::Immediate));
        let moved = set_aside(&path, suffix).and_then(|aside| {
            new.as_file().sync_all()?;
            new.persist(&path).map_err(|error| error.error)?;
            Ok(aside)
        });
        drop(lock);
        damage_note::remove(&path);
        moved.map_err(|error| {
            Error::unavailable(format!("{} cannot be replaced: {error}", path.display()))
                .hint("check the permissions of its folder and the free space on the disk")
        })
    }
}

/// Gives the database a second name, and moves what lies beside it. Returns the new name.
fn set_aside(path: &Path, suffix: &str) -> io::Result<Option<PathBuf>> {
    if !path.exists() {
        return Ok(None);
    }
    let aside = unused_name(path, suffix)?;
    if !path.is_file() {
        fs::rename(path, &aside)?;
        return Ok(Some(aside));
    }
    // Not every file system has links.
    if fs::hard_link(path, &aside).is_err() {
        fs::copy(path, &aside)?;
    }
    // The index of the log goes first: a log without it is read again, but not the reverse.
    remove_if_there(&with_suffix(path, "-shm"))?;
    match fs::rename(with_suffix(path, "-wal"), with_suffix(&aside, "-wal")) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(Some(aside)),
    }
}

/// Returns a name that no file has: two restores in one second must not overwrite what the first set aside.
fn unused_name(path: &Path, suffix: &str) -> io::Result<PathBuf> {
    let name = |number: u32| {
        with_suffix(path, &if number == 1 { suffix.to_owned() } else { format!("{suffix}-{number}") })
    };
    let unused = |name: &PathBuf| !name.exists() && !with_suffix(name, "-wal").exists();
    (1..=MAX_ASIDE).map(name).find(unused).ok_or_else(|| {
        io::Error::other(format!(
            "there are {MAX_ASIDE} files that begin with {}",
            with_suffix(path, suffix).display()
        ))
    })
}
