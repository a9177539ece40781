//! Queries against the full-text index: search by relevance, and memories that name a file.
//!
//! A search lists the rows of the rarest terms, adds up what each row shares, and reads only the rows that
//! share the most; with sentence vectors also those with the most similar ones. Each step is limited, so the
//! time does not grow with the store; most prompts need only the frequencies of their terms.

use super::list_query::Condition;
use super::row_listing::RowListing;
use super::{embedding_queue, row_mapping, term_index};
use crate::clock::Millis;
use crate::error::Result;
use crate::memory::branches::OUTRANKED_BRANCH_FACTOR;
use crate::memory::category::Category;
use crate::memory::recency::Recency;
use crate::memory::record::Memory;
use crate::memory::relevance::{
    Candidate, Features, MinRelevance, Query, SharedTerms, WeightedQuery, max_relevance, score,
};
use crate::memory::sentence_vectors::{SentenceVectors, Similarities};
use crate::memory::store::{Filter, Found, Hit};
use crate::memory::tokenizer::{self, TermKind};
use crate::memory::usefulness::Usefulness;
use rusqlite::types::Value;
use rusqlite::{CachedStatement, Connection, OptionalExtension, params_from_iter};
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

/// Minimum number of rows that are read and scored, 2 to 4 microseconds each: those that share the most.
const MIN_READ_ROWS: usize = 48;

/// Maximum number of rows that are looked at for one that the filter lets through.
const MAX_ROWS_PER_MATCH: usize = 8;

/// Maximum number of rows per file that contain the parts of its path, the newest first.
const MAX_ROWS_PER_FILE: usize = 500;

/// Number of the most similar vectors whose memories are read and scored, whether they share terms or not.
const NEAREST_VECTORS: usize = 24;

/// Minimum relevance of a memory that shares no term with the query, whatever the caller's minimum: a person
/// who searches wants any match, and a vector is always similar to some degree. Of the train stores, a search
/// finds two such memories on average.
const MIN_RELEVANCE_WITHOUT_TERMS: f32 = 0.01;

/// A search for the memories that belong to a query.
pub(super) struct Search<'a> {
    pub(super) query: &'a Query,
    pub(super) filter: &'a Filter,
    pub(super) min_relevance: MinRelevance,
    /// Age and use change the order if this is given.
    pub(super) now: Option<Millis>,
    pub(super) limit: usize,
    pub(super) vectors: Option<&'a SentenceVectors>,
}

/// A row that may belong to the query.
struct Row {
    number: i64,
    created_at: Millis,
    category: Category,
    recency: Recency,
    usefulness: Usefulness,
    shared: SharedTerms,
    /// The digest of the texts that have sentence vectors; 0 if they are not searched.
    digest: u64,
    /// Whether it was written on a branch that ranks behind others.
    is_outranked: bool,
}

impl Search<'_> {
    /// Returns the memories with at least the minimum relevance, the most relevant first, and the best one
    /// below it.
    pub(super) fn run(&self, connection: &Connection) -> Result<Found> {
        if self.query.is_empty() || self.limit == 0 {
            return Ok(Found::default());
        }
        let memory_count = term_index::memory_count(connection)?;
        let query = self.query.weigh(memory_count, |term| term_index::frequency(connection, term))?;
        let compare = |text| self.vectors.and_then(|vectors| vectors.similarities(text));
        let similarities = self.query.embedded_text().and_then(compare);
        let is_known =
            !query.known_terms().is_empty() && max_relevance(&query) >= self.min_relevance.by_words;
        if !is_known && similarities.is_none() {
            return Ok(Found::default());
        }
        let rows = self.candidates(connection, &query, similarities.as_ref())?;
        let scored = scored(&query, rows, similarities.as_ref());
        let (mut found, missed): (Vec<ScoredRow>, Vec<ScoredRow>) =
            scored.into_iter().partition(|row| self.is_relevant(row));
        found.sort_by(|a, b| self.compare_ranks(a, b));
        found.truncate(self.limit);
        let hit = |row: ScoredRow| row.read(connection);
        let best_miss = missed.into_iter().min_by(|a, b| self.compare_ranks(a, b));
        Ok(Found {
            hits: found.into_iter().map(hit).collect::<Result<_>>()?,
            best_miss: best_miss.map(hit).transpose()?,
        })
    }

    fn is_relevant(&self, row: &ScoredRow) -> bool {
        let shares_nothing = row.features.shared_terms == 0.0;
        row.relevance >= self.min_relevance.of(&row.features)
            && (!shares_nothing || row.relevance >= MIN_RELEVANCE_WITHOUT_TERMS)
    }

    /// Orders rows by rank, the greatest first, and the newer of two equal ones first.
    fn compare_ranks(&self, a: &ScoredRow, b: &ScoredRow) -> Ordering {
        let rank = |scored: &ScoredRow| {
            let Some(now) = self.now else { return scored.relevance };
            let branch = if scored.row.is_outranked { OUTRANKED_BRANCH_FACTOR } else { 1.0 };
            let row = &scored.row;
            scored.relevance * row.recency.rank_factor(now) * row.usefulness.rank_factor() * branch
        };
        let newer = (b.row.created_at, b.row.number).cmp(&(a.row.created_at, a.row.number));
        rank(b).total_cmp(&rank(a)).then(newer)
    }

    /// Reads the rows that share the most of the listed terms, and those with the most similar vectors.
    fn candidates(
        &self,
        connection: &Connection,
        query: &WeightedQuery,
        similarities: Option<&Similarities>,
    ) -> Result<Vec<Row>> {
        // A search without a minimum shows whatever shares anything.
        let listing = match self.min_relevance.by_words > 0.0 {
            true => RowListing::of_specific(connection, query)?,
            false => RowListing::new(connection, query)?,
        };
        let mut reader = RowReader::new(connection, query, self.filter, similarities.is_some())?;
        let mut rows = reader.read(listing.numbers(), self.limit.max(MIN_READ_ROWS))?;
        if let Some(similarities) = similarities {
            let known: HashSet<i64> = rows.iter().map(|row| row.number).collect();
            let mut nearest = similarities.nearest(NEAREST_VECTORS * MAX_ROWS_PER_MATCH);
            let mut met = known;
            nearest.retain(|number| met.insert(*number));
            rows.extend(reader.read(nearest.into_iter(), NEAREST_VECTORS)?);
        }
        Ok(rows)
    }
}

