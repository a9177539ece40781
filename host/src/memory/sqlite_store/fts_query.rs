//! Queries against the full-text index: search by relevance, and memories that name a file. The index is
//! queried only for the rarest terms, and only if they can still lead to a result; most prompts need only the
//! frequencies of their terms.

use super::list_query::Condition;
use super::{row_mapping, term_index};
use crate::clock::Millis;
use crate::error::Result;
use crate::memory::recency::Recency;
use crate::memory::record::Memory;
use crate::memory::relevance::{Query, WeightedQuery};
use crate::memory::store::{Filter, Hit};
use crate::memory::tokenizer::{self, TermKind};
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};
use std::collections::HashMap;

/// Maximum number of rows that a search reads, the newest first; each takes 2 microseconds. Only a term that
/// is frequent in a large store leads to more rows, and such a term weighs too little to be required.
const MAX_SEARCHED_ROWS: usize = 2_000;

/// Maximum number of rows per file that contain the parts of its path, the newest first.
const MAX_ROWS_PER_FILE: usize = 500;

struct Candidate {
    number: i64,
    created_at: Millis,
    recency: Recency,
    covered_weight: f64,
}

/// Returns the memories whose relevance for a query is at least `min_relevance`, the most relevant first. Age
/// changes the order only if `now` is given.
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
    let weighted = query.weigh(memory_count, |term| term_index::frequency(connection, term))?;
    let required = term_index::match_any(weighted.required_terms(min_relevance));
    if required.is_empty() {
        return Ok(Vec::new());
    }
    let mut found = candidates(connection, required, filter, &weighted)?;
    found.retain(|candidate| weighted.relevance(candidate.covered_weight) >= min_relevance);
    let rank = |candidate: &Candidate| {
        candidate.covered_weight * now.map_or(1.0, |now| f64::from(candidate.recency.rank_factor(now)))
    };
    found.sort_by(|a, b| {
        let newer = (b.created_at, b.number).cmp(&(a.created_at, a.number));
        rank(b).total_cmp(&rank(a)).then(newer)
    });
    found.truncate(limit);
    let hit = |candidate: Candidate| {
        let relevance = weighted.relevance(candidate.covered_weight);
        Ok(Hit { memory: row_mapping::read(connection, candidate.number)?, relevance })
    };
    found.into_iter().map(hit).collect()
}

fn candidates(
    connection: &Connection,
    required: String,
    filter: &Filter,
    weighted: &WeightedQuery,
) -> Result<Vec<Candidate>> {
    let condition = Condition::new(filter);
    let sql = format!(
        "SELECT number, created_at, memories.terms, category, updated_at
         FROM words CROSS JOIN memories ON number = words.rowid
         WHERE words MATCH ? AND {} ORDER BY words.rowid DESC LIMIT {MAX_SEARCHED_ROWS}",
        condition.sql
    );
    let values = std::iter::once(Value::Text(required)).chain(condition.values);
    let mut statement = connection.prepare(&sql)?;
    let mut rows = statement.query(params_from_iter(values))?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let terms = row.get_ref(2)?.as_str().unwrap_or_default().split(' ');
        let covered_weight = weighted.covered_weight(terms);
        let recency = Recency::new(row_mapping::parse_word(row, "category")?, row.get(4)?);
        found.push(Candidate { number: row.get(0)?, created_at: row.get(1)?, recency, covered_weight });
    }
    Ok(found)
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
