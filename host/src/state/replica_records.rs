//! What is recorded of replicas: how far each exchange came, how the last one went, what was refused here,
//! and what is withheld there.

use rusqlite::{OptionalExtension, Row};

use crate::clock::{Clock, Millis};
use crate::database::Database;
use crate::error::Result;

/// The records of the replicas of a project.
#[derive(Clone)]
pub struct ReplicaRecords {
    database: Database,
    clock: Clock,
}

/// The record of a replica.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReplicaRecord {
    /// The place.
    pub place: String,
    /// The number of the change log up to which it has everything.
    pub sent: i64,
    /// Where reading it goes on.
    pub state: String,
    /// When this user accepted it.
    pub accepted_at: Option<Millis>,
    /// When the last exchange succeeded, and when one was tried.
    pub synced_at: Option<Millis>,
    /// When the last exchange was tried.
    pub tried_at: Option<Millis>,
    /// Number of failures since the last success.
    pub failures: u32,
    /// Why the last exchange failed.
    pub error: Option<String>,
}

/// An entry that was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedEntry {
    /// Where it came from.
    pub place: String,
    /// The id of its memory.
    pub id: String,
    /// The rule that it breaks.
    pub reason: String,
}

/// Time after a success until the next exchange by itself, unless there is something to send.
const INTERVAL: Millis = 10 * 60_000;
/// Time after the first failure until the next attempt. Each further failure doubles it.
const FIRST_RETRY: Millis = 60_000;
/// The longest time until the next attempt.
const LAST_RETRY: Millis = 6 * 3_600_000;

impl ReplicaRecord {
    /// Tells whether the next exchange is due, of a replica that lacks something if `lacks`.
    pub fn is_due(&self, lacks: bool, now: Millis) -> bool {
        let tried = self.tried_at.unwrap_or(0);
        let wait = match self.failures {
            0 if lacks => 0,
            0 => INTERVAL,
            failures => (FIRST_RETRY << (failures - 1).min(20)).min(LAST_RETRY),
        };
        self.accepted_at.is_some() && !(tried..tried + wait).contains(&now)
    }
}

impl ReplicaRecords {
    /// Tells whether any replica that this user accepted is due for an exchange.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be read.
    pub fn is_any_due(&self) -> Result<bool> {
        // Most projects have none, and a hook asks.
        let accepted = self.accepted()?;
        if accepted.is_empty() {
            return Ok(false);
        }
        let (newest, now) = (self.newest_number()?, self.clock.now());
        Ok(accepted.iter().any(|record| record.is_due(record.sent < newest, now)))
    }

    /// Tells whether this replica is due for an exchange.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be read.
    pub fn is_due(&self, place: &str) -> Result<bool> {
        let (record, newest) = (self.get(place)?, self.newest_number()?);
        Ok(record.is_due(record.sent < newest, self.clock.now()))
    }

    /// Returns the number of the newest entry of the change log.
    fn newest_number(&self) -> Result<i64> {
        let newest = self.database.read(|connection| {
            Ok(connection.query_row("SELECT number FROM device", [], |row| row.get(0))?)
        })?;
        Ok(newest.unwrap_or_default())
    }

    /// Returns the records in this database.
    pub fn new(database: Database, clock: Clock) -> Self {
        Self { database, clock }
    }

    /// Returns the record of a replica; an empty one if there is none.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be read.
    pub fn get(&self, place: &str) -> Result<ReplicaRecord> {
        let record = self.database.read(|connection| {
            let sql = format!("{SELECT} WHERE place = ?");
            Ok(connection.query_row(&sql, [place], read).optional()?)
        })?;
        Ok(record
            .flatten()
            .unwrap_or_else(|| ReplicaRecord { place: place.to_owned(), ..Default::default() }))
    }

    /// Returns the replicas that this user accepted.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be read.
    pub fn accepted(&self) -> Result<Vec<ReplicaRecord>> {
        let records = self.database.read(|connection| {
            let sql = format!("{SELECT} WHERE accepted_at IS NOT NULL ORDER BY place");
            let mut statement = connection.prepare(&sql)?;
            Ok(statement.query_map([], read)?.collect::<rusqlite::Result<_>>()?)
        })?;
        Ok(records.unwrap_or_default())
    }

    /// Records that this user accepted a replica, or no longer does.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be written.
    pub fn set_accepted(&self, place: &str, is_accepted: bool) -> Result<()> {
        self.set(place, "accepted_at", is_accepted.then(|| self.clock.now()))
    }

    /// Records up to which number of the change log a replica has everything.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be written.
    pub fn set_sent(&self, place: &str, number: i64) -> Result<()> {
        self.set(place, "sent", number)
    }

    /// Records where reading a replica goes on.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be written.
    pub fn set_state(&self, place: &str, state: &str) -> Result<()> {
        self.set(place, "state", state)
    }

    /// Records that an exchange succeeded.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be written.
    pub fn succeeded(&self, place: &str) -> Result<()> {
        let now = self.clock.now();
        self.update(place, "synced_at = ?2, tried_at = ?2, failures = 0, error = NULL", now)
    }

    /// Records that an exchange failed.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be written.
    pub fn failed(&self, place: &str, why: &str) -> Result<()> {
        self.update(place, "error = ?2, failures = failures + 1", why)?;
        self.set(place, "tried_at", self.clock.now())
    }

    fn set(&self, place: &str, column: &str, value: impl rusqlite::ToSql) -> Result<()> {
        self.update(place, &format!("{column} = ?2"), value)
    }

