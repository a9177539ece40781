//! The worker behind a hook's back: a process of its own that does what is due and ends. Nobody waits for it and nobody
//! sees what it says, so what goes wrong is in the log.

use std::thread;
use std::time::{Duration, Instant};

use super::upkeep::keep_up;
use super::{BOOKKEEPING, Worker, WorkerLock};
use crate::claude::{Event, EventKind};
use crate::clock::Millis;
use crate::error::Result;
use crate::project_context::ProjectContext;
use crate::state::State;
use crate::watchdog::Watchdog;

/// A job that is due within so many milliseconds is waited for: the first retry of one that failed. Others are left to a
/// later event.
const SOON: Millis = 15_000;
/// How often it is looked whether another became due meanwhile.
const LOOK: Duration = Duration::from_millis(200);

/// Does what is due, and what will be soon, unless another worker is at it.
///
/// # Errors
/// `Unavailable` when the lock or the database is.
pub fn run(context: &ProjectContext) -> Result<()> {
    // A stuck worker is ended; the next event recovers its job.
    let watchdog = Watchdog::start(Instant::now(), 2 * BOOKKEEPING, || std::process::exit(1));
    loop {
        let Some(lock) = WorkerLock::try_acquire(context)? else { return Ok(()) };
        let worker = Worker::new(context)?;
        let state = shift(worker, context, &watchdog)?;
        watchdog.set_timeout_from_now(2 * BOOKKEEPING);
        context.database.set_deadline(Instant::now() + BOOKKEEPING);
        keep_up(context);
        let _ = context.database.checkpoint_if_long();
        drop(lock);
        // Who looked while the lock was held has left its job to this process.
        if !is_due(context, &state)? {
            return Ok(());
        }
    }
}

fn shift(mut worker: Worker<'_>, context: &ProjectContext, watchdog: &Watchdog) -> Result<State> {
    loop {
        watchdog.set_timeout_from_now(2 * BOOKKEEPING);
        if let Some(claimed) = worker.claim_next()? {
            watchdog.set_timeout_from_now(2 * (worker.max_job_time() + BOOKKEEPING));
            worker.run_job(&claimed)?;
            continue;
        }
        match worker.next_due()? {
            Some(due) if due <= context.clock.now() + SOON => thread::sleep(LOOK),
            _ => return Ok(worker.state),
        }
    }
}

fn is_due(context: &ProjectContext, state: &State) -> Result<bool> {
    Ok(state.next_due()?.is_some_and(|due| due <= context.clock.now()))
}

/// Whether a worker is to be started now that this event is answered: a job is due and nobody is at it. Asked when work
/// pauses, ends or begins, and whenever a layer has just put off a job that is to be done at once.
pub fn should_start(context: &ProjectContext, state: &State, event: &Event) -> bool {
    let pauses = matches!(
        event.kind,
        EventKind::Stop { .. }
            | EventKind::SubagentStop { .. }
            | EventKind::PreCompact { .. }
            | EventKind::SessionEnd { .. }
            | EventKind::SessionStart { .. }
    );
    (pauses || state.has_submitted())
        && is_due(context, state).unwrap_or(false)
        && !WorkerLock::is_held(context)
}
