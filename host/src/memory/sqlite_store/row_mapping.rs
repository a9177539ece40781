//! Conversion between memories and rows of the table `memories`.

use crate::error::{Error, Result};
use crate::memory::category::Category;
use crate::memory::record::{Memory, Status};
use crate::memory::usefulness::Usefulness;
use rusqlite::{Connection, OptionalExtension, Row, Statement, ToSql, Transaction, named_params};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::str::FromStr;

/// The columns of a memory, in the order in which [`memory`] reads them. Reading a column by its name takes
/// ten times as long as by its position, which a list of a hundred memories feels.
macro_rules! select_memories {
    ($rest:literal) => {
        concat!(
            "SELECT schema_version, id, category, title, text, content, tags, related_files, asked_as,
                citations, confidence, importance, origin, source, created_at, updated_at, status,
                status_since, status_reason, confirmed_at, supersedes, superseded_by, changes, version, uses,
                followed FROM memories ",
            $rest
        )
    };
}

/// All rows in the order in which they were written.
pub(super) const SELECT_ALL: &str = select_memories!("ORDER BY number");

const SELECT_ONE: &str = select_memories!("WHERE number = ?");

const INSERT: &str = "INSERT INTO memories
     (id, category, status, origin, branch, created_at, updated_at, importance,
     confidence, version, uses, title, text, content, tags, related_files, source, changes, terms,
     schema_version, status_since, status_reason, confirmed_at, supersedes, superseded_by, asked_as,
     citations, followed)
 VALUES (:id, :category, :status, :origin, :branch, :created_at, :updated_at, :importance,
     :confidence, :version, :uses, :title, :text, :content, :tags, :related_files, :source, :changes, :terms,
     :schema_version, :status_since, :status_reason, :confirmed_at, :supersedes, :superseded_by,
     :asked_as, :citations, :followed)";

/// Columns that never change are not in the statement, so that no faulty rule can change them: id, category,
/// time of creation, schema version. A use counted since the memory was read is not lost.
const UPDATE: &str = "UPDATE memories SET status = :status, origin = :origin, branch = :branch,
     updated_at = :updated_at, importance = :importance, confidence = :confidence, version = :version,
     title = :title, text = :text, content = :content, tags = :tags, related_files = :related_files,
     source = :source, changes = :changes, terms = :terms, uses = max(uses, :uses),
     status_since = :status_since, status_reason = :status_reason, confirmed_at = :confirmed_at,
     supersedes = :supersedes, superseded_by = :superseded_by, asked_as = :asked_as,
     citations = :citations, followed = max(followed, :followed)
 WHERE id = :id";

/// Returns the version of the memory with this row number.
pub(super) fn version(connection: &Connection, number: i64) -> Result<u64> {
    let query = "SELECT version FROM memories WHERE number = ?";
    let mut statement = connection.prepare_cached(query)?;
    Ok(statement.query_row([number], |row| row.get::<_, i64>(0))?.unsigned_abs())
}

/// Inserts a row and returns its number.
pub(super) fn insert(transaction: &Transaction, memory: &Memory, terms: &str) -> Result<i64> {
    let fixed = named_params! {
        ":category": memory.category.as_str(),
        ":created_at": memory.created_at,
        ":schema_version": memory.schema_version,
    };
    write(transaction, INSERT, memory, terms, fixed)?;
    Ok(transaction.last_insert_rowid())
}

/// Updates the row of a memory.
pub(super) fn update(transaction: &Transaction, memory: &Memory, terms: &str) -> Result<()> {
    write(transaction, UPDATE, memory, terms, &[])
}

fn write(
    transaction: &Transaction,
    statement: &str,
    memory: &Memory,
    terms: &str,
    fixed: &[(&str, &dyn ToSql)],
) -> Result<()> {
    let (content, tags, files) =
        (memory.content.to_string(), json(&memory.tags)?, json(&memory.related_files)?);
    let (source, changes, supersedes) =
        (json(&memory.source)?, json(&memory.changes)?, json(&memory.supersedes)?);
    let (asked_as, citations) = (json(&memory.asked_as)?, json(&memory.citations)?);
    let (version, uses, followed) = (signed(memory.version), signed(memory.uses), signed(memory.followed));
    let values = named_params! {
        ":id": memory.id,
        ":status": memory.status.as_str(),
        ":origin": memory.origin.as_str(),
        ":branch": memory.source.branch,
        ":updated_at": memory.updated_at,
        ":importance": memory.importance,
        ":confidence": memory.confidence,
        ":version": version,
        ":uses": uses,
        ":title": memory.title,
        ":text": memory.text,
        ":content": content,
        ":tags": tags,
        ":related_files": files,
        ":source": source,
        ":changes": changes,
        ":terms": terms,
        ":status_since": memory.status_since,
        ":status_reason": memory.status_reason,
        ":confirmed_at": memory.confirmed_at,
        ":supersedes": supersedes,
        ":superseded_by": memory.superseded_by,
        ":asked_as": asked_as,
        ":citations": citations,
        ":followed": followed,
    };
    transaction.prepare_cached(statement)?.execute([values, fixed].concat().as_slice())?;
    Ok(())
}

/// Returns the row number of the active memory that supersedes this id.
pub(super) fn successor(connection: &Connection, id: &str) -> Result<Option<i64>> {
    // The `+` prevents SQLite from using the index of statuses, so that it uses the much smaller index of
    // memories with a predecessor.
    let query = "SELECT number FROM memories WHERE supersedes <> '[]' AND +status = 'active'
           AND EXISTS (SELECT 1 FROM json_each(supersedes) WHERE value = ?) LIMIT 1";
    Ok(connection.prepare_cached(query)?.query_row([id], |row| row.get(0)).optional()?)
}

