//! The schema of the database and its migrations. `PRAGMA user_version` counts the migrations that a file has
//! seen.
//!
//! The crate `rusqlite_migration` does not fit: it reads the version before its transaction begins, so if two
//! hooks create the same file concurrently, the second would run every migration again and fail.

use rusqlite::{Connection, TransactionBehavior};

use crate::error::{Error, Result};

/// Every migration, oldest first. A released one is never edited.
const MIGRATIONS: [&str; 14] = [
    include_str!("../../migrations/0001-memory.sql"),
    include_str!("../../migrations/0002-state.sql"),
    include_str!("../../migrations/0003-failures.sql"),
    include_str!("../../migrations/0004-job-places.sql"),
    include_str!("../../migrations/0005-job-again.sql"),
    include_str!("../../migrations/0006-lifecycle.sql"),
    include_str!("../../migrations/0007-postings.sql"),
    include_str!("../../migrations/0008-cues.sql"),
    include_str!("../../migrations/0009-shown-lines.sql"),
    include_str!("../../migrations/0010-sentence-vectors.sql"),
    include_str!("../../migrations/0011-citations-and-use.sql"),
    include_str!("../../migrations/0012-change-log.sql"),
    include_str!("../../migrations/0013-branches.sql"),
    include_str!("../../migrations/0014-withheld.sql"),
];

/// The schema version that this program reads and writes.
pub(super) const NEWEST_VERSION: i64 = MIGRATIONS.len() as i64;

/// Applies the missing migrations, if any.
///
/// # Errors
/// `Unavailable` if a newer Interleaf wrote the file, which is left untouched.
pub(super) fn migrate_file(connection: &mut Connection) -> Result<()> {
    match version(connection)? {
        NEWEST_VERSION => Ok(()),
        newer if newer > NEWEST_VERSION => Err(too_new(newer)),
        _ => migrate(connection),
    }
}

/// Applies the missing migrations in one transaction. It holds the write lock before it reads the version,
/// because another process may migrate the file at the same time.
pub(super) fn migrate(connection: &mut Connection) -> Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let applied = version(&transaction)?;
    if applied > NEWEST_VERSION {
        return Err(too_new(applied));
    }
    for migration in MIGRATIONS.iter().skip(usize::try_from(applied).unwrap_or(0)) {
        transaction.execute_batch(migration)?;
    }
    transaction.pragma_update(None, "user_version", NEWEST_VERSION)?;
    Ok(transaction.commit()?)
}

/// Returns the version of the file's schema, commits in the WAL included.
pub(super) fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

fn too_new(version: i64) -> Error {
    Error::unavailable(format!(
        "the database has schema version {version}, and this Interleaf supports {NEWEST_VERSION}; \
         it was left untouched"
    ))
    .hint("use the newer Interleaf that wrote it")
}
