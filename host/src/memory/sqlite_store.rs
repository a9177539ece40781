//! The store of memories in SQLite: one database per project, with the search index beside the records.
//!
//! Only this module uses the tables of `migrations/0001-memory.sql`. The module `database` handles opening,
//! transactions and deadlines; the write rules decide what may be written.

mod change_log;
mod duplicate_query;
mod embedding_queue;
mod fts_query;
mod list_query;
mod new_device;
mod reindex;
mod row_listing;
mod row_mapping;
mod term_index;
#[cfg(test)]
mod tests;

pub use new_device::become_new_device;
pub use reindex::{add_missing, reindex};

use super::category::Category;
use super::record::{Author, Memory, Origin, Status};
use super::relevance::{MinRelevance, Query};
use super::replica_entry::{Entry, Live, LoggedEntry, Stamp, changed_fields};
use super::sentence_vectors::SentenceVectors;
use super::store::{Filter, Found, Hit, Order, Store, Transaction, version_conflict};
use crate::clock::Millis;
use crate::database::Database;
use crate::error::{Error, Result};
use rusqlite::{Connection, OptionalExtension};
use std::sync::Arc;

/// The memories of one project, in its database.
#[derive(Clone)]
pub struct SqliteStore {
    database: Database,
    vectors: Option<Arc<SentenceVectors>>,
}

impl SqliteStore {
    /// Returns the store in this database.
    pub fn new(database: Database) -> Self {
        Self { database, vectors: None }
    }

    /// Sets the sentence vectors of these memories.
    #[must_use]
    pub fn with_vectors(self, vectors: SentenceVectors) -> Self {
        Self { vectors: Some(Arc::new(vectors)), ..self }
    }

    /// Runs a statement for each of these memories.
    fn update_each(&self, sql: &str, ids: &[String]) -> Result<()> {
        if ids.is_empty() {
            return Ok(());
        }
        self.database.write(|transaction| {
            let mut statement = transaction.prepare(sql)?;
            for id in ids {
                statement.execute([id])?;
            }
            Ok(())
        })
    }

    /// Reads a list, which is empty in a project that has no database yet.
    fn read<T>(&self, read: impl FnOnce(&Connection) -> Result<Vec<T>>) -> Result<Vec<T>> {
        Ok(self.database.read(read)?.unwrap_or_default())
    }
}

impl Store for SqliteStore {
    fn write(&self, work: &mut dyn FnMut(&dyn Transaction) -> Result<()>) -> Result<()> {
        self.database.write(|transaction| work(&SqliteTransaction { transaction }))
    }

    fn get(&self, id: &str) -> Result<Option<Memory>> {
        let found = self.database.read(|connection| {
            row_number(connection, id)?.map(|number| row_mapping::read(connection, number)).transpose()
        })?;
        Ok(found.flatten())
    }

    fn ids(&self, prefix: &str, limit: usize) -> Result<Vec<String>> {
        self.read(|connection| {
            // A range query, because `LIKE` would not use the index.
            let query =
                "SELECT id FROM memories WHERE id >= ?1 AND id < ?1 || char(0x10FFFF) ORDER BY id LIMIT ?2";
            let mut statement = connection.prepare(query)?;
            let ids = statement.query_map((prefix, sql_limit(limit)), |row| row.get(0))?;
            Ok(ids.collect::<rusqlite::Result<_>>()?)
        })
    }

    fn list(&self, filter: &Filter, order: Order, now: Millis, limit: usize) -> Result<Vec<Memory>> {
        self.read(|connection| list_query::list(connection, filter, order, now, limit))
    }

    fn search(
        &self,
        query: &Query,
        filter: &Filter,
        min_relevance: MinRelevance,
        now: Millis,
        limit: usize,
    ) -> Result<Found> {
        let vectors = self.vectors.as_deref();
        let search = fts_query::Search { query, filter, min_relevance, now: Some(now), limit, vectors };
        Ok(self.database.read(|connection| search.run(connection))?.unwrap_or_default())
    }

    fn about_files(&self, files: &[String], filter: &Filter, limit: usize) -> Result<Vec<Memory>> {
        self.read(|connection| fts_query::about_files(connection, files, filter, limit))
    }

    fn counts(&self) -> Result<Vec<(Category, Status, u64)>> {
        self.read(row_mapping::counts)
    }

