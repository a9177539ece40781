//! Makes the search index of a salvaged database anew, and adds memories from a backup to it.

use rusqlite::Transaction;

use super::{SqliteStore, row_mapping, row_number, term_index};
use crate::database::Database;
use crate::error::Result;
use crate::memory::record::Memory;
use crate::memory::store::Store as _;

/// Makes the index from the memories. Deletes the rows that are no memories, and returns their number.
///
/// # Errors
/// `Unavailable` if the database cannot be written.
pub fn reindex(database: &Database) -> Result<u64> {
    database.write(|transaction| {
        transaction.execute_batch(
            "INSERT INTO words (words) VALUES ('delete-all'); DELETE FROM tags; DELETE FROM frequencies; \
             DELETE FROM unembedded",
        )?;
        let mut deleted = 0;
        for number in numbers(transaction)? {
            match row_mapping::read(transaction, number) {
                Ok(memory) => index(transaction, number, &memory)?,
                Err(_) => {
                    deleted += transaction.execute("DELETE FROM memories WHERE number = ?", [number])?
                }
            }
        }
        Ok(deleted as u64)
    })
}

/// Adds the memories of `backup` whose ids `database` does not have, and returns their number.
///
/// # Errors
/// `Unavailable` if the backup cannot be read or the database cannot be written.
pub fn add_missing(database: &Database, backup: &Database) -> Result<u64> {
    let backup = SqliteStore::new(backup.clone());
    database.write(|transaction| {
        let mut added = 0;
        backup.for_each(&mut |memory| {
            if row_number(transaction, &memory.id)?.is_none() {
                let number = row_mapping::insert(transaction, &memory, &term_index::terms(&memory))?;
                index(transaction, number, &memory)?;
                added += 1;
            }
            Ok(())
        })?;
        Ok(added)
    })
}

fn numbers(transaction: &Transaction) -> Result<Vec<i64>> {
    let mut statement = transaction.prepare("SELECT number FROM memories NOT INDEXED ORDER BY number")?;
    Ok(statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
}

fn index(transaction: &Transaction, number: i64, memory: &Memory) -> Result<()> {
    term_index::add(transaction, number, memory, &term_index::terms(memory))
}
