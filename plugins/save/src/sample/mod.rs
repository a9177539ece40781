//! Talks for the tests: made by hand, and read from recorded sessions.

mod recorded;

pub(crate) use recorded::{read, root, sessions, transcript};

use crate::talk::{Ending, Entry, Kind, Role, Talk};

pub(crate) fn entry(role: Role, kind: Kind, text: &str) -> Entry {
    let text = text.to_owned();
    Entry { role, kind, tool: None, call: None, text, ending: Ending::Fine, at: 0, cursor: 0 }
}

pub(crate) fn user(text: &str) -> Vec<Entry> {
    vec![entry(Role::User, Kind::Text, text)]
}

pub(crate) fn assistant(text: &str) -> Vec<Entry> {
    vec![entry(Role::Assistant, Kind::Text, text)]
}

/// A call of a tool and its result.
pub(crate) fn tool(name: &str, input: &str, output: &str, ending: Ending) -> Vec<Entry> {
    let call = Entry { tool: Some(name.into()), ..entry(Role::Assistant, Kind::ToolCall, input) };
    let result = entry(Role::Tool, Kind::ToolResult, output);
    vec![call, Entry { tool: Some(name.into()), ending, ..result }]
}

pub(crate) fn ran(command: &str, output: &str) -> Vec<Entry> {
    tool("Bash", &serde_json::json!({ "command": command }).to_string(), output, Ending::Fine)
}

pub(crate) fn failed(command: &str, output: &str) -> Vec<Entry> {
    tool("Bash", &serde_json::json!({ "command": command }).to_string(), output, Ending::Failed)
}

pub(crate) fn edited(file: &str) -> Vec<Entry> {
    tool("Edit", &serde_json::json!({ "file_path": file }).to_string(), "updated", Ending::Fine)
}

/// One after another, each with a cursor, calls and results with an id.
pub(crate) fn talk(parts: impl IntoIterator<Item = Vec<Entry>>) -> Talk {
    let mut entries: Vec<Entry> = parts.into_iter().flatten().collect();
    for (at, entry) in entries.iter_mut().enumerate() {
        entry.cursor = at as u64 * 1000;
        entry.call = match entry.kind {
            Kind::Text => None,
            Kind::ToolCall => Some(format!("call-{at}")),
            Kind::ToolResult => Some(format!("call-{}", at - 1)),
        };
    }
    Talk { entries }
}
