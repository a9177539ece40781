//! Where a line of a transcript was written: the folder, the branch and the agent.

use std::sync::Arc;

use crate::claude::payload::Payload;
use crate::redact::Redactor;

/// The name of a subagent whose lines do not say which one it is, as those of old clients.
const UNNAMED_AGENT: &str = "subagent";

/// Where a line was written, without secrets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    /// The working folder.
    pub folder: Option<String>,
    /// The git branch.
    pub branch: Option<String>,
    /// The id of the subagent; `None` in the session's own conversation.
    pub agent: Option<String>,
}

/// Reads the places of successive lines. Most are those of the line before.
#[derive(Default)]
pub(super) struct PlaceReader {
    /// The fields of the last line, as they were written.
    written: [String; 4],
    place: Arc<Place>,
}

impl PlaceReader {
    /// The fields that say where a line was written.
    const FIELDS: [&str; 4] = ["cwd", "gitBranch", "isSidechain", "agentId"];

    pub(super) fn read(&mut self, line: &Payload<'_>, redactor: &Redactor) -> Arc<Place> {
        let written = Self::FIELDS.map(|name| line.json(name).unwrap_or_default());
        if written != self.written {
            self.written = written.map(str::to_owned);
            self.place = Arc::new(place(line, redactor));
        }
        Arc::clone(&self.place)
    }
}

fn place(line: &Payload<'_>, redactor: &Redactor) -> Place {
    let text = |name: &str| {
        let text = line.string(name).filter(|text| !text.is_empty())?;
        Some(redactor.redact(&text).into_owned())
    };
    let is_subagent = line.json("isSidechain") == Some("true");
    let agent = is_subagent.then(|| text("agentId").unwrap_or_else(|| UNNAMED_AGENT.to_owned()));
    Place { folder: text("cwd"), branch: text("gitBranch"), agent }
}
