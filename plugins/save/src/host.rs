//! What the layer asks of the host, in its own words.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::bindings::interleaf::layer::jobs::{self, Request, Waiting};
use crate::bindings::interleaf::layer::log::{self, Level};
use crate::bindings::interleaf::layer::state::{self, Scope};
use crate::bindings::interleaf::layer::transcript as wire;
use crate::bindings::interleaf::layer::types::Error;
use crate::progress;
use crate::settings::Settings;
use crate::talk::{Ending, Entry, Kind, Role};

/// Entries asked for at once.
const PAGE: u32 = 500;

/// Bytes of text that one flush looks at. A session writes that much in days.
const MOST: usize = 6 << 20;

/// Milliseconds since the Unix epoch.
pub fn now() -> i64 {
    let passed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(passed.as_millis()).unwrap_or_default()
}

/// The layer's settings.
pub fn settings() -> Settings {
    Settings::read(&crate::bindings::interleaf::layer::settings::get())
}

/// A value of this session.
pub fn kept<T: Default + DeserializeOwned>(key: &str) -> Result<T, Error> {
    Ok(progress::read(state::get(Scope::Session, key)?.as_deref()))
}

/// Sets a value of this session. Only the worker sets any, one at a time.
pub fn keep<T: Serialize>(key: &str, value: &T) -> Result<(), Error> {
    state::set(Scope::Session, key, &serde_json::to_string(value).unwrap_or_default())
}

/// A value of the project.
pub fn kept_of_project<T: Default + DeserializeOwned>(key: &str) -> Result<T, Error> {
    Ok(progress::read(state::get(Scope::Project, key)?.as_deref()))
}

/// Sets a value of the project. Only the worker sets any, one at a time.
pub fn keep_in_project<T: Serialize>(key: &str, value: &T) -> Result<(), Error> {
    state::set(Scope::Project, key, &serde_json::to_string(value).unwrap_or_default())
}

/// Forgets a value of this session.
pub fn forget(key: &str) -> Result<(), Error> {
    state::remove(Scope::Session, key)
}

/// Puts work off.
pub fn put_off(id: String, payload: String, delay_ms: u64) -> Result<(), Error> {
    jobs::submit(&Request { id, kind: crate::when::FLUSH.to_owned(), payload, delay_ms }).map(drop)
}

/// All captures that wait.
pub fn captures() -> Result<Vec<Waiting>, Error> {
    jobs::captures(200)
}

/// The entries from `cursor` to `end`, or as far as one flush reads; where that is; and whether more is there.
pub fn read(cursor: u64, end: Option<u64>) -> Result<(Vec<Entry>, u64, bool), Error> {
    let (mut entries, mut at, mut bytes) = (Vec::new(), cursor, 0);
    loop {
        let page = match wire::read(at, PAGE) {
            Ok(page) => page,
            // A session in which nothing was said has none.
            Err(Error::NotFound(_)) => return Ok((entries, at, false)),
            Err(error) => return Err(error),
        };
        let within = |entry: &wire::Entry| end.is_none_or(|end| entry.cursor < end);
        bytes += page.entries.iter().map(|entry| entry.text.len()).sum::<usize>();
        entries.extend(page.entries.into_iter().filter(within).map(entry));
        at = page.cursor;
        let over = end.is_some_and(|end| at >= end);
        if over || !page.more || bytes > MOST {
            return Ok((entries, end.map_or(at, |end| end.min(at)), page.more && !over));
        }
    }
}

fn entry(entry: wire::Entry) -> Entry {
    Entry {
        role: match entry.role {
            wire::Role::User => Role::User,
            wire::Role::Assistant => Role::Assistant,
            wire::Role::Tool => Role::Tool,
        },
        kind: match entry.kind {
            wire::Kind::Text => Kind::Text,
            wire::Kind::ToolCall => Kind::ToolCall,
            wire::Kind::ToolResult => Kind::ToolResult,
        },
        ending: match entry.ending {
            wire::Ending::Fine => Ending::Fine,
            wire::Ending::Failed => Ending::Failed,
            wire::Ending::Interrupted => Ending::Interrupted,
        },
        tool: entry.tool,
        call: entry.call,
        text: entry.text,
        at: entry.at,
        cursor: entry.cursor,
    }
}

/// A line for the log: what was decided, as an object.
pub fn tell(decided: &serde_json::Value) {
    log::write(Level::Info, &decided.to_string());
}

/// A line for the log: what the host refused.
pub fn complain(what: &str, error: &Error) {
    log::write(Level::Warn, &format!("{what}: {}", words(error)));
}

/// What kind of error it is, in a word.
pub const fn kind(error: &Error) -> &'static str {
    match error {
        Error::Denied(_) => "denied",
        Error::Invalid(_) => "invalid",
        Error::Conflict(_) => "conflict",
        Error::NotFound(_) => "not found",
        Error::OverBudget(_) => "over budget",
        Error::Unavailable(_) => "unavailable",
    }
}

/// The sentence in an error.
pub fn words(error: &Error) -> &str {
    match error {
        Error::Denied(why)
        | Error::Invalid(why)
        | Error::Conflict(why)
        | Error::NotFound(why)
        | Error::OverBudget(why)
        | Error::Unavailable(why) => why,
    }
}
