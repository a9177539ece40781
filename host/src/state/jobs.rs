//! Work put off: written down by a hook, done by a worker, taken up by another if that one dies.
//!
//! A worker holds a job for a while only (its lease), so one that was killed holds nothing for long. A worker that
//! was merely slow finds its claim gone and its report refused; it may have done the job a second time, so a job's
//! work must bear being repeated.

use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use super::State;
use crate::clock::Millis;
use crate::error::{Error, Result};

/// So many unfinished jobs wait. More means that no worker runs, and a longer queue would not help.
const CAPACITY: usize = 500;
/// A job that failed, or took its worker with it, so many times is given up.
const MOST_ATTEMPTS: u32 = 5;

/// Work put off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// The layer that submitted it and will do it.
    pub layer: String,
    /// Known once to its layer, whatever process brings it; at most 200 bytes.
    pub id: String,
    /// What kind of work, in the layer's words.
    pub kind: String,
    /// JSON text, at most 64 KiB; empty once the job is over.
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

/// A job in the hands of a worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claimed {
    /// The job.
    pub job: Job,
    /// 1 on the first try.
    pub attempt: u32,
    worker: String,
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
pub struct Standing {
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
}

const COLUMNS: &str =
    "layer, id, kind, payload, submitted_at, session, agent, transcript, status, attempt, due_at, error";
const TAKEABLE: &str = "status IN ('waiting', 'running') AND due_at <= ?1";

impl State {
    /// Writes a job down, to be done after `delay`. False when its layer has submitted one of this id in the last 30
    /// days; one that still waits takes the new payload and becomes due at the earlier of both moments.
    ///
    /// # Errors
    /// `Invalid` for an id or kind that cannot be one, `OverBudget` for a payload that is too large or when 500 jobs
    /// wait, `Unavailable` when the database is.
    pub fn submit(&self, job: &Job, delay: Duration) -> Result<bool> {
        let (id, kind) = (self.key("the id of a job", &job.id)?, self.key("the kind of a job", &job.kind)?);
        let payload = self.value("a job", &job.payload)?;
        let due = job.at.saturating_add(Millis::try_from(delay.as_millis()).unwrap_or(Millis::MAX));
        self.database.write(|db| {
            let mut submit = db.prepare_cached(
                "INSERT OR IGNORE INTO jobs
                     (layer, id, kind, payload, submitted_at, due_at, session, agent, transcript)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            )?;
            let (session, agent, transcript) = (&job.session, &job.agent, &job.transcript);
            let row = params![job.layer, id, kind, payload, job.at, due, session, agent, transcript];
            let new = submit.execute(row)? == 1;
            if new && unfinished(db)? > CAPACITY {
                return Err(Error::over_budget(format!("{CAPACITY} jobs wait already")));
            }
            if !new {
                let mut again = db.prepare_cached(
                    "UPDATE jobs SET payload = ?3, due_at = min(due_at, ?4)
                     WHERE layer = ?1 AND id = ?2 AND status = 'waiting'",
                )?;
                again.execute(params![job.layer, id, payload, due])?;
            }
            Ok(new)
        })
    }

    /// Hands back the jobs of workers that are no more. Only for who holds the lock of the worker: then nobody else is
    /// at work, and what runs runs no longer. Returns how many there were.
    ///
    /// # Errors
    /// `Unavailable` when the database is; likewise below.
    pub fn take_up(&self) -> Result<usize> {
        let now = self.clock.now();
        self.database.write(|db| {
            let mut take_up = db.prepare_cached(
                "UPDATE jobs SET status = 'waiting', worker = NULL, due_at = min(due_at, ?1)
                 WHERE status = 'running' AND attempt < ?2",
            )?;
            Ok(take_up.execute(params![now, MOST_ATTEMPTS])?)
        })
    }

    /// When the next job is due, of those that wait or run.
    ///
    /// # Errors
    /// As for [`State::take_up`].
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

