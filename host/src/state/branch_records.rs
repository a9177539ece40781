//! What is recorded of the branches on which memories were written.

use std::collections::BTreeMap;

use crate::database::Database;
use crate::error::Result;
use crate::memory::BranchState;

/// The records of branches in the database of a project.
#[derive(Clone)]
pub struct BranchRecords {
    database: Database,
}

/// The record of a branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BranchRecord {
    /// The newest commit that was seen of it.
    pub tip: String,
    /// What became of it.
    pub state: BranchState,
}

impl BranchRecords {
    /// Returns the records in this database.
    pub fn new(database: Database) -> Self {
        Self { database }
    }

    /// Returns the names of the branches on which memories were written, each with the commit on which the
    /// newest of them was.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be read.
    pub fn named(&self) -> Result<BTreeMap<String, Option<String>>> {
        let named = self.database.read(|connection| {
            // SQLite takes the commit from the row with the maximum.
            let sql = "SELECT branch, source ->> '$.commit', max(created_at) FROM memories
                WHERE branch IS NOT NULL GROUP BY branch";
            let mut statement = connection.prepare(sql)?;
            let read = |row: &rusqlite::Row| Ok((row.get(0)?, row.get(1)?));
            Ok(statement.query_map([], read)?.collect::<rusqlite::Result<_>>()?)
        })?;
        Ok(named.unwrap_or_default())
    }

    /// Returns the records by the names of the branches.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be read.
    pub fn all(&self) -> Result<BTreeMap<String, BranchRecord>> {
        let rows: Option<Vec<(String, String, String)>> = self.database.read(|connection| {
            let mut statement = connection.prepare("SELECT name, tip, state FROM branches")?;
            let read = |row: &rusqlite::Row| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
            Ok(statement.query_map([], read)?.collect::<rusqlite::Result<_>>()?)
        })?;
        let record = |(name, tip, state): (String, String, String)| {
            Some((name, BranchRecord { tip, state: BranchState::parse(&state)? }))
        };
        Ok(rows.unwrap_or_default().into_iter().filter_map(record).collect())
    }

    /// Returns what became of each branch.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be read.
    pub fn states(&self) -> Result<BTreeMap<String, BranchState>> {
        Ok(self.all()?.into_iter().map(|(name, record)| (name, record.state)).collect())
    }

    /// Replaces all records.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be written.
    pub fn replace(&self, records: &BTreeMap<String, BranchRecord>) -> Result<()> {
        self.database.write(|transaction| {
            transaction.execute("DELETE FROM branches", [])?;
            for (name, BranchRecord { tip, state }) in records {
                let sql = "INSERT INTO branches (name, tip, state) VALUES (?, ?, ?)";
                transaction.execute(sql, (name, tip, state.as_str()))?;
            }
            Ok(())
        })
    }
}
