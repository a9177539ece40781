//! What the rules make of a stretch: here they are given what they cannot know from the talk alone, the project's root, the
//! designs of its changes and the captures.

use serde_json::Value;

use crate::batch::Stretch;
use crate::bindings::exports::interleaf::layer::job::Job;
use crate::bindings::interleaf::layer::jobs::Waiting;
use crate::bindings::interleaf::layer::project;
use crate::designs;
use crate::find::Origin;
use crate::rules::{self, Around, Captured, Design, Mined};
use crate::settings::Settings;
use crate::talk::{Entry, Kind, Talk};

/// Paths asked about to find the root.
const MOST_PATHS: usize = 20;

/// What the rules find. Where the person wants only sessions with OpenSpec skills, the others leave their captures.
pub fn mined(job: &Job, stretch: &Stretch, settings: &Settings) -> Mined {
    let root = root(&stretch.talk);
    let captures: Vec<Captured> = stretch.captures.iter().map(captured).collect();
    let changes = rules::changes(&stretch.talk);
    let designs: Vec<Design> = changes.iter().filter_map(|change| design(change)).collect();
    let around =
        Around { session: &job.session_id, root: root.as_deref(), captures: &captures, designs: &designs };
    let mined = rules::mine(&stretch.talk, &around);
    let mined = if job.agent_id.is_some() { mined.of_subagent() } else { mined };
    let wanted = !settings.only_with_skills || stretch.progress.skilled || !changes.is_empty();
    match wanted {
        true => mined,
        false => Mined { captured: mined.captured, settled: mined.settled, ..Mined::default() },
    }
}

/// The project's root, told from a file in it: rules name files relative to it.
fn root(talk: &Talk) -> Option<String> {
    let paths = talk.entries.iter().filter(|entry| entry.kind == Kind::ToolCall).filter_map(path_of);
    paths.take(MOST_PATHS).find_map(|path| {
        let relative = project::relative_path(&path).ok().flatten()?;
        path.strip_suffix(&relative).map(|root| root.trim_end_matches('/').to_owned())
    })
}

fn path_of(call: &Entry) -> Option<String> {
    let input: Value = serde_json::from_str(&call.text).ok()?;
    input["file_path"].as_str().filter(|path| path.starts_with('/')).map(str::to_owned)
}

fn captured(capture: &Waiting) -> Captured {
    Captured::read(&capture.id, &capture.session_id, &capture.payload)
}

/// What a file says is a tool's word, whoever reads it.
fn design(change: &str) -> Option<Design> {
    let (path, text) = designs::read(change)?;
    Some(Design { change: change.to_owned(), path, text, origin: Origin::ToolOutput })
}
