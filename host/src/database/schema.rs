//! The schema and its history: `PRAGMA user_version` counts the migrations that a file has seen.

use crate::error::{Error, Result};
use rusqlite::{Connection, ErrorCode, Transaction, TransactionBehavior};
use std::time::Duration;

/// Every migration there ever was, oldest first. A shipped one is never edited.
const MIGRATIONS: [&str; 6] = [
    include_str!("../../migrations/0001-memory.sql"),
    include_str!("../../migrations/0002-state.sql"),
    include_str!("../../migrations/0003-failures.sql"),
    include_str!("../../migrations/0004-job-places.sql"),
    include_str!("../../migrations/0005-job-again.sql"),
    include_str!("../../migrations/0006-lifecycle.sql"),
];

/// The schema this Interleaf writes.
pub(super) const NEWEST: i64 = MIGRATIONS.len() as i64;

/// How long to pause before asking again for the one lock that SQLite does not wait for.
const PAUSE: Duration = Duration::from_millis(2);

/// Applies what is missing, which is nothing in all but the first use.
///
/// # Errors
/// `unavailable` where a newer Interleaf wrote the file: it is left untouched.
pub(super) fn bring_up_to_date(connection: &mut Connection, left: impl Fn() -> Duration) -> Result<()> {
    match version(connection)? {
        NEWEST => Ok(()),
        newer if newer > NEWEST => Err(too_new(newer)),
        0 => {
            log_ahead(connection, left)?;
            migrate(connection)
        }
        _ => migrate(connection),
    }
}

/// Applies what is missing, in one transaction. Another process may have been faster.
pub(super) fn migrate(connection: &mut Connection) -> Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let applied = version(&transaction)?;
    if applied > NEWEST {
        return Err(too_new(applied));
    }
    for migration in MIGRATIONS.iter().skip(usize::try_from(applied).unwrap_or(0)) {
        transaction.execute_batch(migration)?;
    }
    finish(transaction)
}

fn finish(transaction: Transaction) -> Result<()> {
    transaction.pragma_update(None, "user_version", NEWEST)?;
    Ok(transaction.commit()?)
}

/// Sees the version as SQLite does, a log beside the file included.
pub(super) fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

/// Switches a new file to write-ahead logging, where readers and a writer do not wait for each other. The
/// switch does not wait its turn when several processes make the same new file at once, so it is tried
/// again.
fn log_ahead(connection: &Connection, left: impl Fn() -> Duration) -> Result<()> {
    loop {
        match connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(())) {
            Err(error) if busy(&error) && !left().is_zero() => std::thread::sleep(PAUSE),
            other => return Ok(other?),
        }
    }
}

fn busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

fn too_new(version: i64) -> Error {
    Error::unavailable(format!(
        "the database has schema {version}, and this Interleaf knows {NEWEST}: it is left untouched"
    ))
    .hint("use the newer Interleaf that wrote it")
}
