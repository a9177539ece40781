//! Queries against the full-text index: search by relevance, and memories that name a file.
//!
//! A search lists the rows of the rarest terms, adds up what each row shares, and reads only the rows that
//! share the most. Each step is limited, so the time does not grow with the store; most prompts need only the
//! frequencies of their terms.

use super::list_query::Condition;
use super::{row_mapping, term_index};
use crate::clock::Millis;
use crate::error::Result;
use crate::memory::recency::Recency;
use crate::memory::record::Memory;
use crate::memory::relevance::{Features, Query, SharedTerms, WeightedQuery, max_relevance, score};
use crate::memory::store::{Filter, Hit};
use crate::memory::tokenizer::{self, TermKind};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, params_from_iter};
use std::collections::HashMap;

/// Maximum number of rows that the index lists for all terms of a query together, 0.2 microseconds each.
const MAX_LISTED_ROWS: u64 = 4_000;

/// Minimum number of rows that are read and scored, 2 to 4 microseconds each: those that share the most.
const MIN_READ_ROWS: usize = 48;

/// Maximum number of rows that are looked at for one that the filter lets through.
const MAX_ROWS_PER_MATCH: usize = 8;

/// Maximum number of rows per file that contain the parts of its path, the newest first.
const MAX_ROWS_PER_FILE: usize = 500;

/// A row that shares terms with the query.
struct Row {
    number: i64,
    created_at: Millis,
    recency: Recency,
    shared: SharedTerms,
}

/// Returns the memories with at least this relevance for a query, the most relevant first. Age changes
/// the order only if `now` is given.
pub(super) fn search(
    connection: &Connection,
    query: &Query,
    filter: &Filter,
    min_relevance: f32,
    now: Option<Millis>,
    limit: usize,
) -> Result<Vec<Hit>> {
    if query.is_empty() || limit == 0 {
        return Ok(Vec::new());
    }
    let memory_count = term_index::memory_count(connection)?;
    let query = query.weigh(memory_count, |term| term_index::frequency(connection, term))?;
    if query.known_terms().is_empty() || max_relevance(&query) < min_relevance {
        return Ok(Vec::new());
    }
    let rows = rows_sharing_most(connection, &query, filter, limit.max(MIN_READ_ROWS))?;
    let scores = score(&query, &rows.iter().map(|row| row.shared).collect::<Vec<_>>());
    let mut found: Vec<(Row, (f32, Features))> = rows.into_iter().zip(scores).collect();
    found.retain(|(_, (relevance, _))| *relevance >= min_relevance);
    let rank = |(row, (relevance, _)): &(Row, (f32, Features))| {
        relevance * now.map_or(1.0, |now| row.recency.rank_factor(now))
    };
    found.sort_by(|a, b| {
        let newer = (b.0.created_at, b.0.number).cmp(&(a.0.created_at, a.0.number));
        rank(b).total_cmp(&rank(a)).then(newer)
    });
    found.truncate(limit);
    let hit = |(row, (relevance, features)): (Row, (f32, Features))| {
        Ok(Hit { memory: row_mapping::read(connection, row.number)?, relevance, features })
    };
    found.into_iter().map(hit).collect()
}

/// Reads this many of the rows that the filter lets through, those that share the most of the listed terms.
fn rows_sharing_most(
    connection: &Connection,
    query: &WeightedQuery,
    filter: &Filter,
    count: usize,
) -> Result<Vec<Row>> {
    let mut listed: Vec<(f64, i64)> =
        listed_rows(connection, query)?.into_iter().map(|(number, idf)| (idf, number)).collect();
    listed.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
    let condition = Condition::new(filter);
    let sql = format!(
        "SELECT number, created_at, terms, category, updated_at FROM memories WHERE number = ? AND {}",
        condition.sql
    );
    let mut statement = connection.prepare(&sql)?;
    let mut rows = Vec::new();
    for (_, number) in listed.into_iter().take(count.saturating_mul(MAX_ROWS_PER_MATCH)) {
        if rows.len() >= count {
            break;
        }
        let values = std::iter::once(Value::Integer(number)).chain(condition.values.iter().cloned());
        rows.extend(
            statement.query_row(params_from_iter(values), |row| Ok(read_row(row, query))).optional()?,
        );
    }
    rows.into_iter().collect()
}

fn read_row(row: &rusqlite::Row<'_>, query: &WeightedQuery) -> Result<Row> {
    let terms = row.get_ref(2)?.as_str().unwrap_or_default();
    let (own, cues) = terms.split_once('\n').unwrap_or((terms, ""));
    Ok(Row {
        number: row.get(0)?,
        created_at: row.get(1)?,
        recency: Recency::new(row_mapping::parse_word(row, "category")?, row.get(4)?),
        shared: query.shared_terms(own.split(' '), cues.split(' ')),
    })
}