    /// Takes the job that is due longest, for at most `lease`. `worker` is a name that no other worker has. Only
    /// reads when no job is due.
    ///
    /// # Errors
    /// `Unavailable` when the database is; likewise below.
    pub fn claim(&self, worker: &str, lease: Duration) -> Result<Option<Claimed>> {
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
            Ok(Some(Claimed { job: standing.job, attempt: standing.attempts, worker: worker.to_owned() }))
        })
    }

    /// Reports a job as done. False when the claim was lost: another worker has the job by now.
    ///
    /// # Errors
    /// As for [`State::claim`].
    pub fn finish(&self, claimed: &Claimed) -> Result<bool> {
        self.report(claimed, "done", None, None)
    }

    /// Reports that a job failed. It is tried again from `retry_at` on, unless that is `None` or it has been tried
    /// five times. False when the claim was lost.
    ///
    /// # Errors
    /// As for [`State::claim`].
    pub fn fail(&self, claimed: &Claimed, error: &str, retry_at: Option<Millis>) -> Result<bool> {
        let retry_at = retry_at.filter(|_| claimed.attempt < MOST_ATTEMPTS);
        let status = if retry_at.is_some() { "waiting" } else { "failed" };
        self.report(claimed, status, Some(error), retry_at)
    }

    /// All jobs that are known, newest first.
    ///
    /// # Errors
    /// As for [`State::claim`].
    pub fn jobs(&self) -> Result<Vec<Standing>> {
        let jobs = self.database.read(|db| {
            let mut jobs = db.prepare_cached(&format!("SELECT {COLUMNS} FROM jobs ORDER BY seq DESC"))?;
            Ok(jobs.query_map([], |row| standing(row, 0))?.collect::<rusqlite::Result<_>>()?)
        })?;
        Ok(jobs.unwrap_or_default())
    }

    /// A payload is kept only as long as somebody may still work on it.
    fn report(
        &self,
        claimed: &Claimed,
        status: &str,
        error: Option<&str>,
        due: Option<Millis>,
    ) -> Result<bool> {
        let settled_at = due.is_none().then(|| self.clock.now());
        self.database.write(|db| {
            let mut report = db.prepare_cached(
                "UPDATE jobs SET status = ?1, error = ?2, due_at = coalesce(?3, due_at), settled_at = ?4,
                     payload = iif(?4 IS NULL, payload, ''), worker = NULL
                 WHERE layer = ?5 AND id = ?6 AND status = 'running' AND worker = ?7 AND attempt = ?8",
            )?;
            let Claimed { job, attempt, worker } = claimed;
            let error = error.map(|error| self.clean(error));
            let hit = report
                .execute(params![status, error, due, settled_at, job.layer, job.id, worker, attempt])?;
            Ok(hit == 1)
        })
    }
}

fn unfinished(db: &Connection) -> Result<usize> {
    let mut count = db.prepare_cached("SELECT count(*) FROM jobs WHERE status IN ('waiting', 'running')")?;
    Ok(count.query_row([], |row| row.get(0))?)
}

/// A job whose worker died every time would be taken up for ever.
fn give_up(db: &Transaction, now: Millis) -> Result<()> {
    let mut give_up = db.prepare_cached(&format!(
        "UPDATE jobs SET status = 'failed', settled_at = ?1, payload = '', error = 'its worker died every time'
         WHERE {TAKEABLE} AND status = 'running' AND attempt >= ?2"
    ))?;
    give_up.execute(params![now, MOST_ATTEMPTS])?;
    Ok(())
}

fn due(db: &Connection, now: Millis) -> Result<Option<(i64, Standing)>> {
    let mut due = db.prepare_cached(&format!(
        "SELECT seq, {COLUMNS} FROM jobs WHERE {TAKEABLE} ORDER BY due_at, seq LIMIT 1"
    ))?;
    Ok(due.query_row([now], |row| Ok((row.get(0)?, standing(row, 1)?))).optional()?)
}

/// Reads the columns of [`COLUMNS`], the first of which is at `from`.
fn standing(row: &Row, from: usize) -> rusqlite::Result<Standing> {
    let [layer, id, kind, payload] = [0, 1, 2, 3].map(|at| row.get(from + at));
    let (session, agent, transcript) = (row.get(from + 5)?, row.get(from + 6)?, row.get(from + 7)?);
    let (layer, id, kind, payload, at) = (layer?, id?, kind?, payload?, row.get(from + 4)?);
    let job = Job { layer, id, kind, payload, at, session, agent, transcript };
    let progress = match row.get_ref(from + 8)?.as_str()? {
        "waiting" => Progress::Waiting,
        "running" => Progress::Running,
        "done" => Progress::Done,
        _ => Progress::Failed,
    };
    let (attempts, due_at, error) = (row.get(from + 9)?, row.get(from + 10)?, row.get(from + 11)?);
    Ok(Standing { job, progress, attempts, due_at, error })
}
