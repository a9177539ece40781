//! `interleaf hook`: answers one event of Claude Code, read from standard input.
//!
//! A hook never harms the session: whatever goes wrong, standard output is empty or one JSON object, standard error
//! is empty, and the exit code is 0, within the deadline. What went wrong is in the log.

use std::io::{Read, Write};
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::compile;
use crate::claude::Event;
use crate::error::Result;
use crate::here::Here;
use crate::layer::{Layer, Roster};
use crate::log::Level;
use crate::pipeline::{Pipeline, longest};
use crate::sandbox::Sandbox;

/// A payload larger than this is not read to its end, in bytes. The client sets no limit of its own; the largest
/// seen was 600 kB.
const LARGEST: u64 = 64 << 20;

/// The process is over this long after it began, in milliseconds, while no event is known.
const PATIENCE: u64 = 1_500;

/// And this long after the event's own deadlines.
const AFTERMATH: Duration = Duration::from_millis(250);

/// Answers the event on standard input and ends the process.
pub fn run() -> ! {
    let began = Instant::now();
    panic::set_hook(Box::new(|_| {}));
    let over = watch(began);
    let reply = panic::catch_unwind(AssertUnwindSafe(|| answer(began, &over)));
    if let Ok(Some(json)) = reply {
        let mut out = std::io::stdout().lock();
        let _ = out.write_all(json.as_bytes()).and_then(|()| out.flush());
    }
    std::process::exit(0)
}

/// The last resort: a thread that ends the process, should everything else be stuck in a call that nothing
/// interrupts. Returns the moment, in milliseconds after `began`, which may be moved.
fn watch(began: Instant) -> Arc<AtomicU64> {
    let over = Arc::new(AtomicU64::new(PATIENCE));
    let moment = over.clone();
    let _ = thread::Builder::new().stack_size(64 << 10).spawn(move || {
        loop {
            let end = began + Duration::from_millis(moment.load(Ordering::Relaxed));
            match end.saturating_duration_since(Instant::now()) {
                Duration::ZERO => std::process::exit(0),
                left => thread::sleep(left),
            }
        }
    });
    over
}

fn answer(began: Instant, over: &AtomicU64) -> Option<String> {
    let mut payload = Vec::new();
    std::io::stdin().lock().take(LARGEST).read_to_end(&mut payload).ok()?;
    let event = Event::parse(&payload);
    let cwd = event.as_ref().map(|event| PathBuf::from(&event.common.cwd)).unwrap_or_default();
    let here = Here::find(&folder(cwd)).ok()?;
    if here.config.disabled {
        return None;
    }
    let (name, json) = match event {
        Ok(event) => (event.name.clone(), reply(&here, &event, began, over)),
        Err(error) => (String::new(), Err(error)),
    };
    json.unwrap_or_else(|error| {
        here.log.about(&here.project.id, &name).write(Level::Error, None, error.to_string());
        None
    })
}

/// The session's project: Claude Code names it, while the current folder follows every `cd`.
pub(super) fn folder(current: PathBuf) -> PathBuf {
    let named = std::env::var_os("CLAUDE_PROJECT_DIR").map(PathBuf::from);
    let usable = |path: &PathBuf| path.is_absolute() && !path.as_os_str().as_encoded_bytes().contains(&0);
    let found = named.filter(usable).or_else(|| Some(current).filter(usable));
    found.or_else(|| std::env::current_dir().ok()).unwrap_or_default()
}

fn reply(here: &Here, event: &Event, began: Instant, over: &AtomicU64) -> Result<Option<String>> {
    let roster = Roster::new(Layer::embedded(), &here.config);
    let longest = longest(&roster, event);
    over.store((longest + AFTERMATH).as_millis() as u64, Ordering::Relaxed);
    let world = here.world(&event.name, began + longest)?;
    if let Some(oddity) = &event.oddity {
        world.log.write(Level::Warn, None, format!("{} was not understood: {oddity}", event.name));
    }
    let pipeline = Pipeline { roster: &roster, config: &here.config, world, began };
    let mut sandbox = None;
    let reply = pipeline.answer(event, || {
        let made = Arc::new(Sandbox::new(Some(&here.folders.cache))?);
        sandbox = Some(made.clone());
        Ok(made)
    });
    if sandbox.is_some_and(|sandbox| sandbox.lacks_compiled()) {
        compile::detached();
    }
    Ok(reply.to_json(&event.name))
}
