//! Tool calls, each with its result.

use std::collections::HashMap;

use serde_json::Value;

use super::read_only::is_read_only;
use crate::finding::Evidence;
use crate::transcript::{Ending, Entry, Kind, Transcript};

/// Maximum and minimum length of a quote of a call, in bytes.
const MAX_QUOTE_BYTES: usize = 300;
const MIN_QUOTE_BYTES: usize = 4;

/// A call, and its result if that is known.
#[derive(Debug, Clone)]
pub struct ToolCall<'a> {
    /// The tool.
    pub tool: &'a str,
    /// What it was given.
    pub input: Value,
    /// The entry of the call.
    pub entry: &'a Entry,
    /// Where the call stands among the entries.
    pub at: usize,
    /// Its result.
    pub result: Option<&'a Entry>,
}

impl<'a> ToolCall<'a> {
    /// Returns a text of the input.
    pub fn text(&self, name: &str) -> &str {
        self.input[name].as_str().unwrap_or_default()
    }

    /// Returns the command line of a shell call.
    pub fn command(&self) -> Option<&str> {
        (self.tool == "Bash").then(|| self.text("command")).filter(|line| !line.trim().is_empty())
    }

    /// Returns the file that it wrote.
    pub fn written(&self) -> Option<&str> {
        let writes = matches!(self.tool, "Write" | "Edit" | "MultiEdit" | "NotebookEdit");
        let names = [self.text("file_path"), self.text("notebook_path")];
        let path = names.into_iter().find(|path| !path.is_empty());
        path.filter(|_| writes && self.ending() == Some(Ending::Fine))
    }

    /// Tells whether it changed something, as far as can be told.
    pub fn changes(&self) -> bool {
        let runs =
            || interleaf_shell::commands(self.text("command")).iter().any(|command| !is_read_only(command));
        self.written().is_some() || self.ending() == Some(Ending::Fine) && self.command().is_some() && runs()
    }

    /// Words of the call as evidence: the longest part of a text that stands as it is in the call's JSON, in
    /// which quotes and line breaks look different.
    pub fn quote(&self, text: &str) -> Option<Evidence> {
        let parts = text.split(['"', '\\', '\n', '\t', '\r']).map(str::trim);
        let longest = parts.filter(|part| part.len() >= MIN_QUOTE_BYTES).max_by_key(|part| part.len())?;
        let quote = &longest[..longest.floor_char_boundary(MAX_QUOTE_BYTES)];
        let evidence = || Evidence { quote: quote.trim().to_owned(), cursor: self.entry.cursor };
        self.entry.text.contains(quote).then(evidence)
    }

    /// Returns how it ended; none if that is not known yet.
    pub fn ending(&self) -> Option<Ending> {
        self.result.map(|result| result.ending)
    }

    /// Returns what came back.
    pub fn output(&self) -> &'a str {
        self.result.map_or("", |result| result.text.as_str())
    }
}

/// Returns all calls, in order.
pub fn calls(transcript: &Transcript) -> Vec<ToolCall<'_>> {
    let entries = transcript.entries.iter().enumerate();
    let results = entries.clone().filter(|(_, entry)| entry.kind == Kind::ToolResult);
    let results: HashMap<&str, (usize, &Entry)> =
        results.filter_map(|(at, entry)| Some((entry.call.as_deref()?, (at, entry)))).collect();
    let calls = entries.filter(|(_, entry)| entry.kind == Kind::ToolCall);
    calls.map(|(at, entry)| tool_call(at, entry, &results)).collect()
}

fn tool_call<'a>(at: usize, entry: &'a Entry, results: &HashMap<&str, (usize, &'a Entry)>) -> ToolCall<'a> {
    let result = entry.call.as_deref().and_then(|id| results.get(id).copied());
    ToolCall {
        tool: entry.tool.as_deref().unwrap_or_default(),
        input: serde_json::from_str(&entry.text).unwrap_or_default(),
        entry,
        at,
        result: result.map(|(_, entry)| entry),
    }
}
