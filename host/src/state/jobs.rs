//! Work put off: written down by a hook, done by a worker, taken up by another if that one dies.
//!
//! How a worker takes and reports them is in [`claims`].

mod claims;
mod row;

use std::sync::atomic::Ordering;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Transaction, params};

use super::State;
use crate::clock::Millis;
use crate::error::{Error, Result};

pub use claims::{ClaimedJob, MAX_JOB_ATTEMPTS};
use row::{COLUMNS, standing};

/// So many unfinished jobs wait. More means that no worker runs, and a longer queue would not help.
const CAPACITY: usize = 500;

/// Work put off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// The layer that submitted it and will do it.
    pub layer: String,
    /// Known once to its layer, whatever process brings it; at most 200 bytes.
    pub id: String,
    /// What kind of work, in the layer's words.
    pub kind: String,
    /// JSON text, at most 64 KiB; empty once the job is done.
    pub payload: String,
    /// When it was submitted.
    pub at: Millis,
    /// The session that it was submitted in.
    pub session: String,
    /// The subagent within it; empty for the main conversation.
    pub agent: String,
    /// The transcript that it may read, as Claude Code named it.
    pub transcript: Option<String>,
}

/// What became of a job that was submitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubmitResult {
    /// It was written down.
    New,
    /// It had been begun, or given up, and is done once more.
    Requeued,
    /// It was done already; or it waits, and has taken this payload and the earlier of both moments.
    Known,
}

/// How far a job has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Nobody has it.
    Waiting,
    /// A worker has it, or had it until its lease ended.
    Running,
    /// It is over.
    Done,
    /// It was given up.
    Failed,
}

/// A job and how it stands, for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobRecord {
    /// The job.
    pub job: Job,
    /// How far it has come.
    pub progress: Progress,
    /// How often it was tried.
    pub attempts: u32,
    /// When it may be taken (again).
    pub due_at: Millis,
    /// What went wrong last.
    pub error: Option<String>,
    /// When it was over.
    pub settled_at: Option<Millis>,
}

impl State {
    /// Writes a job down, to be done after `delay`. One of this id that was submitted before is known for 30 days.
    ///
    /// # Errors
    /// `Invalid` for an id or kind that cannot be one, `OverBudget` for a payload that is too large or when 500 jobs
    /// wait, `Unavailable` when the database is.
    pub fn submit(&self, job: &Job, delay: Duration) -> Result<SubmitResult> {
        let (id, kind) = (self.key("the id of a job", &job.id)?, self.key("the kind of a job", &job.kind)?);
        let payload = self.value("a job", &job.payload)?;
        let due = job.at.saturating_add(Millis::try_from(delay.as_millis()).unwrap_or(Millis::MAX));
        let row = Job {
            id: id.into_owned(),
            kind: kind.into_owned(),
            payload: payload.into_owned(),
            ..job.clone()
        };
        let submitted = self.database.write(|db| match insert(db, &row, due)? {
            true if unfinished(db)? > CAPACITY => {
                Err(Error::over_budget(format!("{CAPACITY} jobs wait already")))
            }
            true => Ok(SubmitResult::New),
            false => again(db, &row, due),
        })?;
        if delay.is_zero() {
            self.submitted.store(true, Ordering::Relaxed);
        }
        Ok(submitted)
    }

    /// Whether a job was submitted through this state, or a clone of it, that is to be done at once.
    pub fn has_submitted(&self) -> bool {
        self.submitted.load(Ordering::Relaxed)
    }

    /// Lets everything that waits be due now; without `failed` only what was not tried yet. Returns how many jobs.
    ///
    /// # Errors
    /// As for [`State::recover_abandoned`].
    pub fn make_due(&self, failed: bool) -> Result<usize> {
        let now = self.clock.now();
        self.database.write(|db| {
            let mut hasten = db.prepare_cached(
                "UPDATE jobs SET due_at = ?1
                 WHERE status = 'waiting' AND due_at > ?1 AND (?2 OR attempt = 0)",
            )?;
            Ok(hasten.execute(params![now, failed])?)
        })
    }

