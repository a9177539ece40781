//! `interleaf hook`: answers one event of Claude Code, read from standard input.
//!
//! A hook never harms the session: whatever goes wrong, standard output is empty or one JSON object, standard error
//! is empty, and the exit code is 0, within the deadline. What went wrong is in the log.

mod watch;

use std::io::Read;
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use super::compile;
use crate::claude::Event;
use crate::error::Result;
use crate::here::Here;
use crate::log::{Account, Level, Log, rounded};
use crate::pipeline::{Pipeline, longest, without_layers};
use crate::sandbox::Sandbox;
use watch::Watch;

/// A payload larger than this is not read to its end, in bytes. The client sets no limit of its own; the largest
/// seen was 600 kB.
const LARGEST: u64 = 64 << 20;

/// Answers the event on standard input and ends the process.
pub fn run() -> ! {
    let began = Instant::now();
    panic::set_hook(Box::new(|_| {}));
    let watch = Watch::over(began);
    let answer = panic::catch_unwind(AssertUnwindSafe(|| answer(began, &watch)));
    let failed = |_| Some(Answer { json: watch.last_words(), account: None });
    let Answer { json, account } = answer.unwrap_or_else(failed).unwrap_or_default();
    watch.finish(json.as_deref(), || tell(account, began))
}

/// What is printed, and what the log tells of it afterwards.
#[derive(Default)]
struct Answer {
    json: Option<String>,
    account: Option<(Log, Account)>,
}

/// Writes the line of the event, once nobody waits for this process's words any more.
fn tell(account: Option<(Log, Account)>, began: Instant) {
    let Some((log, mut account)) = account else { return };
    account.ms = rounded(began.elapsed().as_secs_f64() * 1000.0);
    // A panic in here must not be the last thing that this process does.
    let _ = panic::catch_unwind(AssertUnwindSafe(|| log.account(account)));
}

fn answer(began: Instant, watch: &Watch) -> Option<Answer> {
    let mut payload = Vec::new();
    std::io::stdin().lock().take(LARGEST).read_to_end(&mut payload).ok()?;
    let event = Event::parse(&payload);
    let cwd = event.as_ref().map(|event| PathBuf::from(&event.common.cwd)).unwrap_or_default();
    let here = Here::find(&folder(cwd)).ok()?;
    if here.config.disabled {
        return None;
    }
    let (name, answer) = match event {
        Ok(event) => (event.name.clone(), reply(&here, &event, began, watch)),
        Err(error) => (String::new(), Err(error)),
    };
    let failed = |error: &crate::error::Error| {
        here.log.about(&here.project.id, &name).write(Level::Error, None, error.to_string());
    };
    answer.inspect_err(failed).ok()
}

/// The session's project: Claude Code names it, while the current folder follows every `cd`.
pub(super) fn folder(current: PathBuf) -> PathBuf {
    let named = std::env::var_os("CLAUDE_PROJECT_DIR").map(PathBuf::from);
    let usable = |path: &PathBuf| path.is_absolute() && !path.as_os_str().as_encoded_bytes().contains(&0);
    let found = named.filter(usable).or_else(|| Some(current).filter(usable));
    found.or_else(|| std::env::current_dir().ok()).unwrap_or_default()
}

fn reply(here: &Here, event: &Event, began: Instant, watch: &Watch) -> Result<Answer> {
    let roster = here.roster();
    let longest = longest(&roster, event);
    watch.allow(longest);
    let last_words = without_layers(&roster, event, "the hook could not do its work").to_json(&event.name);
    watch.prepare(last_words.clone());
    let mut world = match here.world(&event.name, event.transcript(), began + longest) {
        Ok(world) => world,
        Err(error) => {
            let log = here.log.about(&here.project.id, &event.name).of_session(&event.common.session_id);
            log.write(Level::Error, None, error.to_string());
            return Ok(Answer { json: last_words, account: None });
        }
    };
    world.log = world.log.of_session(&event.common.session_id);
    if let Some(oddity) = &event.oddity {
        world.log.write(Level::Warn, None, format!("{} was not understood: {oddity}", event.name));
    }
    let log = world.log.clone();
    let pipeline = Pipeline { roster: &roster, config: &here.config, world, began };
    let mut sandbox = None;
    let (reply, account) = pipeline.answer_and_account(event, || {
        let made = Arc::new(Sandbox::new(Some(&here.folders.cache))?);
        sandbox = Some(made.clone());
        Ok(made)
    });
    if sandbox.is_some_and(|sandbox| sandbox.lacks_compiled()) {
        compile::detached();
    }
    Ok(Answer { json: reply.to_json(&event.name), account: account.map(|account| (log, account)) })
}
