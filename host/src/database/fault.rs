//! What SQLite complains of, as an error a person can act on: cause, file, next step.

use crate::error::{Error, ErrorKind};
use rusqlite::ErrorCode;
use std::path::Path;

/// Lets `?` carry SQLite's errors. They are all of one kind: the request was right, the database cannot
/// serve it now.
impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::OperationInterrupted) => late(),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                Error::unavailable("the database is locked by another process")
                    .hint("try again; if it stays so, end the other `interleaf` process")
            }
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => damaged(&error),
            Some(ErrorCode::DiskFull) => {
                Error::unavailable("the disk is full").hint("make room; nothing was changed")
            }
            Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
                Error::unavailable(format!("the database cannot be opened or written ({error})"))
                    .hint("check the rights of the file and its folder")
            }
            _ => Error::unavailable(format!("the database failed ({error})")),
        }
    }
}

/// Interleaf never repairs or replaces such a file by itself: what is in it may still be saved.
fn damaged(error: &rusqlite::Error) -> Error {
    Error::unavailable(format!("the database is damaged ({error})"))
        .hint("the file is left as it is: put a copy back, or move it away to start with an empty memory")
}

/// The deadline has passed.
pub(super) fn late() -> Error {
    Error::unavailable("there was no time left for the database")
}

/// Puts the file in front of an error that is the file's.
pub(super) fn locate(error: Error, path: &Path) -> Error {
    if error.kind == ErrorKind::Unavailable { error.context(path.display()) } else { error }
}
