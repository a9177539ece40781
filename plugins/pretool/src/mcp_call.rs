//! Calls of tools of other servers. Nothing is known of them but their names and inputs, so every text of an
//! input may be a path, a command, or both.

use serde_json::{Map, Value};

/// The beginning of the names of these tools: `mcp__SERVER__TOOL`.
pub const PREFIX: &str = "mcp__";

/// The first words of names of tools that only read.
const READING_WORDS: [&str; 15] = [
    "read", "get", "list", "search", "find", "view", "stat", "fetch", "show", "query", "grep", "glob",
    "describe", "recall", "history",
];

/// Words of names of tools that change something, whatever their first word is: `find_and_replace`.
const WRITING_WORDS: [&str; 24] = [
    "add",
    "append",
    "apply",
    "change",
    "copy",
    "create",
    "delete",
    "edit",
    "exec",
    "execute",
    "insert",
    "modify",
    "move",
    "overwrite",
    "patch",
    "put",
    "remove",
    "rename",
    "replace",
    "run",
    "save",
    "set",
    "update",
    "write",
];

/// Names of inputs that are command lines, and of those that are lists of words.
const COMMAND_FIELDS: [&str; 4] = ["command", "cmd", "script", "commandLine"];
const WORD_FIELDS: [&str; 4] = ["args", "argv", "arguments", "params"];

/// Beginnings of lines of a patch that name a file.
const PATCH_OPENINGS: [&str; 8] = [
    "*** Update File: ",
    "*** Add File: ",
    "*** Delete File: ",
    "*** Move to: ",
    "+++ b/",
    "+++ ",
    "--- a/",
    "rename to ",
];

/// Maximum number of texts of an input that are looked at. A longer input is asked about like one that cannot
/// be parsed.
const MAX_TEXTS: usize = 1_000;

/// Maximum depth of JSON documents inside texts of the input.
const MAX_DEPTH: usize = 3;

/// A call of a tool of another server.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct McpCall {
    /// The texts of its input that may be paths.
    pub paths: Vec<String>,
    /// The texts of its input whose names say that they are command lines.
    pub commands: Vec<String>,
    /// Whether the name of the tool says that it only reads.
    pub is_reading: bool,
}

impl McpCall {
    /// Reads a call from the tool's name and its input as JSON. Returns none if the input is no JSON or has
    /// too many texts.
    pub fn read(tool: &str, input: &str) -> Option<Self> {
        let mut call = Self { is_reading: is_reading(tool), ..Self::default() };
        call.add_value(&serde_json::from_str(input).ok()?, false, 0);
        (call.paths.len() + call.commands.len() <= MAX_TEXTS).then_some(call)
    }

    fn add_value(&mut self, value: &Value, is_command: bool, depth: usize) {
        match value {
            Value::String(text) if is_command => self.commands.push(text.clone()),
            Value::String(text) => self.add_text(text, depth),
            Value::Array(values) => values.iter().for_each(|value| self.add_value(value, is_command, depth)),
            Value::Object(fields) => self.add_fields(fields, depth),
            _ => {}
        }
    }

    /// Adds a text that may be a path, an address of a file, a patch, or a JSON document.
    fn add_text(&mut self, text: &str, depth: usize) {
        let named =
            text.lines().filter_map(|line| PATCH_OPENINGS.iter().find_map(|it| line.strip_prefix(it)));
        self.paths.extend(named.map(|path| path.trim().to_owned()));
        if let Some(path) = text.strip_prefix("file://") {
            self.paths.push(without_percent(path));
        }
        let is_document = text.trim_start().starts_with(['{', '[']) && depth < MAX_DEPTH;
        if let Some(document) = is_document.then(|| serde_json::from_str(text).ok()).flatten() {
            self.add_value(&document, false, depth + 1);
        }
        self.paths.push(text.to_owned());
    }

