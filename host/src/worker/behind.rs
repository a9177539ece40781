//! The worker behind a hook's back: a process of its own that does what is due and ends. Nobody waits for it and nobody
//! sees what it says, so what goes wrong is in the log.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::upkeep::keep_up;
use super::{BOOKKEEPING, Worker, WorkerLock};
use crate::claude::{Event, EventKind};
use crate::clock::Millis;
use crate::error::Result;
use crate::project_context::ProjectContext;
use crate::state::State;

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
    let watch = Watch::start();
    loop {
        let Some(lock) = WorkerLock::try_acquire(context)? else { return Ok(()) };
        let worker = Worker::new(context)?;
        let state = shift(worker, context, &watch)?;
        watch.allow(BOOKKEEPING);
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

fn shift(mut worker: Worker<'_>, context: &ProjectContext, watch: &Watch) -> Result<State> {
    loop {
        watch.allow(BOOKKEEPING);
        if let Some(claimed) = worker.claim_next()? {
            watch.allow(worker.max_job_time() + BOOKKEEPING);
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

/// Ends the process when it is stuck in something that nothing interrupts. Its job is taken up by the next event.
struct Watch {
    began: Instant,
    /// Milliseconds after `began`.
    end: AtomicU64,
}

impl Watch {
    fn start() -> Arc<Self> {
        let watch = Arc::new(Self { began: Instant::now(), end: AtomicU64::new(0) });
        watch.allow(BOOKKEEPING);
        let watching = watch.clone();
        let _ = thread::Builder::new().stack_size(64 << 10).spawn(move || watching.wait());
        watch
    }

    /// From now on it may take so long, and as long again.
    fn allow(&self, time: Duration) {
        let end = self.began.elapsed() + time * 2;
        self.end.store(end.as_millis() as u64, Ordering::Relaxed);
    }

    fn wait(&self) -> ! {
        loop {
            let end = self.began + Duration::from_millis(self.end.load(Ordering::Relaxed));
            match end.saturating_duration_since(Instant::now()) {
                Duration::ZERO => std::process::exit(1),
                left => thread::sleep(left),
            }
        }
    }
}
