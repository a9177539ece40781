//! The tool calls that this layer handles: shell commands, file changes, and tools of other servers.

use serde_json::Value;

use crate::mcp_call::{self, McpCall};

/// A tool call that this layer handles.
#[derive(Debug, PartialEq, Eq)]
pub enum ToolCall {
    /// A shell command.
    Command(String),
    /// A change to the file at this path.
    Change(String),
    /// A call of a tool of another server, which may change files.
    Mcp(McpCall),
}

/// Tells whether this layer handles the calls of a tool.
pub fn is_handled(tool: &str) -> bool {
    matches!(tool, "Bash" | "Edit" | "Write" | "MultiEdit" | "NotebookEdit")
        || tool.starts_with(mcp_call::PREFIX)
}

impl ToolCall {
    /// Reads a call from the tool's name and its input as JSON. Returns none for every other tool, without
    /// reading the input.
    pub fn read(tool: &str, input: &str) -> Option<Self> {
        let (field, variant): (&str, fn(String) -> Self) = match tool {
            "Bash" => ("command", Self::Command),
            "Edit" | "Write" | "MultiEdit" => ("file_path", Self::Change),
            "NotebookEdit" => ("notebook_path", Self::Change),
            _ if tool.starts_with(mcp_call::PREFIX) => return McpCall::read(tool, input).map(Self::Mcp),
            _ => return None,
        };
        let input: Value = serde_json::from_str(input).ok()?;
        Some(variant(input[field].as_str().filter(|text| !text.is_empty())?.to_owned()))
    }
}

/// Returns the paths under which a memory may name the file: relative to the project, relative to the current
/// folder, and as the tool received it.
pub fn file_names(path: &str, cwd: &str, relative: Option<String>) -> Vec<String> {
    let below = path.strip_prefix(cwd.trim_end_matches('/')).and_then(|rest| rest.strip_prefix('/'));
    let mut names: Vec<String> = relative.into_iter().filter(|name| !name.is_empty()).collect();
    for name in below.into_iter().chain([path]) {
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_shell_commands_and_file_changes_are_handled() {
        let change = |path: &str| Some(ToolCall::Change(path.to_owned()));
        for (tool, input, expected) in [
            ("Bash", r#"{"command": "make"}"#, Some(ToolCall::Command("make".to_owned()))),
            ("Edit", r#"{"file_path": "/a/b"}"#, change("/a/b")),
            ("Write", r#"{"file_path": "/a/b", "content": "x"}"#, change("/a/b")),
            ("MultiEdit", r#"{"file_path": "/a/b"}"#, change("/a/b")),
            ("NotebookEdit", r#"{"notebook_path": "/a/b"}"#, change("/a/b")),
            ("Read", r#"{"file_path": "/a/b"}"#, None),
            ("Bash", r#"{"command": 7}"#, None),
            ("Bash", r#"{"command": ""}"#, None),
            ("Edit", "[", None),
            ("Agent", r#"{"command": "make"}"#, None),
        ] {
            assert_eq!(ToolCall::read(tool, input), expected, "{tool} {input}");
        }
    }

    #[test]
    fn file_names_are_relative_to_the_project_and_to_the_current_folder() {
        assert_eq!(file_names("/w/a/b.rs", "/w/a", Some("a/b.rs".into())), ["a/b.rs", "b.rs", "/w/a/b.rs"]);
        assert_eq!(file_names("/w/b.rs", "/w/", None), ["b.rs", "/w/b.rs"]);
        assert_eq!(file_names("/elsewhere", "/w", None), ["/elsewhere"]);
        assert_eq!(file_names("/window/b", "/w", None), ["/window/b"]);
    }
}
