//! The search over recorded sessions: full-text, ranked by BM25, with conditions on files, commands, failures
//! and days.
//!
//! A frequent word occurs in most turns, and to score all of them takes too long. So a search first asks for
//! the turns with all words, the newest few thousand of them. Only if these are too few, it asks for turns
//! whose prompt or closing message means the same, if there is a sentence model, and for turns with any of
//! the rarer words.

use std::ops::Range;

use rusqlite::{Connection, params};
use serde::Serialize;

use super::Record;
use super::listing::{Turn, turn_of_number};
use super::turn_vectors::SimilarTurn;
use crate::clock::Millis;
use crate::error::{Error, Result};
use crate::memory::search_terms;

/// Maximum number of turns that are scored, the newest: about 20 ms.
const MAX_SCORED: usize = 5_000;

/// Number of turns above which a word is frequent: turns that share only such words are not looked for.
const MIN_FREQUENT: usize = 5_000;

/// Maximum number of words of a query.
const MAX_WORDS: usize = 24;

/// Maximum number of characters of the line that a hit shows.
const MAX_LINE_CHARS: usize = 240;

/// The weight of each column of the index: prompt, closing, commands, errors, files.
const WEIGHTS: &str = "4.0, 2.0, 1.0, 2.0, 1.0";

/// Number of candidates that are read for each hit, because a turn may contain the words of a command without
/// the command.
const CANDIDATES_PER_HIT: usize = 4;

/// What is searched for. At least one text must be set.
#[derive(Debug, Clone, Default)]
pub struct SearchQuery {
    /// Words that may occur anywhere.
    pub words: String,
    /// A file that the turn changed, or the end of its path.
    pub file: Option<String>,
    /// Words of a command that was run.
    pub command: Option<String>,
    /// Words of an error line.
    pub failure: Option<String>,
    /// The earliest time at which the turn began.
    pub since: Option<Millis>,
    /// The time before which it began.
    pub until: Option<Millis>,
    /// Maximum number of hits.
    pub limit: usize,
}

/// Where the words of a hit stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FoundIn {
    /// The prompt.
    Prompt,
    /// The assistant's closing message.
    Closing,
    /// A command line.
    Command,
    /// An error line.
    Error,
    /// The path of a changed file.
    File,
}

/// A turn that was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SearchHit {
    /// The id of the session.
    pub session: String,
    /// The number of the turn in the record.
    pub turn: i64,
    /// The subagent; empty in the session's own conversation.
    pub agent: String,
    /// The branch.
    pub branch: Option<String>,
    /// When the turn began.
    pub at: Millis,
    /// Where the line stands.
    pub found_in: FoundIn,
    /// The line with the words.
    pub line: String,
    /// How well it matches: BM25 of its words, or the cosine of a text that means the same. The hits stand in
    /// order.
    pub score: f64,
}

/// The terms of a query.
struct Terms {
    words: Vec<String>,
    command: Vec<String>,
    failure: Vec<String>,
    /// The conditions of the index that every hit fulfils.
    conditions: Vec<String>,
}

impl Record {
    /// Returns the turns that match, the best first.
    ///
    /// # Errors
    /// `Invalid` if nothing is searched for, `Unavailable` if the record cannot be read.
    pub fn search(&self, query: &SearchQuery) -> Result<Vec<SearchHit>> {
        let terms = Terms::of(query);
        if terms.words.is_empty() && terms.conditions.is_empty() {
            return Err(Error::invalid("there is nothing to search for: no word of the query is searchable")
                .hint("name words, or use --file, --command or --failure"));
        }
        let mut hits = Vec::new();
        self.database
            .read(|db| terms.all().map_or(Ok(()), |all| add_hits(db, &all, query, &terms, &mut hits)))?;
        if hits.len() < query.limit && terms.conditions.is_empty() {
            let similar = self.similar_turns(&query.words, query.time())?;
            self.database.read(|db| add_similar(db, &similar, query, &terms, &mut hits))?;
        }
        if hits.len() < query.limit {
            self.database.read(|db| {
                terms.any_rare(db)?.map_or(Ok(()), |any| add_hits(db, &any, query, &terms, &mut hits))
            })?;
        }
        Ok(hits)
    }
}

impl SearchQuery {
    /// Returns the time in which the turns began.
    fn time(&self) -> Range<Millis> {
        self.since.unwrap_or(Millis::MIN)..self.until.unwrap_or(Millis::MAX)
    }
}

