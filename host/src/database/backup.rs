//! Copies of a database: consistent, also while others write to it, and complete in one file.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use tempfile::NamedTempFile;

use super::{Database, Thoroughness, integrity, migrations, new_file};
use crate::error::{Error, Result};

/// The mode of a copy: memories are private.
const PRIVATE_MODE: u32 = 0o600;

impl Database {
    /// Writes a copy of the database to a file that does not exist yet. The copy is compact, needs no
    /// write-ahead log beside it, and is in place only when it is complete. Returns false if there is no
    /// database.
    ///
    /// # Errors
    /// `Conflict` if the file exists, `Unavailable` if it cannot be written or the database is damaged.
    pub fn back_up_to(&self, file: &Path) -> Result<bool> {
        if file.exists() {
            return Err(
                Error::conflict(format!("{} exists already", file.display())).hint("name another file")
            );
        }
        let unwritten = |error: std::io::Error| {
            Error::unavailable(format!("cannot write {}: {error}", file.display()))
                .hint("check the permissions of its folder and the free space on the disk")
        };
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let temporary = new_file::temporary_in(folder).map_err(unwritten)?;
        // A read transaction would be in the way of this statement, so it is the read.
        let copied = self.with_connection(|connection| copy(connection, temporary.path()))?;
        if copied.is_none() {
            return Ok(false);
        }
        temporary.as_file().sync_all().map_err(unwritten)?;
        temporary.persist_noclobber(file).map_err(|error| unwritten(error.error))?;
        Ok(true)
    }
}

/// Copies a backup to a temporary file in the folder of `database`, ready to take its place.
///
/// # Errors
/// `Unavailable` if the backup cannot be read or is damaged, `Invalid` if it is no database of memories.
pub(super) fn prepare(backup: &Path, database: &Path) -> Result<NamedTempFile> {
    let named = |error: Error| error.context(backup.display());
    let folder = database.parent().unwrap_or(database);
    fs::metadata(backup).map_err(|error| named(Error::unavailable(format!("cannot be read ({error})"))))?;
    let temporary = new_file::temporary_in(folder);
    let temporary = temporary.map_err(|error| new_file::uncreated(&error))?;
    let source = super::connection::open_existing(backup).map_err(named)?;
    copy(&source, temporary.path()).map_err(named)?;
    let mut copied = rusqlite::Connection::open(temporary.path())?;
    if !is_of_memories(&copied) {
        return Err(named(Error::invalid("this is not a database of Interleaf")));
    }
    migrations::MEMORIES.migrate_file(&mut copied).map_err(named)?;
    if let Some(problem) = integrity::problems(&copied, Thoroughness::Quick)?.into_iter().next() {
        return Err(named(Error::unavailable(format!("the backup is damaged ({problem})"))));
    }
    copied.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
    Ok(temporary)
}

fn is_of_memories(sqlite: &rusqlite::Connection) -> bool {
    let query = "SELECT count(*) FROM sqlite_schema WHERE name IN ('memories', 'words', 'sessions')";
    sqlite.query_row(query, [], |row| row.get::<_, i64>(0)).is_ok_and(|count| count == 3)
}

/// Copies a database to a file, which must be empty.
fn copy(connection: &rusqlite::Connection, file: &Path) -> Result<()> {
    let path = file.to_str().ok_or_else(|| {
        Error::invalid(format!("{} is not a path in UTF-8", file.display())).hint("use another folder")
    })?;
    connection.execute("VACUUM INTO ?1", [path])?;
    // The permissions of the process decide about a new file.
    let _ = fs::set_permissions(file, Permissions::from_mode(PRIVATE_MODE));
    Ok(())
}
