//! The log: one JSON object a line, in the user's state folder. A hook may print nothing else, so what went wrong
//! is written here and `interleaf doctor` reads it.
//!
//! Secrets are taken out of every line. A log that cannot be written hurts nobody.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use serde::{Deserialize, Serialize};

use crate::clock::{Clock, Millis};
use crate::redact::redact;

/// A log grows to this many bytes; then it becomes `log.1.jsonl` and a new one begins.
const ROTATE_AT: u64 = 1 << 20;

/// Bytes of one message; the rest is cut, so that a flooding layer cannot push everything else out.
const MESSAGE: usize = 2_000;

/// How much a line matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// For authors of layers.
    Debug,
    /// Worth knowing.
    Info,
    /// Something was left out or ignored.
    Warn,
    /// Something failed.
    Error,
}

/// One line of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// When, in milliseconds since the Unix epoch.
    pub at: Millis,
    /// How much it matters.
    pub level: Level,
    /// The project's id.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub project: String,
    /// The event that was being answered.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub event: String,
    /// The layer it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layer: Option<String>,
    /// Culprit, cause, next step.
    pub message: String,
}

/// Where lines go. Clones write to the same place.
#[derive(Clone)]
pub struct Log {
    to: To,
    clock: Clock,
    /// The project's id, for every line.
    project: String,
    /// The event's name, for every line.
    event: String,
}

#[derive(Clone)]
enum To {
    File(PathBuf),
    Kept(Arc<Mutex<Vec<Line>>>),
}

impl Log {
    /// The log in the user's state folder.
    pub fn at(state: &Path, clock: Clock) -> Self {
        Self { to: To::File(state.join("log.jsonl")), clock, project: String::new(), event: String::new() }
    }

    /// A log that keeps its lines, for the harness.
    pub fn kept(clock: Clock) -> Self {
        Self { to: To::Kept(Arc::default()), clock, project: String::new(), event: String::new() }
    }

    /// The same log, whose lines name this project and event.
    #[must_use]
    pub fn about(&self, project: &str, event: &str) -> Self {
        Self { project: project.to_owned(), event: event.to_owned(), ..self.clone() }
    }

    /// Writes a line.
    pub fn write(&self, level: Level, layer: Option<&str>, message: impl AsRef<str>) {
        let message = redact(clip(message.as_ref())).into_owned();
        let line = Line {
            at: self.clock.now(),
            level,
            project: self.project.clone(),
            event: self.event.clone(),
            layer: layer.map(str::to_owned),
            message,
        };
        match &self.to {
            To::File(path) => drop(append(path, &line)),
            To::Kept(lines) => drop(lines.lock().map(|mut lines| lines.push(line))),
        }
    }

    /// The lines so far, oldest first: of the file and of the one before it.
    pub fn lines(&self) -> Vec<Line> {
        match &self.to {
            To::Kept(lines) => lines.lock().map(|lines| lines.clone()).unwrap_or_default(),
            To::File(path) => read(&older(path)).into_iter().chain(read(path)).collect(),
        }
    }
}

fn clip(message: &str) -> &str {
    let end = (0..=MESSAGE.min(message.len())).rev().find(|end| message.is_char_boundary(*end));
    &message[..end.unwrap_or(0)]
}

fn older(path: &Path) -> PathBuf {
    path.with_extension("1.jsonl")
}

/// Appends in one write, so that lines of processes that overlap stay whole.
fn append(path: &Path, line: &Line) -> std::io::Result<()> {
    if let Some(folder) = path.parent().filter(|folder| !folder.exists()) {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    if fs::metadata(path).is_ok_and(|meta| meta.len() > ROTATE_AT) {
        fs::rename(path, older(path))?;
    }
    let mut text = serde_json::to_string(line)?;
    text.push('\n');
    OpenOptions::new().create(true).append(true).mode(0o600).open(path)?.write_all(text.as_bytes())
}

fn read(path: &Path) -> Vec<Line> {
    let lines = File::open(path).map(|file| BufReader::new(file).lines());
    lines
        .into_iter()
        .flatten()
        .map_while(Result::ok)
        .filter_map(|line| serde_json::from_str(&line).ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_cut_between_characters() {
        assert!(clip(&"ü".repeat(MESSAGE)).len() <= MESSAGE);
        assert_eq!(clip("short"), "short");
    }

    #[test]
    fn lines_name_project_event_and_layer() {
        let log = Log::kept(Clock::Fixed(7)).about("abc", "user-prompt");
        log.write(Level::Error, Some("recall"), "it trapped");

        let lines = log.lines();

        assert_eq!((lines[0].at, lines[0].project.as_str()), (7, "abc"));
        assert_eq!((lines[0].event.as_str(), lines[0].layer.as_deref()), ("user-prompt", Some("recall")));
    }
}
