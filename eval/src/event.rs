//! A recorded hook event, as far as a replay has to understand it. This module does not use the program's own
//! parser, because an evaluation must not share a mistake with the code that it evaluates.

use anyhow::{Context, Result};
use serde_json::Value;

/// The standard input of a hook.
#[derive(Debug)]
pub struct Event(Value);

/// A change that a tool made to a file.
#[derive(Debug, PartialEq, Eq)]
pub enum FileEdit {
    /// The file has this content.
    Write(String),
    /// The first occurrence of a text, or every one, was replaced.
    Replace {
        /// The text.
        old: String,
        /// The replacement.
        new: String,
        /// Whether every occurrence was replaced.
        all: bool,
    },
}

impl Event {
    /// Reads the JSON that the client sent.
    pub fn parse(json: &str) -> Result<Self> {
        serde_json::from_str(json).map(Self).context("an event is not JSON")
    }

    /// Returns its name, such as `UserPromptSubmit`.
    pub fn name(&self) -> &str {
        self.text("hook_event_name").unwrap_or_default()
    }

    /// Returns the subagent in which it happened; empty for the main conversation.
    pub fn agent(&self) -> &str {
        self.text("agent_id").unwrap_or_default()
    }

    /// Returns the folder in which it happened.
    pub fn folder(&self) -> &str {
        self.text("cwd").unwrap_or_default()
    }

    /// Returns the transcript of the conversation.
    pub fn transcript(&self) -> Option<&str> {
        self.text("transcript_path")
    }

    /// Returns the transcript of the subagent that ended with this event.
    pub fn agent_transcript(&self) -> Option<&str> {
        self.text("agent_transcript_path").filter(|_| self.name() == "SubagentStop")
    }

    /// Tells whether a session starts or continues.
    pub fn is_session_start(&self) -> bool {
        self.name() == "SessionStart"
    }

    /// Tells whether the model no longer sees the context that it was shown before.
    pub fn empties_context(&self) -> bool {
        self.is_session_start() && self.text("source") != Some("resume")
    }

    /// Returns the subject of the event for people: the prompt, or the tool with its object.
    pub fn subject(&self) -> String {
        let field = match self.name() {
            "SessionStart" => "source",
            "UserPromptSubmit" => "prompt",
            "PreCompact" => "trigger",
            "SessionEnd" => "reason",
            "PreToolUse" | "PostToolUse" | "PostToolUseFailure" => return self.tool_call(),
            _ => return String::new(),
        };
        self.text(field).unwrap_or_default().to_owned()
    }

    fn tool_call(&self) -> String {
        let tool = self.text("tool_name").unwrap_or_default();
        let fields = ["command", "file_path", "skill", "description", "pattern"];
        let object = fields.into_iter().find_map(|field| self.tool_input(field));
        object.map_or_else(|| tool.to_owned(), |object| format!("{tool}: {object}"))
    }

    /// Returns the file that a tool changed, with the change. Commands are not run again: their changes come
    /// with the next commit of the recording.
    pub fn file_edit(&self) -> Option<(&str, FileEdit)> {
        if self.name() != "PostToolUse" {
            return None;
        }
        let input = |field| self.tool_input(field).map(str::to_owned);
        let edit = match self.text("tool_name")? {
            "Write" => FileEdit::Write(input("content")?),
            "Edit" => FileEdit::Replace {
                old: input("old_string")?,
                new: input("new_string")?,
                all: self.0["tool_input"]["replace_all"] == true,
            },
            _ => return None,
        };
        Some((self.tool_input("file_path")?, edit))
    }

    fn tool_input(&self, field: &str) -> Option<&str> {
        self.0["tool_input"][field].as_str()
    }

    fn text(&self, field: &str) -> Option<&str> {
        self.0[field].as_str()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(json: serde_json::Value) -> Event {
        Event::parse(&json.to_string()).unwrap()
    }

    #[test]
    fn the_subject_of_a_tool_call_names_tool_and_object() {
        let input = serde_json::json!({"description": "list", "command": "ls"});
        let call = event(serde_json::json!({
            "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": input,
        }));

        assert_eq!(call.subject(), "Bash: ls");
    }

    #[test]
    fn only_a_tool_that_has_run_changes_a_file() {
        let edit = |name: &str| {
            event(serde_json::json!({
                "hook_event_name": name, "tool_name": "Write",
                "tool_input": {"file_path": "/x", "content": "y"},
            }))
        };

        assert_eq!(edit("PostToolUse").file_edit(), Some(("/x", FileEdit::Write("y".to_owned()))));
        assert_eq!(edit("PreToolUse").file_edit(), None);
    }

    #[test]
    fn a_resumed_session_keeps_the_context_of_the_model() {
        let start = |source: &str| {
            event(serde_json::json!({"hook_event_name": "SessionStart", "source": source})).empties_context()
        };

        assert!(start("compact") && !start("resume"));
    }
}
