//! The worker as a background process that a hook starts: it runs the jobs that are due, does the upkeep, and
//! ends. Nobody waits for it and nobody sees its output, so its errors
//! go to the log.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use super::{BOOKKEEPING_TIME, Worker, WorkerLock, missed_sessions, upkeep};
use crate::claude::{Event, EventKind};
use crate::clock::Millis;
use crate::error::Result;
use crate::project_context::ProjectContext;
use crate::state::State;
use crate::watchdog::Watchdog;

/// Maximum time that the worker waits for a job that is not due yet, in milliseconds: long enough for the
/// first retry of a failed job. Other jobs are left to a later event.
const MAX_WAIT_MS: Millis = 15_000;

/// Time limit for replaying the ends of sessions: a few of them, each of which may take ten seconds.
const REPLAYS_TIME: Duration = Duration::from_secs(120);

/// How often a waiting worker checks whether another job became due.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// Runs the jobs that are due now or within 15 seconds, unless another worker is running. With the folder of
/// the project's transcripts, it first looks for sessions whose end was not noted down.
///
/// # Errors
/// `Unavailable` if the lock or the database cannot be used.
pub fn run_in_background(context: &ProjectContext, transcripts: Option<&Path>) -> Result<()> {
    if !context.database_file().exists() && !has_missed_session(context, transcripts)? {
        return Ok(());
    }
    // Ends the process if it is stuck. The next event recovers its job.
    let watchdog = Watchdog::start(Instant::now(), 2 * BOOKKEEPING_TIME, || std::process::exit(1));
    loop {
        let Some(lock) = WorkerLock::try_acquire_or_replace(context)? else { return Ok(()) };
        if let Some(folder) = transcripts {
            watchdog.set_timeout_from_now(REPLAYS_TIME);
            context.database.set_deadline(Instant::now() + BOOKKEEPING_TIME);
            missed_sessions::replay_missed_ends(context, folder)?;
        }
        let worker = Worker::new(context)?;
        let state = run_due_jobs(worker, context, &watchdog)?;
        upkeep::run(context, &watchdog);
        drop(lock);
        // A hook that saw the lock held did not start a worker; check for its job before exiting.
        if !has_due_job(context, &state)? {
            return Ok(());
        }
    }
}

/// Tells whether a session's end is to be replayed in a project that has stored nothing yet.
fn has_missed_session(context: &ProjectContext, transcripts: Option<&Path>) -> Result<bool> {
    transcripts.map_or(Ok(false), |folder| missed_sessions::has_missed_session(context, folder))
}

fn run_due_jobs(mut worker: Worker<'_>, context: &ProjectContext, watchdog: &Watchdog) -> Result<State> {
    loop {
        watchdog.set_timeout_from_now(2 * BOOKKEEPING_TIME);
        if let Some(claimed) = worker.claim_next(None)? {
            watchdog.set_timeout_from_now(2 * (worker.max_job_time() + BOOKKEEPING_TIME));
            worker.run_job(&claimed)?;
            continue;
        }
        match worker.next_due()? {
            Some(due) if due <= context.clock.now() + MAX_WAIT_MS => thread::sleep(POLL_INTERVAL),
            _ => return Ok(worker.state),
        }
    }
}

fn has_due_job(context: &ProjectContext, state: &State) -> Result<bool> {
    Ok(state.next_due()?.is_some_and(|due| due <= context.clock.now()))
}

/// Tells whether a hook should start a worker after it has answered this event: a job is due, or a session
/// begins and memories are to be exchanged, and no worker is running. Only checks this if work pauses, ends
/// or begins, or if a layer has just submitted a job that is due immediately.
pub fn should_start(context: &ProjectContext, state: &State, event: &Event) -> bool {
    let is_pause = matches!(
        event.kind,
        EventKind::Stop { .. }
            | EventKind::SubagentStop { .. }
            | EventKind::PreCompact { .. }
            | EventKind::SessionEnd { .. }
            | EventKind::SessionStart { .. }
    );
    let begins = matches!(event.kind, EventKind::SessionStart { .. });
    let has_work = || {
        (is_pause || state.has_submitted()) && has_due_job(context, state).unwrap_or(false)
            || begins && context.replica_records().is_any_due().unwrap_or(false)
    };
    has_work() && !WorkerLock::is_held(context)
}
