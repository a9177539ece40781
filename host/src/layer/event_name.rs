//! The names of the events that a layer can answer, which are the exported interfaces of the contract.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The version of the contract that this host serves; the suffix of every interface name.
pub const CONTRACT_VERSION: &str = "0.1.0";

/// The package of the contract, with the slash before an interface.
const PACKAGE: &str = "interleaf:layer/";

/// An exported interface of the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EventName {
    /// A session starts or resumes, or was cleared or compacted.
    SessionStart,
    /// A subagent starts.
    SubagentStart,
    /// A prompt was entered.
    UserPrompt,
    /// A tool is about to run.
    PreTool,
    /// A tool has run.
    PostTool,
    /// A tool that had started failed.
    ToolFailure,
    /// The assistant finished its turn.
    Stop,
    /// A subagent finished.
    SubagentStop,
    /// The conversation is about to be compacted.
    PreCompact,
    /// The session has ended.
    SessionEnd,
    /// Every other event.
    OtherEvent,
    /// Work that an earlier event deferred.
    Job,
}

/// The texts of an event.
struct Row {
    event: EventName,
    /// The name of its interface.
    name: &'static str,
    /// The data that a layer that answers the event can see; shown before a layer is accepted.
    visible_data: &'static str,
}

/// One row for each event, in the order of [`EventName`].
const TABLE: [Row; 12] = [
    row(EventName::SessionStart, "session-start", "when and where a session starts"),
    row(EventName::SubagentStart, "subagent-start", "when a subagent starts, and its type"),
    row(EventName::UserPrompt, "user-prompt", "the full text of every prompt"),
    row(
        EventName::PreTool,
        "pre-tool",
        "every tool call before it runs: commands, paths, content written to files",
    ),
    row(EventName::PostTool, "post-tool", "every tool call with its output: command output, file contents"),
    row(EventName::ToolFailure, "tool-failure", "every failed tool call with its error"),
    row(EventName::Stop, "stop", "the assistant's final message of every turn"),
    row(EventName::SubagentStop, "subagent-stop", "the final message of every subagent"),
    row(EventName::PreCompact, "pre-compact", "when the conversation is about to be compacted"),
    row(EventName::SessionEnd, "session-end", "when the session ends"),
    row(EventName::OtherEvent, "other-event", "every other event for which Claude Code calls Interleaf"),
    row(EventName::Job, "job", "the jobs that the layer itself submitted"),
];

const fn row(event: EventName, name: &'static str, visible_data: &'static str) -> Row {
    Row { event, name, visible_data }
}

impl EventName {
    /// All events, in the order of a session.
    pub const ALL: [Self; TABLE.len()] = {
        let mut all = [Self::Job; TABLE.len()];
        let mut index = 0;
        while index < TABLE.len() {
            all[index] = TABLE[index].event;
            assert!(all[index] as usize == index, "the table has the order of the enum");
            index += 1;
        }
        all
    };

    /// Returns the name in the contract, such as `user-prompt`.
    pub const fn as_str(self) -> &'static str {
        TABLE[self as usize].name
    }

    /// Returns the data that a layer that answers this event can see.
    pub const fn visible_data(self) -> &'static str {
        TABLE[self as usize].visible_data
    }

    /// Returns the event of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|event| event.as_str() == name)
    }

    /// Returns the event that an export such as `interleaf:layer/user-prompt@0.1.0` answers.
    pub fn of_export(export: &str) -> Option<Self> {
        Self::parse(served_interface(export)?)
    }
}

/// Returns the name of an interface of the contract if this host serves its version. Versions that only add
/// to the contract share the major and minor number.
pub(super) fn served_interface(name: &str) -> Option<&str> {
    let (interface, version) = name.strip_prefix(PACKAGE)?.split_once('@')?;
    (series(version)? == series(CONTRACT_VERSION)?).then_some(interface)
}

/// Returns the major and minor number of a version.
fn series(version: &str) -> Option<&str> {
    version.rsplit_once('.').map(|(series, _)| series)
}

impl fmt::Display for EventName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_export_names_its_event_if_the_version_of_the_contract_is_served() {
        assert_eq!(EventName::of_export("interleaf:layer/user-prompt@0.1.0"), Some(EventName::UserPrompt));
        assert_eq!(EventName::of_export("interleaf:layer/user-prompt@0.1.7"), Some(EventName::UserPrompt));
        assert_eq!(EventName::of_export("interleaf:layer/user-prompt@0.2.0"), None);
        assert_eq!(EventName::of_export("interleaf:layer/unheard-of@0.1.0"), None);
        assert_eq!(EventName::of_export("wasi:cli/run@0.2.6"), None);
    }

    #[test]
    fn the_stored_name_is_the_name_in_the_contract() {
        for event in EventName::ALL {
            assert_eq!(serde_json::json!(event), event.as_str());
        }
    }
}
