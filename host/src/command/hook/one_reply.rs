//! The output of a hook process: at most one reply, the hook's own or the one that was prepared for the case
//! that the hook is stuck.

use std::io;
use std::path::PathBuf;
use std::process;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use crate::claude::Event;

/// No thread has begun to print.
const UNPRINTED: u8 = 0;
/// A thread is printing.
const PRINTING: u8 = 1;
/// The reply is printed.
const PRINTED: u8 = 2;

/// Longest wait of the watchdog for a thread that is printing: most of the time that Claude Code gives a
/// hook.
const MAX_PRINTING_TIME: Duration = Duration::from_secs(7);
/// Time between two looks at a thread that is printing.
const PRINTING_POLL_INTERVAL: Duration = Duration::from_millis(5);
/// Number of failed writes after which the rest of a reply is given up.
const MAX_WRITE_ERRORS: usize = 3;

/// Prints at most one reply.
#[derive(Default)]
pub(super) struct OneReply {
    /// Set once it is known; the inner value is the reply.
    fallback: Mutex<Option<Option<String>>>,
    /// The tool call that has to be answered, and the session's folders.
    call: OnceLock<(Event, Vec<PathBuf>)>,
    progress: AtomicU8,
}

impl OneReply {
    /// Sets the tool call that has to be answered, before anything else is read.
    pub(super) fn set_call(&self, event: &Event, folders: &[PathBuf]) {
        let _ = self.call.set((event.clone(), folders.to_owned()));
    }

    /// Sets the reply that is printed if there is no other.
    pub(super) fn set_fallback(&self, json: Option<String>) {
        *self.fallback.lock().unwrap_or_else(PoisonError::into_inner) = Some(json);
    }

    /// Returns the fallback at the first call, then `None`.
    pub(super) fn take_fallback(&self) -> Option<String> {
        self.fallback.lock().unwrap_or_else(PoisonError::into_inner).take().flatten()
    }

    /// Returns the fallback. If the hook is stuck before it is known, `find` tries once more to find it.
    pub(super) fn take_fallback_or_else(
        &self,
        find: impl FnOnce(&Event, &[PathBuf]) -> Option<String>,
    ) -> Option<String> {
        let known = self.fallback.lock().unwrap_or_else(PoisonError::into_inner).take();
        known.unwrap_or_else(|| {
            let (event, folders) = self.call.get()?;
            find(event, folders)
        })
    }

    /// Prints the reply, calls `after_printing` and ends the process.
    pub(super) fn print_and_exit(&self, json: Option<&str>, after_printing: impl FnOnce()) -> ! {
        if self.begins_to_print() {
            print(json.unwrap_or_default().as_bytes());
            self.progress.store(PRINTED, Ordering::SeqCst);
            after_printing();
            process::exit(0);
        }
        self.wait_for_the_other_thread();
        process::exit(0)
    }

    fn begins_to_print(&self) -> bool {
        self.progress.compare_exchange(UNPRINTED, PRINTING, Ordering::SeqCst, Ordering::SeqCst).is_ok()
    }

    /// Waits until the other thread has printed. Ending the process earlier would cut its reply off.
    fn wait_for_the_other_thread(&self) {
        let mut waited = Duration::ZERO;
        while self.progress.load(Ordering::SeqCst) != PRINTED && waited < MAX_PRINTING_TIME {
            thread::sleep(PRINTING_POLL_INTERVAL);
            waited += PRINTING_POLL_INTERVAL;
        }
    }
}

/// Writes to standard output without a buffer, so that after an error the rest can be written.
fn print(mut bytes: &[u8]) {
    let mut errors = 0;
    while !bytes.is_empty() && errors < MAX_WRITE_ERRORS {
        match rustix::io::write(std::io::stdout(), bytes).map_err(io::Error::from) {
            Ok(written) => bytes = &bytes[written..],
            Err(_) => errors += 1,
        }
    }
}
