//! The last resort of a hook: a thread that ends the process, should everything else be stuck in a call that nothing
//! interrupts. What is printed is printed once, by whoever comes first.

use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// The process is over this long after it began, in milliseconds, while no event is known.
const PATIENCE: u64 = 1_500;

/// And this long after the event's own deadlines.
const AFTERMATH: Duration = Duration::from_millis(250);

/// When the process is over, and what it says then.
pub(super) struct Watch {
    began: Instant,
    /// Milliseconds after `began`.
    end: AtomicU64,
    last_words: Mutex<Option<String>>,
    spoken: AtomicBool,
}

impl Watch {
    /// Starts watching a process that began at this moment.
    pub(super) fn over(began: Instant) -> Arc<Self> {
        let (end, last_words) = (AtomicU64::new(PATIENCE), Mutex::new(None));
        let watch = Arc::new(Self { began, end, last_words, spoken: AtomicBool::new(false) });
        let watching = watch.clone();
        let _ = thread::Builder::new().stack_size(64 << 10).spawn(move || watching.wait());
        watch
    }

    /// The event is known: its layers may take so long.
    pub(super) fn allow(&self, longest: Duration) {
        self.end.store((longest + AFTERMATH).as_millis() as u64, Ordering::Relaxed);
    }

    /// What is to be said if nothing else can be.
    pub(super) fn prepare(&self, words: Option<String>) {
        if let Ok(mut last) = self.last_words.lock() {
            *last = words;
        }
    }

    /// What was prepared, once.
    pub(super) fn last_words(&self) -> Option<String> {
        self.last_words.try_lock().ok()?.take()
    }

    /// Prints the reply, does what was left for afterwards, and ends the process.
    pub(super) fn finish(&self, json: Option<&str>, afterwards: impl FnOnce()) -> ! {
        if !self.spoken.swap(true, Ordering::SeqCst) {
            let mut out = std::io::stdout().lock();
            let _ = out.write_all(json.unwrap_or_default().as_bytes()).and_then(|()| out.flush());
            afterwards();
            std::process::exit(0);
        }
        // The other thread is about to end the process.
        thread::sleep(Duration::from_secs(1));
        std::process::exit(0)
    }

    fn wait(&self) -> ! {
        loop {
            let end = self.began + Duration::from_millis(self.end.load(Ordering::Relaxed));
            match end.saturating_duration_since(Instant::now()) {
                Duration::ZERO => break,
                left => thread::sleep(left),
            }
        }
        self.finish(self.last_words().as_deref(), || {})
    }
}
