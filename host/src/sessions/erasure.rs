//! Deletes what a person no longer wants to be recorded: a session, turns of a certain age, or the whole
//! file.

use rusqlite::{Connection, OptionalExtension, Transaction};

use super::{Record, listing, signature_file, turn_index, turn_vectors};
use crate::clock::Millis;
use crate::database::Database;
use crate::dirs::{cannot_write, remove_if_there, with_suffix};
use crate::error::Result;
use crate::short_digest::short_digest;

/// The tables with rows of a session, under its number.
const TABLES: [&str; 6] = ["transcripts", "turns", "runs", "edits", "commits", "episodes"];

/// Number of turns that one transaction deletes.
const BATCH_TURNS: usize = 200;

/// How long an empty session stays known after its last turn was too old, so that a transcript that is still
/// there is not read again.
const EMPTY_SESSION_RETENTION: Millis = 90 * 24 * 3_600_000;

impl Record {
    /// Deletes a session for good, with its words in the index and in the write-ahead log, and keeps it from
    /// being recorded again. Returns whether anything of it was recorded.
    ///
    /// # Errors
    /// `Unavailable` if the record cannot be written, or another process uses it for too long.
    pub fn forget(&self, id: &str) -> Result<bool> {
        let was_recorded = self.database.write(|tx| {
            let sql = "INSERT INTO tombstones (session, at) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
            tx.execute(sql, (short_digest(id.as_bytes()), self.clock.now()))?;
            let Some(session) = listing::number_of(tx, id)? else { return Ok(false) };
            delete_session(tx, session)?;
            turn_index::compact(tx)?;
            Ok(true)
        })?;
        // SQLite overwrites what it deletes, but a page that was rearranged may keep a copy of a row.
        if was_recorded {
            self.database.vacuum()?;
            self.write_signatures()?;
        }
        Ok(was_recorded)
    }

    /// Tells whether a person had this session deleted.
    ///
    /// # Errors
    /// `Unavailable` if the record cannot be read.
    pub fn is_forgotten(&self, id: &str) -> Result<bool> {
        Ok(self.database.read(|db| is_forgotten(db, id))?.unwrap_or(false))
    }

    /// Deletes the turns that ended before this time. Returns their number.
    ///
    /// # Errors
    /// As for [`Record::forget`].
    pub fn remove_older_than(&self, before: Millis) -> Result<usize> {
        let mut removed = 0;
        // Most of the time there are none, and reading waits for nobody.
        while self.database.read(|db| Ok(!ended_before(db, before)?.is_empty()))? == Some(true) {
            removed += self.database.write(|tx| {
                let turns = ended_before(tx, before)?;
                turns.iter().try_for_each(|turn| delete_turn(tx, *turn))?;
                Ok(turns.len())
            })?;
        }
        if removed > 0 {
            self.database.write(|tx| {
                delete_empty_sessions(tx, before - EMPTY_SESSION_RETENTION)?;
                turn_index::compact(tx)
            })?;
            self.database.vacuum()?;
            self.write_signatures()?;
        }
        Ok(removed)
    }

    /// Deletes the file with all sessions. What a person had deleted before stays known in a new file that
    /// holds nothing else, so that it is not recorded if recording begins again.
    ///
    /// # Errors
    /// `Unavailable` if a file cannot be deleted or written.
    pub fn delete_all(&self) -> Result<()> {
        let Some(file) = self.file() else { return Ok(()) };
        // A connection of its own, which is closed before the file goes. A damaged file has no tombstones.
        let forgotten = Database::of_sessions(file).read(tombstones).ok().flatten().unwrap_or_default();
        self.delete_file()?;
        if forgotten.is_empty() {
            return Ok(());
        }
        Database::of_sessions(file).write(|tx| {
            let sql = "INSERT INTO tombstones (session, at) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
            let mut insert = tx.prepare_cached(sql)?;
            forgotten.iter().try_for_each(|tombstone| Ok(insert.execute(*tombstone).map(drop)?))
        })
    }

