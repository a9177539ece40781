//! State: data other than memories that outlives a hook process. It holds layers' small values, the memories
//! that each conversation was shown, the queue of captures, the queue of jobs, and the count of each layer's
//! failures.
//!
//! Many hooks of one session run at the same time, each in its own process, so every function is one
//! transaction, and a read-modify-write uses [`State::swap`]. Secrets are redacted before anything is
//! written. Only the layers know what the values and payloads mean.

mod branch_records;
mod capture_queue;
mod job_claims;
mod job_queue;
#[cfg(test)]
mod job_tests;
mod key_values;
mod replica_records;
mod session_records;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use rusqlite::{Transaction, params};
use serde_json::Value;

pub use branch_records::{BranchRecord, BranchRecords};
pub use capture_queue::{Capture, PushResult};
pub use job_claims::{ClaimedJob, MAX_JOB_ATTEMPTS};
pub use job_queue::{Job, JobRecord, Progress, SubmitResult};
pub use key_values::{HOST_OWNER, MAX_BYTES_PER_OWNER, Scope};
pub use replica_records::{RefusedEntry, ReplicaRecord, ReplicaRecords};
pub use session_records::{ConversationKey, RecordedShown, ShownAs};

use crate::clock::{Clock, Millis};
use crate::database::Database;
use crate::error::{Error, Result};
use crate::redact::Redactor;

/// Maximum length of a key or an id, in bytes.
const MAX_KEY_BYTES: usize = 200;

/// Maximum length of one value or payload, in bytes.
const MAX_VALUE_BYTES: usize = 64 << 10;

const HOUR: Millis = 3_600_000;

/// How long the state of a session is kept after the session was last active. A session that is resumed later
/// starts with empty state.
const SESSION_RETENTION: Millis = 30 * 24 * HOUR;

/// Maximum number of old sessions that one call deletes. The call runs at the start of a session, while a
/// person waits.
const MAX_DELETED_SESSIONS: usize = 50;

/// A project's state. Clones share the database.
#[derive(Clone)]
pub struct State {
    database: Database,
    clock: Clock,
    redactor: Redactor,
    max_bytes_per_owner: usize,
    /// Whether a job was submitted here that is due at once; clones share it.
    has_submitted: Arc<AtomicBool>,
}

impl State {
    /// Returns the state in this database. Opens nothing yet.
    pub fn new(database: Database, clock: Clock) -> Self {
        let (redactor, has_submitted) = (Redactor::BUILT_IN, Arc::default());
        Self { database, clock, redactor, max_bytes_per_owner: MAX_BYTES_PER_OWNER, has_submitted }
    }

    /// Extends the database's deadline to at least this time from now.
    pub fn extend_deadline(&self, time: Duration) {
        self.database.extend_deadline(Instant::now() + time);
    }

    /// Tells whether the database exists.
    pub fn has_database(&self) -> bool {
        self.database.path().is_none_or(Path::exists)
    }

    /// Sets the redactor, which also redacts matches of the user's own patterns.
    #[must_use]
    pub fn with_redactor(mut self, redactor: Redactor) -> Self {
        self.redactor = redactor;
        self
    }

    /// Limits the values of one owner to this many bytes, at most [`MAX_BYTES_PER_OWNER`].
    #[must_use]
    pub fn with_owner_limit(mut self, bytes: usize) -> Self {
        self.max_bytes_per_owner = bytes.min(MAX_BYTES_PER_OWNER);
        self
    }

    /// Deletes the state of sessions that were inactive for 30 days, a limited number of sessions per call,
    /// and jobs that ended before then. Only reads if there is nothing to delete. Returns the number of
    /// deleted sessions.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be used.
    pub fn delete_old_sessions(&self) -> Result<usize> {
        let before = self.clock.now() - SESSION_RETENTION;
        let old = self.database.read(|db| {
            let mut old =
                db.prepare_cached("SELECT id FROM sessions WHERE seen_at < ?1 ORDER BY seen_at LIMIT ?2")?;
            let ids = old.query_map(params![before, MAX_DELETED_SESSIONS], |row| row.get(0))?;
            Ok(ids.collect::<rusqlite::Result<Vec<String>>>()?)
        })?;
        let old = old.unwrap_or_default();
        if !old.is_empty() {
            self.database.write(|db| delete_sessions(db, &old, before))?;
        }
        Ok(old.len())
    }

    /// Returns the text without secrets. JSON stays JSON.
    fn redact<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let Ok(json @ (Value::Object(_) | Value::Array(_) | Value::String(_))) = serde_json::from_str(text)
        else {
            return self.redactor.redact(text);
        };
        let mut redacted: Value = json.clone();
        self.redactor.redact_json(&mut redacted);
        if redacted == json { Cow::Borrowed(text) } else { Cow::Owned(redacted.to_string()) }
    }

    /// Returns a key or an id as it is stored: redacted, and in the same way at every use.
    fn stored_key<'t>(&self, what: &str, key: &'t str) -> Result<Cow<'t, str>> {
        match key.len() {
            1..=MAX_KEY_BYTES => Ok(self.redactor.redact(key)),
            bytes => {
                Err(Error::invalid(format!("{what} has {bytes} bytes; 1 to {MAX_KEY_BYTES} are allowed")))
            }
        }
    }

    /// Returns a value or payload as it is stored.
    fn stored_value<'t>(&self, what: &str, value: &'t str) -> Result<Cow<'t, str>> {
        match value.len() {
            0..=MAX_VALUE_BYTES => Ok(self.redact(value)),
            bytes => Err(Error::over_budget(format!(
                "{what} has {bytes} bytes; at most {MAX_VALUE_BYTES} are allowed"
            ))),
        }
    }
}

fn delete_sessions(db: &Transaction, sessions: &[String], ended_before: Millis) -> Result<()> {
    for table in
        ["state_values WHERE session", "shown WHERE session", "failures WHERE session", "sessions WHERE id"]
    {
        let mut delete = db.prepare_cached(&format!("DELETE FROM {table} = ?1"))?;
        for session in sessions {
            delete.execute([session])?;
        }
    }
    db.execute("DELETE FROM jobs WHERE settled_at < ?1", [ended_before])?;
    Ok(())
}

/// Records that a session is active, at most once an hour. [`State::delete_old_sessions`] uses this time.
fn touch_session(db: &Transaction, session: &str, now: Millis) -> Result<()> {
    let mut touch = db.prepare_cached(
        "INSERT INTO sessions (id, seen_at) VALUES (?1, ?2)
         ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at WHERE seen_at < excluded.seen_at - ?3",
    )?;
    touch.execute(params![session, now, HOUR])?;
    Ok(())
}
