//! The search index: which terms a memory has, in how many memories each occurs, and which tags there are.

use super::super::record::Memory;
use super::super::words;
use crate::error::Result;
use rusqlite::{Connection, OptionalExtension, Transaction};
use serde_json::Value;

/// The row of `frequencies` that counts all memories: no term is empty.
const ALL: &str = "";

/// The terms of everything a memory says, as they are kept: separated by single spaces.
pub(super) fn terms(memory: &Memory) -> String {
    let mut said = format!("{}\n{}", memory.title, memory.text);
    // The tag of a memory that came without any says nothing about its matter.
    let tags = memory.tags.iter().filter(|tag| *tag != memory.category.as_str());
    for entry in tags.chain(&memory.related_files) {
        said.push('\n');
        said.push_str(entry);
    }
    say(&memory.content, &mut said);
    let terms: Vec<String> = words::terms(&said).into_iter().map(|term| term.text).collect();
    terms.join(" ")
}

/// Adds the texts inside a JSON value.
fn say(value: &Value, said: &mut String) {
    match value {
        Value::String(text) => {
            said.push('\n');
            said.push_str(text);
        }
        Value::Array(list) => list.iter().for_each(|value| say(value, said)),
        Value::Object(fields) => fields.values().for_each(|value| say(value, said)),
        _ => {}
    }
}

/// Makes a memory findable.
pub(super) fn add(transaction: &Transaction, number: i64, memory: &Memory, terms: &str) -> Result<()> {
    let mut tag_statement = transaction.prepare_cached("INSERT INTO tags (tag, memory) VALUES (?, ?)")?;
    for tag in &memory.tags {
        tag_statement.execute((tag, number))?;
    }
    transaction.prepare_cached("INSERT INTO words (rowid, terms) VALUES (?, ?)")?.execute((number, terms))?;
    shift_all(transaction, terms, 1)
}

/// Undoes [`add`] for what was added last.
pub(super) fn remove(transaction: &Transaction, number: i64) -> Result<()> {
    let known = "SELECT terms FROM memories WHERE number = ?";
    let terms: String = transaction.query_row(known, [number], |row| row.get(0))?;
    transaction.execute("DELETE FROM tags WHERE memory = ?", [number])?;
    transaction.execute("DELETE FROM words WHERE rowid = ?", [number])?;
    shift_all(transaction, &terms, -1)
}

/// Counts every term of a memory, and the memory itself, up or down.
fn shift_all(transaction: &Transaction, terms: &str, by: i64) -> Result<()> {
    let terms = terms.split(' ').filter(|term| !term.is_empty());
    terms.chain([ALL]).try_for_each(|term| shift(transaction, term, by))
}

fn shift(transaction: &Transaction, term: &str, by: i64) -> Result<()> {
    let upsert = "INSERT INTO frequencies (term, memories) VALUES (?1, ?2)
         ON CONFLICT (term) DO UPDATE SET memories = memories + ?2";
    transaction.prepare_cached(upsert)?.execute((term, by))?;
    Ok(())
}

/// How many memories hold a term.
pub(super) fn frequency(connection: &Connection, term: &str) -> Result<u64> {
    let mut statement = connection.prepare_cached("SELECT memories FROM frequencies WHERE term = ?")?;
    let count: Option<i64> = statement.query_row([term], |row| row.get(0)).optional()?;
    Ok(count.and_then(|count| u64::try_from(count).ok()).unwrap_or(0))
}

/// How many memories the index knows, whatever their status.
pub(super) fn memories(connection: &Connection) -> Result<u64> {
    frequency(connection, ALL)
}

/// The query for rows that hold any of these terms. Each is quoted, so nothing in it is an operator.
pub(super) fn any_of<'a>(terms: impl Iterator<Item = &'a str>) -> String {
    quoted(terms).join(" OR ")
}

/// The query for rows that hold all of these terms.
pub(super) fn all_of<'a>(terms: impl Iterator<Item = &'a str>) -> String {
    quoted(terms).join(" AND ")
}

fn quoted<'a>(terms: impl Iterator<Item = &'a str>) -> Vec<String> {
    terms.map(|term| format!("\"{}\"", term.replace('"', "\"\""))).collect()
}