    fn update(&self, place: &str, assignments: &str, value: impl rusqlite::ToSql) -> Result<()> {
        self.database.write(|transaction| {
            transaction.execute("INSERT OR IGNORE INTO replicas (place) VALUES (?)", [place])?;
            let sql = format!("UPDATE replicas SET {assignments} WHERE place = ?1");
            transaction.execute(&sql, (place, value))?;
            Ok(())
        })
    }

    /// Records the refused entries of an exchange (id, entry and reason), and forgets those whose ids were
    /// taken.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be written.
    pub fn set_refused(
        &self,
        place: &str,
        taken: &[String],
        refused: &[(String, String, String)],
    ) -> Result<()> {
        if taken.is_empty() && refused.is_empty() {
            return Ok(());
        }
        let now = self.clock.now();
        self.database.write(|transaction| {
            let mut delete = transaction.prepare("DELETE FROM refused WHERE place = ? AND memory = ?")?;
            for id in taken {
                delete.execute((place, id))?;
            }
            let sql =
                "INSERT OR REPLACE INTO refused (place, memory, entry, reason, at) VALUES (?, ?, ?, ?, ?)";
            let mut insert = transaction.prepare(sql)?;
            for (id, entry, reason) in refused {
                insert.execute((place, id, entry, reason, now))?;
            }
            Ok(())
        })
    }

    /// Returns the entries that were refused, of the replicas that this user accepts.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be read.
    pub fn refused(&self) -> Result<Vec<RefusedEntry>> {
        let refused = self.database.read(|connection| {
            let refused = "SELECT place, memory, reason FROM refused";
            let mut statement =
                connection.prepare(&format!("{refused} {OF_ACCEPTED} ORDER BY place, memory"))?;
            let entry =
                |row: &Row| Ok(RefusedEntry { place: row.get(0)?, id: row.get(1)?, reason: row.get(2)? });
            Ok(statement.query_map([], entry)?.collect::<rusqlite::Result<_>>()?)
        })?;
        Ok(refused.unwrap_or_default())
    }

    /// Records the memories whose changes a replica does not take, and forgets those that are settled.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be written.
    pub fn set_withheld(&self, place: &str, settled: &[String], withheld: &[String]) -> Result<()> {
        if settled.is_empty() && withheld.is_empty() {
            return Ok(());
        }
        self.database.write(|transaction| {
            let mut delete = transaction.prepare("DELETE FROM withheld WHERE place = ? AND memory = ?")?;
            for id in settled {
                delete.execute((place, id))?;
            }
            let sql = "INSERT OR IGNORE INTO withheld (place, memory) VALUES (?, ?)";
            let mut insert = transaction.prepare(sql)?;
            for id in withheld {
                insert.execute((place, id))?;
            }
            Ok(())
        })
    }

    /// Returns the ids of the memories whose changes a replica does not take.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be read.
    pub fn withheld(&self, place: &str) -> Result<Vec<String>> {
        let ids = self.database.read(|connection| {
            let mut statement = connection.prepare("SELECT memory FROM withheld WHERE place = ?")?;
            Ok(statement.query_map([place], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
        })?;
        Ok(ids.unwrap_or_default())
    }

    /// Returns the number of withheld changes of each replica that this user accepts, without zeros.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be read.
    pub fn withheld_counts(&self) -> Result<Vec<(String, usize)>> {
        let counts = self.database.read(|connection| {
            let sql = format!("SELECT place, count(*) FROM withheld {OF_ACCEPTED} GROUP BY place");
            let mut statement = connection.prepare(&sql)?;
            let count = |row: &Row| Ok((row.get(0)?, row.get::<_, u32>(1)? as usize));
            Ok(statement.query_map([], count)?.collect::<rusqlite::Result<_>>()?)
        })?;
        Ok(counts.unwrap_or_default())
    }

    /// Returns the refused entries of a replica as they came in, to try them again.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be read.
    pub fn refused_entries(&self, place: &str) -> Result<Vec<String>> {
        let entries = self.database.read(|connection| {
            let mut statement = connection.prepare("SELECT entry FROM refused WHERE place = ?")?;
            Ok(statement.query_map([place], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
        })?;
        Ok(entries.unwrap_or_default())
    }
}

/// A place that is no longer used keeps its rows: if it is used again, they are tried again.
const OF_ACCEPTED: &str = "WHERE place IN (SELECT place FROM replicas WHERE accepted_at IS NOT NULL)";

const SELECT: &str =
    "SELECT place, sent, state, accepted_at, synced_at, tried_at, failures, error FROM replicas";

fn read(row: &Row) -> rusqlite::Result<ReplicaRecord> {
    Ok(ReplicaRecord {
        place: row.get(0)?,
        sent: row.get(1)?,
        state: row.get(2)?,
        accepted_at: row.get(3)?,
        synced_at: row.get(4)?,
        tried_at: row.get(5)?,
        failures: row.get(6)?,
        error: row.get(7)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exchange_is_due_at_once_after_a_write_and_later_after_each_failure() {
        let record = |failures| ReplicaRecord {
            accepted_at: Some(0),
            tried_at: Some(1_000_000),
            failures,
            ..ReplicaRecord::default()
        };
        let due_after = |failures, lacks| {
            let after = |minutes: &Millis| record(failures).is_due(lacks, 1_000_000 + minutes * 60_000);
            [0, 1, 2, 4, 10, 360, 10_000].into_iter().find(after)
        };

        assert_eq!((due_after(0, true), due_after(0, false)), (Some(0), Some(10)));
        assert_eq!((due_after(1, true), due_after(2, true), due_after(3, true)), (Some(1), Some(2), Some(4)));
        assert_eq!(due_after(60, false), Some(360));
        assert!(!ReplicaRecord { accepted_at: None, ..record(0) }.is_due(true, 9_000_000));
    }
}
