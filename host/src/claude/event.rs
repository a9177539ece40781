//! One hook event: Claude Code's payload parsed into an [`Event`].
//!
//! Events with an interface of their own in the contract become a typed [`EventKind`]; every other one, known
//! today or not, becomes [`EventKind::Other`] and is passed on as raw JSON. Tool input and output stay JSON
//! text, because only layers know what they mean. Parsing is lenient: a hook that refuses an event helps
//! nobody.

use std::borrow::Cow;

use serde_json::Value;

use crate::claude::payload::{self, Payload};
use crate::claude::private_text::without_private;
use crate::error::Result;

/// One hook event.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// The fields that every event carries.
    pub common: CommonFields,
    /// `hook_event_name`; empty if it is missing or not a string.
    pub name: String,
    /// The kind of event with its own fields.
    pub kind: EventKind,
    /// The reason why a known event became [`EventKind::Other`]: a field is missing or of the wrong type.
    pub parse_issue: Option<String>,
    /// The whole payload as valid JSON, with broken characters replaced.
    pub raw: String,
}

/// The fields that every event carries. Paths are passed on unchecked and may hold any character, even NUL.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CommonFields {
    /// The session's id; empty if it is missing, and then the kind is [`EventKind::Other`].
    pub session_id: String,
    /// The subagent that the event comes from; absent in the main conversation.
    pub agent_id: Option<String>,
    /// The type of the subagent; empty for the agent that writes the summary of a compaction.
    pub agent_type: Option<String>,
    /// The session's current directory, which follows `cd`; empty if it is missing.
    pub cwd: String,
    /// The path of the transcript, which does not exist yet at the session's start and the first prompt.
    pub transcript_path: Option<String>,
    /// `default`, `plan`, `acceptEdits`, `bypassPermissions` and others.
    pub permission_mode: Option<String>,
    /// The id of the prompt in progress; absent before the first.
    pub prompt_id: Option<String>,
}

/// The events that have an interface of their own in the contract, with their fields.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are Claude Code's own, under its names")]
pub enum EventKind {
    /// A session starts or continues; `source` is startup, resume, clear, compact or fork.
    SessionStart { source: String, model: Option<String> },
    /// A subagent starts; [`CommonFields::agent_id`] names it.
    SubagentStart,
    /// A prompt was sent, by a person or by the client.
    UserPrompt { prompt: String },
    /// A tool is about to run. `tool_input` is JSON.
    PreTool { tool_name: String, tool_input: String, tool_use_id: String },
    /// A tool has run. `tool_input` and `tool_response` are JSON.
    PostTool {
        tool_name: String,
        tool_input: String,
        tool_use_id: String,
        tool_response: String,
        duration_ms: Option<u64>,
    },
    /// A tool has failed; sent instead of [`EventKind::PostTool`]. `tool_input` is JSON.
    ToolFailure {
        tool_name: String,
        tool_input: String,
        tool_use_id: String,
        error: String,
        is_interrupt: bool,
    },
    /// The model has finished its turn. `stop_hook_active` is set if a hook has already made it continue.
    Stop { stop_hook_active: bool, last_assistant_message: Option<String> },
    /// A subagent has finished.
    SubagentStop {
        stop_hook_active: bool,
        last_assistant_message: Option<String>,
        agent_transcript_path: Option<String>,
    },
    /// The conversation is about to be compacted; `trigger` is manual or auto.
    PreCompact { trigger: String, custom_instructions: Option<String> },
    /// The session ends; `reason` is clear, resume, logout, `prompt_input_exit` or other.
    SessionEnd { reason: String },
    /// Any other event; its fields are in [`Event::raw`].
    Other,
}

impl Event {
    /// Parses a payload as it arrived on standard input.
    ///
    /// Missing or unknown fields and optional fields of the wrong type are accepted. If a required field is
    /// missing or of the wrong type, the event becomes [`EventKind::Other`] and [`Event::parse_issue`]
    /// gives the reason.
    ///
    /// # Errors
    /// `Invalid` if the bytes are not one JSON object.
    pub fn parse(bytes: &[u8]) -> Result<Self> {
        let raw = payload::decode(bytes);
        let payload = Payload::parse(&raw)?;
        let name = payload.string("hook_event_name").unwrap_or_default();
        let (kind, parse_issue) = match EventKind::read(&name, &payload) {
            Ok(kind) => (kind, None),
            Err(issue) => (EventKind::Other, Some(issue)),
        };
        let common = CommonFields::read(&payload);
        let public = public_payload(&payload);
        Ok(Self { common, name, kind, parse_issue, raw: public.unwrap_or(raw) })
    }

    /// Returns the path of the transcript that this event belongs to. A subagent that stops has its own.
    pub fn transcript(&self) -> Option<&str> {
        let of_subagent = match &self.kind {
            EventKind::SubagentStop { agent_transcript_path, .. } => agent_transcript_path.as_deref(),
            _ => None,
        };
        of_subagent.or(self.common.transcript_path.as_deref())
    }
}

/// The event before a tool call.
const PRE_TOOL: &str = "PreToolUse";

impl Event {
    /// Returns the event of a tool call whose payload cannot be parsed; `None` if the payload does not name
    /// that event. A guard must answer even then.
    pub fn unreadable_tool_call(payload: &[u8], issue: &str) -> Option<Self> {
        let name = format!("\"{PRE_TOOL}\"");
        let raw = String::from_utf8_lossy(payload).into_owned();
        raw.contains(&name).then(|| Self {
            common: CommonFields::default(),
            name: PRE_TOOL.to_owned(),
            kind: EventKind::Other,
            parse_issue: Some(issue.to_owned()),
            raw,
        })
    }