impl Terms {
    fn of(query: &SearchQuery) -> Self {
        let of = |text: &Option<String>| text.as_deref().map(search_terms).unwrap_or_default();
        let mut words = search_terms(&query.words);
        words.truncate(MAX_WORDS);
        let (command, failure) = (of(&query.command), of(&query.failure));
        // The whole path is a term of its own, which the end of a path does not have.
        let file: Vec<String> = of(&query.file).into_iter().filter(|term| is_part(term)).collect();
        let columns = [("files", &file), ("commands", &command), ("errors", &failure)];
        let used = columns.into_iter().filter(|(_, terms)| !terms.is_empty());
        let conditions = used.map(|(column, terms)| format!("{column} : ({})", joined(terms, " AND ")));
        Self { words, conditions: conditions.collect(), command, failure }
    }

    /// Returns the expression for turns with all words.
    fn all(&self) -> Option<String> {
        let words = (!self.words.is_empty()).then(|| joined(&self.words, " AND "));
        let parts: Vec<String> = self.conditions.iter().cloned().chain(words).collect();
        (!parts.is_empty()).then(|| parts.join(" AND "))
    }

    /// Returns the expression for turns with at least one of the rarer words; with conditions, of any word.
    fn any_rare(&self, db: &Connection) -> Result<Option<String>> {
        if self.words.len() < 2 {
            return Ok(None);
        }
        let mut rare = Vec::new();
        for word in &self.words {
            if !self.conditions.is_empty() || !is_frequent(db, word)? {
                rare.push(word.clone());
            }
        }
        let words = (!rare.is_empty()).then(|| format!("({})", joined(&rare, " OR ")));
        Ok(words
            .map(|words| self.conditions.iter().cloned().chain([words]).collect::<Vec<_>>().join(" AND ")))
    }
}

fn is_part(term: &str) -> bool {
    term.chars().all(char::is_alphanumeric)
}

/// Joins the terms, each quoted, so that nothing in it is an operator.
fn joined(terms: &[String], operator: &str) -> String {
    let quoted = terms.iter().map(|term| format!("\"{}\"", term.replace('"', "\"\"")));
    quoted.collect::<Vec<_>>().join(operator)
}

fn is_frequent(db: &Connection, word: &str) -> Result<bool> {
    let sql =
        format!("SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ?1 LIMIT {})", MIN_FREQUENT + 1);
    let expression = joined(&[word.to_owned()], "");
    let count: i64 = db.prepare_cached(&sql)?.query_row([expression], |row| row.get(0))?;
    Ok(count > MIN_FREQUENT as i64)
}

/// Adds the turns that the expression finds and that are not among the hits, the best first.
fn add_hits(
    db: &Connection,
    expression: &str,
    query: &SearchQuery,
    terms: &Terms,
    hits: &mut Vec<SearchHit>,
) -> Result<()> {
    let candidates = query.limit.saturating_mul(CANDIDATES_PER_HIT).max(hits.len() + query.limit);
    for (number, score) in best_turns(db, expression, query, candidates)? {
        if hits.len() >= query.limit {
            break;
        }
        let is_new = hits.iter().all(|hit| hit.turn != number);
        let Some((turn, session)) = turn_of_number(db, number)?.filter(|_| is_new) else { continue };
        hits.extend(hit(&turn, session, score, query, terms));
    }
    Ok(())
}

/// Adds the turns with the most similar texts. They fill half of the room at most: words are more certain.
fn add_similar(
    db: &Connection,
    similar: &[SimilarTurn],
    query: &SearchQuery,
    terms: &Terms,
    hits: &mut Vec<SearchHit>,
) -> Result<()> {
    let room = (query.limit - hits.len()).div_ceil(2);
    let is_new = |similar: &&SimilarTurn| hits.iter().all(|hit| hit.turn != similar.turn);
    let new: Vec<&SimilarTurn> = similar.iter().filter(is_new).take(room).collect();
    for similar in new {
        let Some((turn, session)) = turn_of_number(db, similar.turn)? else { continue };
        let (found_in, text) = match similar.is_closing {
            true => (FoundIn::Closing, &turn.closing),
            false => (FoundIn::Prompt, &turn.prompt),
        };
        let first = text.iter().flat_map(|text| text.lines()).find(|line| !line.trim().is_empty());
        let first = first.map(|line| (found_in, line.to_owned()));
        let line = best_line(&turn, &terms.words).or(first);
        hits.extend(line.map(|line| hit_with(&turn, session, similar.cosine, line)));
    }
    Ok(())
}