    /// Adds the names, which may be paths, and the values. A program and its arguments make one command.
    fn add_fields(&mut self, fields: &Map<String, Value>, depth: usize) {
        let is_of = |names: &[&str], name: &String| names.contains(&name.as_str());
        let words =
            fields.iter().filter(|(name, _)| is_of(&COMMAND_FIELDS, name) || is_of(&WORD_FIELDS, name));
        // The program precedes its arguments, whatever the order of the names is.
        let (programs, arguments): (Vec<_>, Vec<_>) =
            words.partition(|(name, _)| is_of(&COMMAND_FIELDS, name));
        let lists = programs.iter().chain(&arguments).filter(|(_, value)| value.is_array()).count();
        if lists > 0 {
            let words: Vec<String> =
                programs.iter().chain(&arguments).flat_map(|(_, value)| words_of(value)).collect();
            self.commands.push(words.join(" "));
        }
        for (name, value) in fields {
            self.paths.push(name.clone());
            self.add_value(value, is_of(&COMMAND_FIELDS, name), depth);
        }
    }
}

/// Returns the words of a command, quoted for a shell if they are elements of a list.
fn words_of(value: &Value) -> Vec<String> {
    let quoted = |word: &str| format!("'{}'", word.replace('\'', "'\\''"));
    match value {
        Value::String(line) => vec![line.clone()],
        Value::Array(words) => words.iter().filter_map(Value::as_str).map(quoted).collect(),
        _ => Vec::new(),
    }
}

/// Tells whether the name of a tool says that it only reads: its first word does, and no other word says that
/// it writes.
fn is_reading(tool: &str) -> bool {
    let name = tool.rsplit("__").next().unwrap_or_default();
    let mut spaced = String::new();
    for c in name.chars() {
        match c {
            _ if !c.is_alphanumeric() => spaced.push(' '),
            _ if c.is_uppercase() => spaced.extend([' ', c.to_ascii_lowercase()]),
            _ => spaced.push(c),
        }
    }
    let words: Vec<&str> = spaced.split_whitespace().collect();
    words.first().is_some_and(|first| READING_WORDS.contains(first))
        && !words.iter().any(|word| WRITING_WORDS.contains(word))
}

/// Decodes `%2e` and the like in the path of an address.
fn without_percent(path: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = path;
    while let Some((before, after)) = rest.split_once('%') {
        bytes.extend(before.bytes());
        let code = after.get(..2).and_then(|code| u8::from_str_radix(code, 16).ok());
        bytes.push(code.unwrap_or(b'%'));
        rest = if code.is_some() { &after[2..] } else { after };
    }
    bytes.extend(rest.bytes());
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(tool: &str, input: &str) -> McpCall {
        McpCall::read(tool, input).expect("it can be read")
    }

    #[test]
    fn every_text_and_every_name_may_be_a_path() {
        for input in [
            r#"{"path": "/a/b"}"#,
            r#"{"edits": [{"path": "/a/b", "n": 1}]}"#,
            r#"{"files": {"/a/b": "text"}}"#,
            r#"{"arguments": "{\"path\": \"/a/b\"}"}"#,
            r#"{"uri": "file:///a/%62"}"#,
            r#"{"patch": "*** Begin Patch\n*** Update File: /a/b\n@@"}"#,
            r#"{"patch": "--- old\n+++ /a/b\n@@"}"#,
        ] {
            assert!(call("mcp__x__y", input).paths.iter().any(|path| path == "/a/b"), "{input}");
        }
        assert_eq!(McpCall::read("mcp__x__y", "["), None);
    }

    #[test]
    fn a_program_and_its_arguments_make_one_command() {
        for (input, command) in [
            (r#"{"command": "make all"}"#, "make all"),
            (r#"{"argv": ["make", "it's"]}"#, "'make' 'it'\\''s'"),
            (r#"{"args": ["all"], "command": "make"}"#, "make 'all'"),
            (r#"{"cmd": ["make", "all"]}"#, "'make' 'all'"),
        ] {
            assert!(call("mcp__x__y", input).commands.iter().any(|it| it == command), "{input}");
        }
    }

    #[test]
    fn a_tool_reads_if_its_name_says_so_and_nothing_else() {
        for tool in ["mcp__files__read_file", "mcp__x__listFiles", "mcp__x__get"] {
            assert!(call(tool, "{}").is_reading, "{tool}");
        }
        for tool in
            ["mcp__files__write_file", "mcp__x__getaway", "mcp__x__find_and_replace", "mcp__x__getOrCreate"]
        {
            assert!(!call(tool, "{}").is_reading, "{tool}");
        }
    }
}
