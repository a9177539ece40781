//! A recorded session on disk: what the client sent, and in which state each event found project and transcript.
//!
//! One folder holds `meta.json`, `events.jsonl` (one event a line, in the order in which the hooks started), the
//! project before and after as `project.tar.gz` and `project_after.tar.gz`, and the transcripts that `meta.json` names.
//! Paths in it are those of the recording machine, `/home/dev` and `/tmp/dev-…`. How they map is the stage's business.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::error::{Error, ErrorKind, Result};

/// The file that makes a folder a recorded session.
const EVENTS: &str = "events.jsonl";

/// One recorded session.
#[derive(Debug)]
pub(super) struct Session {
    /// Where it lies.
    pub folder: PathBuf,
    /// What is known about it as a whole.
    pub meta: Meta,
    /// Its events.
    pub steps: Vec<Step>,
}

/// What is known about a session as a whole.
#[derive(Debug, Deserialize)]
pub(super) struct Meta {
    /// The project's name.
    pub scenario: String,
    /// The session's name, unique in the scenario.
    pub session: String,
    /// What happens in it, for people.
    #[serde(default)]
    pub session_story: String,
    /// The project's folder on the recording machine.
    pub project: String,
    /// The transcripts: name of the file on the recording machine, path in this folder.
    #[serde(default)]
    pub transcript_files: BTreeMap<String, String>,
}

/// One event, and the state it found.
#[derive(Debug, Deserialize)]
pub(super) struct Step {
    /// Lines that the transcript had; `None` where there was no file yet.
    pub transcript_lines: Option<usize>,
    /// Lines that the subagent's transcript had.
    #[serde(default)]
    pub agent_transcript_lines: Option<usize>,
    /// The commit that the project was on, abbreviated.
    pub head: Option<String>,
    /// What the client sent.
    pub event: Box<RawValue>,
}

/// The sessions of these folders in one go; or, of one folder that has sessions only in folders below its own, those of
/// each by themselves.
pub(super) fn scenarios(folders: &[PathBuf]) -> Result<Vec<Vec<Session>>> {
    match folders {
        [folder] => projects(folder),
        folders => {
            let sessions: Vec<_> = folders.iter().map(|folder| sessions(folder)).collect::<Result<_>>()?;
            Ok(vec![sessions.into_iter().flatten().collect()])
        }
    }
}

/// The sessions in `folder`, those of one project together; or in each of its subfolders.
fn projects(folder: &Path) -> Result<Vec<Vec<Session>>> {
    let nothing_here = match sessions(folder) {
        Ok(sessions) => return Ok(vec![sessions]),
        Err(error) if error.kind == ErrorKind::NotFound => error,
        Err(error) => return Err(error),
    };
    let mut folders: Vec<_> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    folders.sort();
    let found: Vec<_> = folders.iter().filter_map(|folder| sessions(folder).ok()).collect();
    if found.is_empty() { Err(nothing_here) } else { Ok(found) }
}

/// Whether a session is another telling of one that is there: `s2-injected` of `s2`. It is played when it is asked for.
fn is_variant(folder: &Path, folders: &[PathBuf]) -> bool {
    let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let told = name.split_once('-').map(|(told, _)| folder.with_file_name(told));
    told.is_some_and(|told| folders.contains(&told))
}

/// The session in `folder`, or the sessions in its subfolders in the order of their names.
pub(super) fn sessions(folder: &Path) -> Result<Vec<Session>> {
    let listed = fs::read_dir(folder)
        .map_err(|error| Error::not_found(format!("the recording {}: {error}", folder.display())))?;
    let mut folders: Vec<_> = listed.flatten().map(|entry| entry.path()).collect();
    folders.sort();
    folders.insert(0, folder.to_owned());
    folders.retain(|folder| folder.join(EVENTS).is_file());
    if folders.first().is_some_and(|first| first == folder) {
        folders.truncate(1);
    }
    let all = folders.clone();
    folders.retain(|folder| !is_variant(folder, &all));
    if folders.is_empty() {
        let what =
            format!("{} holds no recorded session: no {EVENTS} in it or in a folder below", folder.display());
        return Err(
            Error::not_found(what).hint("name a session, such as tests/fixtures/sessions/ledger-api/s2")
        );
    }
    folders.iter().map(|folder| Session::read(folder)).collect()
}

impl Session {
    fn read(folder: &Path) -> Result<Self> {
        let meta: Meta = json(&folder.join("meta.json"))?;
        for name in [&meta.scenario, &meta.session] {
            // They become folder names and appear in the output.
            if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c)) {
                return Err(Error::invalid(format!(
                    "{}: the name {name:?} is not a plain word",
                    folder.display()
                )));
            }
        }
        let path = folder.join(EVENTS);
        let lines = text(&path)?;
        let steps = lines.lines().enumerate().map(|(number, line)| {
            serde_json::from_str(line)
                .map_err(|error| Error::invalid(format!("{}, line {}: {error}", path.display(), number + 1)))
        });
        Ok(Self { folder: folder.to_owned(), meta, steps: steps.collect::<Result<_>>()? })
    }

    /// The scenario and the session, as they are named on disk.
    pub(super) fn name(&self) -> String {
        format!("{}/{}", self.meta.scenario, self.meta.session)
    }

    /// The path of a file of this recording. Names that lead out of the folder are refused.
    pub(super) fn file(&self, name: &str) -> Result<PathBuf> {
        if Path::new(name).components().all(|part| matches!(part, Component::Normal(_))) {
            return Ok(self.folder.join(name));
        }
        Err(Error::invalid(format!("{}: {name:?} leads out of the recording", self.folder.display())))
    }

    /// The whole of the transcript that the recording machine had at `path`; empty where none was kept.
    pub(super) fn transcript(&self, path: &Path) -> Result<String> {
        let name = path.file_name().and_then(|name| name.to_str());
        match name.and_then(|name| self.meta.transcript_files.get(name)) {
            Some(file) => text(&self.file(file)?),
            None => Ok(String::new()),
        }
    }
}

/// A text file of a recording.
pub(super) fn text(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(|error| Error::unavailable(format!("{}: {error}", path.display())))
}

/// A JSON file of a recording.
pub(super) fn json<T: DeserializeOwned>(path: &Path) -> Result<T> {
    serde_json::from_str(&text(path)?).map_err(|error| Error::invalid(format!("{}: {error}", path.display())))
}
