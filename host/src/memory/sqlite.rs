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

use super::record::Memory;
use super::relevance::Query;
use super::store::{Filter, Hit, Inserted, Order, Store, outdated};
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
    fn insert(&self, memory: &Memory, repeats: &dyn Fn(&Memory) -> bool) -> Result<Inserted> {
        self.database.write(|transaction| {
            for number in search::similar(transaction, &memory.text)? {
                let other = row::read(transaction, number)?;
                if repeats(&other) {
                    return Ok(Inserted::Repeats(other.id));
                }
            }
            if number(transaction, &memory.id)?.is_some() {
                return Err(Error::conflict(format!("there is a memory `{}` already", memory.id)));
            }
            let terms = index::terms(memory);
            let number = row::insert(transaction, memory, &terms)?;
            index::add(transaction, number, memory, &terms)?;
            Ok(Inserted::New)
        })
    }

    fn replace(&self, memory: &Memory, expected: u64) -> Result<()> {
        self.database.write(|transaction| {
            let number = number(transaction, &memory.id)?.ok_or_else(|| missing(&memory.id))?;
            let present = row::version(transaction, number)?;
            if present != expected {
                return Err(outdated(&memory.id, present, expected));
            }
            let terms = index::terms(memory);
            index::remove(transaction, number)?;
            row::update(transaction, memory, &terms)?;
            index::add(transaction, number, memory, &terms)
        })
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

    fn list(&self, filter: &Filter, order: Order, limit: usize) -> Result<Vec<Memory>> {
        self.read(|connection| list::list(connection, filter, order, limit))
    }

    fn search(&self, query: &Query, filter: &Filter, floor: f32, limit: usize) -> Result<Vec<Hit>> {
        if query.is_empty() || limit == 0 {
            return Ok(Vec::new());
        }
        self.read(|connection| search::search(connection, query, filter, floor, limit))
    }

    fn about(&self, files: &[String], filter: &Filter, limit: usize) -> Result<Vec<Memory>> {
        self.read(|connection| about::about(connection, files, filter, limit))
    }

    fn count(&self) -> Result<u64> {
        let count = "SELECT count(*) FROM memories WHERE status = 'active'";
        let found =
            self.database.read(|connection| Ok(connection.query_row(count, [], |row| row.get(0))?))?;
        Ok(found.unwrap_or(0))
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
