//! What Claude Code says happened: one payload of a hook, read into an [`Event`].
//!
//! Events that have an interface of their own in the contract become a typed [`EventKind`]; every other one, known
//! today or not, is [`EventKind::Other`] and travels as raw JSON. Tool input and output stay JSON text: what they
//! mean is the layers' business. Reading is lenient, because a hook that refuses an event helps nobody.

use crate::claude::wire::{self, Fields};
use crate::error::Result;

/// One hook event.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// What every event carries.
    pub common: CommonFields,
    /// `hook_event_name`; empty where it is missing or not a text.
    pub name: String,
    /// What happened.
    pub kind: EventKind,
    /// Why a known event became [`EventKind::Other`]: the field that is missing or of a wrong type.
    pub parse_issue: Option<String>,
    /// The whole payload: valid JSON, broken characters replaced.
    pub raw: String,
}

/// What every event carries. Paths are as sent: not checked, and they may hold any character, NUL included.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CommonFields {
    /// The session; empty where it is missing, and then the kind is [`EventKind::Other`].
    pub session_id: String,
    /// The subagent inside which this happened; absent in the main conversation.
    pub agent_id: Option<String>,
    /// The kind of subagent; empty for the agent that writes a compaction's summary.
    pub agent_type: Option<String>,
    /// The session's current directory, which follows `cd`; empty where it is missing.
    pub cwd: String,
    /// The transcript. It does not exist yet at the session's start and the first prompt.
    pub transcript_path: Option<String>,
    /// `default`, `plan`, `acceptEdits`, `bypassPermissions` and others.
    pub permission_mode: Option<String>,
    /// The prompt in progress; absent before the first.
    pub prompt_id: Option<String>,
}

/// What happened, for the events that have an interface of their own.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are Claude Code's own, under its names")]
pub enum EventKind {
    /// A session begins or goes on; `source` is startup, resume, clear, compact or fork.
    SessionStart { source: String, model: Option<String> },
    /// A subagent begins; [`CommonFields::agent_id`] names it.
    SubagentStart,
    /// A prompt was sent, by a person or by a background task's notification.
    UserPrompt { prompt: String },
    /// A tool is about to run. `tool_input` is JSON.
    PreTool { tool_name: String, tool_input: String, tool_use_id: String },
    /// A tool ran. `tool_input` and `tool_response` are JSON, `duration_ms` milliseconds.
    PostTool {
        tool_name: String,
        tool_input: String,
        tool_use_id: String,
        tool_response: String,
        duration_ms: Option<u64>,
    },
    /// A tool ran and failed; this comes instead of [`EventKind::PostTool`]. `tool_input` is JSON.
    ToolFailure {
        tool_name: String,
        tool_input: String,
        tool_use_id: String,
        error: String,
        is_interrupt: bool,
    },
    /// The model finished. `stop_hook_active` when a hook already made it go on once.
    Stop { stop_hook_active: bool, last_assistant_message: Option<String> },
    /// A subagent finished.
    SubagentStop {
        stop_hook_active: bool,
        last_assistant_message: Option<String>,
        agent_transcript_path: Option<String>,
    },
    /// The conversation is about to be compacted; `trigger` is manual or auto.
    PreCompact { trigger: String, custom_instructions: Option<String> },
    /// The session ends; `reason` is clear, resume, logout, `prompt_input_exit` or other.
    SessionEnd { reason: String },
    /// Any other event, to be read from [`Event::raw`].
    Other,
}

impl Event {
    /// Reads a payload as it came on standard input.
    ///
    /// Missing, unknown and oddly typed optional fields are fine. Where a field that the event makes no sense
    /// without is missing or of a wrong type, the event becomes [`EventKind::Other`] and [`Event::parse_issue`] says
    /// why. Errors with [`Error::invalid`](crate::error::Error::invalid) only where the bytes are not one
    /// JSON object.
    pub fn parse(bytes: &[u8]) -> Result<Self> {
        let raw = wire::text(bytes);
        let fields = Fields::read(&raw)?;
        let name = fields.text("hook_event_name").unwrap_or_default();
        let (kind, parse_issue) = match EventKind::read(&name, &fields) {
            Ok(kind) => (kind, None),
            Err(parse_issue) => (EventKind::Other, Some(parse_issue)),
        };
        Ok(Self { common: CommonFields::read(&fields), name, kind, parse_issue, raw })
    }
}

impl Event {
    /// The transcript of whoever's event this is: a subagent that stops has one of its own.
    pub fn transcript(&self) -> Option<&str> {
        let own = match &self.kind {
            EventKind::SubagentStop { agent_transcript_path, .. } => agent_transcript_path.as_deref(),
            _ => None,
        };
        own.or(self.common.transcript_path.as_deref())
    }
}

impl CommonFields {
    fn read(fields: &Fields<'_>) -> Self {
        Self {
            session_id: fields.text("session_id").unwrap_or_default(),
            agent_id: fields.text("agent_id"),
            agent_type: fields.text("agent_type"),
            cwd: fields.text("cwd").unwrap_or_default(),
            transcript_path: fields.text("transcript_path"),
            permission_mode: fields.text("permission_mode"),
            prompt_id: fields.text("prompt_id"),
        }
    }
}

impl EventKind {
    fn read(name: &str, fields: &Fields<'_>) -> Result<Self, String> {
        fields.needed_text("hook_event_name")?;
        fields.needed_text("session_id")?;
        match name {
            "SessionStart" => {
                Ok(Self::SessionStart { source: fields.needed_text("source")?, model: fields.text("model") })
            }
            "SubagentStart" => Ok(Self::SubagentStart),
            "UserPromptSubmit" => Ok(Self::UserPrompt { prompt: fields.needed_text("prompt")? }),
            "PreToolUse" | "PostToolUse" | "PostToolUseFailure" => Self::tool(name, fields),
            "Stop" | "SubagentStop" => Self::stop(name, fields),
            "PreCompact" => Ok(Self::PreCompact {
                trigger: fields.needed_text("trigger")?,
                custom_instructions: fields.text("custom_instructions"),
            }),
            "SessionEnd" => Ok(Self::SessionEnd { reason: fields.needed_text("reason")? }),
            _ => Ok(Self::Other),
        }
    }

    fn tool(name: &str, fields: &Fields<'_>) -> Result<Self, String> {
        let tool_name = fields.needed_text("tool_name")?;
        let tool_input = fields.needed_json("tool_input")?;
        let tool_use_id = fields.text("tool_use_id").unwrap_or_default();
        Ok(match name {
            "PreToolUse" => Self::PreTool { tool_name, tool_input, tool_use_id },
            "PostToolUse" => Self::PostTool {
                tool_name,
                tool_input,
                tool_use_id,
                tool_response: fields.json("tool_response").unwrap_or("null").to_owned(),
                duration_ms: fields.count("duration_ms"),
            },
            _ => Self::ToolFailure {
                tool_name,
                tool_input,
                tool_use_id,
                error: fields.needed_text("error")?,
                is_interrupt: fields.switch("is_interrupt")?,
            },
        })
    }

    fn stop(name: &str, fields: &Fields<'_>) -> Result<Self, String> {
        let stop_hook_active = fields.switch("stop_hook_active")?;
        let last_assistant_message = fields.text("last_assistant_message");
        Ok(if name == "Stop" {
            Self::Stop { stop_hook_active, last_assistant_message }
        } else {
            let agent_transcript_path = fields.text("agent_transcript_path");
            Self::SubagentStop { stop_hook_active, last_assistant_message, agent_transcript_path }
        })
    }
}

#[cfg(test)]
mod tests;
