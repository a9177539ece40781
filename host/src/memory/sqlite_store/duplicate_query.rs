//! Finds the memories that a new text may duplicate: those that share most of its terms.
//!
//! The index says which rows contain the rarest terms of the text. Only the rows that contain most of these
//! are read. Both are limited, so the time does not grow with the store.

use std::collections::{HashMap, HashSet};

use rusqlite::Connection;

use super::term_index;
use crate::clock::Millis;
use crate::error::Result;
use crate::memory::near_duplicate::min_shared_terms;
use crate::memory::tokenizer;

/// Maximum number of rows that the index lists for all terms together.
const MAX_LISTED_ROWS: u64 = 1_000;

/// Maximum number of rows that are read, those with the most of the rarest terms first.
const MAX_READ_ROWS: usize = 30;

/// Part of the terms that the index was asked for which a row must contain to be read. It matters only where
/// the limit leaves most terms out.
const MIN_ASKED_PART: usize = 3;

/// Number of terms for which the index is asked beyond those that prove that a row is no duplicate. Each
/// leaves out rows that need not be read, and costs another look into the index.
const EXTRA_TERMS: usize = 2;

/// Number of memories from which a store is large, and the number of known terms for which its index is
/// asked: with four, an import of 20,000 memories took 10 s instead of 13 to 16.
const LARGE_STORE: u64 = 5_000;
const MAX_TERMS_IN_LARGE_STORE: usize = 4;

/// Number of a text's rarest terms that find an identical text, however many rows contain each of them.
const IDENTIFYING_TERMS: usize = 6;

/// Maximum number of memories that a new one is compared with, those that share the most terms first. Entries
/// that follow one pattern share most of their terms without being duplicates, but a duplicate shares more.
const MAX_COMPARED_MEMORIES: usize = 20;

/// Returns the row numbers of memories that share enough terms with a text to be duplicates, the most similar
/// first. Retired memories count only if they were retired after `retired_since`.
///
/// In a large store of similar texts, the limits leave out near-duplicates that have few of the rarest terms.
/// A text with the same words is always found, by its rarest terms together.
pub(super) fn similar(connection: &Connection, text: &str, retired_since: Millis) -> Result<Vec<i64>> {
    let terms: Vec<String> = tokenizer::terms(text).into_iter().map(|term| term.text).collect();
    let mut by_frequency = Vec::with_capacity(terms.len());
    for term in &terms {
        by_frequency.push((term_index::frequency(connection, term)?, term.as_str()));
    }
    by_frequency.sort();
    let min_shared = min_shared_terms(terms.len());
    let Candidates { rows: mut candidates, hold_identical } =
        rows_with_most(connection, &by_frequency, terms.len() - min_shared)?;
    if !hold_identical {
        candidates.extend(rows_with_all(connection, &by_frequency)?);
    }
    let terms: HashSet<&str> = terms.iter().map(String::as_str).collect();
    let mut found = Vec::new();
    for number in candidates {
        let shared = shared_terms(connection, number, &terms, retired_since)?;
        found.extend(shared.filter(|shared| *shared >= min_shared).map(|shared| (shared, number)));
    }
    found.sort_by(|a, b| b.cmp(a));
    found.dedup();
    Ok(found.into_iter().take(MAX_COMPARED_MEMORIES).map(|(_, number)| number).collect())
}

/// Rows that may be duplicates, the best first.
struct Candidates {
    rows: Vec<i64>,
    /// Whether every row with the same words is among them: the index listed all rows with the rarest term,
    /// and all of those with every term that was asked for are read.
    hold_identical: bool,
}

/// Returns the rows that contain the most of the rarest terms, the best first. A duplicate lacks at most
/// `may_lack` of all terms, so it lacks no more of the rarest ones.
fn rows_with_most(
    connection: &Connection,
    by_frequency: &[(u64, &str)],
    may_lack: usize,
) -> Result<Candidates> {
    let mut counts: HashMap<i64, usize> = HashMap::new();
    let (mut listed, mut asked, mut known) = (0, 0_usize, 0_usize);
    let max_known = match term_index::memory_count(connection)? {
        0..LARGE_STORE => usize::MAX,
        _ => MAX_TERMS_IN_LARGE_STORE,
    };
    for (frequency, term) in by_frequency.iter().take(may_lack + 1 + EXTRA_TERMS) {
        listed += frequency;
        if known >= max_known || listed > MAX_LISTED_ROWS && known > 0 {
            break;
        }
        asked += 1;
        if *frequency > 0 {
            known += 1;
            let rows = term_index::rows(connection, term, MAX_LISTED_ROWS)?;
            rows.into_iter().for_each(|number| *counts.entry(number).or_default() += 1);
        }
    }
    let required = asked.saturating_sub(may_lack).max(known.div_ceil(MIN_ASKED_PART));
    let candidates = counts.into_iter().filter(|(_, count)| *count >= required);
    let mut found: Vec<(usize, i64)> = candidates.map(|(number, count)| (count, number)).collect();
    found.sort_by(|a, b| b.cmp(a));
    let rarest = by_frequency.iter().map(|(frequency, _)| *frequency).find(|frequency| *frequency > 0);
    let hold_identical = found.iter().filter(|(count, _)| *count == known).count() <= MAX_READ_ROWS
        && rarest.is_none_or(|frequency| frequency <= MAX_LISTED_ROWS);
    let rows = found.into_iter().take(MAX_READ_ROWS).map(|(_, number)| number).collect();
    Ok(Candidates { rows, hold_identical })
}

/// Returns the rows with all of the rarest terms; none if one of them is in no row.
fn rows_with_all(connection: &Connection, by_frequency: &[(u64, &str)]) -> Result<Vec<i64>> {
    if by_frequency.first().is_none_or(|(frequency, _)| *frequency == 0) {
        return Ok(Vec::new());
    }
    let rarest = by_frequency.iter().take(IDENTIFYING_TERMS).map(|(_, term)| *term);
    let mut found = term_index::indexed_rows(connection, &term_index::match_all(rarest), MAX_LISTED_ROWS)?;
    found.truncate(MAX_READ_ROWS);
    Ok(found)
}

/// Returns the number of terms that a memory shares; `None` for one that was retired too long ago.
fn shared_terms(
    connection: &Connection,
    number: i64,
    terms: &HashSet<&str>,
    retired_since: Millis,
) -> Result<Option<usize>> {
    let sql = "SELECT terms FROM memories WHERE number = ? AND (status <> 'retired' OR status_since > ?)";
    let mut statement = connection.prepare_cached(sql)?;
    let mut row = statement.query((number, retired_since))?;
    let own = |stored: &str| stored.split_once('\n').map_or(stored.len(), |(own, _)| own.len());
    let count = |stored: &str| stored[..own(stored)].split(' ').filter(|term| terms.contains(term)).count();
    Ok(row
        .next()?
        .map(|row| row.get_ref(0).map(|stored| count(stored.as_str().unwrap_or_default())))
        .transpose()?)
}
