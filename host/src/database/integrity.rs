//! Whether a database file is sound: SQLite's own check, and what SQLite does not notice.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use rusqlite::Connection;

use crate::dirs::with_suffix;
use crate::error::{Error, Result};

/// Maximum number of problems that SQLite reports.
const MAX_PROBLEMS: u32 = 3;

/// The bytes with which a write-ahead log begins, without the last bit, which says the order of bytes in its
/// checksums (<https://sqlite.org/fileformat2.html#walformat>).
const WAL_MAGIC: u32 = 0x377f_0682;

/// Length of these bytes.
const MAGIC_BYTES: u64 = 4;

/// How thoroughly a database is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thoroughness {
    /// All pages and rows.
    Quick,
    /// Also that each index holds the rows of its table.
    Full,
}

/// Returns the problems of an open database; none if it is sound.
pub(super) fn problems(connection: &Connection, thoroughness: Thoroughness) -> Result<Vec<String>> {
    let pragma = match thoroughness {
        Thoroughness::Quick => "quick_check",
        Thoroughness::Full => "integrity_check",
    };
    let mut statement = connection.prepare(&format!("PRAGMA {pragma}({MAX_PROBLEMS})"))?;
    let lines = statement.query_map([], |row| row.get::<_, String>(0))?;
    let lines = lines.collect::<rusqlite::Result<Vec<String>>>()?;
    Ok(lines.into_iter().filter(|line| line != "ok").collect())
}

/// Returns the error of a database that SQLite would not call damaged: of an empty file, for instance.
/// Interleaf puts a new file in place only when it is complete, so an empty one has lost its content.
pub(super) fn damaged(problem: &str) -> Error {
    Error::unavailable(format!("the database is damaged ({problem})")).hint(super::REPAIR_HINT)
}

/// Tells what is wrong with the files beside a database, which SQLite replaces without a word: its
/// write-ahead log was deleted, or no longer begins as one. What was written last was in there.
pub(super) fn wal_problem(database: &Path) -> Option<&'static str> {
    match first_bytes(&with_suffix(database, "-wal")) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            // The second look is for a process that closed the database between the two steps of the first.
            let is_deleted = lacks_wal(database) && lacks_wal(database);
            is_deleted.then_some("its write-ahead log was deleted, and with it what was written last")
        }
        Ok(begin) if !begin.is_empty() && !is_wal_magic(&begin) => {
            Some("its write-ahead log is damaged, and with it what was written last")
        }
        _ => None,
    }
}

/// Tells whether the write-ahead log is missing, although the index of it is there.
///
/// SQLite creates the log before its index `-shm` and deletes it after that. Looking at the log first would
/// take one that another process is creating for a deleted one.
fn lacks_wal(database: &Path) -> bool {
    with_suffix(database, "-shm").exists() && !with_suffix(database, "-wal").exists()
}

fn first_bytes(file: &Path) -> io::Result<Vec<u8>> {
    let mut begin = Vec::new();
    File::open(file)?.take(MAGIC_BYTES).read_to_end(&mut begin)?;
    Ok(begin)
}

fn is_wal_magic(begin: &[u8]) -> bool {
    begin.first_chunk().is_some_and(|bytes| u32::from_be_bytes(*bytes) & !1 == WAL_MAGIC)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dirs::scratch::Scratch;

    #[test]
    fn a_log_that_was_deleted_or_overwritten_is_noticed() {
        let scratch = Scratch::new();
        let database = scratch.path().join("a.db");
        assert_eq!(wal_problem(&database), None, "a new database has none");

        scratch.file("a.db-shm", "x");
        assert!(wal_problem(&database).is_some_and(|problem| problem.contains("deleted")));
        scratch.file("a.db-wal", "");
        assert_eq!(wal_problem(&database), None, "an emptied log");
        scratch.file("a.db-wal", &"garbage ".repeat(100));
        assert!(wal_problem(&database).is_some_and(|problem| problem.contains("damaged")));
    }
}