    fn delete_file(&self) -> Result<()> {
        let Some(file) = self.file() else { return Ok(()) };
        // The log goes last: without the database, nobody reads it.
        ["", signature_file::SUFFIX, "-shm", "-wal"].into_iter().try_for_each(|suffix| {
            let path = with_suffix(file, suffix);
            remove_if_there(&path).map_err(|error| cannot_write(&path, &error))
        })
    }
}

/// Returns the sessions that a person had deleted, and when.
fn tombstones(db: &Connection) -> Result<Vec<(i64, Millis)>> {
    let mut statement = db.prepare("SELECT session, at FROM tombstones")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Tells whether a person had this session deleted.
pub(super) fn is_forgotten(db: &Connection, id: &str) -> Result<bool> {
    let mut statement = db.prepare_cached("SELECT 1 FROM tombstones WHERE session = ?")?;
    Ok(statement.query_row([short_digest(id.as_bytes())], |_| Ok(())).optional()?.is_some())
}

fn delete_session(tx: &Transaction, session: i64) -> Result<()> {
    tx.execute("DELETE FROM words WHERE rowid IN (SELECT number FROM turns WHERE session = ?)", [session])?;
    tx.execute("DELETE FROM vectors WHERE turn IN (SELECT number FROM turns WHERE session = ?)", [session])?;
    for table in TABLES {
        tx.execute(&format!("DELETE FROM {table} WHERE session = ?"), [session])?;
    }
    tx.execute("DELETE FROM sessions WHERE number = ?", [session])?;
    Ok(())
}

fn ended_before(db: &Connection, before: Millis) -> Result<Vec<i64>> {
    let sql = format!("SELECT number FROM turns WHERE began_at < ?1 AND ended_at < ?1 LIMIT {BATCH_TURNS}");
    let mut statement = db.prepare_cached(&sql)?;
    let turns = statement.query_map([before], |row| row.get(0))?;
    Ok(turns.collect::<rusqlite::Result<_>>()?)
}

/// Deletes a turn with all that belongs to it, and counts it for its session.
pub(super) fn delete_turn(tx: &Transaction, turn: i64) -> Result<()> {
    turn_index::remove(tx, turn)?;
    turn_vectors::remove(tx, turn)?;
    delete_work(tx, turn)?;
    let count = "UPDATE sessions SET removed_turns = removed_turns + 1
         WHERE number = (SELECT session FROM turns WHERE number = ?)";
    tx.prepare_cached(count)?.execute([turn])?;
    tx.prepare_cached("DELETE FROM turns WHERE number = ?")?.execute([turn])?;
    Ok(())
}

/// Deletes what was done in a turn. Returns the number of runs.
pub(super) fn delete_work(tx: &Transaction, turn: i64) -> Result<usize> {
    let episodes = "DELETE FROM episodes WHERE failed IN (SELECT number FROM runs WHERE turn = ?1)
         OR passed IN (SELECT number FROM runs WHERE turn = ?1)";
    // Most turns have no episode, and the condition reads the whole table.
    let has_failure = "SELECT EXISTS (SELECT 1 FROM episodes WHERE session =
         (SELECT session FROM turns WHERE number = ?1))";
    if tx.prepare_cached(has_failure)?.query_row([turn], |row| row.get(0))? {
        tx.prepare_cached(episodes)?.execute([turn])?;
    }
    tx.prepare_cached("DELETE FROM edits WHERE turn = ?")?.execute([turn])?;
    tx.prepare_cached("DELETE FROM commits WHERE turn = ?")?.execute([turn])?;
    Ok(tx.prepare_cached("DELETE FROM runs WHERE turn = ?")?.execute([turn])?)
}

/// Deletes the sessions without turns that ended before this time.
fn delete_empty_sessions(tx: &Transaction, before: Millis) -> Result<()> {
    let is_empty = "last_at < ?1 AND NOT EXISTS (SELECT 1 FROM turns WHERE session = sessions.number)";
    let transcripts =
        format!("DELETE FROM transcripts WHERE session IN (SELECT number FROM sessions WHERE {is_empty})");
    tx.execute(&transcripts, [before])?;
    tx.execute(&format!("DELETE FROM sessions WHERE {is_empty}"), [before])?;
    Ok(())
}
