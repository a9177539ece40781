//! How a worker takes a job and reports its result.
//!
//! A worker holds a job only for the time of its lease, so a worker that was killed does not hold it for
//! long. A worker that was merely slow loses its claim, and its report is refused. Then two workers may have
//! done the job, so a job's work must be safe to repeat.

use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Transaction, params};

use super::State;
use super::job_queue::{JOB_COLUMNS, Job, JobRecord, Progress, read_job_record};
use crate::clock::Millis;
use crate::error::Result;

/// Number of attempts after which a job is given up, whether it failed or its worker died.
pub const MAX_JOB_ATTEMPTS: u32 = 5;

/// SQL assignments that give a job up. A job that was submitted again after it was begun starts over instead.
const GIVE_UP: &str = "status = iif(again_at IS NULL, 'failed', 'waiting'), \
                       settled_at = iif(again_at IS NULL, ?1, NULL), \
                       attempt = iif(again_at IS NULL, attempt, 0), \
                       due_at = coalesce(again_at, due_at), \
                       worker = NULL, again_at = NULL, error = 'its worker died every time'";
/// SQL condition for a job that a worker may take now.
const IS_DUE: &str = "status IN ('waiting', 'running') AND due_at <= ?1";

/// A job that a worker has taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimedJob {
    /// The job.
    pub job: Job,
    /// 1 on the first attempt.
    pub attempt: u32,
    worker: String,
}

impl State {
    /// Makes the jobs of dead workers due again, and gives up those whose worker died in every attempt,
    /// unless they were submitted again since. Returns the jobs that were given up.
    ///
    /// Call it only while holding the worker's lock: no other worker runs then, so every job that is marked
    /// as running was abandoned.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be used.
    pub fn recover_abandoned(&self) -> Result<Vec<JobRecord>> {
        let now = self.clock.now();
        if self.database.read(select_running)?.unwrap_or_default().is_empty() {
            return Ok(Vec::new());
        }
        self.database.write(|db| {
            let mut give_up = db.prepare_cached(&format!(
                "UPDATE jobs SET {GIVE_UP} WHERE status = 'running' AND attempt >= ?2
                 RETURNING {JOB_COLUMNS}"
            ))?;
            let ended = give_up.query_map(params![now, MAX_JOB_ATTEMPTS], |row| read_job_record(row, 0))?;
            let mut given_up: Vec<JobRecord> = ended.collect::<rusqlite::Result<_>>()?;
            given_up.retain(|record| record.progress == Progress::Failed);
            let mut recover = db.prepare_cached(
                "UPDATE jobs SET status = 'waiting', worker = NULL, due_at = min(due_at, ?1)
                 WHERE status = 'running'",
            )?;
            recover.execute([now])?;
            Ok(given_up)
        })
    }

    /// Takes the job that has been due for the longest time, for at most `lease`. No two workers may have the
    /// same name `worker`. Only reads if no job is due.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be used.
    pub fn claim(&self, worker: &str, lease: Duration) -> Result<Option<ClaimedJob>> {
        self.claim_in(worker, lease, None)
    }

    /// Like [`State::claim`]; with a session, takes only a job of this session.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be used.
    pub fn claim_in(
        &self,
        worker: &str,
        lease: Duration,
        session: Option<&str>,
    ) -> Result<Option<ClaimedJob>> {
        let now = self.clock.now();
        let lease_end = now.saturating_add(Millis::try_from(lease.as_millis()).unwrap_or(Millis::MAX));
        if self.database.read(|db| select_due(db, now, session))?.flatten().is_none() {
            return Ok(None);
        }
        self.database.write(|db| {
            give_up_exhausted(db, now)?;
            let Some((seq, record)) = select_due(db, now, session)? else { return Ok(None) };
            let attempt = record.attempts + 1;
            let mut claim = db.prepare_cached(
                "UPDATE jobs SET status = 'running', worker = ?2, attempt = ?3, due_at = ?4 WHERE seq = ?1",
            )?;
            claim.execute(params![seq, worker, attempt, lease_end])?;
            Ok(Some(ClaimedJob { job: record.job, attempt, worker: worker.to_owned() }))
        })
    }

