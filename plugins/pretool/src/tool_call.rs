//! The tool calls that this layer handles: shell commands and file changes.

use serde_json::Value;

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

/// A call of a tool of another server.
#[derive(Debug, PartialEq, Eq)]
pub struct McpCall {
    /// Every text in its input, and whether its name says that it is a command line.
    pub texts: Vec<(String, bool)>,
    /// Whether the name of the tool says that it only reads.
    pub is_reading: bool,
}

/// The beginning of the names of tools of other servers: `mcp__SERVER__TOOL`.
const MCP_PREFIX: &str = "mcp__";

/// The first words of names of tools that only read.
const READING_WORDS: [&str; 13] = [
    "read", "get", "list", "search", "find", "view", "stat", "fetch", "show", "query", "grep", "glob",
    "describe",
];

/// Names of inputs that are command lines.
const COMMAND_FIELDS: [&str; 4] = ["command", "cmd", "script", "commandLine"];

/// Maximum number of texts of an input that are looked at. A longer input is asked about like one that cannot
/// be parsed.
const MAX_TEXTS: usize = 1_000;

/// Tells whether this layer handles the calls of a tool.
pub fn is_handled(tool: &str) -> bool {
    matches!(tool, "Bash" | "Edit" | "Write" | "MultiEdit" | "NotebookEdit") || tool.starts_with(MCP_PREFIX)
}

impl ToolCall {
    /// Reads a call from the tool's name and its input as JSON. Returns none for every other tool, without
    /// reading the input.
    pub fn read(tool: &str, input: &str) -> Option<Self> {
        let (field, variant): (&str, fn(String) -> Self) = match tool {
            "Bash" => ("command", Self::Command),
            "Edit" | "Write" | "MultiEdit" => ("file_path", Self::Change),
            "NotebookEdit" => ("notebook_path", Self::Change),
            _ if tool.starts_with(MCP_PREFIX) => return McpCall::read(tool, input).map(Self::Mcp),
            _ => return None,
        };
        let input: Value = serde_json::from_str(input).ok()?;
        Some(variant(input[field].as_str().filter(|text| !text.is_empty())?.to_owned()))
    }
}

impl McpCall {
    fn read(tool: &str, input: &str) -> Option<Self> {
        let mut texts = Vec::new();
        add_texts(&serde_json::from_str(input).ok()?, false, &mut texts);
        let name = tool.rsplit("__").next().unwrap_or_default();
        let is_reading = READING_WORDS.iter().any(|word| {
            let rest = name.strip_prefix(word);
            rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_lowercase()))
        });
        (texts.len() <= MAX_TEXTS).then_some(Self { texts, is_reading })
    }
}

/// Adds the texts of a value.
fn add_texts(value: &Value, is_command: bool, texts: &mut Vec<(String, bool)>) {
    match value {
        Value::String(text) => texts.push((text.clone(), is_command)),
        Value::Array(values) => values.iter().for_each(|value| add_texts(value, is_command, texts)),
        Value::Object(fields) => fields.iter().for_each(|(name, value)| {
            add_texts(value, COMMAND_FIELDS.contains(&name.as_str()), texts);
        }),
        _ => {}
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
    fn a_call_of_another_server_s_tool_has_all_its_texts() {
        let call = |tool: &str, input: &str| match ToolCall::read(tool, input) {
            Some(ToolCall::Mcp(call)) => call,
            other => panic!("{other:?}"),
        };
        let written =
            call("mcp__files__write_file", r#"{"edits": [{"path": "/a", "n": 1}], "command": "make"}"#);
        assert_eq!(written.texts, [("make".to_owned(), true), ("/a".to_owned(), false)]);
        assert!(!written.is_reading);
        for tool in ["mcp__files__read_file", "mcp__x__listFiles", "mcp__x__get"] {
            assert!(call(tool, "{}").is_reading, "{tool}");
        }
        assert!(!call("mcp__x__getaway", "{}").is_reading);
        assert_eq!(ToolCall::read("mcp__x__y", "["), None);
    }

    #[test]
    fn file_names_are_relative_to_the_project_and_to_the_current_folder() {
        assert_eq!(file_names("/w/a/b.rs", "/w/a", Some("a/b.rs".into())), ["a/b.rs", "b.rs", "/w/a/b.rs"]);
        assert_eq!(file_names("/w/b.rs", "/w/", None), ["b.rs", "/w/b.rs"]);
        assert_eq!(file_names("/elsewhere", "/w", None), ["/elsewhere"]);
        assert_eq!(file_names("/window/b", "/w", None), ["/window/b"]);
    }
}
