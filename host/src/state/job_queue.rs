//! The queue of jobs: work that a layer submits in a hook and that a worker does later. [`super::job_claims`]
//! defines how a worker takes a job and reports its result.

use std::sync::atomic::Ordering;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use super::State;
use crate::clock::Millis;
use crate::error::{Error, Result};

/// Maximum number of unfinished jobs. If there are more, no worker runs, and a longer queue would not help.
const MAX_UNFINISHED_JOBS: usize = 500;

/// The columns that [`read_job_record`] reads, in its order.
pub(super) const JOB_COLUMNS: &str = "layer, id, kind, payload, submitted_at, session, agent, transcript, \
                                      status, attempt, due_at, error, settled_at";

/// Work that a layer has submitted for later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// The layer that submitted the job and will do it.
    pub layer: String,
    /// Unique within the layer, so a second process that submits the same job adds no second one; at most 200
    /// bytes.
    pub id: String,
    /// The kind of work, in the layer's own terms.
    pub kind: String,
    /// JSON text, at most 64 KiB; empty once the job is done.
    pub payload: String,
    /// When the job was submitted.
    pub at: Millis,
    /// The session in which the job was submitted.
    pub session: String,
    /// The subagent within the session; empty for the main conversation.
    pub agent: String,
    /// The path of the transcript that the job may read, as Claude Code named it.
    pub transcript: Option<String>,
}

/// The result of [`State::submit`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubmitResult {
    /// The job was queued.
    New,
    /// The job had been begun or given up, and runs once more.
    Requeued,
    /// The job is done; or it waits, and now has this payload and the earlier of the two due times.
    Known,
}

/// The progress of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// No worker has taken it.
    Waiting,
    /// A worker has taken the job. Its lease may have ended.
    Running,
    /// A worker has done it.
    Done,
    /// It was given up.
    Failed,
}

/// A job with its progress and attempts, as `interleaf jobs` lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobRecord {
    /// The job.
    pub job: Job,
    /// The job's progress.
    pub progress: Progress,
    /// The number of attempts.
    pub attempts: u32,
    /// When a worker may take it (again).
    pub due_at: Millis,
    /// The error of the last failed attempt.
    pub error: Option<String>,
    /// When the job was done or given up.
    pub settled_at: Option<Millis>,
}

impl State {
    /// Queues a job that is due after `delay`. The id of a job is remembered for 30 days after the job has
    /// ended.
    ///
    /// # Errors
    /// `Invalid` for an id or kind that is empty or too long, `OverBudget` for a payload that is too large or
    /// when 500 jobs are unfinished, `Unavailable` if the database cannot be used.
    pub fn submit(&self, job: &Job, delay: Duration) -> Result<SubmitResult> {
        let id = self.stored_key("the id of a job", &job.id)?;
        let kind = self.stored_key("the kind of a job", &job.kind)?;
        let payload = self.stored_value("a job", &job.payload)?;
        let due = job.at.saturating_add(Millis::try_from(delay.as_millis()).unwrap_or(Millis::MAX));
        let row = Job {
            id: id.into_owned(),
            kind: kind.into_owned(),
            payload: payload.into_owned(),
            ..job.clone()
        };
        let submitted = self.database.write(|db| match insert(db, &row, due)? {
            true if unfinished(db)? > MAX_UNFINISHED_JOBS => {
                Err(Error::over_budget(format!("{MAX_UNFINISHED_JOBS} jobs are waiting already")))
            }
            true => Ok(SubmitResult::New),
            false => resubmit(db, &row, due),
        })?;
        if delay.is_zero() {
            self.has_submitted.store(true, Ordering::Relaxed);
        }
        Ok(submitted)
    }

    /// Tells whether a job that is due immediately was submitted through this state or a clone of it.
    pub fn has_submitted(&self) -> bool {
        self.has_submitted.load(Ordering::Relaxed)
    }

    /// Makes every waiting job due now; without `failed` only the jobs that were not tried yet, with a
    /// session only its jobs. Returns their number.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be used.
    pub fn make_due(&self, failed: bool, session: Option<&str>) -> Result<usize> {
        let now = self.clock.now();
        self.database.write(|db| {
            let mut update = db.prepare_cached(
                "UPDATE jobs SET due_at = ?1
                 WHERE status = 'waiting' AND due_at > ?1 AND (?2 OR attempt = 0)
                   AND (?3 IS NULL OR session = ?3)",
            )?;
            Ok(update.execute(params![now, failed, session])?)
        })
    }