    /// Returns the text of the tool call that is about to run: the tool's input, or if that cannot be read,
    /// the whole payload. `None` for every other event.
    pub fn tool_call(&self) -> Option<&str> {
        match &self.kind {
            EventKind::PreTool { tool_input, .. } => Some(tool_input),
            EventKind::Other if self.name == PRE_TOOL => Some(&self.raw),
            _ => None,
        }
    }

    /// Returns whether this is a tool call that cannot be read.
    pub fn is_unreadable_tool_call(&self) -> bool {
        self.kind == EventKind::Other && self.name == PRE_TOOL
    }

    /// Returns the tool call with this input instead of its own; `None` for every other event.
    #[must_use]
    pub fn with_tool_input(&self, input: &serde_json::Value) -> Option<Self> {
        let EventKind::PreTool { tool_name, tool_use_id, .. } = &self.kind else { return None };
        let (tool_name, tool_use_id) = (tool_name.clone(), tool_use_id.clone());
        let mut raw: Value = serde_json::from_str(&self.raw).unwrap_or_default();
        if let Some(field) = raw.get_mut("tool_input") {
            *field = input.clone();
        }
        let kind = EventKind::PreTool { tool_name, tool_input: input.to_string(), tool_use_id };
        Some(Self { kind, raw: raw.to_string(), ..self.clone() })
    }
}

impl CommonFields {
    fn read(payload: &Payload<'_>) -> Self {
        Self {
            session_id: payload.string("session_id").unwrap_or_default(),
            agent_id: payload.string("agent_id"),
            agent_type: payload.string("agent_type"),
            cwd: payload.string("cwd").unwrap_or_default(),
            transcript_path: payload.string("transcript_path"),
            permission_mode: payload.string("permission_mode"),
            prompt_id: payload.string("prompt_id"),
        }
    }
}

impl EventKind {
    fn read(name: &str, payload: &Payload<'_>) -> Result<Self, String> {
        payload.required_string("hook_event_name")?;
        payload.required_string("session_id")?;
        match name {
            "SessionStart" => Ok(Self::SessionStart {
                source: payload.required_string("source")?,
                model: payload.string("model"),
            }),
            "SubagentStart" => Ok(Self::SubagentStart),
            "UserPromptSubmit" => Ok(Self::UserPrompt { prompt: public(payload.required_string("prompt")?) }),
            "PreToolUse" | "PostToolUse" | "PostToolUseFailure" => Self::read_tool(name, payload),
            "Stop" | "SubagentStop" => Self::read_stop(name, payload),
            "PreCompact" => Ok(Self::PreCompact {
                trigger: payload.required_string("trigger")?,
                custom_instructions: payload.string("custom_instructions"),
            }),
            "SessionEnd" => Ok(Self::SessionEnd { reason: payload.required_string("reason")? }),
            _ => Ok(Self::Other),
        }
    }

    fn read_tool(name: &str, payload: &Payload<'_>) -> Result<Self, String> {
        let tool_name = payload.required_string("tool_name")?;
        let tool_input = payload.required_json("tool_input")?;
        let tool_use_id = payload.string("tool_use_id").unwrap_or_default();
        Ok(match name {
            "PreToolUse" => Self::PreTool { tool_name, tool_input, tool_use_id },
            "PostToolUse" => Self::PostTool {
                tool_name,
                tool_input,
                tool_use_id,
                tool_response: payload.json("tool_response").unwrap_or("null").to_owned(),
                duration_ms: payload.count("duration_ms"),
            },
            _ => Self::ToolFailure {
                tool_name,
                tool_input,
                tool_use_id,
                error: payload.required_string("error")?,
                is_interrupt: payload.boolean("is_interrupt")?,
            },
        })
    }

    fn read_stop(name: &str, payload: &Payload<'_>) -> Result<Self, String> {
        let stop_hook_active = payload.boolean("stop_hook_active")?;
        let last_assistant_message = payload.string("last_assistant_message").map(public);
        Ok(if name == "Stop" {
            Self::Stop { stop_hook_active, last_assistant_message }
        } else {
            let agent_transcript_path = payload.string("agent_transcript_path");
            Self::SubagentStop { stop_hook_active, last_assistant_message, agent_transcript_path }
        })
    }
}

/// The fields with what a person or the assistant said.
const SPOKEN_FIELDS: [&str; 2] = ["prompt", "last_assistant_message"];

/// Returns the JSON text of a payload without private text, if it holds any.
fn public_payload(payload: &Payload<'_>) -> Option<String> {
    let is_private = |name: &&&str| {
        payload.string(name).is_some_and(|text| matches!(without_private(&text).0, Cow::Owned(_)))
    };
    let private: Vec<&&str> = SPOKEN_FIELDS.iter().filter(is_private).collect();
    if private.is_empty() {
        return None;
    }
    let fields = payload.fields().map(|(name, json)| {
        let value = match payload.string(name).filter(|_| private.iter().any(|field| **field == name)) {
            Some(text) => Value::String(public(text)),
            None => serde_json::from_str(json).unwrap_or_default(),
        };
        (name.to_owned(), value)
    });
    Some(Value::Object(fields.collect()).to_string())
}

/// Returns a text without its private parts: layers may store what they are given.
fn public(text: String) -> String {
    match without_private(&text).0 {
        Cow::Borrowed(_) => text,
        Cow::Owned(public) => public,
    }
}

#[cfg(test)]
#[path = "event_tests.rs"]
mod tests;
