//! The sentence vectors of prompts and closing messages: with a sentence model, turns are found by their
//! meaning as well as by their words.
//!
//! They stand in the record itself, so that what deletes a turn deletes its vectors, too, and the size limit
//! counts them.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use interleaf_embedding::{Model, dot, quantize};
use rusqlite::{Connection, Row, Transaction, params};

use super::Record;
use super::stored_text::unpack_column;
use crate::clock::Millis;
use crate::error::Result;
use crate::short_digest::short_digest;

/// Number of tokens of a prompt or a closing message that count: the time grows with each, and both begin
/// with their subject.
const MAX_TOKENS: usize = 128;

/// Number of tokens of a query that count.
const MAX_QUERY_TOKENS: usize = 32;

/// Maximum number of turns that a query is compared with, the newest: it reads 77 MB for that many.
const MAX_COMPARED: usize = 100_000;

/// The dot product of two equal vectors, each number of which is 127 at most.
const ONE: f64 = 127.0 * 127.0;

/// The smallest cosine of a hit. It was chosen by hand, not measured on labelled searches.
const MIN_COSINE: f64 = 0.4;

/// The sentence model of this user, which is opened when it is needed.
#[derive(Clone, Default)]
pub(super) struct LazyModel {
    file: Option<PathBuf>,
    model: Arc<OnceLock<Option<Model<'static>>>>,
}

impl LazyModel {
    pub(super) fn at(file: PathBuf) -> Self {
        Self { file: Some(file), model: Arc::default() }
    }

    /// Returns the model; `None` without one, or if its file cannot be used, which `doctor` says.
    fn get(&self) -> Option<&Model<'static>> {
        let open = || self.file.as_ref().filter(|file| file.exists()).and_then(|file| Model::open(file).ok());
        self.model.get_or_init(open).as_ref()
    }
}

/// A turn whose vectors are missing.
struct Missing {
    turn: i64,
    ended_at: Millis,
    prompt: Option<String>,
    closing: Option<String>,
}

/// A turn with a similar text.
pub(super) struct SimilarTurn {
    pub(super) turn: i64,
    pub(super) cosine: f64,
    /// Whether the closing message is the similar text, or else the prompt.
    pub(super) is_closing: bool,
}

impl Record {
    /// Computes the vectors of at most this many turns, the newest. Returns the number of turns that had
    /// none; 0 without a model.
    ///
    /// # Errors
    /// `Unavailable` if the record cannot be read or written.
    pub fn embed_some(&self, limit: usize) -> Result<usize> {
        let Some(model) = self.model.get().filter(|_| self.exists()) else { return Ok(0) };
        let id = digest(model);
        let missing = self.database.read(|db| missing(db, id, limit))?.unwrap_or_default();
        let vector = |text: &Option<String>| {
            let text = text.as_deref().filter(|text| !text.trim().is_empty())?;
            Some(bytes(&quantize(&model.embed(text, MAX_TOKENS))))
        };
        for turn in &missing {
            let (prompt, closing) = (vector(&turn.prompt), vector(&turn.closing));
            self.database.write(|tx| {
                // Meanwhile, another process may have deleted the turn or added to it.
                let sql = "INSERT OR REPLACE INTO vectors (turn, model, prompt, closing)
                     SELECT number, ?2, ?3, ?4 FROM turns
                     WHERE number = ?1 AND ended_at = ?5 AND is_stale = 0";
                let values = params![turn.turn, id, prompt, closing, turn.ended_at];
                Ok(tx.prepare_cached(sql)?.execute(values).map(drop)?)
            })?;
        }
        Ok(missing.len())
    }

    /// Returns the turns that began in this time and whose prompt or closing message is similar to a text,
    /// the most similar first; none without a model.
    pub(super) fn similar_turns(&self, text: &str, time: Range<Millis>) -> Result<Vec<SimilarTurn>> {
        let Some(model) = self.model.get() else { return Ok(Vec::new()) };
        let query = quantize(&model.embed(text, MAX_QUERY_TOKENS));
        let found = self.database.read(|db| similar(db, digest(model), &query, time))?;
        let mut found = found.unwrap_or_default();
        found.sort_by(|a, b| b.cosine.total_cmp(&a.cosine).then(b.turn.cmp(&a.turn)));
        Ok(found)
    }
}

/// Removes the vectors of a turn.
pub(super) fn remove(tx: &Transaction, turn: i64) -> Result<()> {
    tx.prepare_cached("DELETE FROM vectors WHERE turn = ?")?.execute([turn])?;
    Ok(())
}

fn digest(model: &Model) -> i64 {
    short_digest(model.id().as_bytes())
}

fn missing(db: &Connection, model: i64, limit: usize) -> Result<Vec<Missing>> {
    // The index has no texts, so it is fast to look through.
    let sql = "SELECT number, ended_at, prompt, closing FROM turns WHERE is_stale = 0 AND number IN (
             SELECT number FROM turns INDEXED BY turns_by_age
             WHERE NOT EXISTS (SELECT 1 FROM vectors WHERE turn = number AND model = ?1)
             ORDER BY began_at DESC LIMIT ?2)";
    let mut statement = db.prepare_cached(sql)?;
    let mut rows = statement.query((model, i64::try_from(limit).unwrap_or(i64::MAX)))?;
    let mut missing = Vec::new();
    while let Some(row) = rows.next()? {
        let (prompt, closing) = (unpack_column(row, 2)?, unpack_column(row, 3)?);
        missing.push(Missing { turn: row.get(0)?, ended_at: row.get(1)?, prompt, closing });
    }
    Ok(missing)
}

fn similar(db: &Connection, model: i64, query: &[i8], time: Range<Millis>) -> Result<Vec<SimilarTurn>> {
    let began_at = "(SELECT began_at FROM turns WHERE number = turn)";
    let dates = match time == (Millis::MIN..Millis::MAX) {
        true => "AND ?2 < ?3".to_owned(),
        false => format!("AND {began_at} >= ?2 AND {began_at} < ?3"),
    };
    let sql = format!(
        "SELECT turn, prompt, closing FROM vectors WHERE model = ?1 {dates}
         ORDER BY turn DESC LIMIT {MAX_COMPARED}"
    );
    let mut statement = db.prepare_cached(&sql)?;
    let mut rows = statement.query((model, time.start, time.end))?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let [prompt, closing] = [1, 2].map(|column| cosine(row, column, query));
        let cosine = prompt.max(closing);
        if cosine >= MIN_COSINE {
            found.push(SimilarTurn { turn: row.get(0)?, cosine, is_closing: closing > prompt });
        }
    }
    Ok(found)
}

/// Returns the cosine of the vector in this column; 0 without one.
fn cosine(row: &Row, column: usize, query: &[i8]) -> f64 {
    let stored = row.get_ref(column).ok().and_then(|value| value.as_blob().ok()).unwrap_or_default();
    let stored: Vec<i8> = stored.iter().map(|byte| byte.cast_signed()).collect();
    f64::from(dot(query, &stored)) / ONE
}

fn bytes(vector: &[i8]) -> Vec<u8> {
    vector.iter().map(|number| number.cast_unsigned()).collect()
}
