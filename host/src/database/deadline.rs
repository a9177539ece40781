//! The time after which no statement waits or runs any more. SQLite checks it while it runs a statement and
//! while it waits for a lock.

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::Connection;

use crate::dirs::with_suffix;

/// How long to wait for a lock if no deadline is set and no process writes meanwhile: the one that holds the
/// lock is stuck. While others write, it is a matter of luck whose turn is next, and of sixteen imports on a
/// busy machine with two cores one waited for more than ten seconds.
const LOCK_TIMEOUT: Duration = Duration::from_secs(10);

/// How long to wait for a lock after the time for waiting has passed: longer than a hook holds it.
const LATE_LOCK_TIMEOUT: Duration = Duration::from_millis(15);

/// Time between two attempts to take a lock. SQLite's own handler sleeps longer the longer it has waited, up
/// to 100 ms, so among many writers the one that has waited longest is the least likely to be next: of
/// sixteen writers, some gave up after 5 s.
const LOCK_POLL_INTERVAL: Duration = Duration::from_millis(1);

/// Number of steps of SQLite's virtual machine between two checks of the deadline: about ten microseconds.
const STEPS_PER_CHECK: i32 = 1_000;

/// The value of [`Deadline::nanos`] if no deadline is set.
const NO_DEADLINE: u64 = u64::MAX;

/// A deadline that can be set while statements run.
pub(super) struct Deadline {
    start: Instant,
    /// Nanoseconds after `start`.
    nanos: AtomicU64,
    /// The time until which calls wait for locks, in nanoseconds after `start`.
    lock_nanos: AtomicU64,
    /// The write-ahead log; `None` for a database in memory.
    log: Option<PathBuf>,
}

/// How long a call waits for locks.
struct Patience {
    until: Instant,
    /// The write-ahead log, for a call that waits on while other processes write.
    log: Option<PathBuf>,
}

thread_local! {
    /// How long the current call of this thread waits for locks. It is a thread-local because SQLite's busy
    /// handler is a plain function.
    static PATIENCE: RefCell<Option<Patience>> = const { RefCell::new(None) };
}

impl Deadline {
    /// Returns a deadline that is not set, for the database in this file.
    pub(super) fn new(database: Option<&Path>) -> Self {
        let [nanos, lock_nanos] = [(); 2].map(|()| AtomicU64::new(NO_DEADLINE));
        let log = database.map(|path| with_suffix(path, "-wal"));
        Self { start: Instant::now(), nanos, lock_nanos, log }
    }

    /// Sets the deadline.
    pub(super) fn set(&self, deadline: Instant) {
        self.nanos.store(self.nanos_of(deadline), Ordering::Relaxed);
    }

    /// Moves an earlier deadline to this time.
    pub(super) fn extend(&self, deadline: Instant) {
        self.nanos.fetch_max(self.nanos_of(deadline), Ordering::Relaxed);
    }

    /// Sets the time until which calls wait for locks, in case that a lock is held until after the deadline
    /// and other work must go on before. Later calls wait for [`LATE_LOCK_TIMEOUT`] each.
    pub(super) fn set_lock_deadline(&self, deadline: Instant) {
        self.lock_nanos.store(self.nanos_of(deadline), Ordering::Relaxed);
    }

    fn nanos_of(&self, deadline: Instant) -> u64 {
        let nanos = deadline.saturating_duration_since(self.start).as_nanos();
        u64::try_from(nanos).unwrap_or(NO_DEADLINE)
    }

    /// Returns the time left, which is also how long to wait for a lock.
    pub(super) fn time_left(&self) -> Duration {
        match self.nanos.load(Ordering::Relaxed) {
            NO_DEADLINE => LOCK_TIMEOUT,
            nanos => Duration::from_nanos(nanos).saturating_sub(self.start.elapsed()),
        }
    }

    /// Lets SQLite interrupt its statements at the deadline, and wait for locks no longer than that.
    pub(super) fn apply_to(self: &Arc<Self>, connection: &Connection) -> rusqlite::Result<()> {
        let deadline = Arc::clone(self);
        connection.progress_handler(STEPS_PER_CHECK, Some(move || deadline.time_left().is_zero()));
        connection.busy_handler(Some(wait_for_lock))
    }

    /// Lets calls of this thread wait for locks until the deadline. Without one, they wait as long as other
    /// processes write. Returns whether any time is left.
    pub(super) fn begin_call(&self) -> bool {
        let left = self.time_left();
        let longest = match self.lock_nanos.load(Ordering::Relaxed) {
            NO_DEADLINE => left,
            nanos => Duration::from_nanos(nanos).saturating_sub(self.start.elapsed()).max(LATE_LOCK_TIMEOUT),
        };
        let log = self.log.clone().filter(|_| !self.is_set());
        PATIENCE.set(Some(Patience { until: Instant::now() + left.min(longest), log }));
        !left.is_zero()
    }

    fn is_set(&self) -> bool {
        [&self.nanos, &self.lock_nanos].iter().any(|nanos| nanos.load(Ordering::Relaxed) != NO_DEADLINE)
    }
}

impl Patience {
    fn lasts(&self) -> bool {
        Instant::now() < self.until || self.log.as_deref().is_some_and(was_written_lately)
    }
}

/// Tells whether a process wrote to the log within [`LOCK_TIMEOUT`].
fn was_written_lately(log: &Path) -> bool {
    let written = fs::metadata(log).and_then(|log| log.modified());
    written.is_ok_and(|at| at.elapsed().is_ok_and(|age| age < LOCK_TIMEOUT))
}

/// Runs `work`, which fails at the first lock that another process holds.
pub(super) fn without_waiting<T>(work: impl FnOnce() -> T) -> T {
    PATIENCE.set(None);
    work()
}

/// Returns whether SQLite is to try again to take the lock, and sleeps before that attempt.
fn wait_for_lock(_attempts: i32) -> bool {
    let may_wait = PATIENCE.with_borrow(|patience| patience.as_ref().is_some_and(Patience::lasts));
    if may_wait {
        thread::sleep(LOCK_POLL_INTERVAL);
    }
    may_wait
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::SystemTime;

    /// A call without a deadline waits in a queue of writers, and gives up if the first of them is stuck.
    #[test]
    fn patience_lasts_while_other_processes_write() {
        let log = tempfile::NamedTempFile::new().unwrap();
        let patience = Patience { until: Instant::now(), log: Some(log.path().to_owned()) };
        assert!(patience.lasts());

        log.as_file().set_modified(SystemTime::now() - LOCK_TIMEOUT).unwrap();
        assert!(!patience.lasts());
    }

    #[test]
    fn a_deadline_ends_the_patience_even_if_others_write() {
        let log = tempfile::NamedTempFile::new().unwrap();
        let deadline = Deadline { log: Some(log.path().to_owned()), ..Deadline::new(None) };
        deadline.set(Instant::now());
        assert!(!deadline.begin_call());
        assert!(!PATIENCE.with_borrow(|patience| patience.as_ref().unwrap().lasts()));
    }
}
