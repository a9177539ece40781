//! How a worker takes a job, and says what became of it.
//!
//! A worker holds a job for a while only (its lease), so one that was killed holds nothing for long. A worker that
//! was merely slow finds its claim gone and its report refused; it may have done the job a second time, so a job's
//! work must bear being repeated.

use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Transaction, params};

use super::row::{COLUMNS, standing};
use super::{Job, JobRecord};
use crate::clock::Millis;
use crate::error::Result;
use crate::state::State;

/// A job that failed, or took its worker with it, so many times is given up.
pub const MAX_JOB_ATTEMPTS: u32 = 5;

/// A job in the hands of a worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimedJob {
    /// The job.
    pub job: Job,
    /// 1 on the first try.
    pub attempt: u32,
    worker: String,
}

const GIVEN_UP: &str = "status = 'failed', settled_at = ?1, worker = NULL, again_at = NULL, error = 'its worker died every time'";
const TAKEABLE: &str = "status IN ('waiting', 'running') AND due_at <= ?1";

impl State {
    /// Hands back the jobs of workers that are no more, but for those that took their worker with them every time, which
    /// are given up. Only for who holds the lock of the worker: then nobody else is at work, and what runs runs no
    /// longer. Returns what was given up.
    ///
    /// # Errors
    /// `Unavailable` when the database is; likewise below.
    pub fn recover_abandoned(&self) -> Result<Vec<JobRecord>> {
        let now = self.clock.now();
        if self.database.read(running)?.unwrap_or_default().is_empty() {
            return Ok(Vec::new());
        }
        self.database.write(|db| {
            let died: Vec<JobRecord> =
                running(db)?.into_iter().filter(|standing| standing.attempts >= MAX_JOB_ATTEMPTS).collect();
            let mut give_up = db.prepare_cached(&format!(
                "UPDATE jobs SET {GIVEN_UP} WHERE status = 'running' AND attempt >= ?2"
            ))?;
            give_up.execute(params![now, MAX_JOB_ATTEMPTS])?;
            let mut take_up = db.prepare_cached(
                "UPDATE jobs SET status = 'waiting', worker = NULL, due_at = min(due_at, ?1)
                 WHERE status = 'running'",
            )?;
            take_up.execute([now])?;
            Ok(died)
        })
    }

    /// Takes the job that is due longest, for at most `lease`. `worker` is a name that no other worker has. Only
    /// reads when no job is due.
    ///
    /// # Errors
    /// `Unavailable` when the database is; likewise below.
    pub fn claim(&self, worker: &str, lease: Duration) -> Result<Option<ClaimedJob>> {
        let now = self.clock.now();
        let until = now.saturating_add(Millis::try_from(lease.as_millis()).unwrap_or(Millis::MAX));
        if self.database.read(|db| due(db, now))?.flatten().is_none() {
            return Ok(None);
        }
        self.database.write(|db| {
            give_up(db, now)?;
            let Some((seq, mut standing)) = due(db, now)? else { return Ok(None) };
            standing.attempts += 1;
            let mut claim = db.prepare_cached(
                "UPDATE jobs SET status = 'running', worker = ?2, attempt = ?3, due_at = ?4 WHERE seq = ?1",
            )?;
            claim.execute(params![seq, worker, standing.attempts, until])?;
            Ok(Some(ClaimedJob { job: standing.job, attempt: standing.attempts, worker: worker.to_owned() }))
        })
    }

    /// Reports a job as done. False when the claim was lost: another worker has the job by now.
    ///
    /// # Errors
    /// As for [`State::claim`].
    pub fn finish(&self, claimed: &ClaimedJob) -> Result<bool> {
        self.report(claimed, "done", None, None)
    }

    /// Reports that a job failed. It is tried again from `retry_at` on, unless that is `None` or it has been tried
    /// five times. False when the claim was lost.
    ///
    /// # Errors
    /// As for [`State::claim`].
    pub fn fail(&self, claimed: &ClaimedJob, error: &str, retry_at: Option<Millis>) -> Result<bool> {
        let retry_at = retry_at.filter(|_| claimed.attempt < MAX_JOB_ATTEMPTS);
        let status = if retry_at.is_some() { "waiting" } else { "failed" };
        self.report(claimed, status, Some(error), retry_at)
    }

    /// A payload is kept only as long as somebody may still work on it: a person may have a job tried again that was
    /// given up. One that was submitted again after it was begun waits
    /// for that: it may have settled before what it is about.
    fn report(
        &self,
        claimed: &ClaimedJob,
        status: &str,
        error: Option<&str>,
        due: Option<Millis>,
    ) -> Result<bool> {
        let (over, now) = (due.is_none(), self.clock.now());
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
            let error = error.map(|error| self.clean(error));
            let row = params![status, error, due, now, job.layer, over, job.id, worker, attempt];
            Ok(report.execute(row)? == 1)
        })
    }
}

fn running(db: &Connection) -> Result<Vec<JobRecord>> {
    let mut running = db.prepare_cached(&format!("SELECT {COLUMNS} FROM jobs WHERE status = 'running'"))?;
    Ok(running.query_map([], |row| standing(row, 0))?.collect::<rusqlite::Result<_>>()?)
}

/// A job whose worker died every time would be taken up for ever.
fn give_up(db: &Transaction, now: Millis) -> Result<()> {
    let mut give_up = db.prepare_cached(&format!(
        "UPDATE jobs SET {GIVEN_UP} WHERE {TAKEABLE} AND status = 'running' AND attempt >= ?2"
    ))?;
    give_up.execute(params![now, MAX_JOB_ATTEMPTS])?;
    Ok(())
}

fn due(db: &Connection, now: Millis) -> Result<Option<(i64, JobRecord)>> {
    let mut due = db.prepare_cached(&format!(
        "SELECT seq, {COLUMNS} FROM jobs WHERE {TAKEABLE} ORDER BY due_at, seq LIMIT 1"
    ))?;
    Ok(due.query_row([now], |row| Ok((row.get(0)?, standing(row, 1)?))).optional()?)
}
