//! The log: one JSON object a line, in the user's state folder. A hook may print nothing else, so what went wrong is
//! written here and `interleaf doctor` reads it; and what came of every answered event, which `interleaf log` shows.
//!
//! Secrets are taken out of every line. A log that cannot be written hurts nobody.

mod account;
mod file;
mod line;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use serde_json::Value;

pub use account::{DecisionRecord, EventRecord, LayerOutcome, LayerRecord, ShownMemory, round_to_hundredths};
pub use file::LogFollower;
pub use line::{Level, LogLine};

use crate::clock::Clock;
use crate::redact::Redactor;

/// Bytes of one message; the rest is cut, so that a flooding layer cannot push everything else out.
const MESSAGE: usize = 2_000;

/// What a layer said of its decisions: its name, and an object.
type Said = (String, Value);

/// Where lines go. Clones write to the same place.
#[derive(Clone)]
pub struct Log {
    to: To,
    clock: Clock,
    redactor: Redactor,
    /// The project's id, for every line.
    project: String,
    /// The session's id, for every line.
    session: String,
    /// The event's name, for every line.
    event: String,
    /// Objects that layers logged, kept for the line of the event.
    said: Option<Arc<Mutex<Vec<Said>>>>,
}

#[derive(Clone)]
enum To {
    File(PathBuf),
    Kept(Arc<Mutex<Vec<LogLine>>>),
}

impl Log {
    /// The log in the user's state folder.
    pub fn in_folder(state: &Path, clock: Clock) -> Self {
        Self::to(To::File(state.join("log.jsonl")), clock)
    }

    /// A log that keeps its lines, for the harness.
    pub fn in_memory(clock: Clock) -> Self {
        Self::to(To::Kept(Arc::default()), clock)
    }

    fn to(to: To, clock: Clock) -> Self {
        let (project, session, event) = Default::default();
        Self { to, clock, redactor: Redactor::BUILT_IN, project, session, event, said: None }
    }

    /// The same log, whose lines name this project and event.
    #[must_use]
    pub fn for_event(&self, project: &str, event: &str) -> Self {
        Self { project: project.to_owned(), event: event.to_owned(), ..self.clone() }
    }

    /// The same log, which takes out of its lines what this redactor finds.
    #[must_use]
    pub fn with_redactor(self, redactor: Redactor) -> Self {
        Self { redactor, ..self }
    }

    /// The same log for one event of a session: objects that layers log are kept for the line that tells of it.
    #[must_use]
    pub fn for_session(&self, session: &str) -> Self {
        let session = self.redactor.redact(session).into_owned();
        Self { session, said: Some(Arc::default()), ..self.clone() }
    }

    /// Writes a line.
    pub fn write(&self, level: Level, layer: Option<&str>, message: impl AsRef<str>) {
        let message = self.redactor.redact(clip(message.as_ref())).into_owned();
        if level == Level::Info && self.keep(layer, &message) {
            return;
        }
        self.put(level, layer, message, None);
    }

    /// Writes the line that tells what came of the event.
    pub fn write_event_record(&self, account: EventRecord) {
        let tool = account.tool.map(|tool| self.redactor.redact(clip(&tool)).into_owned());
        self.put(Level::Info, None, "answered".to_owned(), Some(EventRecord { tool, ..account }));
    }

    /// Keeps an object that a layer logged, where somebody will ask for it.
    fn keep(&self, layer: Option<&str>, message: &str) -> bool {
        let (Some(said), Some(layer)) = (&self.said, layer) else { return false };
        let Ok(object @ Value::Object(_)) = serde_json::from_str(message) else { return false };
        said.lock().map(|mut said| said.push((layer.to_owned(), object))).is_ok()
    }

    /// The objects that layers logged since the last call.
    pub fn take_layer_objects(&self) -> Vec<Said> {
        let said = self.said.as_ref().and_then(|said| said.lock().ok());
        said.map(|mut said| std::mem::take(&mut *said)).unwrap_or_default()
    }

    fn put(&self, level: Level, layer: Option<&str>, message: String, event_record: Option<EventRecord>) {
        let (project, session, event) = (self.project.clone(), self.session.clone(), self.event.clone());
        let (at, layer) = (self.clock.now(), layer.map(str::to_owned));
        let line = LogLine { at, level, project, session, event, layer, message, event_record };
        match &self.to {
            To::File(path) => {
                drop(serde_json::to_string(&line).map(|text| file::append(path, &(text + "\n"))))
            }
            To::Kept(lines) => drop(lines.lock().map(|mut lines| lines.push(line))),
        }
    }

    /// The lines so far, oldest first: of the file and of the one before it.
    pub fn lines(&self) -> Vec<LogLine> {
        match &self.to {
            To::Kept(lines) => lines.lock().map(|lines| lines.clone()).unwrap_or_default(),
            To::File(_) => {
                self.raw_lines().iter().filter_map(|line| serde_json::from_str(line).ok()).collect()
            }
        }
    }

    /// The same as they are written; a log that keeps its lines has none.
    pub fn raw_lines(&self) -> Vec<String> {
        match &self.to {
            To::Kept(_) => Vec::new(),
            To::File(path) => file::lines(path),
        }
    }

    /// The lines of the older file, and a reader for those of this one and for all that will be appended; a log that
    /// keeps its lines has no file.
    pub fn follow(&self) -> Option<(Vec<String>, LogFollower)> {
        match &self.to {
            To::Kept(_) => None,
            To::File(path) => Some(file::follow(path)),
        }
    }
}

fn clip(message: &str) -> &str {
    &message[..message.floor_char_boundary(MESSAGE)]
}

#[cfg(test)]
mod tests;
