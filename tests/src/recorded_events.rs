//! The recorded hook events, which are files: adding one is adding a file.

use crate::workspace;
use std::path::{Path, PathBuf};

/// The project of the recorded sessions, as their events name it.
const RECORDED_PROJECT: &str = "/home/dev/shop";

/// What Claude Code 2.1.329 really sent to a hook, byte for byte but for the paths.
pub struct Recorded {
    /// The file's name without `.json`: the event, its matcher, a remark.
    pub name: String,
    /// All of standard input.
    pub bytes: Vec<u8>,
}

/// Every recorded event of `tests/fixtures/events`, in the order of their names.
///
/// # Panics
/// When there are none.
pub fn recorded() -> Vec<Recorded> {
    let folder = workspace::fixtures().join("events");
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.expect("a listed file can be named").path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|ext| ext == "json")).collect();
    paths.sort();
    assert!(!paths.is_empty(), "{} holds no events", folder.display());
    paths.into_iter().map(read).collect()
}

/// The recorded events as if they came from `project`, so that what has been remembered there is looked for.
pub fn recorded_in(project: &Path) -> Vec<Recorded> {
    let project = project.to_str().expect("a scratch folder has a plain name");
    let events = recorded().into_iter().map(|Recorded { name, bytes }| {
        let text = String::from_utf8(bytes).expect("a recorded event is UTF-8");
        Recorded { name, bytes: text.replace(RECORDED_PROJECT, project).into_bytes() }
    });
    events.collect()
}

fn read(path: PathBuf) -> Recorded {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Recorded { name, bytes }
}