    /// Lets a job that was given up, or waits to be tried again, be tried from the beginning, and now. False when there
    /// is none of this layer and id.
    ///
    /// # Errors
    /// As for [`State::recover_abandoned`].
    pub fn retry(&self, layer: &str, id: &str) -> Result<bool> {
        let now = self.clock.now();
        self.database.write(|db| {
            let mut retry = db.prepare_cached(
                "UPDATE jobs SET status = 'waiting', attempt = 0, due_at = ?3, settled_at = NULL
                 WHERE layer = ?1 AND id = ?2 AND status IN ('waiting', 'failed')",
            )?;
            Ok(retry.execute(params![layer, id, now])? == 1)
        })
    }

    /// When the next job is due, of those that wait or run.
    ///
    /// # Errors
    /// As for [`State::recover_abandoned`].
    pub fn next_due(&self) -> Result<Option<Millis>> {
        let due = self.database.read(|db| {
            let mut next = db.prepare_cached(
                "SELECT min(iif(status = 'running', 0, due_at)) FROM jobs
                 WHERE status IN ('waiting', 'running')",
            )?;
            Ok(next.query_row([], |row| row.get(0))?)
        })?;
        Ok(due.flatten())
    }

    /// All jobs that are known, newest first.
    ///
    /// # Errors
    /// As for [`State::claim`].
    pub fn jobs(&self) -> Result<Vec<JobRecord>> {
        let jobs = self.database.read(|db| {
            let mut jobs = db.prepare_cached(&format!("SELECT {COLUMNS} FROM jobs ORDER BY seq DESC"))?;
            Ok(jobs.query_map([], |row| standing(row, 0))?.collect::<rusqlite::Result<_>>()?)
        })?;
        Ok(jobs.unwrap_or_default())
    }
}

fn insert(db: &Transaction, job: &Job, due: Millis) -> Result<bool> {
    let mut insert = db.prepare_cached(
        "INSERT OR IGNORE INTO jobs (layer, id, kind, payload, submitted_at, due_at, session, agent, transcript)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?;
    let Job { layer, id, kind, payload, at, session, agent, transcript } = job;
    Ok(insert.execute(params![layer, id, kind, payload, at, due, session, agent, transcript])? == 1)
}

/// What has been begun keeps its time: it may be waiting for its next try.
fn again(db: &Transaction, job: &Job, due: Millis) -> Result<SubmitResult> {
    let mut begun = db.prepare_cached(
        "SELECT status = 'failed' OR attempt > 0 FROM jobs WHERE layer = ?1 AND id = ?2 AND status <> 'done'",
    )?;
    let Some(begun) = begun.query_row([&job.layer, &job.id], |row| row.get(0)).optional()? else {
        return Ok(SubmitResult::Known);
    };
    let mut again = db.prepare_cached(
        "UPDATE jobs SET payload = ?3,
             due_at = CASE WHEN status = 'failed' THEN ?4 WHEN attempt = 0 THEN min(due_at, ?4) ELSE due_at END,
             again_at = iif(status <> 'failed' AND attempt > 0, min(coalesce(again_at, ?4), ?4), NULL),
             attempt = iif(status = 'failed', 0, attempt),
             settled_at = NULL,
             status = iif(status = 'failed', 'waiting', status)
         WHERE layer = ?1 AND id = ?2",
    )?;
    again.execute(params![job.layer, job.id, job.payload, due])?;
    Ok(if begun { SubmitResult::Requeued } else { SubmitResult::Known })
}

fn unfinished(db: &Connection) -> Result<usize> {
    let mut count = db.prepare_cached("SELECT count(*) FROM jobs WHERE status IN ('waiting', 'running')")?;
    Ok(count.query_row([], |row| row.get(0))?)
}
