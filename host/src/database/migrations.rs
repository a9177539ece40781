//! The schemas of the databases and their migrations. `PRAGMA user_version` counts the migrations that a file
//! has seen.
//!
//! The crate `rusqlite_migration` does not fit: it reads the version before its transaction begins, so if two
//! hooks create the same file concurrently, the second would run every migration again and fail.

use std::path::Path;

use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use crate::error::{Error, Result};

/// What one kind of file holds.
pub(super) struct Schema {
    /// Every migration, oldest first. A released one is never edited.
    migrations: &'static [&'static str],
    /// What each connection is told.
    pub(super) connection: &'static str,
    /// The next step for a damaged file. It is never repaired or replaced automatically, because its content
    /// may still be recoverable.
    pub(super) repair_hint: &'static str,
}

/// The memories and the state of a project.
pub(super) static MEMORIES: Schema =
    Schema { migrations: &MEMORY_MIGRATIONS, connection: "", repair_hint: super::REPAIR_HINT };

/// The sessions of a project. What is deleted there is overwritten.
pub(super) static SESSIONS: Schema = Schema {
    migrations: &[
        include_str!("../../migrations/sessions/0001-sessions.sql"),
        include_str!("../../migrations/sessions/0002-vectors.sql"),
    ],
    connection: "PRAGMA secure_delete = ON",
    repair_hint: "set the file aside; interleaf learn then records the sessions whose transcripts are still \
                  there",
};

const MEMORY_MIGRATIONS: [&str; 15] = [
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
    include_str!("../../migrations/0015-place-names.sql"),
];

impl Schema {
    /// Returns the version that this program reads and writes.
    pub(super) const fn newest_version(&self) -> i64 {
        self.migrations.len() as i64
    }

    /// Applies the missing migrations, if any.
    ///
    /// # Errors
    /// `Unavailable` if a newer Interleaf wrote the file, which is left untouched.
    pub(super) fn migrate_file(&self, connection: &mut Connection) -> Result<()> {
        match version(connection)? {
            version if version == self.newest_version() => Ok(()),
            newer if newer > self.newest_version() => Err(self.too_new(newer)),
            _ => self.migrate(connection),
        }
    }

    /// Applies the missing migrations in one transaction. It holds the write lock before it reads the
    /// version, because another process may migrate the file at the same time.
    pub(super) fn migrate(&self, connection: &mut Connection) -> Result<()> {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let applied = version(&transaction)?;
        if applied > self.newest_version() {
            return Err(self.too_new(applied));
        }
        for migration in self.migrations.iter().skip(usize::try_from(applied).unwrap_or(0)) {
            transaction.execute_batch(migration)?;
        }
        transaction.pragma_update(None, "user_version", self.newest_version())?;
        Ok(transaction.commit()?)
    }

    /// Refuses a file that a newer Interleaf wrote. Any other file passes, also one that cannot be read.
    ///
    /// # Errors
    /// `Unavailable`, with the two versions.
    pub(super) fn check_not_newer(&self, path: &Path) -> Result<()> {
        let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY);
        match connection.and_then(|connection| version(&connection)) {
            Ok(version) if version > self.newest_version() => Err(self.too_new(version)),
            _ => Ok(()),
        }
    }

    fn too_new(&self, version: i64) -> Error {
        Error::unavailable(format!(
            "the database has schema version {version}, and this Interleaf supports {}; \
             it was left untouched",
            self.newest_version()
        ))
        .hint("use the newer Interleaf that wrote it")
    }
}

/// Returns the version of the file's schema, commits in the WAL included.
pub(super) fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_goes_out_of_the_name_of_a_place() {
        let db = Connection::open_in_memory().expect("it opens");
        let (last, earlier) = MEMORY_MIGRATIONS.split_last().expect("there are some");
        earlier.iter().try_for_each(|migration| db.execute_batch(migration)).expect("they apply");
        let places = [
            ("git notes of https://ada:secret@host.example/x.git", "git notes of https://host.example/x.git"),
            ("cs-memory notes of http://token@host.example/x", "cs-memory notes of http://host.example/x"),
            ("git notes of https://host.example/x@y", "git notes of https://host.example/x@y"),
            ("git notes of git@host.example:x.git", "git notes of git@host.example:x.git"),
            ("git notes of ssh://git@host.example/x", "git notes of ssh://git@host.example/x"),
            ("files", "files"),
        ];
        for (place, _) in places {
            db.execute("INSERT INTO replicas (place, accepted_at) VALUES (?, 7)", [place]).expect("written");
            db.execute("INSERT INTO withheld VALUES (?, 'm')", [place]).expect("written");
        }

        db.execute_batch(last).expect("it applies");
        for table in ["replicas WHERE accepted_at = 7", "withheld WHERE memory = 'm'"] {
            let mut statement = db.prepare(&format!("SELECT place FROM {table}")).expect("it is SQL");
            let names = statement.query_map([], |row| row.get::<_, String>(0)).expect("it runs");
            let names: std::collections::BTreeSet<String> = names.map(|name| name.expect("text")).collect();
            assert_eq!(names, places.map(|(_, name)| name.to_owned()).into());
        }
    }
}
