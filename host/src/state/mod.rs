//! What outlives a hook process without being a memory: small values of layers, what was shown to whom, what waits
//! to be looked at, and work put off.
//!
//! Many hooks of one session run at once, each in its own process, so everything here is one transaction and a
//! read-modify-write goes through [`State::swap`]. Everything that is written passes redaction. What the values and
//! payloads mean is known to the layers alone.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use rusqlite::{Transaction, params};
use serde_json::Value;

use crate::clock::{Clock, Millis};
use crate::database::Database;
use crate::error::{Error, Result};
use crate::redact::Redactor;

mod captures;
mod failures;
mod jobs;
mod shown;
#[cfg(test)]
mod tests;
mod values;

pub use captures::{Capture, PushResult};
pub use jobs::{ClaimedJob, Job, JobRecord, MAX_JOB_ATTEMPTS, Progress, SubmitResult};
pub use shown::{ConversationKey, RecordedShown};
pub use values::{MAX_BYTES_PER_OWNER, Scope};

/// Bytes of a key or an id.
const MOST_KEY: usize = 200;
/// Bytes of one value or payload.
const MOST_VALUE: usize = 64 << 10;
const HOUR: Millis = 3_600_000;
/// What belongs to a session is kept this long after the session was last heard of: resuming one that is a month
/// old starts afresh.
const KEPT: Millis = 30 * 24 * HOUR;
/// So many old sessions are forgotten at a time. It happens at the start of a session, which somebody waits for.
const FORGOTTEN_AT_ONCE: usize = 50;

/// A project's state. Clones share the database.
#[derive(Clone)]
pub struct State {
    database: Database,
    clock: Clock,
    redactor: Redactor,
    most_of_owner: usize,
    /// Whether a job was submitted here that is due at once; clones share it.
    submitted: Arc<AtomicBool>,
}

impl State {
    /// The state in this database. Nothing is opened yet.
    pub fn new(database: Database, clock: Clock) -> Self {
        let (redactor, submitted) = (Redactor::BUILT_IN, Arc::default());
        Self { database, clock, redactor, most_of_owner: MAX_BYTES_PER_OWNER, submitted }
    }

    /// Sees to it that so much time is left for what follows.
    pub fn extend_deadline(&self, time: Duration) {
        self.database.extend_deadline(Instant::now() + time);
    }

    /// Also takes out what the person's own patterns match.
    #[must_use]
    pub fn with_redactor(mut self, redactor: Redactor) -> Self {
        self.redactor = redactor;
        self
    }

    /// Lets one owner hold at most so many bytes of values; never more than 1 MiB.
    #[must_use]
    pub fn with_owner_limit(mut self, bytes: usize) -> Self {
        self.most_of_owner = bytes.min(MAX_BYTES_PER_OWNER);
        self
    }

    /// Drops what belongs to sessions that were not heard of for 30 days, and jobs that were over by then; some
    /// sessions at a time. Only reads when there is nothing to drop. Returns how many sessions were dropped.
    ///
    /// # Errors
    /// `Unavailable` when the database is.
    pub fn delete_old_sessions(&self) -> Result<usize> {
        let before = self.clock.now() - KEPT;
        let old = self.database.read(|db| {
            let mut old =
                db.prepare_cached("SELECT id FROM sessions WHERE seen_at < ?1 ORDER BY seen_at LIMIT ?2")?;
            let ids = old.query_map(params![before, FORGOTTEN_AT_ONCE], |row| row.get(0))?;
            Ok(ids.collect::<rusqlite::Result<Vec<String>>>()?)
        })?;
        let old = old.unwrap_or_default();
        if !old.is_empty() {
            self.database.write(|db| forget(db, &old, before))?;
        }
        Ok(old.len())
    }

    /// The text without secrets. What was JSON stays JSON.
    fn clean<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let Ok(known @ (Value::Object(_) | Value::Array(_) | Value::String(_))) = serde_json::from_str(text)
        else {
            return self.redactor.redact(text);
        };
        let mut cleaned: Value = known.clone();
        self.redactor.redact_json(&mut cleaned);
        if cleaned == known { Cow::Borrowed(text) } else { Cow::Owned(cleaned.to_string()) }
    }

    /// A key or an id as it is stored: cleaned like everything else, and the same way whenever it is used.
    fn key<'t>(&self, what: &str, key: &'t str) -> Result<Cow<'t, str>> {
        match key.len() {
            1..=MOST_KEY => Ok(self.redactor.redact(key)),
            bytes => {
                Err(Error::invalid(format!("{what} has {bytes} bytes, where 1 to {MOST_KEY} are allowed")))
            }
        }
    }

    /// A value or payload as it is stored.
    fn value<'t>(&self, what: &str, value: &'t str) -> Result<Cow<'t, str>> {
        match value.len() {
            0..=MOST_VALUE => Ok(self.clean(value)),
            bytes => {
                Err(Error::over_budget(format!("{what} has {bytes} bytes, where {MOST_VALUE} are allowed")))
            }
        }
    }

    /// How much was lost because a queue was full, since the project began.
    fn lost(&self, name: &str) -> Result<u64> {
        let lost = self.database.read(|db| {
            let mut lost = db.prepare_cached("SELECT coalesce(sum(count), 0) FROM losses WHERE name = ?1")?;
            Ok(lost.query_row([name], |row| row.get(0))?)
        })?;
        Ok(lost.unwrap_or_default())
    }
}

fn forget(db: &Transaction, sessions: &[String], before: Millis) -> Result<()> {
    for table in
        ["state_values WHERE session", "shown WHERE session", "failures WHERE session", "sessions WHERE id"]
    {
        let mut delete = db.prepare_cached(&format!("DELETE FROM {table} = ?1"))?;
        for session in sessions {
            delete.execute([session])?;
        }
    }
    db.execute("DELETE FROM jobs WHERE settled_at < ?1", [before])?;
    Ok(())
}

/// Notes that a session is alive, at most once an hour: the row is there to find what belongs to it later.
fn touch_session(db: &Transaction, session: &str, now: Millis) -> Result<()> {
    let mut hear = db.prepare_cached(
        "INSERT INTO sessions (id, seen_at) VALUES (?1, ?2)
         ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at WHERE seen_at < excluded.seen_at - ?3",
    )?;
    hear.execute(params![session, now, HOUR])?;
    Ok(())
}
