//! The moment after which no statement runs any more, shared with the watch inside SQLite.

use rusqlite::Connection;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How long a lock is waited for when no deadline is set. Eight writers at once waited 22 ms at worst, so whoever
/// holds a lock for seconds is stuck.
const PATIENCE: Duration = Duration::from_secs(5);

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

impl Deadline {
    /// No deadline yet.
    pub(super) fn new() -> Self {
        Self { start: Instant::now(), at: AtomicU64::new(NEVER) }
    }

    pub(super) fn set(&self, deadline: Instant) {
        let after = deadline.saturating_duration_since(self.start).as_nanos();
        self.at.store(u64::try_from(after).unwrap_or(NEVER), Ordering::Relaxed);
    }

    /// The time left, which is how long a lock may be waited for.
    pub(super) fn left(&self) -> Duration {
        match self.at.load(Ordering::Relaxed) {
            NEVER => PATIENCE,
            at => Duration::from_nanos(at).saturating_sub(self.start.elapsed()),
        }
    }

    /// Lets SQLite interrupt its own statement when the time is up.
    pub(super) fn watch(self: &Arc<Self>, connection: &Connection) {
        let deadline = Arc::clone(self);
        connection.progress_handler(STEPS, Some(move || deadline.left().is_zero()));
    }
}
