//! Which memories name a file. The index is asked for the pieces of its path, and what holds them all is looked at:
//! before every edit this is asked, and mostly nothing is found.

use std::collections::HashMap;

use super::super::record::Memory;
use super::super::store::Filter;
use super::super::words::{self, Kind};
use super::filter::Condition;
use super::{index, row};
use crate::error::Result;
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

/// How many rows that hold the pieces of a path are looked at, the newest first.
const MOST_ROWS: usize = 500;

/// How well a memory fits: whether the file is one of its related files, its importance, its moment.
type Rank = (bool, f64, i64);

pub(super) fn about(
    connection: &Connection,
    files: &[String],
    filter: &Filter,
    limit: usize,
) -> Result<Vec<Memory>> {
    let mut ranks: HashMap<i64, Rank> = HashMap::new();
    for file in files {
        for (number, rank) in naming(connection, file, filter)? {
            let best = ranks.entry(number).or_insert(rank);
            best.0 |= rank.0;
        }
    }
    let mut found: Vec<(Rank, i64)> = ranks.into_iter().map(|(number, rank)| (rank, number)).collect();
    found.sort_by(|(a, a_number), (b, b_number)| {
        b.0.cmp(&a.0).then(b.1.total_cmp(&a.1)).then(b.2.cmp(&a.2)).then(b_number.cmp(a_number))
    });
    found.into_iter().take(limit).map(|(_, number)| row::read(connection, number)).collect()
}

fn naming(connection: &Connection, file: &str, filter: &Filter) -> Result<Vec<(i64, Rank)>> {
    let terms = words::terms(file);
    let pieces = terms.iter().filter(|term| term.kind != Kind::Whole).map(|term| term.text.as_str());
    let all = index::all_of(pieces);
    if all.is_empty() {
        return Ok(Vec::new());
    }
    let condition = Condition::of(filter);
    let sql = format!(
        "SELECT number, importance, created_at, title || char(10) || text,
            EXISTS (SELECT 1 FROM json_each(related_files) WHERE value IN (?1, './' || ?1))
         FROM words CROSS JOIN memories ON number = words.rowid
         WHERE words MATCH ? AND {} ORDER BY words.rowid DESC LIMIT {MOST_ROWS}",
        condition.sql
    );
    let bound = [file.to_owned(), all].map(Value::Text).into_iter().chain(condition.values);
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params_from_iter(bound))?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let related: bool = row.get(4)?;
        if related || names(row.get_ref(3)?.as_str().unwrap_or_default(), file) {
            found.push((row.get(0)?, (related, row.get(1)?, row.get(2)?)));
        }
    }
    Ok(found)
}

/// Whether `file` stands in the text as a path of its own, not as a part of another name.
fn names(text: &str, file: &str) -> bool {
    let within = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '/');
    text.match_indices(file).any(|(at, _)| {
        let before = text[..at].strip_suffix("./").unwrap_or(&text[..at]).chars().next_back();
        let mut after = text[at + file.len()..].chars();
        let (next, second) = (after.next(), after.next());
        let goes_on =
            next.is_some_and(within) || next == Some('.') && second.is_some_and(char::is_alphanumeric);
        !before.is_some_and(|c| within(c) || c == '.') && !goes_on
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_in_a_text_is_named_only_as_a_whole() {
        for text in
            ["src/pay.rs", "see `src/pay.rs`.", "(./src/pay.rs:12)", "src/pay.rs. Then", "x src/pay.rs\ty"]
        {
            assert!(names(text, "src/pay.rs"), "{text}");
        }
        for text in ["lib/src/pay.rs", "src/pay.rs.bak", "src/pay.rsx", "my-src/pay.rs", "", "../src/pay.rs"]
        {
            assert!(!names(text, "src/pay.rs"), "{text}");
        }
    }
}
