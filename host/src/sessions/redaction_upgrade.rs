//! Applies new rules of redaction to what was recorded under older ones, some turns at a time.

use std::time::Instant;

use rusqlite::{Connection, OptionalExtension, Transaction};

use super::stored_text::{pack, unpack_column};
use super::{Record, turn_index};
use crate::error::Result;
use crate::redact::Redactor;

/// Number of turns that one transaction redacts again.
const BATCH_TURNS: usize = 100;

/// The property with the version of the rules that all texts went through.
const VERSION: &str = "redaction";
/// The property with the version of the rules that are being applied.
const NEW_VERSION: &str = "new-redaction";
/// The property with the number of the last turn that went through these.
const DONE_UP_TO: &str = "redacted-up-to";
/// The property that tells whether these found anything.
const HAS_FOUND: &str = "redaction-has-found";

impl Record {
    /// Applies the current rules to texts that were recorded under others, until all are done or there is no
    /// time left; a later call goes on. Returns whether all texts went through the current rules.
    ///
    /// # Errors
    /// `Unavailable` if the record cannot be written.
    pub fn redact_again(&self, until: Instant) -> Result<bool> {
        let current = self.redactor.version();
        if self.database.read(|db| property(db, VERSION))?.is_none_or(|version| version == Some(current)) {
            return Ok(true);
        }
        loop {
            if Instant::now() >= until {
                return Ok(false);
            }
            if self.database.write(|tx| redact_some(tx, &self.redactor, current))? {
                break;
            }
        }
        self.database.write(|tx| {
            let has_found = redact_small_tables(tx, &self.redactor)?;
            if has_found { set_property(tx, HAS_FOUND, 1) } else { Ok(()) }
        })?;
        // What was found must not stay in the file.
        if self.database.read(|db| property(db, HAS_FOUND))?.flatten() == Some(1) {
            self.database.write(turn_index::compact)?;
            self.database.vacuum()?;
        }
        self.database.write(|tx| {
            set_property(tx, VERSION, current)?;
            set_property(tx, HAS_FOUND, 0)
        })?;
        Ok(true)
    }
}

/// Records the version of the rules of a new record, whose first texts are about to be written.
pub(super) fn note_version(tx: &Transaction, redactor: &Redactor) -> Result<()> {
    if property(tx, VERSION)?.is_none() {
        set_property(tx, VERSION, redactor.version())?;
    }
    Ok(())
}

/// Redacts some turns. Returns whether all are done.
fn redact_some(tx: &Transaction, redactor: &Redactor, current: i64) -> Result<bool> {
    if property(tx, NEW_VERSION)? != Some(current) {
        set_property(tx, NEW_VERSION, current)?;
        set_property(tx, DONE_UP_TO, 0)?;
    }
    let done = property(tx, DONE_UP_TO)?.unwrap_or(0);
    let sql = format!("SELECT number FROM turns WHERE number > ? ORDER BY number LIMIT {BATCH_TURNS}");
    let mut statement = tx.prepare_cached(&sql)?;
    let turns = statement.query_map([done], |row| row.get(0))?;
    let turns: Vec<i64> = turns.collect::<rusqlite::Result<_>>()?;
    for turn in &turns {
        if redact_turn(tx, *turn, redactor)? {
            turn_index::update_turn(tx, *turn, true)?;
            set_property(tx, HAS_FOUND, 1)?;
        }
    }
    if let Some(last) = turns.last() {
        set_property(tx, DONE_UP_TO, *last)?;
    }
    Ok(turns.len() < BATCH_TURNS)
}

/// Redacts the texts of a turn. Returns whether one of them changed.
fn redact_turn(tx: &Transaction, turn: i64, redactor: &Redactor) -> Result<bool> {
    let of_turn = redact_rows(tx, redactor, "turns", "number", turn, &["prompt", "closing"], &["branch"])?;
    let runs = redact_rows(
        tx,
        redactor,
        "runs",
        "turn",
        turn,
        &["line", "error"],
        &["program", "command", "folder"],
    )?;
    let edits = redact_rows(tx, redactor, "edits", "turn", turn, &[], &["path"])?;
    let commits = redact_rows(tx, redactor, "commits", "turn", turn, &[], &["subject"])?;
    Ok(of_turn || runs || edits || commits)
}

/// Redacts the columns that belong to no turn.
fn redact_small_tables(tx: &Transaction, redactor: &Redactor) -> Result<bool> {
    let mut has_changed = false;
    for (table, column) in [("sessions", "branch"), ("transcripts", "path"), ("episodes", "difference")] {
        let numbers: Vec<i64> = {
            let mut statement = tx.prepare(&format!("SELECT rowid FROM {table}"))?;
            let numbers = statement.query_map([], |row| row.get(0))?;
            numbers.collect::<rusqlite::Result<_>>()?
        };
        for number in numbers {
            has_changed |= redact_rows(tx, redactor, table, "rowid", number, &[], &[column])?;
        }
    }
    Ok(has_changed)
}

/// Redacts columns of the rows of a turn: packed and plain ones. Returns whether one of them changed.
fn redact_rows(
    tx: &Transaction,
    redactor: &Redactor,
    table: &str,
    key: &str,
    turn: i64,
    packed: &[&str],
    plain: &[&str],
) -> Result<bool> {
    let columns = [packed, plain].concat();
    let mut statement =
        tx.prepare_cached(&format!("SELECT rowid, {} FROM {table} WHERE {key} = ?", columns.join(", ")))?;
    let mut rows = statement.query([turn])?;
    let mut has_changed = false;
    while let Some(row) = rows.next()? {
        let number: i64 = row.get(0)?;
        for (index, column) in columns.iter().enumerate() {
            let is_packed = index < packed.len();
            let text = match is_packed {
                true => unpack_column(row, index + 1)?,
                false => row.get(index + 1)?,
            };
            let Some(text) = text else { continue };
            let redacted = redactor.redact(&text);
            if redacted == text {
                continue;
            }
            has_changed = true;
            let sql = format!("UPDATE {table} SET {column} = ?2 WHERE rowid = ?1");
            let mut update = tx.prepare_cached(&sql)?;
            match is_packed {
                true => update.execute((number, pack(&redacted)))?,
                false => update.execute((number, redacted.as_ref()))?,
            };
        }
    }
    Ok(has_changed)
}

fn property(db: &Connection, name: &str) -> Result<Option<i64>> {
    let mut statement = db.prepare_cached("SELECT value FROM properties WHERE name = ?")?;
    Ok(statement.query_row([name], |row| row.get(0)).optional()?)
}

fn set_property(tx: &Transaction, name: &str, value: i64) -> Result<()> {
    let sql = "INSERT INTO properties (name, value) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET value = ?2";
    tx.prepare_cached(sql)?.execute((name, value))?;
    Ok(())
}