    fn is_empty(&self) -> Result<bool> {
        Ok(self.database.read(row_mapping::is_empty)?.unwrap_or(true))
    }

    fn record_uses(&self, ids: &[String]) -> Result<()> {
        self.update_each("UPDATE memories SET uses = uses + 1 WHERE id = ?", ids)
    }

    fn record_followed(&self, ids: &[String]) -> Result<()> {
        self.update_each("UPDATE memories SET followed = followed + 1 WHERE id = ?", ids)
    }

    fn use_counts(&self) -> Result<Vec<(Category, u64, u64)>> {
        self.read(row_mapping::use_counts)
    }

    fn embed_some(&self, limit: usize) -> Result<usize> {
        self.embed_some(limit)
    }

    fn unembedded_count(&self) -> Result<u64> {
        Ok(self.database.read(embedding_queue::count)?.unwrap_or_default())
    }

    fn check_vectors(&self) -> Result<u64> {
        self.check_vectors()
    }

    fn remove_derived(&self) -> Result<()> {
        self.database.write(term_index::compact)?;
        self.check_vectors().map(drop)
    }

    fn for_each(&self, visit: &mut dyn FnMut(Memory) -> Result<()>) -> Result<()> {
        self.database.read(|connection| {
            let mut statement = connection.prepare(row_mapping::SELECT_ALL)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                visit(row_mapping::memory(row)?)?;
            }
            Ok(())
        })?;
        Ok(())
    }

    fn entries_since(&self, number: i64, limit: usize) -> Result<Vec<LoggedEntry>> {
        self.read(|connection| change_log::entries_since(connection, number, limit))
    }

    fn entry(&self, id: &str) -> Result<Option<Entry>> {
        Ok(self.database.read(|connection| change_log::entry(connection, id))?.flatten())
    }

    fn authors(&self) -> Result<Vec<(Author, Option<Millis>)>> {
        self.read(change_log::authors)
    }

    fn foreign_counts(&self) -> Result<Vec<(Author, u64)>> {
        self.read(change_log::foreign_counts)
    }

    fn device(&self) -> Result<Option<String>> {
        self.database.read(change_log::device)
    }
}

struct SqliteTransaction<'a> {
    transaction: &'a rusqlite::Transaction<'a>,
}

impl Transaction for SqliteTransaction<'_> {
    fn get(&self, id: &str) -> Result<Option<Memory>> {
        let number = row_number(self.transaction, id)?;
        number.map(|number| row_mapping::read(self.transaction, number)).transpose()
    }

    fn list(&self, filter: &Filter, order: Order, now: Millis, limit: usize) -> Result<Vec<Memory>> {
        list_query::list(self.transaction, filter, order, now, limit)
    }

    fn search(&self, query: &Query, filter: &Filter, limit: usize) -> Result<Vec<Hit>> {
        let search =
            fts_query::Search { query, filter, min_relevance: 0.0.into(), now: None, limit, vectors: None };
        Ok(search.run(self.transaction)?.hits)
    }

    fn similar(&self, text: &str, retired_since: Millis) -> Result<Vec<Memory>> {
        let numbers = duplicate_query::similar(self.transaction, text, retired_since)?;
        row_mapping::read_all(self.transaction, numbers.into_iter())
    }

    fn successor(&self, id: &str) -> Result<Option<Memory>> {
        let number = row_mapping::successor(self.transaction, id)?;
        number.map(|number| row_mapping::read(self.transaction, number)).transpose()
    }

    fn active_count(&self, category: Category) -> Result<u64> {
        row_mapping::active_count(self.transaction, category)
    }

    fn insert(&self, memory: &Memory) -> Result<()> {
        self.insert_row(memory)?;
        change_log::inserted(self.transaction, memory)
    }

    fn replace(&self, memory: &Memory, expected: u64) -> Result<()> {
        let number = self.row_number_at(&memory.id, expected)?;
        let fields = changed_fields(&row_mapping::read(self.transaction, number)?, memory)?;
        self.update_row(number, memory)?;
        change_log::replaced(self.transaction, memory, &fields)
    }

    fn delete(&self, id: &str, expected: u64) -> Result<()> {
        self.delete_row(id, expected)?;
        change_log::deleted(self.transaction, id)
    }

    fn entry(&self, id: &str) -> Result<Option<Entry>> {
        change_log::entry(self.transaction, id)
    }

    fn put_merged(&self, live: &Live, stated: Origin, expected: Option<u64>) -> Result<()> {
        let memory = &live.memory;
        match expected {
            None => self.insert_row(memory)?,
            Some(expected) => self.merge_row(memory, expected)?,
        }
        let author = Some(&live.author)
            .filter(|author| Transaction::device(self).is_ok_and(|own| own != author.device));
        author.map(|author| self.write_author(author)).transpose()?;
        let stated = Some(stated).filter(|stated| *stated != memory.origin);
        change_log::write_live(self.transaction, &memory.id, &live.stamps, author, stated)
    }

    fn put_end(&self, id: &str, expected: Option<u64>, stamp: &Stamp, is_purged: bool) -> Result<()> {
        expected.map(|expected| self.delete_row(id, expected)).transpose()?;
        change_log::write_end(self.transaction, id, stamp, is_purged)
    }

    fn observe(&self, stamp: &Stamp) -> Result<()> {
        change_log::observe(self.transaction, stamp)
    }

    fn next_stamp(&self, now: Millis) -> Result<Stamp> {
        change_log::next_stamp(self.transaction, now)
    }

    fn device(&self) -> Result<String> {
        change_log::device(self.transaction)
    }

    fn own_author(&self) -> Result<Author> {
        change_log::own_author(self.transaction)
    }

    fn authors(&self) -> Result<Vec<(Author, Option<Millis>)>> {
        change_log::authors(self.transaction)
    }

    fn know_author(&self, author: &Author) -> Result<()> {
        change_log::know_author(self.transaction, author)
    }

    fn write_author(&self, author: &Author) -> Result<()> {
        change_log::write_author(self.transaction, author)
    }

    fn set_trust(&self, device: &str, since: Option<Millis>) -> Result<()> {
        change_log::set_trust(self.transaction, device, since)
    }
}

