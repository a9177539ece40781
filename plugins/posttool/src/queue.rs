//! What is left behind for later: captures in the queue, and the failing command among the project's hot topics.

use std::time::{SystemTime, UNIX_EPOCH};

use topics::{Command, Topics};

use crate::bindings::interleaf::layer::jobs;
use crate::bindings::interleaf::layer::log::{self, Level};
use crate::bindings::interleaf::layer::state::{self, Scope};
use crate::bindings::interleaf::layer::types::Error;
use crate::capture::Capture;

/// Where the project's topics are, common to all layers.
const TOPICS: &str = "hot-topics";

/// What this session has queued: also what was dealt with since is not queued again.
const QUEUED: &str = "queued";

/// Ids remembered of a session, the newest.
const MOST_QUEUED: usize = 200;

/// Tries to change a value that others change, too.
const TRIES: usize = 16;

/// Milliseconds since the Unix epoch.
pub fn now() -> i64 {
    let passed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(passed.as_millis()).unwrap_or_default()
}

/// Queues a capture, unless this session has done so before. The queue comes first: a process that is killed before the
/// second step has lost nothing, and the queue itself keeps an id once.
pub fn push(capture: &Capture) {
    let known = state::get(Scope::Session, QUEUED).ok().flatten().unwrap_or_default();
    if known.split(' ').any(|id| id == capture.id) {
        return;
    }
    let wire = jobs::Capture { id: capture.id.clone(), payload: capture.payload.clone() };
    match jobs::push_capture(&wire) {
        Ok(_) => change(Scope::Session, QUEUED, |known| with(known.unwrap_or_default(), &capture.id)),
        Err(error) => complain("a capture was not queued", &error),
    }
}

fn with(known: &str, id: &str) -> Option<String> {
    let known: Vec<&str> = known.split(' ').filter(|id| !id.is_empty()).collect();
    let older = known.len().saturating_sub(MOST_QUEUED - 1);
    (!known.contains(&id)).then(|| known[older..].iter().copied().chain([id]).collect::<Vec<_>>().join(" "))
}

/// Makes the failing command a topic, by its real name: that of the first command which is not ordinary.
pub fn promote(commands: &[Command]) {
    let Some(command) = commands.iter().find(|command| topics::topic_name(command).is_some()) else { return };
    change(Scope::Shared, TOPICS, |known| {
        let mut topics = Topics::read(known.unwrap_or_default());
        topics.promote(command, now()).then(|| topics.to_json())
    });
}

/// Changes a value that other processes may change at the same time. `new` gives none where nothing is to change.
fn change(scope: Scope, key: &str, new: impl Fn(Option<&str>) -> Option<String>) {
    for _ in 0..TRIES {
        let known = state::get(scope, key);
        let swapped = known.and_then(|known| match new(known.as_deref()) {
            Some(new) => state::swap(scope, key, known.as_deref(), &new),
            None => Ok(true),
        });
        match swapped {
            Ok(false) => {}
            Ok(true) => return,
            Err(error) => return complain(&format!("`{key}` was not changed"), &error),
        }
    }
    log::write(Level::Warn, &format!("`{key}` was not changed: too many others change it"));
}

/// A line for the log. What was not granted was meant so.
pub fn complain(what: &str, error: &Error) {
    let (Error::Invalid(why)
    | Error::Conflict(why)
    | Error::NotFound(why)
    | Error::OverBudget(why)
    | Error::Unavailable(why)) = error
    else {
        return;
    };
    log::write(Level::Warn, &format!("{what}: {why}"));
}