/// A row with its relevance and the features that it follows from.
struct ScoredRow {
    row: Row,
    relevance: f32,
    features: Features,
}

impl ScoredRow {
    fn read(self, connection: &Connection) -> Result<Hit> {
        let memory = row_mapping::read(connection, self.row.number)?;
        Ok(Hit { memory, relevance: self.relevance, features: self.features })
    }
}

fn scored(query: &WeightedQuery, rows: Vec<Row>, similarities: Option<&Similarities>) -> Vec<ScoredRow> {
    let keys: Vec<(i64, u64)> = rows.iter().map(|row| (row.number, row.digest)).collect();
    let cosines = similarities.map_or_else(|| vec![None; rows.len()], |all| all.cosines(&keys));
    let candidate =
        |(row, cosine): (&Row, Option<f32>)| Candidate { category: row.category, shared: row.shared, cosine };
    let candidates: Vec<Candidate> = rows.iter().zip(cosines).map(candidate).collect();
    let scores = score(query, &candidates);
    let scored = |(row, (relevance, features))| ScoredRow { row, relevance, features };
    rows.into_iter().zip(scores).map(scored).collect()
}

/// Reads rows that a filter lets through.
struct RowReader<'a> {
    statement: CachedStatement<'a>,
    values: Vec<Value>,
    query: &'a WeightedQuery,
    with_digest: bool,
    outranked_branches: &'a [String],
}

impl<'a> RowReader<'a> {
    fn new(
        connection: &'a Connection,
        query: &'a WeightedQuery,
        filter: &'a Filter,
        with_digest: bool,
    ) -> Result<Self> {
        let condition = Condition::new(filter);
        let sql = format!(
            "SELECT number, created_at, terms, category, updated_at, title, text, asked_as,
                uses, followed, branch
             FROM memories WHERE number = ? AND {}",
            condition.sql
        );
        Ok(Self {
            statement: connection.prepare_cached(&sql)?,
            values: condition.values,
            query,
            with_digest,
            outranked_branches: &filter.outranked_branches,
        })
    }

    /// Reads at most `count` of these rows, the first that the filter lets through.
    fn read(&mut self, numbers: impl Iterator<Item = i64>, count: usize) -> Result<Vec<Row>> {
        let mut rows = Vec::new();
        for number in numbers.take(count.saturating_mul(MAX_ROWS_PER_MATCH)) {
            if rows.len() >= count {
                break;
            }
            let values = std::iter::once(Value::Integer(number)).chain(self.values.iter().cloned());
            let (query, with_digest, outranked) = (self.query, self.with_digest, self.outranked_branches);
            let read = |row: &rusqlite::Row<'_>| Ok(read_row(row, query, with_digest, outranked));
            rows.extend(self.statement.query_row(params_from_iter(values), read).optional()?);
        }
        rows.into_iter().collect()
    }
}

fn read_row(
    row: &rusqlite::Row<'_>,
    query: &WeightedQuery,
    with_digest: bool,
    outranked_branches: &[String],
) -> Result<Row> {
    let terms = row.get_ref(2)?.as_str().unwrap_or_default();
    let (own, cues) = terms.split_once('\n').unwrap_or((terms, ""));
    let category = row_mapping::parse_word(row, 3)?;
    Ok(Row {
        number: row.get(0)?,
        created_at: row.get(1)?,
        category,
        recency: Recency::new(category, row.get(4)?),
        usefulness: row_mapping::usefulness(row, 8)?,
        shared: query.shared_terms(separated(own), separated(cues)),
        digest: if with_digest { embedding_queue::digest_of(row, 5)? } else { 0 },
        is_outranked: !outranked_branches.is_empty() && is_one_of(row, outranked_branches)?,
    })
}

/// Returns the terms of a stored text.
fn separated(terms: &str) -> impl Iterator<Item = &[u8]> {
    terms.as_bytes().split(|byte| *byte == b' ')
}

fn is_one_of(row: &rusqlite::Row<'_>, branches: &[String]) -> Result<bool> {
    let branch: Option<String> = row.get(10)?;
    Ok(branch.is_some_and(|branch| branches.contains(&branch)))
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
    row_mapping::read_all(connection, found.into_iter().take(limit).map(|(_, number)| number))
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