    /// Reports a job as done. Returns false if the claim was lost because another worker has taken the job.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be used.
    pub fn finish(&self, claimed: &ClaimedJob) -> Result<bool> {
        self.report(claimed, "done", None, None)
    }

    /// Reports that a job failed. The job is due again at `retry_at`, unless that is `None` or the job was
    /// tried [`MAX_JOB_ATTEMPTS`] times. Returns false if the claim was lost.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be used.
    pub fn fail(&self, claimed: &ClaimedJob, error: &str, retry_at: Option<Millis>) -> Result<bool> {
        let retry_at = retry_at.filter(|_| claimed.attempt < MAX_JOB_ATTEMPTS);
        let status = if retry_at.is_some() { "waiting" } else { "failed" };
        self.report(claimed, status, Some(error), retry_at)
    }

    /// Writes the result of an attempt. The payload of a job that was given up is kept, because a person may
    /// retry the job. A job that was submitted again after it was begun runs once more: this run may have
    /// read its input before the change that the second submission is about.
    fn report(
        &self,
        claimed: &ClaimedJob,
        status: &str,
        error: Option<&str>,
        retry_at: Option<Millis>,
    ) -> Result<bool> {
        let (has_ended, now) = (retry_at.is_none(), self.clock.now());
        self.database.write(|db| {
            let mut report = db.prepare_cached(
                "UPDATE jobs SET
                     status = iif(?6 AND again_at IS NOT NULL, 'waiting', ?1),
                     error = ?2,
                     due_at = coalesce(?3, again_at, due_at),
                     settled_at = iif(?6 AND again_at IS NULL, ?4, NULL),
                     attempt = iif(?6 AND again_at IS NOT NULL, 0, attempt),
                     payload = iif(again_at IS NULL AND ?1 = 'done', '', payload),
                     worker = NULL,
                     again_at = iif(?6, NULL, again_at)
                 WHERE layer = ?5 AND id = ?7 AND status = 'running' AND worker = ?8 AND attempt = ?9",
            )?;
            let ClaimedJob { job, attempt, worker } = claimed;
            let error = error.map(|error| self.redact(error));
            let row = params![status, error, retry_at, now, job.layer, has_ended, job.id, worker, attempt];
            Ok(report.execute(row)? == 1)
        })
    }
}

fn select_running(db: &Connection) -> Result<Vec<JobRecord>> {
    let mut running =
        db.prepare_cached(&format!("SELECT {JOB_COLUMNS} FROM jobs WHERE status = 'running'"))?;
    Ok(running.query_map([], |row| read_job_record(row, 0))?.collect::<rusqlite::Result<_>>()?)
}

/// Gives up due jobs whose worker died in every attempt; otherwise they would be retried forever.
fn give_up_exhausted(db: &Transaction, now: Millis) -> Result<()> {
    let mut give_up = db.prepare_cached(&format!(
        "UPDATE jobs SET {GIVE_UP} WHERE {IS_DUE} AND status = 'running' AND attempt >= ?2"
    ))?;
    give_up.execute(params![now, MAX_JOB_ATTEMPTS])?;
    Ok(())
}

fn select_due(db: &Connection, now: Millis, session: Option<&str>) -> Result<Option<(i64, JobRecord)>> {
    let mut due = db.prepare_cached(&format!(
        "SELECT seq, {JOB_COLUMNS} FROM jobs WHERE {IS_DUE} AND (?2 IS NULL OR session = ?2)
         ORDER BY due_at, seq LIMIT 1"
    ))?;
    Ok(due.query_row(params![now, session], |row| Ok((row.get(0)?, read_job_record(row, 1)?))).optional()?)
}
