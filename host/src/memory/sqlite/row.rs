//! A memory as a row, and back.

use super::super::kinds::{Category, Status};
use super::super::record::Memory;
use crate::error::{Error, Result};
use rusqlite::{Connection, OptionalExtension, Row, ToSql, Transaction, named_params};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::str::FromStr;

/// Every row, in the order they were written.
pub(super) const ALL: &str = "SELECT * FROM memories ORDER BY number";

const INSERT: &str = "INSERT INTO memories (id, category, status, origin, branch, created_at, updated_at, importance,
     confidence, version, uses, title, text, content, tags, related_files, source, changes, terms, schema_version,
     status_since, status_reason, confirmed_at, supersedes, superseded_by)
 VALUES (:id, :category, :status, :origin, :branch, :created_at, :updated_at, :importance,
     :confidence, :version, :uses, :title, :text, :content, :tags, :related_files, :source, :changes, :terms, :schema_version,
     :status_since, :status_reason, :confirmed_at, :supersedes, :superseded_by)";

/// What never changes is not among it, so no mistake above can change it: id, category, the moment of its making, the
/// version of its schema. Uses are counted apart from versions: those counted since the memory was read stay.
const UPDATE: &str = "UPDATE memories SET status = :status, origin = :origin, branch = :branch,
     updated_at = :updated_at, importance = :importance, confidence = :confidence, version = :version, title = :title,
     text = :text, content = :content, tags = :tags, related_files = :related_files, source = :source,
     changes = :changes, terms = :terms, uses = max(uses, :uses), status_since = :status_since,
     status_reason = :status_reason, confirmed_at = :confirmed_at, supersedes = :supersedes,
     superseded_by = :superseded_by
 WHERE id = :id";

/// The version of the memory of this number.
pub(super) fn version(connection: &Connection, number: i64) -> Result<u64> {
    let query = "SELECT version FROM memories WHERE number = ?";
    Ok(connection.query_row(query, [number], |row| row.get::<_, i64>(0))?.unsigned_abs())
}

/// Adds a row and gives its number.
pub(super) fn insert(transaction: &Transaction, memory: &Memory, terms: &str) -> Result<i64> {
    let fixed = named_params! {
        ":category": memory.category.as_str(),
        ":created_at": memory.created_at,
        ":schema_version": memory.schema_version,
    };
    write(transaction, INSERT, memory, terms, fixed)?;
    Ok(transaction.last_insert_rowid())
}

/// Overwrites the row of the memory's id.
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
    let (version, uses) = (signed(memory.version), signed(memory.uses));
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
    };
    transaction.prepare_cached(statement)?.execute([values, fixed].concat().as_slice())?;
    Ok(())
}

/// The number of the active memory that came in the place of this id.
pub(super) fn successor(connection: &Connection, id: &str) -> Result<Option<i64>> {
    // Not by the index of statuses, which knows too many; by the one of those few that succeeded another.
    let query = "SELECT number FROM memories WHERE supersedes <> '[]' AND +status = 'active'
           AND EXISTS (SELECT 1 FROM json_each(supersedes) WHERE value = ?) LIMIT 1";
    Ok(connection.prepare_cached(query)?.query_row([id], |row| row.get(0)).optional()?)
}

/// How many of a category are active.
pub(super) fn active(connection: &Connection, category: Category) -> Result<u64> {
    let query = "SELECT count(*) FROM memories WHERE status = 'active' AND category = ?";
    Ok(connection.query_row(query, [category.as_str()], |row| row.get::<_, i64>(0))?.unsigned_abs())
}

/// How many there are of each category and status.
pub(super) fn count(connection: &Connection) -> Result<Vec<(Category, Status, u64)>> {
    let query = "SELECT category, status, count(*) AS found FROM memories GROUP BY status, category";
    let mut statement = connection.prepare(query)?;
    let mut rows = statement.query([])?;
    let mut counts = Vec::new();
    while let Some(row) = rows.next()? {
        let found = row.get::<_, i64>("found")?.unsigned_abs();
        counts.push((word(row, "category")?, word(row, "status")?, found));
    }
    Ok(counts)
}

/// Takes a row away.
pub(super) fn delete(transaction: &Transaction, number: i64) -> Result<()> {
    transaction.execute("DELETE FROM memories WHERE number = ?", [number])?;
    Ok(())
}

/// The memory of this number.
pub(super) fn read(connection: &Connection, number: i64) -> Result<Memory> {
    let mut statement = connection.prepare_cached("SELECT * FROM memories WHERE number = ?")?;
    let mut rows = statement.query([number])?;
    memory(rows.next()?.ok_or_else(|| Error::not_found(format!("there is no memory number {number}")))?)
}

/// The memory in a whole row.
pub(super) fn memory(row: &Row) -> Result<Memory> {
    Ok(Memory {
        schema_version: row.get("schema_version")?,
        id: row.get("id")?,
        category: word(row, "category")?,
        title: row.get("title")?,
        text: row.get("text")?,
        content: parsed(row, "content")?,
        tags: parsed(row, "tags")?,
        related_files: parsed(row, "related_files")?,
        confidence: row.get("confidence")?,
        importance: row.get("importance")?,
        origin: word(row, "origin")?,
        source: parsed(row, "source")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
        status: word(row, "status")?,
        status_since: row.get("status_since")?,
        status_reason: row.get("status_reason")?,
        confirmed_at: row.get("confirmed_at")?,
        supersedes: parsed(row, "supersedes")?,
        superseded_by: row.get("superseded_by")?,
        changes: parsed(row, "changes")?,
        version: row.get::<_, i64>("version")?.unsigned_abs(),
        uses: row.get::<_, i64>("uses")?.unsigned_abs(),
    })
}

/// A word of a closed set.
pub(super) fn word<T: FromStr<Err = Error>>(row: &Row, column: &str) -> Result<T> {
    row.get_ref(column)?.as_str().map_err(|error| unreadable(column, error))?.parse()
}

fn parsed<T: DeserializeOwned>(row: &Row, column: &str) -> Result<T> {
    let text = row.get_ref(column)?.as_str().map_err(|error| unreadable(column, error))?;
    serde_json::from_str(text).map_err(|error| unreadable(column, error))
}

fn unreadable(column: &str, error: impl std::fmt::Display) -> Error {
    Error::unavailable(format!("the {column} of a memory cannot be read ({error})"))
}

fn json(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value)
        .map_err(|error| Error::invalid(format!("this cannot be kept as JSON ({error})")))
}

/// SQLite's integers have a sign.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
