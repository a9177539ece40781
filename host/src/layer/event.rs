//! The names of the events that a layer can answer: the exported interfaces of the contract.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The version of the contract that this host serves; the suffix of every interface name.
pub const CONTRACT_VERSION: &str = "0.1.0";

/// One exported interface of the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EventName {
    /// A session starts, resumes, was cleared or compacted.
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
    /// Work put off by an earlier event.
    Job,
}

impl EventName {
    /// All of them, in the order of a session.
    pub const ALL: [Self; 12] = [
        Self::SessionStart,
        Self::SubagentStart,
        Self::UserPrompt,
        Self::PreTool,
        Self::PostTool,
        Self::ToolFailure,
        Self::Stop,
        Self::SubagentStop,
        Self::PreCompact,
        Self::SessionEnd,
        Self::OtherEvent,
        Self::Job,
    ];

    /// Its name in the contract, such as `user-prompt`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SessionStart => "session-start",
            Self::SubagentStart => "subagent-start",
            Self::UserPrompt => "user-prompt",
            Self::PreTool => "pre-tool",
            Self::PostTool => "post-tool",
            Self::ToolFailure => "tool-failure",
            Self::Stop => "stop",
            Self::SubagentStop => "subagent-stop",
            Self::PreCompact => "pre-compact",
            Self::SessionEnd => "session-end",
            Self::OtherEvent => "other-event",
            Self::Job => "job",
        }
    }

    /// What a layer that answers it gets to see.
    pub const fn visible_data(self) -> &'static str {
        match self {
            Self::SessionStart => "that a session starts, and where",
            Self::SubagentStart => "that a subagent starts, and of which kind",
            Self::UserPrompt => "every prompt, whole",
            Self::PreTool => "every tool call before it runs: commands, paths, what is written into files",
            Self::PostTool => "every tool call with its output: what commands print, what files say",
            Self::ToolFailure => "every tool call that failed, with its error",
            Self::Stop => "the assistant's final message of every turn",
            Self::SubagentStop => "every subagent's final message",
            Self::PreCompact => "that the conversation is about to be compacted",
            Self::SessionEnd => "that the session ended",
            Self::OtherEvent => "every other event that Claude Code calls Interleaf for",
            Self::Job => "the jobs that it put off itself",
        }
    }

    /// The event of this name, if there is one.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|event| event.as_str() == name)
    }

    /// The event that an export such as `interleaf:layer/user-prompt@0.1.0` answers. Versions that only add to
    /// the contract share major and minor number.
    pub fn of_export(export: &str) -> Option<Self> {
        let (name, version) = export.strip_prefix("interleaf:layer/")?.split_once('@')?;
        let (minor, _) = version.rsplit_once('.')?;
        (CONTRACT_VERSION.rsplit_once('.')?.0 == minor).then(|| Self::parse(name)).flatten()
    }
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
    fn an_export_names_its_event_and_the_contract_s_version_decides() {
        assert_eq!(EventName::of_export("interleaf:layer/user-prompt@0.1.0"), Some(EventName::UserPrompt));
        assert_eq!(EventName::of_export("interleaf:layer/user-prompt@0.1.7"), Some(EventName::UserPrompt));
        assert_eq!(EventName::of_export("interleaf:layer/user-prompt@0.2.0"), None);
        assert_eq!(EventName::of_export("interleaf:layer/unheard-of@0.1.0"), None);
        assert_eq!(EventName::of_export("wasi:cli/run@0.2.6"), None);
    }
}
