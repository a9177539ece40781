//! Creates the file of a database, and puts it in place when it is complete: no process ever sees an empty or
//! half-made one, so such a file is always a damaged one.

use std::path::Path;

use tempfile::{Builder, NamedTempFile};

use super::migrations;
use crate::dirs::create_private_folder;
use crate::error::{Error, Result};

/// Creates a database of the newest schema, and its folder, both accessible to this user only: memories are
/// private. If another process creates the file first, that one stays.
pub(super) fn create(path: &Path) -> Result<()> {
    let file = in_folder_of(path)?;
    match file.persist_noclobber(path) {
        Err(error) if error.error.kind() != std::io::ErrorKind::AlreadyExists => Err(uncreated(&error.error)),
        _ => Ok(()),
    }
}

/// Creates an empty database of the newest schema under a temporary name in the folder of `path`.
pub(super) fn in_folder_of(path: &Path) -> Result<NamedTempFile> {
    let folder = path.parent().unwrap_or(path);
    create_private_folder(folder).map_err(|error| uncreated(&error))?;
    let file = Builder::new().prefix(".interleaf-").tempfile_in(folder).map_err(|error| uncreated(&error))?;
    let mut sqlite = rusqlite::Connection::open(file.path())?;
    migrations::migrate(&mut sqlite)?;
    sqlite.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
    Ok(file)
}

/// Returns the error of a file that cannot be created.
pub(super) fn uncreated(error: &std::io::Error) -> Error {
    Error::unavailable(format!("the database cannot be created ({error})"))
        .hint("check the permissions of its folder and the free space on the disk")
}
