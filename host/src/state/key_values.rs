//! Small values by key. Each owner has its own values, for one session or for the project.

use std::borrow::Cow;

use rusqlite::{Connection, OptionalExtension, Transaction, params};

use super::{State, touch_session};
use crate::error::{Error, Result};

/// The owner of the host's own values in the state; no layer can have this name.
pub const HOST_OWNER: &str = "!";

/// Maximum size of one owner's values in a session, and likewise in the project, in bytes. A layer's own
/// limit may be lower.
pub const MAX_BYTES_PER_OWNER: usize = 1 << 20;

/// Bytes that count for every value in addition to its own and its key's, so that a million empty values are
/// not free: about a thousand values fit, and adding up an owner's values takes at most 0.1 ms.
const OVERHEAD_BYTES: usize = 1 << 10;

/// Where a value is visible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope<'a> {
    /// In the session of this id.
    Session(&'a str),
    /// In all sessions of the project.
    Project,
}

/// The primary key of a value's row.
struct RowKey<'a> {
    session: &'a str,
    owner: &'a str,
    key: Cow<'a, str>,
}

/// Returns the session column of a scope. The project's values have an empty one, so a session's id must not
/// be empty.
fn session_column(scope: Scope<'_>) -> Result<&str> {
    match scope {
        Scope::Session("") => Err(Error::invalid("this event has no session id")),
        Scope::Session(session) => Ok(session),
        Scope::Project => Ok(""),
    }
}

impl State {
    fn row_key<'a>(&self, scope: Scope<'a>, owner: &'a str, key: &'a str) -> Result<RowKey<'a>> {
        Ok(RowKey { session: session_column(scope)?, owner, key: self.stored_key("a key", key)? })
    }

    /// Returns the value of a key.
    ///
    /// # Errors
    /// `Invalid` for a key or session id that is empty or too long; `Unavailable` if the database cannot be
    /// used.
    pub fn get(&self, scope: Scope, owner: &str, key: &str) -> Result<Option<String>> {
        let row_key = self.row_key(scope, owner, key)?;
        Ok(self.database.read(|db| select_value(db, &row_key))?.flatten())
    }

    /// Sets a value.
    ///
    /// # Errors
    /// As for [`State::get`]; `OverBudget` when the value is larger than 64 KiB or the owner's values would
    /// exceed their limit.
    pub fn set(&self, scope: Scope, owner: &str, key: &str, value: &str) -> Result<()> {
        let (row_key, value) = (self.row_key(scope, owner, key)?, self.stored_value("a value", value)?);
        self.database.write(|db| self.upsert(db, &row_key, &value))
    }

    /// Sets a value only if the current one is `expected` (`None`: there is no value). Returns false if the
    /// current value differs, because another process was faster.
    ///
    /// # Errors
    /// As for [`State::set`].
    pub fn swap(
        &self,
        scope: Scope,
        owner: &str,
        key: &str,
        expected: Option<&str>,
        value: &str,
    ) -> Result<bool> {
        let (row_key, value) = (self.row_key(scope, owner, key)?, self.stored_value("a value", value)?);
        let expected = expected.map(|expected| self.redact(expected));
        self.database.write(|db| {
            let is_expected = select_value(db, &row_key)?.as_deref() == expected.as_deref();
            if is_expected {
                self.upsert(db, &row_key, &value)?;
            }
            Ok(is_expected)
        })
    }

    /// Removes a value, if there is one.
    ///
    /// # Errors
    /// As for [`State::get`].
    pub fn remove(&self, scope: Scope, owner: &str, key: &str) -> Result<()> {
        if self.get(scope, owner, key)?.is_none() {
            return Ok(());
        }
        let row_key = self.row_key(scope, owner, key)?;
        self.database.write(|db| {
            let mut remove =
                db.prepare_cached("DELETE FROM state_values WHERE session = ?1 AND owner = ?2 AND key = ?3")?;
            remove.execute(params![row_key.session, row_key.owner, row_key.key])?;
            Ok(())
        })
    }

    /// Removes what this project holds for a layer: its values in all sessions and its jobs. Another layer
    /// that takes its name later starts with nothing. What it captured stays for whoever saves it.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be written.
    pub fn remove_layer(&self, layer: &str) -> Result<()> {
        self.database.write(|db| {
            for rows in ["state_values WHERE owner", "jobs WHERE layer"] {
                db.execute(&format!("DELETE FROM {rows} = ?1"), [layer])?;
            }
            Ok(())
        })
    }

    /// Returns the keys that begin with `prefix`, sorted.
    ///
    /// # Errors
    /// As for [`State::get`].
    pub fn keys(&self, scope: Scope, owner: &str, prefix: &str) -> Result<Vec<String>> {
        let session = session_column(scope)?;
        let keys = self.database.read(|db| {
            let mut keys = db.prepare_cached(
                "SELECT key FROM state_values
                 WHERE session = ?1 AND owner = ?2 AND substr(key, 1, length(?3)) = ?3 ORDER BY key",
            )?;
            let keys = keys.query_map(params![session, owner, prefix], |row| row.get(0))?;
            Ok(keys.collect::<rusqlite::Result<_>>()?)
        })?;
        Ok(keys.unwrap_or_default())
    }

    fn upsert(&self, db: &Transaction, row_key: &RowKey, value: &str) -> Result<()> {
        let bytes = row_key.key.len() + value.len() + OVERHEAD_BYTES;
        let (max, total) = (self.max_bytes_per_owner, select_other_bytes(db, row_key)? + bytes);
        if total > max {
            return Err(Error::over_budget(format!(
                "`{}` would hold more than {max} bytes: state limit exceeded by {} bytes",
                row_key.owner,
                total - max
            ))
            .hint("remove values that are no longer needed"));
        }
        let now = self.clock.now();
        let mut upsert = db.prepare_cached(
            "INSERT INTO state_values (session, owner, key, value, bytes, updated_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)
             ON CONFLICT (session, owner, key)
             DO UPDATE SET value = excluded.value, bytes = excluded.bytes, updated_at = excluded.updated_at",
        )?;
        upsert.execute(params![row_key.session, row_key.owner, row_key.key, value, bytes, now])?;
        if row_key.session.is_empty() { Ok(()) } else { touch_session(db, row_key.session, now) }
    }
}

fn select_value(db: &Connection, row_key: &RowKey) -> Result<Option<String>> {
    let mut value =
        db.prepare_cached("SELECT value FROM state_values WHERE session = ?1 AND owner = ?2 AND key = ?3")?;
    let row_key = params![row_key.session, row_key.owner, row_key.key];
    Ok(value.query_row(row_key, |row| row.get(0)).optional()?)
}

/// Returns how many bytes the owner's other values take in this session or in the project.
fn select_other_bytes(db: &Connection, row_key: &RowKey) -> Result<usize> {
    let mut bytes = db.prepare_cached(
        "SELECT coalesce(sum(bytes), 0) - coalesce(
             (SELECT bytes FROM state_values WHERE session = ?1 AND owner = ?2 AND key = ?3), 0)
         FROM state_values WHERE session = ?1 AND owner = ?2",
    )?;
    Ok(bytes.query_row(params![row_key.session, row_key.owner, row_key.key], |row| row.get(0))?)
}