/// Returns the number of active memories of a category.
pub(super) fn active_count(connection: &Connection, category: Category) -> Result<u64> {
    let query = "SELECT count(*) FROM memories WHERE status = 'active' AND category = ?";
    let mut statement = connection.prepare_cached(query)?;
    Ok(statement.query_row([category.as_str()], |row| row.get::<_, i64>(0))?.unsigned_abs())
}

/// Tells whether no memory is active.
pub(super) fn is_empty(connection: &Connection) -> Result<bool> {
    let sql = "SELECT NOT EXISTS (SELECT 1 FROM memories WHERE status = ?)";
    Ok(connection.query_row(sql, [Status::Active.as_str()], |row| row.get(0))?)
}

/// Returns the number of memories of each category and status.
pub(super) fn counts(connection: &Connection) -> Result<Vec<(Category, Status, u64)>> {
    let query = "SELECT category, status, count(*) FROM memories GROUP BY status, category";
    let mut statement = connection.prepare(query)?;
    let mut rows = statement.query([])?;
    let mut counts = Vec::new();
    while let Some(row) = rows.next()? {
        let found = row.get::<_, i64>(2)?.unsigned_abs();
        counts.push((parse_word(row, 0)?, parse_word(row, 1)?, found));
    }
    Ok(counts)
}

/// Returns for each category how often its active memories were shown, and in how many sessions followed.
pub(super) fn use_counts(connection: &Connection) -> Result<Vec<(Category, u64, u64)>> {
    let query = "SELECT category, sum(uses), sum(followed) FROM memories WHERE status = ? GROUP BY category";
    let mut statement = connection.prepare(query)?;
    let mut rows = statement.query([Status::Active.as_str()])?;
    let mut counts = Vec::new();
    while let Some(row) = rows.next()? {
        let count = |index| Ok::<_, Error>(row.get::<_, i64>(index)?.unsigned_abs());
        counts.push((parse_word(row, 0)?, count(1)?, count(2)?));
    }
    Ok(counts)
}

/// Deletes a row.
pub(super) fn delete(transaction: &Transaction, number: i64) -> Result<()> {
    transaction.execute("DELETE FROM memories WHERE number = ?", [number])?;
    Ok(())
}

/// Returns the memory with this row number.
pub(super) fn read(connection: &Connection, number: i64) -> Result<Memory> {
    let mut statement = connection.prepare_cached(SELECT_ONE)?;
    read_with(&mut statement, number)
}

/// Returns the memories with these row numbers, in this order. A hook reads a hundred rules: to look the
/// statement up for each takes a seventh of the time.
pub(super) fn read_all(connection: &Connection, numbers: impl Iterator<Item = i64>) -> Result<Vec<Memory>> {
    let mut statement = connection.prepare_cached(SELECT_ONE)?;
    numbers.map(|number| read_with(&mut statement, number)).collect()
}

fn read_with(statement: &mut Statement, number: i64) -> Result<Memory> {
    let mut rows = statement.query([number])?;
    memory(rows.next()?.ok_or_else(|| Error::not_found(format!("no memory has the row number {number}")))?)
}

/// Converts a row of [`select_memories`] to a memory.
pub(super) fn memory(row: &Row) -> Result<Memory> {
    Ok(Memory {
        schema_version: row.get(0)?,
        id: row.get(1)?,
        category: parse_word(row, 2)?,
        title: row.get(3)?,
        text: row.get(4)?,
        content: parse_json(row, 5)?,
        tags: parse_json(row, 6)?,
        related_files: parse_json(row, 7)?,
        asked_as: parse_json(row, 8)?,
        citations: parse_json(row, 9)?,
        confidence: row.get(10)?,
        importance: row.get(11)?,
        origin: parse_word(row, 12)?,
        source: parse_json(row, 13)?,
        created_at: row.get(14)?,
        updated_at: row.get(15)?,
        status: parse_word(row, 16)?,
        status_since: row.get(17)?,
        status_reason: row.get(18)?,
        confirmed_at: row.get(19)?,
        supersedes: parse_json(row, 20)?,
        superseded_by: row.get(21)?,
        changes: parse_json(row, 22)?,
        version: row.get::<_, i64>(23)?.unsigned_abs(),
        uses: row.get::<_, i64>(24)?.unsigned_abs(),
        followed: row.get::<_, i64>(25)?.unsigned_abs(),
    })
}

/// Reads how often a memory was shown and followed, from this column and the next.
pub(super) fn usefulness(row: &Row, column: usize) -> Result<Usefulness> {
    let count = |column: usize| Ok::<_, Error>(row.get::<_, i64>(column)?.unsigned_abs());
    Ok(Usefulness { shown: count(column)?, followed: count(column + 1)? })
}

/// Parses a column that holds a word of an enum.
pub(super) fn parse_word<T: FromStr<Err = Error>>(row: &Row, column: usize) -> Result<T> {
    row.get_ref(column)?.as_str().map_err(|error| unreadable(row, column, error))?.parse()
}

/// Parses a column that holds JSON.
pub(super) fn parse_json<T: DeserializeOwned>(row: &Row, column: usize) -> Result<T> {
    let text = row.get_ref(column)?.as_str().map_err(|error| unreadable(row, column, error))?;
    serde_json::from_str(text).map_err(|error| unreadable(row, column, error))
}

fn unreadable(row: &Row, column: usize, error: impl std::fmt::Display) -> Error {
    let name = row.as_ref().column_name(column).unwrap_or_default();
    Error::unavailable(format!("cannot read the column `{name}` of a memory: {error}"))
}

/// Converts a value to the JSON of a column.
pub(super) fn json(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value)
        .map_err(|error| Error::invalid(format!("cannot convert a value to JSON: {error}")))
}

/// Converts a number to SQLite's signed integers.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
