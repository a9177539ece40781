//! The full-text index: the words of each turn, in a column for each kind of text.

use rusqlite::{Connection, OptionalExtension, Transaction};

use super::stored_text::unpack_column;
use super::turn_vectors;
use crate::error::Result;
use crate::memory::search_terms;

/// Brings the rows of a session's changed turns up to date.
pub(super) fn update(tx: &Transaction, session: i64) -> Result<()> {
    let mut statement = tx.prepare_cached(
        "SELECT number, is_indexed FROM turns INDEXED BY stale_turns WHERE is_stale = 1 AND session = ?",
    )?;
    let stale = statement.query_map([session], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let stale: Vec<(i64, bool)> = stale.collect::<rusqlite::Result<_>>()?;
    stale.into_iter().try_for_each(|(turn, is_indexed)| update_turn(tx, turn, is_indexed))
}

/// Brings the row of a turn up to date. Its vectors belonged to the texts before.
pub(super) fn update_turn(tx: &Transaction, turn: i64, is_indexed: bool) -> Result<()> {
    if is_indexed {
        remove(tx, turn)?;
    }
    turn_vectors::remove(tx, turn)?;
    if let Some(texts) = texts(tx, turn)? {
        let [prompt, closing, commands, errors, files] = texts.map(|text| terms(&text));
        let sql = "INSERT INTO words (rowid, prompt, closing, commands, errors, files)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        tx.prepare_cached(sql)?.execute((turn, prompt, closing, commands, errors, files))?;
    }
    tx.prepare_cached("UPDATE turns SET is_stale = 0, is_indexed = 1 WHERE number = ?")?.execute([turn])?;
    Ok(())
}

/// Removes the row of a turn. Its words stay in the file until [`compact`].
pub(super) fn remove(tx: &Transaction, turn: i64) -> Result<()> {
    tx.prepare_cached("DELETE FROM words WHERE rowid = ?")?.execute([turn])?;
    Ok(())
}

/// Rewrites the index without what was removed. FTS5 only marks a removed row of an index that keeps no
/// texts.
pub(super) fn compact(tx: &Transaction) -> Result<()> {
    tx.execute("INSERT INTO words (words) VALUES ('optimize')", [])?;
    Ok(())
}

/// Returns the terms of a text as the index stores them.
fn terms(text: &str) -> String {
    search_terms(text).join(" ")
}

/// Returns the texts of a turn: prompt, closing message, commands, errors, files.
fn texts(db: &Connection, turn: i64) -> Result<Option<[String; 5]>> {
    let mut statement = db.prepare_cached("SELECT prompt, closing FROM turns WHERE number = ?")?;
    let mut rows = statement.query([turn])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let [prompt, closing] = [unpack_column(row, 0)?, unpack_column(row, 1)?].map(Option::unwrap_or_default);
    let (mut commands, mut errors) = (String::new(), String::new());
    let mut statement = db.prepare_cached("SELECT command, line, error FROM runs WHERE turn = ?")?;
    let mut rows = statement.query([turn])?;
    while let Some(row) = rows.next()? {
        add_line(&mut commands, row.get_ref(0)?.as_str().unwrap_or_default());
        add_line(&mut commands, &unpack_column(row, 1)?.unwrap_or_default());
        add_line(&mut errors, &unpack_column(row, 2)?.unwrap_or_default());
    }
    let subjects = joined(db, "SELECT group_concat(subject, char(10)) FROM commits WHERE turn = ?", turn)?;
    add_line(&mut commands, &subjects);
    let files = "SELECT group_concat(DISTINCT path) FROM edits WHERE turn = ? AND is_pending = 0";
    let files = joined(db, files, turn)?;
    Ok(Some([prompt, closing, commands, errors, files]))
}

fn joined(db: &Connection, sql: &str, turn: i64) -> Result<String> {
    let text = db.prepare_cached(sql)?.query_row([turn], |row| row.get::<_, Option<String>>(0)).optional()?;
    Ok(text.flatten().unwrap_or_default())
}

fn add_line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}
