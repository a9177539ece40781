//! The watchdog: a thread that acts once the process has run for too long.
//!
//! Everything that can be interrupted has its own, earlier deadline. The watchdog is for the rest: a call to
//! a disk, a lock or native code that does not return. The owner of the watchdog moves the timeout and
//! decides how the process ends.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

/// Stack of the thread, in bytes: it sleeps, reads a small file, prints a line and ends the process.
/// Untouched pages cost nothing.
const STACK_BYTES: usize = 1 << 20;

/// Longest sleep of the thread. It notices a timeout that ends later than this by itself; waking it would
/// cost an ordinary hook, which takes a few milliseconds, more than most of its other steps.
const MAX_SLEEP: Duration = Duration::from_millis(500);

/// A timeout that is counted from a process's start and can be moved while the thread waits for it.
pub struct Watchdog {
    began: Instant,
    /// Milliseconds after `began`.
    timeout_ms: AtomicU64,
    thread: OnceLock<Thread>,
}

impl Watchdog {
    /// Starts the thread, which calls `on_timeout` once `timeout` has passed since `began`.
    ///
    /// If the thread cannot be started, the process runs without a watchdog.
    pub fn start(began: Instant, timeout: Duration, on_timeout: impl FnOnce() + Send + 'static) -> Arc<Self> {
        let timeout_ms = AtomicU64::new(millis(timeout));
        let watchdog = Arc::new(Self { began, timeout_ms, thread: OnceLock::new() });
        let waiting = watchdog.clone();
        let started = thread::Builder::new().stack_size(STACK_BYTES).spawn(move || {
            waiting.wait();
            on_timeout();
        });
        if let Ok(started) = started {
            let _ = watchdog.thread.set(started.thread().clone());
        }
        watchdog
    }

    /// Changes the timeout, counted from the process's start.
    pub fn set_timeout(&self, timeout: Duration) {
        let earlier = self.timeout_ms.swap(millis(timeout), Ordering::Relaxed);
        let is_too_soon = || timeout < self.began.elapsed() + MAX_SLEEP;
        if let Some(thread) = self.thread.get().filter(|_| millis(timeout) < earlier && is_too_soon()) {
            thread.unpark();
        }
    }

    /// Changes the timeout, counted from now.
    pub fn set_timeout_from_now(&self, timeout: Duration) {
        self.set_timeout(self.began.elapsed() + timeout);
    }

    /// Sleeps until the timeout, which may be moved in the meantime.
    fn wait(&self) {
        loop {
            let end = self.began + Duration::from_millis(self.timeout_ms.load(Ordering::Relaxed));
            match end.saturating_duration_since(Instant::now()) {
                Duration::ZERO => return,
                left => thread::park_timeout(left.min(MAX_SLEEP)),
            }
        }
    }
}

fn millis(timeout: Duration) -> u64 {
    timeout.as_millis() as u64
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    /// Starts a watchdog and returns it with the receiver of the time at which it acted.
    fn watchdog(timeout: Duration) -> (Arc<Watchdog>, mpsc::Receiver<Duration>) {
        let (sender, receiver) = mpsc::channel();
        let began = Instant::now();
        let watchdog = Watchdog::start(began, timeout, move || {
            let _ = sender.send(began.elapsed());
        });
        (watchdog, receiver)
    }

    #[test]
    fn the_timeout_can_be_moved_while_the_thread_waits() {
        let (watchdog, acted) = watchdog(Duration::from_millis(30));

        watchdog.set_timeout_from_now(Duration::from_millis(80));

        assert!(acted.recv().expect("the thread acts") >= Duration::from_millis(80));
    }

    #[test]
    fn a_sooner_timeout_beyond_the_longest_sleep_is_noticed_in_time() {
        let (watchdog, acted) = watchdog(Duration::from_secs(3_600));

        watchdog.set_timeout(MAX_SLEEP + Duration::from_millis(100));

        let after = acted.recv_timeout(Duration::from_secs(60)).expect("the thread acts");
        assert!(after >= MAX_SLEEP + Duration::from_millis(100));
    }

    #[test]
    fn a_sooner_timeout_wakes_the_thread() {
        let (watchdog, acted) = watchdog(Duration::from_secs(3_600));

        watchdog.set_timeout_from_now(Duration::from_millis(10));

        assert!(acted.recv_timeout(Duration::from_secs(60)).is_ok());
    }
}
