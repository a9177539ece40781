//! Memories in SQLite: the default store, one file a project, with the search index beside the records.
//!
//! The only place that knows the tables of `migrations/0001-memory.sql`. Opening, transactions and
//! deadlines are the database's; what may be written is the write rules'.

mod about;
mod filter;
mod index;
mod list;
mod row;
mod search;
#[cfg(test)]
mod tests;

use super::kinds::{Category, Status};
use super::record::Memory;
use super::relevance::Query;
use super::store::{Filter, Hit, Order, Store, Transaction, outdated};
use crate::clock::Millis;
use crate::database::Database;
use crate::error::{Error, Result};
use rusqlite::{Connection, OptionalExtension};

/// The memories of one project, in its database.
#[derive(Clone)]
pub struct SqliteStore {
    database: Database,
}

impl SqliteStore {
    /// The memories in this database.
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

impl Store for SqliteStore {
    fn write(&self, work: &mut dyn FnMut(&dyn Transaction) -> Result<()>) -> Result<()> {
        self.database.write(|transaction| work(&SqliteTransaction { transaction }))
    }

    fn get(&self, id: &str) -> Result<Option<Memory>> {
        let found = self.database.read(|connection| {
            number(connection, id)?.map(|number| row::read(connection, number)).transpose()
        })?;
        Ok(found.flatten())
    }

    fn ids(&self, prefix: &str, limit: usize) -> Result<Vec<String>> {
        self.read(|connection| {
            // The ids from the prefix up to where no id can begin with it any more.
            let query =
                "SELECT id FROM memories WHERE id >= ?1 AND id < ?1 || char(0x10FFFF) ORDER BY id LIMIT ?2";
            let mut statement = connection.prepare(query)?;
            let ids = statement.query_map((prefix, whole(limit)), |row| row.get(0))?;
            Ok(ids.collect::<rusqlite::Result<_>>()?)
        })
    }

    fn list(&self, filter: &Filter, order: Order, now: Millis, limit: usize) -> Result<Vec<Memory>> {
        self.read(|connection| list::list(connection, filter, order, now, limit))
    }

    fn search(
        &self,
        query: &Query,
        filter: &Filter,
        floor: f32,
        now: Millis,
        limit: usize,
    ) -> Result<Vec<Hit>> {
        self.read(|connection| search::search(connection, query, filter, floor, Some(now), limit))
    }

    fn about(&self, files: &[String], filter: &Filter, limit: usize) -> Result<Vec<Memory>> {
        self.read(|connection| about::about(connection, files, filter, limit))
    }

    fn count(&self) -> Result<Vec<(Category, Status, u64)>> {
        self.read(row::count)
    }

    fn used(&self, ids: &[String]) -> Result<()> {
        if ids.is_empty() {
            return Ok(());
        }
        self.database.write(|transaction| {
            let mut statement = transaction.prepare("UPDATE memories SET uses = uses + 1 WHERE id = ?")?;
            for id in ids {
                statement.execute([id])?;
            }
            Ok(())
        })
    }

    fn each(&self, visit: &mut dyn FnMut(Memory) -> Result<()>) -> Result<()> {
        self.database.read(|connection| {
            let mut statement = connection.prepare(row::ALL)?;
            let mut rows = statement.query([])?;
            while let Some(found) = rows.next()? {
                visit(row::memory(found)?)?;
            }
            Ok(())
        })?;
        Ok(())
    }
}

impl SqliteStore {
    /// A project without a database has no memories.
    fn read<T>(&self, read: impl FnOnce(&Connection) -> Result<Vec<T>>) -> Result<Vec<T>> {
        Ok(self.database.read(read)?.unwrap_or_default())
    }
}

/// One step, which is one transaction.
struct SqliteTransaction<'a> {
    transaction: &'a rusqlite::Transaction<'a>,
}

impl Transaction for SqliteTransaction<'_> {
    fn get(&self, id: &str) -> Result<Option<Memory>> {
        number(self.transaction, id)?.map(|number| row::read(self.transaction, number)).transpose()
    }

    fn list(&self, filter: &Filter, order: Order, now: Millis, limit: usize) -> Result<Vec<Memory>> {
        list::list(self.transaction, filter, order, now, limit)
    }

    fn search(&self, query: &Query, filter: &Filter, floor: f32, limit: usize) -> Result<Vec<Hit>> {
        search::search(self.transaction, query, filter, floor, None, limit)
    }

    fn similar(&self, text: &str, retired_since: Millis) -> Result<Vec<Memory>> {
        let numbers = search::similar(self.transaction, text, retired_since)?;
        numbers.into_iter().map(|number| row::read(self.transaction, number)).collect()
    }

    fn successor(&self, id: &str) -> Result<Option<Memory>> {
        let number = row::successor(self.transaction, id)?;
        number.map(|number| row::read(self.transaction, number)).transpose()
    }

    fn active(&self, category: Category) -> Result<u64> {
        row::active(self.transaction, category)
    }

    fn insert(&self, memory: &Memory) -> Result<()> {
        if number(self.transaction, &memory.id)?.is_some() {
            return Err(Error::conflict(format!("there is a memory `{}` already", memory.id)));
        }
        let terms = index::terms(memory);
        let number = row::insert(self.transaction, memory, &terms)?;
        index::add(self.transaction, number, memory, &terms)
    }

    fn replace(&self, memory: &Memory, expected: u64) -> Result<()> {
        let number = self.version(&memory.id, expected)?;
        let terms = index::terms(memory);
        index::remove(self.transaction, number)?;
        row::update(self.transaction, memory, &terms)?;
        index::add(self.transaction, number, memory, &terms)
    }

    fn delete(&self, id: &str, expected: u64) -> Result<()> {
        let number = self.version(id, expected)?;
        index::remove(self.transaction, number)?;
        row::delete(self.transaction, number)
    }
}

impl SqliteTransaction<'_> {
    /// The number of the memory, if it has this version.
    fn version(&self, id: &str, expected: u64) -> Result<i64> {
        let number = number(self.transaction, id)?.ok_or_else(|| missing(id))?;
        match row::version(self.transaction, number)? {
            present if present == expected => Ok(number),
            present => Err(outdated(id, present, expected)),
        }
    }
}

fn number(connection: &Connection, id: &str) -> Result<Option<i64>> {
    let query = "SELECT number FROM memories WHERE id = ?";
    Ok(connection.query_row(query, [id], |row| row.get(0)).optional()?)
}

fn missing(id: &str) -> Error {
    Error::not_found(format!("there is no memory `{id}`"))
}

fn whole(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}