/// Lists the rows that contain the rarest terms of a query, each with the weight of these terms.
fn listed_rows(connection: &Connection, query: &WeightedQuery) -> Result<HashMap<i64, f64>> {
    let (mut rows, mut listed) = (HashMap::new(), 0);
    for term in query.known_terms() {
        listed += term.frequency;
        if listed > MAX_LISTED_ROWS && !rows.is_empty() {
            break;
        }
        for number in term_index::rows(connection, &term.text, MAX_LISTED_ROWS)? {
            *rows.entry(number).or_insert(0.0) += term.idf;
        }
    }
    Ok(rows)
}

/// Sort key of memories that name a file, the greatest first: whether it is a related file, importance, time
/// of creation.
type FileRank = (bool, f64, i64);

/// Returns the memories that name one of these files in their related files or in their text. This runs
/// before every edit, and usually finds nothing.
pub(super) fn about_files(
    connection: &Connection,
    files: &[String],
    filter: &Filter,
    limit: usize,
) -> Result<Vec<Memory>> {
    let mut ranks: HashMap<i64, FileRank> = HashMap::new();
    for file in files {
        for (number, rank) in rows_naming(connection, file, filter)? {
            let best = ranks.entry(number).or_insert(rank);
            best.0 |= rank.0;
        }
    }
    let mut found: Vec<(FileRank, i64)> = ranks.into_iter().map(|(number, rank)| (rank, number)).collect();
    found.sort_by(|(a, a_number), (b, b_number)| {
        b.0.cmp(&a.0).then(b.1.total_cmp(&a.1)).then(b.2.cmp(&a.2)).then(b_number.cmp(a_number))
    });
    found.into_iter().take(limit).map(|(_, number)| row_mapping::read(connection, number)).collect()
}

/// Returns the rows that name the file, among those that contain all parts of its path.
fn rows_naming(connection: &Connection, file: &str, filter: &Filter) -> Result<Vec<(i64, FileRank)>> {
    let terms = tokenizer::terms(file);
    let parts = terms.iter().filter(|term| term.kind != TermKind::Identifier).map(|term| term.text.as_str());
    let all_parts = term_index::match_all(parts);
    if all_parts.is_empty() {
        return Ok(Vec::new());
    }
    let condition = Condition::new(filter);
    let sql = format!(
        "SELECT number, importance, created_at, title || char(10) || text,
            EXISTS (SELECT 1 FROM json_each(related_files) WHERE value IN (?1, './' || ?1))
         FROM words CROSS JOIN memories ON number = words.rowid
         WHERE words MATCH ? AND {} ORDER BY words.rowid DESC LIMIT {MAX_ROWS_PER_FILE}",
        condition.sql
    );
    let values = [file.to_owned(), all_parts].map(Value::Text).into_iter().chain(condition.values);
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params_from_iter(values))?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let is_related: bool = row.get(4)?;
        if is_related || contains_path(row.get_ref(3)?.as_str().unwrap_or_default(), file) {
            found.push((row.get(0)?, (is_related, row.get(1)?, row.get(2)?)));
        }
    }
    Ok(found)
}

/// Tells whether `text` contains the path `file` as a whole, not as a part of another path or name.
fn contains_path(text: &str, file: &str) -> bool {
    let is_path_char = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '/');
    text.match_indices(file).any(|(start, _)| {
        let before = text[..start].strip_suffix("./").unwrap_or(&text[..start]).chars().next_back();
        let mut after = text[start + file.len()..].chars();
        let (next, second) = (after.next(), after.next());
        let continues =
            next.is_some_and(is_path_char) || next == Some('.') && second.is_some_and(char::is_alphanumeric);
        !before.is_some_and(|c| is_path_char(c) || c == '.') && !continues
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_found_in_a_text_only_as_a_whole() {
        for text in
            ["src/pay.rs", "see `src/pay.rs`.", "(./src/pay.rs:12)", "src/pay.rs. Then", "x src/pay.rs\ty"]
        {
            assert!(contains_path(text, "src/pay.rs"), "{text}");
        }
        for text in ["lib/src/pay.rs", "src/pay.rs.bak", "src/pay.rsx", "my-src/pay.rs", "", "../src/pay.rs"]
        {
            assert!(!contains_path(text, "src/pay.rs"), "{text}");
        }
    }
}
