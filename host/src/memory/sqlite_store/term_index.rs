//! The search index: the terms of each memory, the number of memories per term and the rows of the rare ones,
//! and the tags. A memory that is added waits for its sentence vectors.

use super::embedding_queue;
use crate::error::Result;
use crate::memory::record::Memory;
use crate::memory::tokenizer;
use rusqlite::{Connection, OptionalExtension, Transaction};
use serde_json::Value;

/// The row of `frequencies` that counts all memories. No term is empty.
const ALL_MEMORIES: &str = "";

/// Maximum number of rows that are kept beside a term. A memory's rarest terms, which search and the search
/// for duplicates ask for, seldom have more. A longer list would not fit into a page of the table with the
/// others, and SQLite would read its other pages also to compare its term with another.
const MAX_POSTINGS: u32 = 128;

/// Returns the terms of all texts of a memory in their stored form: separated by single spaces, and in a
/// second line the terms that only its cues have.
pub(super) fn terms(memory: &Memory) -> String {
    let mut text = format!("{}\n{}", memory.title, memory.text);
    // A memory without tags gets its category as a tag, which says nothing about its subject.
    let tags = memory.tags.iter().filter(|tag| *tag != memory.category.as_str());
    for entry in tags.chain(&memory.related_files) {
        text.push('\n');
        text.push_str(entry);
    }
    append_json_texts(&memory.content, &mut text);
    let terms: Vec<String> = tokenizer::terms(&text).into_iter().map(|term| term.text).collect();
    let own = terms.join(" ");
    if memory.asked_as.is_empty() {
        return own;
    }
    let mut cues = tokenizer::terms(&memory.asked_as.join("\n"));
    cues.retain(|cue| !terms.contains(&cue.text));
    let cues: Vec<String> = cues.into_iter().map(|term| term.text).collect();
    format!("{own}\n{}", cues.join(" "))
}

fn append_json_texts(value: &Value, text: &mut String) {
    match value {
        Value::String(string) => {
            text.push('\n');
            text.push_str(string);
        }
        Value::Array(list) => list.iter().for_each(|value| append_json_texts(value, text)),
        Value::Object(fields) => fields.values().for_each(|value| append_json_texts(value, text)),
        _ => {}
    }
}

/// Adds a memory to the index.
pub(super) fn add(transaction: &Transaction, number: i64, memory: &Memory, terms: &str) -> Result<()> {
    let mut tag_statement = transaction.prepare_cached("INSERT INTO tags (tag, memory) VALUES (?, ?)")?;
    for tag in &memory.tags {
        tag_statement.execute((tag, number))?;
    }
    transaction.prepare_cached("INSERT INTO words (rowid, terms) VALUES (?, ?)")?.execute((number, terms))?;
    embedding_queue::add(transaction, number)?;
    count_terms(transaction, number, terms)
}

/// Tells whether the index has this memory with these terms and its tags.
pub(super) fn is_current(
    transaction: &Transaction,
    number: i64,
    memory: &Memory,
    terms: &str,
) -> Result<bool> {
    let mut statement = transaction.prepare_cached("SELECT terms, tags FROM memories WHERE number = ?")?;
    let tags = serde_json::to_string(&memory.tags).unwrap_or_default();
    Ok(statement.query_row([number], |row| {
        Ok(row.get_ref(0)?.as_str()? == terms && row.get_ref(1)?.as_str()? == tags)
    })?)
}

