//! Which memories hold the words of a query. The index is asked only where the floor can still be reached,
//! and only for the rarest words; most prompts end at the frequencies of their words.

use super::super::ageing::Age;
use super::super::duplicates;
use super::super::relevance::{Query, Weighed};
use super::super::store::{Filter, Hit};
use super::super::words;
use super::filter::Condition;
use super::{index, row};
use crate::clock::Millis;
use crate::error::Result;
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};
use std::collections::HashSet;

/// How many rows are looked at, the newest first, 2 microseconds each. Only a word that a large part of a
/// large store holds leads to more, and such a word weighs too little to lead.
const MOST_ROWS: usize = 2_000;

/// How many memories are compared with a new one, those that share most of its words first. Entries made
/// after one pattern share most of their words without saying the same; what says the same shares more.
const MOST_COMPARED: usize = 20;

/// A row that holds a leading word.
struct Candidate {
    number: i64,
    created_at: Millis,
    age: Age,
    covered: f64,
}

pub(super) fn search(
    connection: &Connection,
    query: &Query,
    filter: &Filter,
    floor: f32,
    now: Option<Millis>,
    limit: usize,
) -> Result<Vec<Hit>> {
    if query.is_empty() || limit == 0 {
        return Ok(Vec::new());
    }
    let weighed = query.weigh(index::memories(connection)?, |term| index::frequency(connection, term))?;
    let any_lead = index::any_of(weighed.leads(floor));
    if any_lead.is_empty() {
        return Ok(Vec::new());
    }
    let mut found = candidates(connection, any_lead, filter, &weighed)?;
    found.retain(|candidate| weighed.relevance(candidate.covered) >= floor);
    let rank = |it: &Candidate| it.covered * now.map_or(1.0, |now| f64::from(it.age.rank(now)));
    found.sort_by(|a, b| {
        let newer = (b.created_at, b.number).cmp(&(a.created_at, a.number));
        rank(b).total_cmp(&rank(a)).then(newer)
    });
    found.truncate(limit);
    let hit = |candidate: Candidate| {
        let relevance = weighed.relevance(candidate.covered);
        Ok(Hit { memory: row::read(connection, candidate.number)?, relevance })
    };
    found.into_iter().map(hit).collect()
}

fn candidates(
    connection: &Connection,
    any_lead: String,
    filter: &Filter,
    weighed: &Weighed,
) -> Result<Vec<Candidate>> {
    let condition = Condition::of(filter);
    let sql = format!(
        "SELECT number, created_at, memories.terms, category, updated_at
         FROM words CROSS JOIN memories ON number = words.rowid
         WHERE words MATCH ? AND {} ORDER BY words.rowid DESC LIMIT {MOST_ROWS}",
        condition.sql
    );
    let values = std::iter::once(Value::Text(any_lead)).chain(condition.values);
    let mut statement = connection.prepare(&sql)?;
    let mut rows = statement.query(params_from_iter(values))?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let covered = weighed.cover(row.get_ref(2)?.as_str().unwrap_or_default().split(' '));
        let age = Age::of(row::word(row, "category")?, row.get(4)?);
        found.push(Candidate { number: row.get(0)?, created_at: row.get(1)?, age, covered });
    }
    Ok(found)
}

/// The memories that share so many words with a text that they may say the same, the likeliest first; of the retired
/// ones those since this moment.
///
/// Whoever shares `least` of `n` terms holds at least one of any `n - least + 1` of them, so the rarest are
/// enough.
pub(super) fn similar(connection: &Connection, text: &str, retired_since: Millis) -> Result<Vec<i64>> {
    let terms: Vec<String> = words::terms(text).into_iter().map(|term| term.text).collect();
    let least = duplicates::least_shared(terms.len());
    let mut by_rarity = Vec::with_capacity(terms.len());
    for term in &terms {
        by_rarity.push((index::frequency(connection, term)?, term.as_str()));
    }
    by_rarity.sort();
    by_rarity.truncate((terms.len() + 1).saturating_sub(least.max(1)));
    let any_rare = index::any_of(by_rarity.iter().filter(|(holders, _)| *holders > 0).map(|(_, term)| *term));
    if any_rare.is_empty() {
        return Ok(Vec::new());
    }
    sharing(connection, (any_rare, retired_since), &terms, least)
}

fn sharing(
    connection: &Connection,
    bound: (String, Millis),
    terms: &[String],
    least: usize,
) -> Result<Vec<i64>> {
    let sql = "SELECT number, memories.terms FROM words CROSS JOIN memories ON number = words.rowid
         WHERE words MATCH ? AND (status <> 'retired' OR status_since > ?) ORDER BY words.rowid DESC";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(bound)?;
    let wanted: HashSet<&str> = terms.iter().map(String::as_str).collect();
    let mut found: Vec<(usize, i64)> = Vec::new();
    while let Some(row) = rows.next()? {
        let held = row.get_ref(1)?.as_str().unwrap_or_default().split(' ');
        let shared = held.filter(|term| wanted.contains(term)).count();
        if shared >= least {
            found.push((shared, row.get(0)?));
        }
    }
    found.sort_by(|a, b| b.cmp(a));
    Ok(found.into_iter().take(MOST_COMPARED).map(|(_, number)| number).collect())
}
