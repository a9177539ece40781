//! A recorded session on disk: the events of the client, and the state of project and transcript at each
//! event.
//!
//! One folder holds `meta.json`, `events.jsonl` (one event per line, in the order in which the hooks
//! started), the project before and after as `project.tar.gz` and `project_after.tar.gz`, and the transcripts
//! that `meta.json` names. Its paths are those of the recording machine, `/home/dev` and `/tmp/dev-…`; the
//! replay folder maps them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

/// The file that makes a folder a recorded session.
const EVENTS_FILE: &str = "events.jsonl";

/// One recorded session.
#[derive(Debug)]
pub struct Session {
    /// The folder it is read from.
    pub folder: PathBuf,
    /// The content of `meta.json`.
    pub meta: Meta,
    /// Its events in their order.
    pub events: Vec<RecordedEvent>,
}

/// The content of `meta.json`.
#[derive(Debug, Deserialize)]
pub struct Meta {
    /// The project's name.
    pub scenario: String,
    /// The session's name, unique in the scenario.
    pub session: String,
    /// A summary for people.
    #[serde(default)]
    pub session_story: String,
    /// The project's folder on the recording machine.
    pub project: String,
    /// The transcripts: name of the file on the recording machine, path in this folder.
    #[serde(default)]
    pub transcript_files: BTreeMap<String, String>,
}

/// One event, and the state that it found.
#[derive(Debug, Deserialize)]
pub struct RecordedEvent {
    /// Number of lines in the transcript; `None` if there was no file yet.
    pub transcript_lines: Option<usize>,
    /// Number of lines in the subagent's transcript.
    #[serde(default)]
    pub agent_transcript_lines: Option<usize>,
    /// The commit that the project was on, abbreviated.
    pub head: Option<String>,
    /// The payload that the client sent.
    pub event: Box<RawValue>,
}

/// Finds the sessions to play. Those of all `folders` form one sequence; but a single folder that has
/// sessions only two levels below it yields one sequence for each of its subfolders.
pub fn scenarios(folders: &[PathBuf]) -> Result<Vec<Vec<Session>>> {
    let [folder] = folders else {
        let sessions = folders.iter().map(|folder| sessions_or_error(folder)).collect::<Result<Vec<_>>>()?;
        return Ok(vec![sessions.into_iter().flatten().collect()]);
    };
    let here = sessions(folder)?;
    if !here.is_empty() {
        return Ok(vec![here]);
    }
    let below = subfolders(folder)?.iter().map(|folder| sessions(folder)).collect::<Result<Vec<_>>>()?;
    let below: Vec<_> = below.into_iter().filter(|sessions| !sessions.is_empty()).collect();
    if below.is_empty() { Err(no_session(folder)) } else { Ok(below) }
}

fn sessions_or_error(folder: &Path) -> Result<Vec<Session>> {
    let sessions = sessions(folder)?;
    if sessions.is_empty() { Err(no_session(folder)) } else { Ok(sessions) }
}

/// Reads the session in `folder`, or the sessions in its subfolders sorted by name. Variants of a session are
/// played only if they are named.
fn sessions(folder: &Path) -> Result<Vec<Session>> {
    if is_session(folder) {
        return Ok(vec![Session::read(folder)?]);
    }
    let folders: Vec<_> = subfolders(folder)?.into_iter().filter(|folder| is_session(folder)).collect();
    let originals = folders.iter().filter(|folder| !is_variant(folder, &folders));
    originals.map(|folder| Session::read(folder)).collect()
}

fn is_session(folder: &Path) -> bool {
    folder.join(EVENTS_FILE).is_file()
}

/// Tells whether a session is a variant of another one in the list, as `s2-injected` is of `s2`.
fn is_variant(folder: &Path, folders: &[PathBuf]) -> bool {
    let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let original = name.split_once('-').map(|(original, _)| folder.with_file_name(original));
    original.is_some_and(|original| folders.contains(&original))
}

fn subfolders(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut folders: Vec<_> =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    Ok(folders)
}

fn no_session(folder: &Path) -> anyhow::Error {
    anyhow::anyhow!(
        "{} holds no recorded session: no {EVENTS_FILE} in it or in a folder below\n\nhint: name a session, \
         such as tests/fixtures/sessions/ledger-api/s2",
        folder.display()
    )
}

impl Session {
    fn read(folder: &Path) -> Result<Self> {
        let meta: Meta = read_json(&folder.join("meta.json"))?;
        for name in [&meta.scenario, &meta.session] {
            // They become folder names and appear in the output.
            if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c)) {
                bail!(
                    "{}: the name {name:?} has characters other than letters, digits and -_.",
                    folder.display()
                );
            }
        }
        let path = folder.join(EVENTS_FILE);
        let text = read_text(&path)?;
        let events = text.lines().enumerate().map(|(number, line)| {
            serde_json::from_str(line).with_context(|| format!("{}, line {}", path.display(), number + 1))
        });
        Ok(Self { folder: folder.to_owned(), meta, events: events.collect::<Result<_>>()? })
    }

    /// Returns the names of scenario and session, as on disk.
    pub fn name(&self) -> String {
        format!("{}/{}", self.meta.scenario, self.meta.session)
    }

    /// Returns the path of a file of this recording, and refuses names that lead out of the folder.
    pub fn file(&self, name: &str) -> Result<PathBuf> {
        if !Path::new(name).components().all(|part| matches!(part, Component::Normal(_))) {
            bail!("{}: {name:?} leads out of the recording", self.folder.display());
        }
        Ok(self.folder.join(name))
    }

    /// Returns the complete transcript that the recording machine had at `path`; empty if none was kept.
    pub fn transcript(&self, path: &Path) -> Result<String> {
        let name = path.file_name().and_then(|name| name.to_str());
        match name.and_then(|name| self.meta.transcript_files.get(name)) {
            Some(file) => read_text(&self.file(file)?),
            None => Ok(String::new()),
        }
    }
}

fn read_text(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T> {
    serde_json::from_str(&read_text(path)?).with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_a_recording_is_named() {
        let empty = tempfile::tempdir().unwrap();

        let error = scenarios(&[empty.path().to_owned()]).unwrap_err();

        assert!(error.to_string().contains("no events.jsonl"), "{error}");
        assert!(error.to_string().contains(&empty.path().display().to_string()), "{error}");
    }
}
