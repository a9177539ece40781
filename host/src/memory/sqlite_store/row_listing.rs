//! The rows that share the most of a query's terms, found in the index without reading a memory.

use super::term_index;
use crate::error::Result;
use crate::memory::relevance::WeightedQuery;
use rusqlite::Connection;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Maximum number of rows that the index lists for all terms of a query together. To list a row takes 0.2 µs.
const MAX_LISTED_ROWS: u64 = 2_000;

/// Maximum number of rows that share the same terms and can still be told apart: only 48 of them are read.
/// A query whose best rows are more than that has only words that say nothing about its subject.
const MAX_TIED_ROWS: usize = 384;

/// The rows that share terms with a query. A heap, because a search reads a few dozen of up to two thousand.
#[derive(Default)]
pub(super) struct RowListing(BinaryHeap<ListedRow>);

/// A row with the sum of the weights of the listed terms that it contains. One that contains more is greater,
/// and of equal ones the newer.
struct ListedRow {
    number: i64,
    weight: f64,
}

impl RowListing {
    /// Lists the rows that contain the rarest terms of a query, and none if they are too many to answer it.
    pub(super) fn of_specific(connection: &Connection, query: &WeightedQuery) -> Result<Self> {
        if expected_ties(query) > MAX_TIED_ROWS as u64 {
            return Ok(Self::default());
        }
        let listing = Self::new(connection, query)?;
        Ok(if listing.is_unspecific() { Self::default() } else { listing })
    }

    /// Lists the rows that contain the rarest terms of a query.
    pub(super) fn new(connection: &Connection, query: &WeightedQuery) -> Result<Self> {
        Ok(Self(weighted_rows(connection, query)?.into()))
    }

    /// Tells whether so many rows share as much as the best one that none of them answers the query.
    fn is_unspecific(&self) -> bool {
        let tied =
            |row: &&ListedRow| self.0.peek().is_some_and(|best| row.weight >= best.weight - f64::EPSILON);
        self.0.iter().filter(tied).nth(MAX_TIED_ROWS).is_some()
    }

    /// Returns the numbers of the rows, the greatest row first.
    pub(super) fn numbers(mut self) -> impl Iterator<Item = i64> {
        std::iter::from_fn(move || self.0.pop().map(|row| row.number))
    }
}

impl Ord for ListedRow {
    fn cmp(&self, other: &Self) -> Ordering {
        self.weight.total_cmp(&other.weight).then(self.number.cmp(&other.number))
    }
}

impl PartialOrd for ListedRow {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for ListedRow {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for ListedRow {}

/// Returns how many rows would contain the two rarest terms if terms were independent. Terms of one subject
/// occur together more often than that.
fn expected_ties(query: &WeightedQuery) -> u64 {
    match query.known_terms() {
        [] => 0,
        [only] => only.frequency,
        [first, second, ..] => first.frequency * second.frequency / query.memories().max(1),
    }
}

fn weighted_rows(connection: &Connection, query: &WeightedQuery) -> Result<Vec<ListedRow>> {
    if let [first, second, ..] = query.known_terms()
        && first.frequency + second.frequency > MAX_LISTED_ROWS
        && first.frequency > MAX_TIED_ROWS as u64
    {
        // Only the first could be listed, which would not say which of its rows contain the second, too.
        let both = term_index::match_all([&first.text[..], &second.text].into_iter());
        let rows = term_index::indexed_rows(connection, &both, MAX_LISTED_ROWS)?;
        if !rows.is_empty() {
            let weight = first.idf + second.idf;
            return Ok(rows.into_iter().map(|number| ListedRow { number, weight }).collect());
        }
    }
    let (mut rows, mut listed) = (Vec::new(), 0);
    for term in query.known_terms() {
        listed += term.frequency;
        if listed > MAX_LISTED_ROWS && !rows.is_empty() {
            break;
        }
        let numbers = term_index::rows(connection, &term.text, MAX_LISTED_ROWS)?;
        rows.extend(numbers.into_iter().map(|number| ListedRow { number, weight: term.idf }));
    }
    Ok(united(rows))
}

/// Returns each row once, with the sum of its weights. The index lists the rows of most terms in order, so
/// sorting them is little more than merging these lists; counting in a map takes three times as long.
fn united(mut rows: Vec<ListedRow>) -> Vec<ListedRow> {
    rows.sort_by_key(|row| row.number);
    rows.dedup_by(|row, kept| {
        let is_same = row.number == kept.number;
        kept.weight += if is_same { row.weight } else { 0.0 };
        is_same
    });
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::Database;
    use crate::memory::relevance::Query;
    use crate::memory::sqlite_store::SqliteStore;
    use rusqlite::params;

    /// Calls `check` with a query and an index of 3,000 memories: every second one contains
    /// "deploy", every third one "kernel", and the first 12 "mango".
    fn with_index(text: &str, check: impl FnOnce(&Connection, &WeightedQuery) -> Result<()>) {
        let store = SqliteStore::new(Database::in_memory().expect("opens"));
        store
            .database
            .write(|transaction| {
                let mut insert = transaction.prepare("INSERT INTO words (rowid, terms) VALUES (?, ?)")?;
                for number in 1..=3_000 {
                    let has = |term, is| if is { term } else { "other" };
                    let terms = [
                        has("deploy", number % 2 == 0),
                        has("kernel", number % 3 == 0),
                        has("mango", number <= 12),
                    ];
                    insert.execute(params![number, terms.join(" ")])?;
                }
                let mut insert =
                    transaction.prepare("INSERT INTO frequencies (term, memories) VALUES (?, ?)")?;
                for (term, count) in [("", 3_000), ("deploy", 1_500), ("kernel", 1_000), ("mango", 12)] {
                    insert.execute(params![term, count])?;
                }
                Ok(())
            })
            .expect("written");
        store
            .database
            .read(|connection| {
                let count = term_index::memory_count(connection)?;
                let query = Query::new(text);
                let query = query.weigh(count, |term| term_index::frequency(connection, term))?;
                check(connection, &query)
            })
            .expect("read");
    }

    #[test]
    fn rows_that_contain_both_of_two_frequent_terms_are_listed() {
        with_index("deploy kernel", |connection, query| {
            let numbers: Vec<i64> = RowListing::new(connection, query)?.numbers().collect();
            assert_eq!(numbers.len(), 500);
            assert!(numbers.iter().all(|number| number % 6 == 0));
            assert_eq!(RowListing::of_specific(connection, query)?.numbers().count(), 0);
            Ok(())
        });
    }

    #[test]
    fn a_rare_term_makes_a_query_specific() {
        with_index("deploy mango kernel", |connection, query| {
            let numbers = RowListing::of_specific(connection, query)?.numbers();
            assert_eq!(numbers.take(2).collect::<Vec<_>>(), [12, 9]);
            Ok(())
        });
    }

    #[test]
    fn a_word_of_half_of_the_memories_is_unspecific() {
        with_index("deploy", |connection, query| {
            assert!(RowListing::new(connection, query)?.is_unspecific());
            assert_eq!(RowListing::of_specific(connection, query)?.numbers().count(), 0);
            Ok(())
        });
    }
}