    /// Makes a job due now that was given up or waits for its next attempt, and resets its count of attempts.
    /// Returns false if this layer has no such job with this id.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be used.
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

    /// Returns when the next unfinished job is due; 0 if a job is running, because its worker may be dead.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be used.
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

    /// Returns all known jobs, newest first.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be used.
    pub fn jobs(&self) -> Result<Vec<JobRecord>> {
        let jobs = self.database.read(|db| {
            let mut jobs = db.prepare_cached(&format!("SELECT {JOB_COLUMNS} FROM jobs ORDER BY seq DESC"))?;
            Ok(jobs.query_map([], |row| read_job_record(row, 0))?.collect::<rusqlite::Result<_>>()?)
        })?;
        Ok(jobs.unwrap_or_default())
    }
}

/// Reads the columns of [`JOB_COLUMNS`], the first of which is at index `first`.
pub(super) fn read_job_record(row: &Row, first: usize) -> rusqlite::Result<JobRecord> {
    let [layer, id, kind, payload] = [0, 1, 2, 3].map(|column| row.get(first + column));
    let (session, agent, transcript) = (row.get(first + 5)?, row.get(first + 6)?, row.get(first + 7)?);
    let (layer, id, kind, payload, at) = (layer?, id?, kind?, payload?, row.get(first + 4)?);
    let job = Job { layer, id, kind, payload, at, session, agent, transcript };
    let progress = match row.get_ref(first + 8)?.as_str()? {
        "waiting" => Progress::Waiting,
        "running" => Progress::Running,
        "done" => Progress::Done,
        _ => Progress::Failed,
    };
    let (attempts, due_at, error) = (row.get(first + 9)?, row.get(first + 10)?, row.get(first + 11)?);
    let settled_at = row.get(first + 12)?;
    Ok(JobRecord { job, progress, attempts, due_at, error, settled_at })
}

/// Inserts the job unless its layer has submitted one with this id. Returns whether it was inserted.
fn insert(db: &Transaction, job: &Job, due: Millis) -> Result<bool> {
    let mut insert = db.prepare_cached(
        "INSERT OR IGNORE INTO jobs
             (layer, id, kind, payload, submitted_at, due_at, session, agent, transcript)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?;
    let Job { layer, id, kind, payload, at, session, agent, transcript } = job;
    Ok(insert.execute(params![layer, id, kind, payload, at, due, session, agent, transcript])? == 1)
}

/// Updates a known job that is not done. A job that was begun keeps its due time, because it may be waiting
/// for its next attempt, and runs once more after it has ended (`again_at`).
fn resubmit(db: &Transaction, job: &Job, due: Millis) -> Result<SubmitResult> {
    let mut begun = db.prepare_cached(
        "SELECT status = 'failed' OR attempt > 0 FROM jobs WHERE layer = ?1 AND id = ?2 AND status <> 'done'",
    )?;
    let Some(begun) = begun.query_row([&job.layer, &job.id], |row| row.get(0)).optional()? else {
        return Ok(SubmitResult::Known);
    };
    let mut update = db.prepare_cached(
        "UPDATE jobs SET payload = ?3,
             due_at = CASE
                 WHEN status = 'failed' THEN ?4 WHEN attempt = 0 THEN min(due_at, ?4) ELSE due_at
             END,
             again_at = iif(status <> 'failed' AND attempt > 0, min(coalesce(again_at, ?4), ?4), NULL),
             attempt = iif(status = 'failed', 0, attempt),
             settled_at = NULL,
             status = iif(status = 'failed', 'waiting', status)
         WHERE layer = ?1 AND id = ?2",
    )?;
    update.execute(params![job.layer, job.id, job.payload, due])?;
    Ok(if begun { SubmitResult::Requeued } else { SubmitResult::Known })
}

fn unfinished(db: &Connection) -> Result<usize> {
    let mut count = db.prepare_cached("SELECT count(*) FROM jobs WHERE status IN ('waiting', 'running')")?;
    Ok(count.query_row([], |row| row.get(0))?)
}