/// Returns the numbers and scores of the turns that match best.
fn best_turns(
    db: &Connection,
    expression: &str,
    query: &SearchQuery,
    limit: usize,
) -> Result<Vec<(i64, f64)>> {
    let is_dated = query.since.is_some() || query.until.is_some();
    let dates = match is_dated {
        true => "AND (SELECT began_at FROM turns WHERE number = words.rowid) BETWEEN ?2 AND ?3",
        false => "AND ?2 <= ?3",
    };
    let sql = format!(
        "SELECT number, score FROM (
             SELECT rowid AS number, bm25(words, {WEIGHTS}) AS score FROM words
             WHERE words MATCH ?1 {dates} ORDER BY rowid DESC LIMIT {MAX_SCORED})
         ORDER BY score, number DESC LIMIT ?4"
    );
    let until = query.until.map_or(Millis::MAX, |until| until - 1);
    let values = params![
        expression,
        query.since.unwrap_or(Millis::MIN),
        until,
        i64::try_from(limit).unwrap_or(i64::MAX)
    ];
    let mut statement = db.prepare_cached(&sql)?;
    let found = statement.query_map(values, |row| Ok((row.get(0)?, -row.get::<_, f64>(1)?)))?;
    Ok(found.collect::<rusqlite::Result<_>>()?)
}

/// Returns the hit of a turn; `None` if one command, error line or file does not have all that was asked for.
fn hit(turn: &Turn, session: String, score: f64, query: &SearchQuery, terms: &Terms) -> Option<SearchHit> {
    let is_file = |path: &&String| query.file.as_ref().is_none_or(|file| names_file(path, file));
    let file = turn.files.iter().find(is_file);
    let has_command = |run: &&super::RecordedRun| {
        has_all(&run.command, &terms.command)
            || run.line.as_ref().is_some_and(|line| has_all(line, &terms.command))
    };
    let command = turn.runs.iter().find(has_command);
    let error =
        turn.runs.iter().filter_map(|run| run.error.as_ref()).find(|error| has_all(error, &terms.failure));
    let is_missing = query.file.is_some() && file.is_none()
        || query.command.is_some() && command.is_none()
        || query.failure.is_some() && error.is_none();
    if is_missing {
        return None;
    }
    let asked = match () {
        () if query.failure.is_some() => error.map(|error| (FoundIn::Error, error.clone())),
        () if query.command.is_some() => {
            command.map(|run| (FoundIn::Command, run.line.clone().unwrap_or_else(|| run.command.clone())))
        }
        () if query.file.is_some() => file.map(|file| (FoundIn::File, file.clone())),
        () => None,
    };
    let best = best_line(turn, &terms.words);
    best.or(asked).map(|line| hit_with(turn, session, score, line))
}

/// Returns the hit of a turn that shows this line.
fn hit_with(turn: &Turn, session: String, score: f64, (found_in, line): (FoundIn, String)) -> SearchHit {
    let line = interleaf_text::truncate_at_word(&interleaf_text::collapse_whitespace(&line), MAX_LINE_CHARS)
        .into_owned();
    let (agent, branch) = (turn.agent.clone(), turn.branch.clone());
    SearchHit { session, turn: turn.number, agent, branch, at: turn.began_at, found_in, line, score }
}

/// Tells whether a path is this file, or ends with it.
fn names_file(path: &str, file: &str) -> bool {
    let file = file.trim_start_matches("./");
    path.strip_suffix(file).is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

fn has_all(text: &str, terms: &[String]) -> bool {
    if terms.is_empty() {
        return true;
    }
    let found = search_terms(text);
    terms.iter().all(|term| found.contains(term))
}

/// Returns the line of the turn with the most words; none without any.
fn best_line(turn: &Turn, words: &[String]) -> Option<(FoundIn, String)> {
    if words.is_empty() {
        return None;
    }
    let lines_of = |found_in: FoundIn, text: &Option<String>| {
        let lines = text.iter().flat_map(|text| text.lines());
        lines.map(|line| (found_in, line.to_owned())).collect::<Vec<_>>()
    };
    let mut lines = lines_of(FoundIn::Prompt, &turn.prompt);
    lines.extend(lines_of(FoundIn::Closing, &turn.closing));
    for run in &turn.runs {
        lines.extend(lines_of(FoundIn::Error, &run.error));
        let line = run.line.clone().or_else(|| Some(run.command.clone()));
        lines.extend(lines_of(FoundIn::Command, &line));
    }
    lines.extend(turn.files.iter().map(|file| (FoundIn::File, file.clone())));
    lines.extend(turn.commits.iter().map(|commit| (FoundIn::Command, commit.subject.clone())));
    let count = |line: &str| {
        let terms = search_terms(line);
        words.iter().filter(|word| terms.contains(word)).count()
    };
    // Of equal ones, the first.
    let counted = lines.into_iter().rev().map(|line| (count(&line.1), line));
    counted.filter(|(count, _)| *count > 0).max_by_key(|(count, _)| *count).map(|(_, line)| line)
}
