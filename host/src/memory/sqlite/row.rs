//! A memory as a row, and back.

use super::super::record::Memory;
use crate::error::{Error, Result};
use rusqlite::{Connection, Row, Transaction, named_params};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::str::FromStr;

/// Every row, in the order they were written.
pub(super) const ALL: &str = "SELECT * FROM memories ORDER BY number";

const INSERT: &str = "INSERT INTO memories (id, category, status, origin, branch, created_at, updated_at, importance,
     confidence, version, uses, title, text, content, tags, related_files, source, changes, terms)
 VALUES (:id, :category, :status, :origin, :branch, :created_at, :updated_at, :importance,
     :confidence, :version, :uses, :title, :text, :content, :tags, :related_files, :source, :changes, :terms)";

/// Uses are counted apart from versions: those counted since the memory was read stay.
const UPDATE: &str = "UPDATE memories SET category = :category, status = :status, origin = :origin, branch = :branch,
     created_at = :created_at, updated_at = :updated_at, importance = :importance, confidence = :confidence,
     version = :version, title = :title, text = :text, content = :content, tags = :tags,
     related_files = :related_files, source = :source, changes = :changes, terms = :terms, uses = max(uses, :uses)
 WHERE id = :id";

/// The version of the memory of this number.
pub(super) fn version(connection: &Connection, number: i64) -> Result<u64> {
    let query = "SELECT version FROM memories WHERE number = ?";
    Ok(connection.query_row(query, [number], |row| row.get::<_, i64>(0))?.unsigned_abs())
}

/// Adds a row and gives its number.
pub(super) fn insert(transaction: &Transaction, memory: &Memory, terms: &str) -> Result<i64> {
    write(transaction, INSERT, memory, terms)?;
    Ok(transaction.last_insert_rowid())
}

/// Overwrites the row of the memory's id.
pub(super) fn update(transaction: &Transaction, memory: &Memory, terms: &str) -> Result<()> {
    write(transaction, UPDATE, memory, terms)
}

fn write(transaction: &Transaction, statement: &str, memory: &Memory, terms: &str) -> Result<()> {
    transaction.prepare_cached(statement)?.execute(named_params! {
        ":id": memory.id,
        ":category": memory.category.as_str(),
        ":status": memory.status.as_str(),
        ":origin": memory.origin.as_str(),
        ":branch": memory.source.branch,
        ":created_at": memory.created_at,
        ":updated_at": memory.updated_at,
        ":importance": memory.importance,
        ":confidence": memory.confidence,
        ":version": count(memory.version),
        ":uses": count(memory.uses),
        ":title": memory.title,
        ":text": memory.text,
        ":content": memory.content.to_string(),
        ":tags": json(&memory.tags)?,
        ":related_files": json(&memory.related_files)?,
        ":source": json(&memory.source)?,
        ":changes": json(&memory.changes)?,
        ":terms": terms,
    })?;
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
        changes: parsed(row, "changes")?,
        version: row.get::<_, i64>("version")?.unsigned_abs(),
        uses: row.get::<_, i64>("uses")?.unsigned_abs(),
    })
}

fn word<T: FromStr<Err = Error>>(row: &Row, column: &str) -> Result<T> {
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
fn count(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
