//! The moment after which no statement waits or runs any more, shared with the watch inside SQLite.

use rusqlite::Connection;
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How long a lock is waited for when no deadline is set. Sixteen processes that write without a pause
/// waited 0.4 s at worst, so whoever holds a lock for seconds is stuck.
const PATIENCE: Duration = Duration::from_secs(10);

/// How often a lock is asked for. SQLite's own handler sleeps longer the longer it has waited, up to 100
/// ms, so among many writers the one that waited longest is the least likely to be next: of sixteen, some
/// waited 5 s in vain.
const PAUSE: Duration = Duration::from_millis(1);

/// How many steps of SQLite's virtual machine lie between two looks at the clock: some ten microseconds.
const STEPS: i32 = 1_000;

/// [`Deadline::at`] where nobody set one.
const NEVER: u64 = u64::MAX;

/// A moment that can be set while statements run.
pub(super) struct Deadline {
    start: Instant,
    /// Nanoseconds after `start`.
    at: AtomicU64,
}

thread_local! {
    /// Until when the call that this thread is in waits for locks. SQLite's busy handler is a plain function.
    static WAIT_UNTIL: Cell<Option<Instant>> = const { Cell::new(None) };
}

impl Deadline {
    /// No deadline yet.
    pub(super) fn new() -> Self {
        Self { start: Instant::now(), at: AtomicU64::new(NEVER) }
    }

    pub(super) fn set(&self, deadline: Instant) {
        let after = deadline.saturating_duration_since(self.start).as_nanos();
        self.at.store(u64::try_from(after).unwrap_or(NEVER), Ordering::Relaxed);
    }

    /// Moves the deadline to this moment, if there is one and it is sooner.
    pub(super) fn extend(&self, deadline: Instant) {
        let after = deadline.saturating_duration_since(self.start).as_nanos();
        self.at.fetch_max(u64::try_from(after).unwrap_or(NEVER), Ordering::Relaxed);
    }

    /// The time left, which is how long a lock may be waited for.
    pub(super) fn left(&self) -> Duration {
        match self.at.load(Ordering::Relaxed) {
            NEVER => PATIENCE,
            at => Duration::from_nanos(at).saturating_sub(self.start.elapsed()),
        }
    }

    /// Lets SQLite interrupt its own statement when the time is up, and wait for locks no longer.
    pub(super) fn watch(self: &Arc<Self>, connection: &Connection) -> rusqlite::Result<()> {
        let deadline = Arc::clone(self);
        connection.progress_handler(STEPS, Some(move || deadline.left().is_zero()));
        connection.busy_handler(Some(wait))
    }

    /// From now on, calls of this thread wait for locks as long as time is left. Whether there is any.
    pub(super) fn begin(&self) -> bool {
        let left = self.left();
        WAIT_UNTIL.set(Some(Instant::now() + left));
        !left.is_zero()
    }
}

/// Runs `work`, which gives up at the first lock that another process holds.
pub(super) fn without_waiting<T>(work: impl FnOnce() -> T) -> T {
    WAIT_UNTIL.set(None);
    work()
}

/// Whether SQLite should try again; sleeps before it does.
fn wait(_tries: i32) -> bool {
    let patient = WAIT_UNTIL.get().is_some_and(|until| Instant::now() < until);
    if patient {
        thread::sleep(PAUSE);
    }
    patient
}
