//! The memories whose sentence vectors are missing: the table `unembedded`. A memory joins it with each
//! change of its texts, and leaves it once its vectors are on the disk. So a process that is killed in
//! between leaves work to do again, and never a memory without vectors that nobody knows of.

use std::collections::{HashMap, HashSet};

use rusqlite::{Connection, OptionalExtension, Row, Transaction};

use super::SqliteStore;
use crate::error::Result;
use crate::memory::sentence_vectors::{EmbeddedTexts, digest};

/// The texts that have vectors, after the row number.
const TEXTS: &str = "number, title, text, asked_as";

impl SqliteStore {
    /// Computes the vectors of some memories that lack them, and returns their number: 0 if no memory lacks
    /// any, or there is no model.
    pub(super) fn embed_some(&self, limit: usize) -> Result<usize> {
        let Some(vectors) = self.vectors.as_ref().filter(|vectors| vectors.has_model()) else { return Ok(0) };
        if !vectors.has_vectors() {
            self.embed_again()?;
        }
        let waiting = self.read(|connection| waiting(connection, limit))?;
        if waiting.is_empty() {
            return Ok(0);
        }
        vectors.append(&waiting)?;
        self.database.write(|transaction| waiting.iter().try_for_each(|texts| done(transaction, texts)))?;
        Ok(waiting.len())
    }

    /// Lets the vectors of all memories be computed again.
    fn embed_again(&self) -> Result<()> {
        if self.database.read(super::row_mapping::is_empty)?.unwrap_or(true) {
            return Ok(());
        }
        self.database.write(|transaction| {
            let all = "INSERT OR IGNORE INTO unembedded SELECT number FROM memories";
            transaction.execute(all, [])?;
            Ok(())
        })
    }

    /// Compares the file with the memories: removes vectors that belong to none, and lets those that are
    /// missing be computed. Returns how many memories lacked vectors without being known for it.
    pub(super) fn check_vectors(&self) -> Result<u64> {
        let Some(vectors) = self.vectors.as_ref().filter(|vectors| vectors.has_vectors()) else {
            return Ok(0);
        };
        let digests: HashMap<i64, u64> = self.read(digests)?.into_iter().collect();
        let belongs = |row: i64, digest: u64| digests.get(&row) == Some(&digest);
        let (kept, stale): (Vec<_>, Vec<_>) =
            vectors.keys().into_iter().partition(|(row, digest)| belongs(*row, *digest));
        if !stale.is_empty() {
            vectors.retain(belongs)?;
        }
        let has_vector: HashSet<i64> = kept.into_iter().map(|(row, _)| row).collect();
        let missing: Vec<i64> = digests.keys().copied().filter(|row| !has_vector.contains(row)).collect();
        self.database.write(|transaction| {
            let mut statement =
                transaction.prepare("INSERT OR IGNORE INTO unembedded (number) VALUES (?)")?;
            missing.iter().try_fold(0, |added, row| Ok(added + statement.execute([row])? as u64))
        })
    }
}

/// Lets the vectors of a memory be computed.
pub(super) fn add(transaction: &Transaction, number: i64) -> Result<()> {
    let insert = "INSERT OR IGNORE INTO unembedded (number) VALUES (?)";
    Ok(transaction.prepare_cached(insert)?.execute([number]).map(drop)?)
}

/// Returns the number of memories that lack vectors.
pub(super) fn count(connection: &Connection) -> Result<u64> {
    let query = "SELECT count(*) FROM unembedded JOIN memories USING (number)";
    Ok(connection.query_row(query, [], |row| row.get::<_, i64>(0))?.unsigned_abs())
}

/// Returns some memories that lack vectors, the newest first: they are what the next sessions are about.
fn waiting(connection: &Connection, limit: usize) -> Result<Vec<EmbeddedTexts>> {
    let query = format!(
        "SELECT {TEXTS} FROM unembedded JOIN memories USING (number) ORDER BY number DESC LIMIT {limit}"
    );
    let mut statement = connection.prepare_cached(&query)?;
    let rows = statement.query_map([], |row| Ok(texts(row)))?;
    rows.map(|texts| texts?).collect()
}

/// Takes a memory out of the table, unless it was changed meanwhile.
fn done(transaction: &Transaction, embedded: &EmbeddedTexts) -> Result<()> {
    let query = format!("SELECT {TEXTS} FROM memories WHERE number = ?");
    let mut statement = transaction.prepare_cached(&query)?;
    let now = statement.query_row([embedded.number], |row| Ok(texts(row))).optional()?.transpose()?;
    if now.is_none_or(|now| now.digest == embedded.digest) {
        transaction.prepare_cached("DELETE FROM unembedded WHERE number = ?")?.execute([embedded.number])?;
    }
    Ok(())
}

fn digests(connection: &Connection) -> Result<Vec<(i64, u64)>> {
    let mut statement = connection.prepare(&format!("SELECT {TEXTS} FROM memories"))?;
    let rows = statement.query_map([], |row| Ok(texts(row).map(|texts| (texts.number, texts.digest))))?;
    rows.map(|digest| digest?).collect()
}

/// Reads the texts of a row.
fn texts(row: &Row<'_>) -> Result<EmbeddedTexts> {
    let cues: Vec<String> =
        serde_json::from_str(row.get_ref(3)?.as_str().unwrap_or("[]")).unwrap_or_default();
    let text = |at: usize| -> Result<&str> { Ok(row.get_ref(at)?.as_str().unwrap_or_default()) };
    Ok(EmbeddedTexts::new(row.get(0)?, text(1)?, text(2)?, &cues))
}

/// Returns the digest of the texts of a row that has these columns from `first` on: title, text, cues.
pub(super) fn digest_of(row: &Row<'_>, first: usize) -> rusqlite::Result<u64> {
    let text = |at: usize| -> rusqlite::Result<&str> { Ok(row.get_ref(at)?.as_str().unwrap_or_default()) };
    let cues: Vec<String> = serde_json::from_str(text(first + 2)?).unwrap_or_default();
    Ok(digest(text(first)?, text(first + 1)?, &cues))
}
