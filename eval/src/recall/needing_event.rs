//! An event of the data, and the payload with which Claude Code would send it.

use serde::Deserialize;
use serde_json::{Value, json};

/// An event, and the memories that it needs.
#[derive(Debug, Clone, Deserialize)]
pub struct NeedingEvent {
    #[serde(flatten)]
    pub occasion: Occasion,
    /// What makes the event easy or hard, as its author named it: `paraphrase`, for example.
    pub kind: String,
    #[serde(rename = "language")]
    _language: String,
    /// The memories that should be shown; none if nothing should.
    pub needs: Vec<String>,
}

/// What happens.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "occasion", rename_all = "lowercase")]
pub enum Occasion {
    /// The person asks or orders something.
    Prompt { text: String },
    /// The agent is about to run a command.
    Command { command: String },
    /// The agent is about to change a file.
    File { path: String },
    /// A command failed.
    Failure { command: String, error: String },
}

impl Occasion {
    /// Returns the name of the hook event and its fields.
    pub fn hook_event(&self, project: &str) -> (&'static str, Value) {
        match self {
            Self::Prompt { text } => ("UserPromptSubmit", json!({ "prompt": text })),
            Self::Command { command } => ("PreToolUse", bash(command)),
            Self::File { path } => {
                let file = format!("{project}/{path}");
                let input = json!({ "file_path": file, "old_string": "a", "new_string": "b" });
                ("PreToolUse", json!({ "tool_name": "Edit", "tool_use_id": "t1", "tool_input": input }))
            }
            Self::Failure { command, error } => {
                let mut fields = bash(command);
                fields["error"] = format!("Exit code 1\n{error}").into();
                ("PostToolUseFailure", fields)
            }
        }
    }

    /// Returns the text that a search for the event would have.
    pub fn query(&self) -> String {
        match self {
            Self::Prompt { text } => text.clone(),
            Self::Command { command } => command.clone(),
            Self::File { path } => path.clone(),
            Self::Failure { command, error } => format!("{command}\n{error}"),
        }
    }
}

fn bash(command: &str) -> Value {
    json!({ "tool_name": "Bash", "tool_use_id": "t1", "tool_input": { "command": command } })
}
