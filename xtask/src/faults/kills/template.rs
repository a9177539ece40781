//! A database that is put in place again before each kill, so that every process finds the same work.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use rusqlite::Connection;

/// A copy of a database.
pub struct Template {
    database: PathBuf,
    copy: PathBuf,
    /// The files that lie beside the database, which stay.
    beside: Vec<PathBuf>,
}

impl Template {
    /// Copies the database to this file, complete without a log beside it.
    pub fn of(database: PathBuf, copy: PathBuf) -> Result<Self> {
        let sqlite = Connection::open(&database)?;
        sqlite.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        drop(sqlite);
        fs::copy(&database, &copy)?;
        let beside = files(folder_of(&database)?)?;
        Ok(Self { database, copy, beside })
    }

    /// Changes the copy, which is a closed file.
    pub fn change(&self, change: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
        change(&self.copy)
    }

    /// Puts the copy in place, and removes what processes left beside it.
    pub fn place(&self) -> Result<()> {
        for file in files(folder_of(&self.database)?)? {
            if file != self.database && !self.beside.contains(&file) || is_log(&file) {
                fs::remove_file(&file)?;
            }
        }
        // Removed before, so that a second name of the old file keeps its contents.
        fs::remove_file(&self.database)?;
        fs::copy(&self.copy, &self.database)?;
        Ok(())
    }

    /// Returns the files that processes left beside the database under names with this beginning.
    pub fn left(&self, beginning: &str) -> Result<Vec<PathBuf>> {
        let name = |file: &PathBuf| {
            file.file_name().is_some_and(|name| name.to_string_lossy().starts_with(beginning))
        };
        let is_left = |file: &PathBuf| name(file) && !is_log(file) && !self.beside.contains(file);
        Ok(files(folder_of(&self.database)?)?.into_iter().filter(is_left).collect())
    }
}

/// Returns the texts of the memories in a file that is a database of its own.
pub fn texts_of(database: &Path) -> Result<Vec<String>> {
    let sqlite = Connection::open(database)?;
    let mut statement = sqlite.prepare("SELECT text FROM memories")?;
    let texts = statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>();
    texts.with_context(|| format!("{} cannot be read", database.display()))
}

fn folder_of(database: &Path) -> Result<&Path> {
    database.parent().context("a file lies in a folder")
}

fn is_log(file: &Path) -> bool {
    file.to_string_lossy().ends_with("-wal") || file.to_string_lossy().ends_with("-shm")
}

fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.collect::<std::io::Result<Vec<_>>>()?;
    Ok(entries.into_iter().map(|entry| entry.path()).filter(|path| path.is_file()).collect())
}
