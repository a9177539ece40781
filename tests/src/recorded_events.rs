//! The recorded hook events. To add one, add a file.

use crate::workspace;
use std::path::{Path, PathBuf};

/// The project of the recorded sessions, as their events name it.
const RECORDED_PROJECT: &str = "/home/dev/shop";

/// A payload that Claude Code 2.1.329 sent to a hook, byte for byte except for the paths.
pub struct RecordedEvent {
    /// The file's name without `.json`: the event, its matcher, a remark.
    pub name: String,
    /// All of standard input.
    pub bytes: Vec<u8>,
}

/// Returns the recorded events of `tests/fixtures/events`, sorted by name.
///
/// # Panics
/// If there are none.
pub fn recorded() -> Vec<RecordedEvent> {
    let folder = workspace::fixtures().join("events");
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.expect("a listed file can be named").path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|ext| ext == "json")).collect();
    paths.sort();
    assert!(!paths.is_empty(), "{} holds no events", folder.display());
    paths.into_iter().map(read).collect()
}

/// Returns the recorded events as if they came from `project`, so that hooks search its memories.
pub fn recorded_events_in(project: &Path) -> Vec<RecordedEvent> {
    let project = project.to_str().expect("a scratch folder has a plain name");
    let events = recorded().into_iter().map(|RecordedEvent { name, bytes }| {
        let text = String::from_utf8(bytes).expect("a recorded event is UTF-8");
        RecordedEvent { name, bytes: text.replace(RECORDED_PROJECT, project).into_bytes() }
    });
    events.collect()
}

fn read(path: PathBuf) -> RecordedEvent {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    RecordedEvent { name, bytes }
}
