//! The file itself: where it may be opened, how it is created, and what to do where nothing may be written.

use crate::error::{Error, Result};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// Connections are guarded by a lock of ours, so SQLite needs none of its own.
const FLAGS: OpenFlags = OpenFlags::SQLITE_OPEN_READ_WRITE.union(OpenFlags::SQLITE_OPEN_NO_MUTEX);

/// Opens the file if there is one. An empty file is one that another process is about to fill.
pub(super) fn open(path: &Path) -> Result<Option<Connection>> {
    match fs::metadata(path) {
        Ok(file) if file.len() == 0 => Ok(None),
        Ok(_) => opened(path).map(Some),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(Error::unavailable(format!("the database cannot be read ({error})"))),
    }
}

/// Opens the file, which is made first where it is missing, readable by its owner only: memories are private.
pub(super) fn open_or_create(path: &Path) -> Result<Connection> {
    if !path.exists() {
        create(path).map_err(|error| {
            Error::unavailable(format!("the database cannot be created ({error})"))
                .hint("check the rights of its folder and the room on the disk")
        })?;
    }
    opened(path)
}

/// Opens a file that is there. Closing is to cost nothing: the last process to close would otherwise wait
/// for the disk, 16 to 26 ms after a write, and delete the log that the next process makes again.
fn opened(path: &Path) -> Result<Connection> {
    let connection = Connection::open_with_flags(path, FLAGS)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    Ok(connection)
}

fn create(path: &Path) -> std::io::Result<()> {
    let mut folder = fs::DirBuilder::new();
    let mut file = fs::OpenOptions::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
        folder.mode(0o700);
        file.mode(0o600);
    }
    if let Some(parent) = path.parent() {
        folder.recursive(true).create(parent)?;
    }
    file.append(true).create(true).open(path).map(drop)
}

/// Whether SQLite could not make the files that go with a database: the folder cannot be written.
pub(super) fn lacks_companions(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly))
}

/// Opens the file as one that nobody changes, which needs no lock and no file beside it. Only for folders
/// that cannot be written: what a log beside the file holds is not seen.
pub(super) fn open_unchanging(path: &Path) -> Result<Connection> {
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    Ok(Connection::open_with_flags(format!("file:{}?immutable=1", percent_encoded(path)), flags)?)
}

/// The path as part of a URI: everything but plain letters, digits and a few marks is written as `%xx`.
fn percent_encoded(path: &Path) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/-_.~".contains(byte);
    let encode = |byte: u8| if plain(&byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    path.as_os_str().as_encoded_bytes().iter().copied().map(encode).collect()
}
