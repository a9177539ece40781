//! What was done: each call of a tool with what came of it.

use std::collections::HashMap;

use serde_json::Value;

use super::looking::is_looking;
use crate::finding::Evidence;
use crate::transcript::{Ending, Entry, Kind, Transcript};

/// Sizes of a quotation of a call, in bytes.
const LONGEST_QUOTE: usize = 300;
const SHORTEST_QUOTE: usize = 4;

/// A call, and its result where it came back in this stretch.
#[derive(Debug, Clone)]
pub struct Deed<'a> {
    /// The tool.
    pub tool: &'a str,
    /// What it was given.
    pub input: Value,
    /// The call.
    pub call: &'a Entry,
    /// Where the call stands among the entries.
    pub at: usize,
    /// Its result.
    pub result: Option<&'a Entry>,
    /// Where the result stands; where the call does, without one.
    pub done: usize,
}

impl<'a> Deed<'a> {
    /// A text of the input.
    pub fn text(&self, name: &str) -> &str {
        self.input[name].as_str().unwrap_or_default()
    }

    /// The command line, of a shell.
    pub fn command(&self) -> Option<&str> {
        (self.tool == "Bash").then(|| self.text("command")).filter(|line| !line.trim().is_empty())
    }

    /// The file that it wrote.
    pub fn written(&self) -> Option<&str> {
        let writes = matches!(self.tool, "Write" | "Edit" | "MultiEdit" | "NotebookEdit");
        let names = [self.text("file_path"), self.text("notebook_path")];
        let path = names.into_iter().find(|path| !path.is_empty());
        path.filter(|_| writes && self.ending() == Some(Ending::Fine))
    }

    /// Whether it changed something, as far as can be told.
    pub fn changes(&self) -> bool {
        let runs =
            || interleaf_shell::commands(self.text("command")).iter().any(|command| !is_looking(command));
        self.written().is_some() || self.ending() == Some(Ending::Fine) && self.command().is_some() && runs()
    }

    /// Words of the call as evidence: the longest part of a text that stands as it is in the call's JSON, in which
    /// quotes and line breaks look different.
    pub fn quote(&self, text: &str) -> Option<Evidence> {
        let parts = text.split(['"', '\\', '\n', '\t', '\r']).map(str::trim);
        let longest = parts.filter(|part| part.len() >= SHORTEST_QUOTE).max_by_key(|part| part.len())?;
        let quote = &longest[..longest.floor_char_boundary(LONGEST_QUOTE)];
        let evidence = || Evidence { quote: quote.trim().to_owned(), cursor: self.call.cursor };
        self.call.text.contains(quote).then(evidence)
    }

    /// How it ended; none where that is not known yet.
    pub fn ending(&self) -> Option<Ending> {
        self.result.map(|result| result.ending)
    }

    /// What came back.
    pub fn output(&self) -> &'a str {
        self.result.map_or("", |result| result.text.as_str())
    }
}

/// All calls in order.
pub fn deeds(talk: &Transcript) -> Vec<Deed<'_>> {
    let entries = talk.entries.iter().enumerate();
    let results = entries.clone().filter(|(_, entry)| entry.kind == Kind::ToolResult);
    let results: HashMap<&str, (usize, &Entry)> =
        results.filter_map(|(at, entry)| Some((entry.call.as_deref()?, (at, entry)))).collect();
    let calls = entries.filter(|(_, entry)| entry.kind == Kind::ToolCall);
    calls.map(|(at, call)| deed(at, call, &results)).collect()
}

fn deed<'a>(at: usize, call: &'a Entry, results: &HashMap<&str, (usize, &'a Entry)>) -> Deed<'a> {
    let result = call.call.as_deref().and_then(|id| results.get(id).copied());
    Deed {
        tool: call.tool.as_deref().unwrap_or_default(),
        input: serde_json::from_str(&call.text).unwrap_or_default(),
        call,
        at,
        result: result.map(|(_, entry)| entry),
        done: result.map_or(at, |(at, _)| at),
    }
}