/// Removes the indexed version of a memory. Its tags are deleted one by one: the table is ordered by tag, so
/// that finding all rows of one memory would read the whole table.
pub(super) fn remove(transaction: &Transaction, number: i64) -> Result<()> {
    let query =
        "SELECT terms, tag.value FROM memories LEFT JOIN json_each(memories.tags) tag WHERE number = ?";
    let mut statement = transaction.prepare_cached(query)?;
    let rows = statement.query_map([number], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let rows: Vec<(String, Option<String>)> = rows.collect::<rusqlite::Result<_>>()?;
    let mut delete_tag = transaction.prepare_cached("DELETE FROM tags WHERE tag = ? AND memory = ?")?;
    for tag in rows.iter().filter_map(|(_, tag)| tag.as_ref()) {
        delete_tag.execute((tag, number))?;
    }
    transaction.prepare_cached("DELETE FROM words WHERE rowid = ?")?.execute([number])?;
    rows.first().map_or(Ok(()), |(terms, _)| discount_terms(transaction, number, terms))
}

/// Rewrites the index without the words that no memory has any more. FTS5 only marks a removed row of an
/// index that keeps no texts.
pub(super) fn compact(transaction: &Transaction) -> Result<()> {
    transaction.execute_batch(
        "DELETE FROM frequencies WHERE memories <= 0; INSERT INTO words (words) VALUES ('optimize')",
    )?;
    Ok(())
}

/// Counts this memory for each of its terms.
fn count_terms(transaction: &Transaction, number: i64, terms: &str) -> Result<()> {
    let upsert = format!(
        "INSERT INTO frequencies (term, memories, postings) VALUES (?1, 1, ',' || ?2)
         ON CONFLICT (term) DO UPDATE SET memories = memories + 1,
             postings = CASE WHEN memories < {MAX_POSTINGS} THEN postings || ?2 END"
    );
    let mut statement = transaction.prepare_cached(&upsert)?;
    let posting = format!("{number},");
    distinct(terms).try_for_each(|term| statement.execute((term, &posting)).map(drop))?;
    Ok(statement.execute((ALL_MEMORIES, None::<&str>)).map(drop)?)
}

/// Takes back what [`count_terms`] did.
fn discount_terms(transaction: &Transaction, number: i64, terms: &str) -> Result<()> {
    let update = "UPDATE frequencies SET memories = memories - 1, postings = replace(postings, ?2, ',')
         WHERE term = ?1";
    let mut statement = transaction.prepare_cached(update)?;
    let posting = format!(",{number},");
    distinct(terms)
        .chain([ALL_MEMORIES])
        .try_for_each(|term| statement.execute((term, &posting)).map(drop))?;
    Ok(())
}

/// Returns the terms of a memory in their stored form.
fn distinct(terms: &str) -> impl Iterator<Item = &str> {
    terms.split([' ', '\n']).filter(|term| !term.is_empty())
}

/// Returns the number of memories that contain a term.
pub(super) fn frequency(connection: &Connection, term: &str) -> Result<u64> {
    let mut statement = connection.prepare_cached("SELECT memories FROM frequencies WHERE term = ?")?;
    let count: Option<i64> = statement.query_row([term], |row| row.get(0)).optional()?;
    Ok(count.and_then(|count| u64::try_from(count).ok()).unwrap_or(0))
}

/// Returns the rows that contain a term, at most `limit`; where there are more, the newest.
pub(super) fn rows(connection: &Connection, term: &str, limit: u64) -> Result<Vec<i64>> {
    let mut statement = connection.prepare_cached("SELECT postings FROM frequencies WHERE term = ?")?;
    let postings: Option<Option<String>> = statement.query_row([term], |row| row.get(0)).optional()?;
    match postings.flatten() {
        Some(postings) => Ok(postings.split(',').filter_map(|number| number.parse().ok()).collect()),
        None => indexed_rows(connection, &match_all(std::iter::once(term)), limit),
    }
}

/// Returns the rows that an FTS5 query finds, at most `limit`; where there are more, the newest.
pub(super) fn indexed_rows(connection: &Connection, query: &str, limit: u64) -> Result<Vec<i64>> {
    // A limit as a parameter would make SQLite prepare the statement for each value.
    let sql = format!("SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT {limit}");
    let mut statement = connection.prepare_cached(&sql)?;
    let numbers = statement.query_map([query], |row| row.get(0))?;
    Ok(numbers.collect::<rusqlite::Result<_>>()?)
}

/// Returns the number of memories in the index, of any status.
pub(super) fn memory_count(connection: &Connection) -> Result<u64> {
    frequency(connection, ALL_MEMORIES)
}

/// Returns the FTS5 query for rows that contain all of these terms.
pub(super) fn match_all<'a>(terms: impl Iterator<Item = &'a str>) -> String {
    quote(terms).join(" AND ")
}

/// Quotes each term, so that nothing in it is an operator.
fn quote<'a>(terms: impl Iterator<Item = &'a str>) -> Vec<String> {
    terms.map(|term| format!("\"{}\"", term.replace('"', "\"\""))).collect()
}
