//! A note beside a database that a part of it was lost in a way that SQLite mends without a word. Whoever
//! opens the database next leaves the note, and a repair removes it.

use std::fs;
use std::path::{Path, PathBuf};

use super::integrity::wal_problem;
use crate::dirs::{create_atomically, read_file, with_suffix};

/// Maximum length of a note, in bytes.
const MAX_BYTES: u64 = 4 << 10;

/// Leaves a note if the write-ahead log of the database is missing or damaged.
pub(super) fn check_wal(database: &Path) {
    if let Some(problem) = wal_problem(database) {
        // The first note stays. Without it, the database is used all the same.
        let _ = create_atomically(&path(database), problem.as_bytes());
    }
}

/// Returns the note.
pub(super) fn read(database: &Path) -> Option<String> {
    let note = read_file(&path(database), MAX_BYTES).ok()??;
    Some(String::from_utf8_lossy(&note).into_owned())
}

/// Removes the note.
pub(super) fn remove(database: &Path) {
    let _ = fs::remove_file(path(database));
}

fn path(database: &Path) -> PathBuf {
    with_suffix(database, "-damage")
}
