//! Small values by key, each owner's own, for a session or for the project.

use std::borrow::Cow;

use rusqlite::{Connection, OptionalExtension, Transaction, params};

use super::{State, touch_session};
use crate::error::{Error, Result};

/// Bytes that one owner may hold in a session, and as much in the project, unless its limit is lower.
pub const MAX_BYTES_PER_OWNER: usize = 1 << 20;
/// Counted for every value beside its bytes and its key's, so that a million empty ones are not free: about a
/// thousand fit, and adding up what an owner holds takes 0.1 ms at most.
const OVERHEAD: usize = 1 << 10;

/// How far a value reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope<'a> {
    /// The session of this id.
    Session(&'a str),
    /// All sessions of the project.
    Project,
}

/// Where a value is kept.
struct Place<'a> {
    session: &'a str,
    owner: &'a str,
    key: Cow<'a, str>,
}

/// The project's values go by an empty session, so a session has to have a name.
fn session(scope: Scope<'_>) -> Result<&str> {
    match scope {
        Scope::Session("") => Err(Error::invalid("this event belongs to no session")),
        Scope::Session(session) => Ok(session),
        Scope::Project => Ok(""),
    }
}

impl State {
    fn place<'a>(&self, scope: Scope<'a>, owner: &'a str, key: &'a str) -> Result<Place<'a>> {
        Ok(Place { session: session(scope)?, owner, key: self.key("a key", key)? })
    }

    /// The value of a key.
    ///
    /// # Errors
    /// `Invalid` for a key that cannot be one; `Unavailable` when the database is. Likewise below.
    pub fn get(&self, scope: Scope, owner: &str, key: &str) -> Result<Option<String>> {
        let place = self.place(scope, owner, key)?;
        Ok(self.database.read(|db| held(db, &place))?.flatten())
    }

    /// Sets a value.
    ///
    /// # Errors
    /// Also `OverBudget` when the value is larger than 64 KiB or the owner would hold more than 1 MiB.
    pub fn set(&self, scope: Scope, owner: &str, key: &str, new: &str) -> Result<()> {
        let (place, new) = (self.place(scope, owner, key)?, self.value("a value", new)?);
        self.database.write(|db| self.put(db, &place, &new))
    }

    /// Sets a value only if it still is what was expected (`None`: absent). False if somebody was faster.
    ///
    /// # Errors
    /// As for [`State::set`].
    pub fn swap(
        &self,
        scope: Scope,
        owner: &str,
        key: &str,
        expected: Option<&str>,
        new: &str,
    ) -> Result<bool> {
        let (place, new) = (self.place(scope, owner, key)?, self.value("a value", new)?);
        let expected = expected.map(|expected| self.clean(expected));
        self.database.write(|db| {
            let as_expected = held(db, &place)?.as_deref() == expected.as_deref();
            if as_expected {
                self.put(db, &place, &new)?;
            }
            Ok(as_expected)
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
        let place = self.place(scope, owner, key)?;
        self.database.write(|db| {
            let mut remove =
                db.prepare_cached("DELETE FROM state_values WHERE session = ?1 AND owner = ?2 AND key = ?3")?;
            remove.execute(params![place.session, place.owner, place.key])?;
            Ok(())
        })
    }

    /// The keys that begin with `prefix`, in order.
    ///
    /// # Errors
    /// As for [`State::get`].
    pub fn keys(&self, scope: Scope, owner: &str, prefix: &str) -> Result<Vec<String>> {
        let session = session(scope)?;
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

    fn put(&self, db: &Transaction, place: &Place, new: &str) -> Result<()> {
        let bytes = place.key.len() + new.len() + OVERHEAD;
        let (most, wanted) = (self.most_of_owner, others(db, place)? + bytes);
        if wanted > most {
            let over = wanted - most;
            return Err(Error::over_budget(format!(
                "`{}` would hold more than {most} bytes: state limit exceeded by {over} bytes",
                place.owner
            ))
            .hint("remove values that are no longer needed"));
        }
        let now = self.clock.now();
        let mut put = db.prepare_cached(
            "INSERT INTO state_values (session, owner, key, value, bytes, updated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
             ON CONFLICT (session, owner, key)
             DO UPDATE SET value = excluded.value, bytes = excluded.bytes, updated_at = excluded.updated_at",
        )?;
        put.execute(params![place.session, place.owner, place.key, new, bytes, now])?;
        if place.session.is_empty() { Ok(()) } else { touch_session(db, place.session, now) }
    }
}

fn held(db: &Connection, place: &Place) -> Result<Option<String>> {
    let mut held =
        db.prepare_cached("SELECT value FROM state_values WHERE session = ?1 AND owner = ?2 AND key = ?3")?;
    Ok(held.query_row(params![place.session, place.owner, place.key], |row| row.get(0)).optional()?)
}

/// Bytes that the owner holds beside this place.
fn others(db: &Connection, place: &Place) -> Result<usize> {
    let mut others = db.prepare_cached(
        "SELECT coalesce(sum(bytes), 0) - coalesce(
             (SELECT bytes FROM state_values WHERE session = ?1 AND owner = ?2 AND key = ?3), 0)
         FROM state_values WHERE session = ?1 AND owner = ?2",
    )?;
    Ok(others.query_row(params![place.session, place.owner, place.key], |row| row.get(0))?)
}