impl SqliteTransaction<'_> {
    fn insert_row(&self, memory: &Memory) -> Result<()> {
        if row_number(self.transaction, &memory.id)?.is_some() {
            return Err(Error::conflict(format!("memory `{}` exists already", memory.id)));
        }
        let terms = term_index::terms(memory);
        let number = row_mapping::insert(self.transaction, memory, &terms)?;
        term_index::add(self.transaction, number, memory, &terms)
    }

    fn update_row(&self, number: i64, memory: &Memory) -> Result<()> {
        let terms = term_index::terms(memory);
        // Most changes are of the status.
        if term_index::is_current(self.transaction, number, memory, &terms)? {
            return row_mapping::update(self.transaction, memory, &terms);
        }
        term_index::remove(self.transaction, number)?;
        row_mapping::update(self.transaction, memory, &terms)?;
        term_index::add(self.transaction, number, memory, &terms)
    }

    /// Updates a row. Two devices that wrote the same id may differ in what no update changes.
    fn merge_row(&self, memory: &Memory, expected: u64) -> Result<()> {
        let number = self.row_number_at(&memory.id, expected)?;
        let old = row_mapping::read(self.transaction, number)?;
        let fixed = |memory: &Memory| (memory.category, memory.created_at, memory.schema_version.clone());
        if fixed(&old) == fixed(memory) {
            return self.update_row(number, memory);
        }
        self.delete_row(&memory.id, expected)?;
        self.insert_row(memory)
    }

    fn delete_row(&self, id: &str, expected: u64) -> Result<()> {
        let number = self.row_number_at(id, expected)?;
        term_index::remove(self.transaction, number)?;
        row_mapping::delete(self.transaction, number)
    }

    /// Returns the row number of a memory that must have this version.
    fn row_number_at(&self, id: &str, expected: u64) -> Result<i64> {
        let number = row_number(self.transaction, id)?
            .ok_or_else(|| Error::not_found(format!("no memory has the id `{id}`")))?;
        match row_mapping::version(self.transaction, number)? {
            current if current == expected => Ok(number),
            current => Err(version_conflict(id, current, expected)),
        }
    }
}

fn row_number(connection: &Connection, id: &str) -> Result<Option<i64>> {
    let query = "SELECT number FROM memories WHERE id = ?";
    Ok(connection.prepare_cached(query)?.query_row([id], |row| row.get(0)).optional()?)
}

/// Converts a limit to SQLite's signed integers.
fn sql_limit(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}
