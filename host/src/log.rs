//! The log: one JSON object on each line of `log.jsonl` in the user's state folder.
//!
//! A hook may not print anything but its reply, so failures are written here for `interleaf doctor`, and the
//! result of each answered event for `interleaf log`. Invisible characters and secrets are removed from every
//! message. A log that cannot be written is ignored: it must not harm the session.

mod log_file;
mod log_record;
mod search_record;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use interleaf_text::strip_invisible;
use serde_json::Value;

pub use log_file::LogFollower;
pub use log_record::{DecisionRecord, EventRecord, LayerOutcome, LayerRecord, Level, LogLine, ShownMemory};
pub use search_record::{HitRecord, SearchRecord};

use crate::clock::Clock;
use crate::redact::Redactor;

/// Maximum length of one message in bytes: the report of a flush that changes thirty memories. The rest is
/// cut, so that a flooding layer cannot rotate the other lines out of the log.
const MAX_MESSAGE_BYTES: usize = 8_000;

/// Rounds a number to two decimals, which is the precision of times and relevances in the log.
pub fn round_to_hundredths(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

/// What is collected of one layer for the record of an event.
#[derive(Debug, Default)]
pub struct LayerNotes {
    /// The JSON objects that it logged.
    pub objects: Vec<Value>,
    /// Its searches.
    pub searches: Vec<SearchRecord>,
}

/// Where lines are written, and what they have in common. Clones write to the same place.
#[derive(Clone)]
pub struct Log {
    target: Target,
    clock: Clock,
    redactor: Redactor,
    /// The project's id, for every line.
    project: String,
    /// The session's id as the client sent it, for every line.
    session: String,
    /// The event's name, for every line.
    event: String,
    /// What was collected of each layer during this event, by its name; absent outside of an event.
    notes: Option<Arc<Mutex<HashMap<String, LayerNotes>>>>,
}

#[derive(Clone)]
enum Target {
    File(PathBuf),
    Memory(Arc<Mutex<Vec<LogLine>>>),
}

impl Log {
    /// Returns the log in the user's state folder.
    pub fn in_folder(state: &Path, clock: Clock) -> Self {
        Self::new(Target::File(state.join("log.jsonl")), clock)
    }

    /// Returns a log that keeps its lines in memory, for the harness.
    pub fn in_memory(clock: Clock) -> Self {
        Self::new(Target::Memory(Arc::default()), clock)
    }

    fn new(target: Target, clock: Clock) -> Self {
        let (project, session, event) = Default::default();
        Self { target, clock, redactor: Redactor::BUILT_IN, project, session, event, notes: None }
    }

    /// Returns the same log for lines about this project and event.
    #[must_use]
    pub fn for_event(&self, project: &str, event: &str) -> Self {
        Self { project: project.to_owned(), event: strip_invisible(event), ..self.clone() }
    }

    /// Returns the same log with another redactor.
    #[must_use]
    pub fn with_redactor(self, redactor: Redactor) -> Self {
        Self { redactor, ..self }
    }

    /// Returns the same log for one event of a session. Objects that layers log, and their searches, are
    /// collected for the event's record instead of being written as lines.
    #[must_use]
    pub fn for_session(&self, session: &str) -> Self {
        Self { session: session.to_owned(), notes: Some(Arc::default()), ..self.clone() }
    }

    /// Writes a line.
    pub fn write(&self, level: Level, layer: Option<&str>, message: impl AsRef<str>) {
        let message = self.clean(truncate(message.as_ref()));
        if level == Level::Info && self.collect(layer, &message) {
            return;
        }
        self.append(level, layer, message, None);
    }

    /// Writes the line with the record of an answered event.
    pub fn write_event_record(&self, record: EventRecord) {
        let tool = record.tool.map(|tool| self.clean(truncate(&tool)));
        self.append(Level::Info, None, "answered".to_owned(), Some(EventRecord { tool, ..record }));
    }

    /// Collects a message that is a JSON object of a layer. Returns whether it was one.
    fn collect(&self, layer: Option<&str>, message: &str) -> bool {
        let (Some(notes), Some(layer)) = (&self.notes, layer) else { return false };
        let Ok(object @ Value::Object(_)) = serde_json::from_str(message) else { return false };
        notes.lock().map(|mut notes| notes.entry(layer.to_owned()).or_default().objects.push(object)).is_ok()
    }

    /// Notes a layer's search for the record of the event.
    pub fn note_search(&self, layer: &str, search: SearchRecord) {
        if let Some(mut notes) = self.notes.as_ref().and_then(|notes| notes.lock().ok()) {
            notes.entry(layer.to_owned()).or_default().searches.push(search);
        }
    }

    /// Returns what was collected of each layer since the last call, by its name.
    pub fn take_layer_notes(&self) -> HashMap<String, LayerNotes> {
        let notes = self.notes.as_ref().and_then(|notes| notes.lock().ok());
        notes.map(|mut notes| std::mem::take(&mut *notes)).unwrap_or_default()
    }

    /// Removes invisible characters, then secrets: in this order, so that none hides behind such characters.
    fn clean(&self, text: &str) -> String {
        self.redactor.redact(&strip_invisible(text)).into_owned()
    }

    fn append(&self, level: Level, layer: Option<&str>, message: String, event_record: Option<EventRecord>) {
        // Only here, because most events write no line.
        let session = self.clean(&self.session);
        let (project, event) = (self.project.clone(), self.event.clone());
        let (at, layer) = (self.clock.now(), layer.map(str::to_owned));
        let line = LogLine { at, level, project, session, event, layer, message, event_record };
        match &self.target {
            Target::File(path) => {
                drop(serde_json::to_string(&line).map(|text| log_file::append(path, &(text + "\n"))))
            }
            Target::Memory(lines) => drop(lines.lock().map(|mut lines| lines.push(line))),
        }
    }

    /// Returns the lines of the current and the older file, oldest first.
    pub fn lines(&self) -> Vec<LogLine> {
        match &self.target {
            Target::Memory(lines) => lines.lock().map(|lines| lines.clone()).unwrap_or_default(),
            Target::File(_) => {
                self.raw_lines().iter().filter_map(|line| serde_json::from_str(line).ok()).collect()
            }
        }
    }

    /// Returns the same lines as JSON text; none for a log in memory.
    pub fn raw_lines(&self) -> Vec<String> {
        match &self.target {
            Target::Memory(_) => Vec::new(),
            Target::File(path) => log_file::lines(path),
        }
    }

    /// Returns the lines of the older file and a follower that begins with the current file; `None` for a log
    /// in memory.
    pub fn follow(&self) -> Option<(Vec<String>, LogFollower)> {
        match &self.target {
            Target::Memory(_) => None,
            Target::File(path) => Some(log_file::follow(path)),
        }
    }
}

fn truncate(message: &str) -> &str {
    &message[..message.floor_char_boundary(MAX_MESSAGE_BYTES)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_message_is_cut_between_characters() {
        assert!(truncate(&"ü".repeat(MAX_MESSAGE_BYTES)).len() <= MAX_MESSAGE_BYTES);
        assert_eq!(truncate("short"), "short");
    }

    #[test]
    fn lines_name_project_event_and_layer() {
        let log = Log::in_memory(Clock::Fixed(7)).for_event("abc", "user-prompt");
        log.write(Level::Error, Some("recall"), "it trapped");

        let lines = log.lines();

        assert_eq!((lines[0].at, lines[0].project.as_str()), (7, "abc"));
        assert_eq!((lines[0].event.as_str(), lines[0].layer.as_deref()), ("user-prompt", Some("recall")));
    }

    #[test]
    fn an_object_of_a_layer_is_collected_for_the_event_and_other_text_becomes_a_line() {
        let log = Log::in_memory(Clock::Fixed(7)).for_session("s");
        log.write(Level::Info, Some("posttool"), r#"{"detector":{"score":0.7,"password":"tr0ub4dor&3"}}"#);
        log.write(Level::Info, Some("posttool"), "words");
        log.write(Level::Warn, Some("posttool"), "{}");

        let notes = log.take_layer_notes();
        let [(layer, LayerNotes { objects, .. })] = &notes.iter().collect::<Vec<_>>()[..] else {
            panic!("one layer logged an object")
        };

        assert_eq!((layer.as_str(), &objects[0]["detector"]["score"]), ("posttool", &serde_json::json!(0.7)));
        assert_eq!(objects[0]["detector"]["password"], "[SECRET:password]");
        assert_eq!(log.lines().len(), 2);
        assert!(log.take_layer_notes().is_empty());
    }

    #[test]
    fn without_a_session_an_object_of_a_layer_becomes_a_line() {
        let log = Log::in_memory(Clock::Fixed(7));
        log.write(Level::Info, Some("posttool"), "{}");

        assert_eq!(log.lines()[0].message, "{}");
    }

    #[test]
    fn invisible_characters_are_removed_and_hide_no_secret() {
        let log =
            Log::in_memory(Clock::Fixed(7)).for_event("abc", "user\u{202e}-prompt").for_session("s\u{1b}");
        let key = format!("ghp_\u{200b}{}", "a1B2c3D4e5F6".repeat(3));

        log.write(Level::Warn, None, format!("\u{1b}[2Jcleared\u{202e} {key}\nnext"));

        let line = &log.lines()[0];
        assert_eq!((line.event.as_str(), line.session.as_str()), ("user-prompt", "s"));
        assert!(line.message.starts_with("[2Jcleared [SECRET:"), "{}", line.message);
        assert!(line.message.ends_with("\nnext") && !line.message.contains("a1B2"), "{}", line.message);
    }

    #[test]
    fn a_stored_line_keeps_its_field_names() {
        let log = Log::in_memory(Clock::Fixed(7));
        let layer = LayerRecord {
            layer: "recall".to_owned(),
            ms: 1.5,
            outcome: LayerOutcome::Suspended,
            logged: vec![Value::Bool(true)],
            searches: Vec::new(),
        };
        log.write_event_record(EventRecord { layers: vec![layer], ..EventRecord::default() });

        let stored = serde_json::to_value(&log.lines()[0]).expect("a line is JSON");

        assert_eq!(
            stored,
            serde_json::json!({"at": 7, "level": "info", "message": "answered", "hook": {
                "layers": [{"layer": "recall", "ms": 1.5, "outcome": "left-alone", "said": [true]}],
                "units": 0, "ms": 0.0,
            }})
        );
    }
}
