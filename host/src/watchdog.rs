//! The watchdog: a thread that acts once the process has run for too long.
//!
//! Everything that can be interrupted has its own, earlier deadline. The watchdog is for the rest: a call to
//! a disk, a lock or native code that does not return. The owner of the watchdog moves the timeout and
//! decides how the process ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Stack of the thread, in bytes: it sleeps, prints a line and ends the process.
const STACK_BYTES: usize = 64 << 10;

/// A timeout that is counted from a process's start and can be moved while the thread waits for it.
pub struct Watchdog {
    began: Instant,
    /// Milliseconds after `began`.
    timeout_ms: AtomicU64,
}

impl Watchdog {
    /// Starts the thread, which calls `on_timeout` once `timeout` has passed since `began`.
    ///
    /// If the thread cannot be started, the process runs without a watchdog.
    pub fn start(began: Instant, timeout: Duration, on_timeout: impl FnOnce() + Send + 'static) -> Arc<Self> {
        let watchdog = Arc::new(Self { began, timeout_ms: AtomicU64::new(millis(timeout)) });
        let waiting = watchdog.clone();
        let _ = thread::Builder::new().stack_size(STACK_BYTES).spawn(move || {
            waiting.wait();
            on_timeout();
        });
        watchdog
    }

    /// Changes the timeout, counted from the process's start. A sooner timeout takes effect when the thread
    /// next wakes.
    pub fn set_timeout(&self, timeout: Duration) {
        self.timeout_ms.store(millis(timeout), Ordering::Relaxed);
    }

    /// Changes the timeout, counted from now.
    pub fn set_timeout_from_now(&self, timeout: Duration) {
        self.set_timeout(self.began.elapsed() + timeout);
    }

    /// Sleeps until the timeout, and again if it was moved in the meantime.
    fn wait(&self) {
        loop {
            let end = self.began + Duration::from_millis(self.timeout_ms.load(Ordering::Relaxed));
            match end.saturating_duration_since(Instant::now()) {
                Duration::ZERO => return,
                left => thread::sleep(left),
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

    #[test]
    fn the_timeout_can_be_moved_while_the_thread_waits() {
        let (sender, receiver) = mpsc::channel();
        let began = Instant::now();
        let watchdog = Watchdog::start(began, Duration::from_millis(30), move || {
            let _ = sender.send(began.elapsed());
        });

        watchdog.set_timeout_from_now(Duration::from_millis(80));

        assert!(receiver.recv().expect("the thread acts") >= Duration::from_millis(80));
    }
}
