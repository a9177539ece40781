//! Creates the file of a database, and puts it in place when it is complete: no process ever sees an empty or
//! half-made one, so such a file is always a damaged one.

use std::fs::{self, Metadata};
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

use tempfile::{Builder, NamedTempFile};

use super::migrations::Schema;
use crate::dirs::{create_private_folder, remove_if_there, with_suffix};
use crate::error::{Error, Result};

/// The beginning of the names of files that are not complete yet.
const TEMPORARY_PREFIX: &str = ".interleaf-";

/// Age at which an incomplete file counts as abandoned: its process was killed. A copy of a large database
/// takes seconds.
const ABANDONED_AFTER: Duration = Duration::from_secs(3_600);

/// Deletes the incomplete files that killed processes left in this folder.
///
/// # Errors
/// Any error of the file system.
pub(super) fn remove_abandoned(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let is_temporary = entry.file_name().to_string_lossy().starts_with(TEMPORARY_PREFIX);
        if is_temporary && is_old(&entry.metadata()?) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

fn is_old(file: &Metadata) -> bool {
    let age = file.modified().ok().and_then(|at| SystemTime::now().duration_since(at).ok());
    file.is_file() && age.is_some_and(|age| age > ABANDONED_AFTER)
}

/// Creates a database of the newest schema, and its folder, both accessible to this user only: memories are
/// private. If another process creates the file first, that one stays.
pub(super) fn create(path: &Path, schema: &Schema) -> Result<()> {
    let file = in_folder_of(path, schema)?;
    match file.persist_noclobber(path) {
        Err(error) if error.error.kind() != io::ErrorKind::AlreadyExists => Err(uncreated(&error.error)),
        _ => Ok(()),
    }
}

/// Creates an empty database of the newest schema under a temporary name in the folder of `path`.
pub(super) fn in_folder_of(path: &Path, schema: &Schema) -> Result<NamedTempFile> {
    let folder = path.parent().unwrap_or(path);
    create_private_folder(folder).map_err(|error| uncreated(&error))?;
    let file = temporary_in(folder).map_err(|error| uncreated(&error))?;
    let mut sqlite = rusqlite::Connection::open(file.path())?;
    schema.migrate(&mut sqlite)?;
    sqlite.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
    Ok(file)
}

/// Creates an empty file under a temporary name.
pub(super) fn temporary_in(folder: &Path) -> io::Result<NamedTempFile> {
    Builder::new().prefix(TEMPORARY_PREFIX).tempfile_in(folder)
}

/// Returns the error of a file that cannot be created.
pub(super) fn uncreated(error: &io::Error) -> Error {
    Error::unavailable(format!("the database cannot be created ({error})"))
        .hint("check the permissions of its folder and the free space on the disk")
}

/// Deletes the write-ahead log and its index beside a database that nobody uses.
pub(super) fn remove_beside(database: &Path) {
    for suffix in ["-shm", "-wal"] {
        let _ = remove_if_there(&with_suffix(database, suffix));
    }
}
