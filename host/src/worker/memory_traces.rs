//! What in a transcript shows that a session followed a memory: the assistant quoted it, ran its command,
//! changed its file or looked it up.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::claude::transcript::{Entry, EntryKind};
use crate::memory::{Memory, short_id};

/// Number of consecutive words that make a quotation: fewer are common by chance.
const QUOTED_WORDS: usize = 6;

/// Minimum length of a single word of code that counts as a command, in bytes.
const MIN_COMMAND_BYTES: usize = 10;

/// The tools that change files.
const EDITING_TOOLS: [&str; 4] = ["Edit", "Write", "MultiEdit", "NotebookEdit"];

/// The traces of one memory.
pub(super) struct Traces {
    /// The memory's id.
    pub(super) id: String,
    short_id: Option<String>,
    files: Vec<String>,
    commands: Vec<String>,
    quotations: BTreeSet<String>,
}

impl Traces {
    /// Returns what would show that this memory was followed.
    pub(super) fn new(memory: &Memory) -> Self {
        let cited = memory.citations.iter().map(|citation| &citation.file);
        Self {
            id: memory.id.clone(),
            short_id: short_id(&memory.id).map(str::to_owned),
            files: memory.related_files.iter().chain(cited).cloned().collect(),
            commands: commands(&memory.text),
            quotations: quotations(&memory.text).collect(),
        }
    }

    /// The same without the memory's files.
    pub(super) fn without_files(memory: &Memory) -> Self {
        Self { files: Vec::new(), ..Self::new(memory) }
    }

    /// Tells whether an entry names the memory by its id.
    pub(super) fn are_named_in(&self, entry: &Entry) -> bool {
        self.short_id.as_ref().is_some_and(|id| entry.text.contains(id.as_str()))
    }

    /// Tells whether the assistant quotes the memory, runs its command or changes its file in this entry.
    pub(super) fn are_in(&self, entry: &Entry) -> bool {
        match entry.kind {
            EntryKind::Text => quotations(&entry.text).any(|words| self.quotations.contains(&words)),
            EntryKind::ToolCall => self.are_in_call(entry.tool.as_deref(), &entry.text),
            EntryKind::ToolResult => false,
        }
    }

    fn are_in_call(&self, tool: Option<&str>, input: &str) -> bool {
        let Ok(input) = serde_json::from_str::<Value>(input) else { return false };
        let text = |field: &str| input[field].as_str().unwrap_or_default();
        if tool.is_some_and(|tool| EDITING_TOOLS.contains(&tool)) {
            let changed = [text("file_path"), text("notebook_path")];
            let is_changed = |file: &String| changed.iter().any(|path| is_same_file(path, file));
            return self.files.iter().any(is_changed);
        }
        let command = single_spaced(text("command"));
        self.commands.iter().any(|known| command.contains(known.as_str()))
    }
}

/// Tells whether a path ends with the path of a file in the project.
fn is_same_file(path: &str, file: &str) -> bool {
    path.strip_suffix(file).is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

/// Returns the code in a text that may be a command: several words, or a long one.
fn commands(text: &str) -> Vec<String> {
    let code = text.split('`').skip(1).step_by(2).map(single_spaced);
    code.filter(|code| code.contains(' ') || code.len() >= MIN_COMMAND_BYTES).collect()
}

fn single_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns every run of [`QUOTED_WORDS`] words of a text, without regard to case and punctuation.
fn quotations(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<String> = words.map(str::to_lowercase).collect();
    let runs: Vec<String> = words.windows(QUOTED_WORDS).map(|run| run.join(" ")).collect();
    runs.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claude::transcript::Role;

    fn traces(text: &str) -> Traces {
        Traces {
            id: "m1".to_owned(),
            short_id: Some("3f9a2b1c0d".to_owned()),
            files: vec!["src/pay.rs".to_owned()],
            commands: commands(text),
            quotations: quotations(text).collect(),
        }
    }

    fn entry(kind: EntryKind, tool: Option<&str>, text: &str) -> Entry {
        Entry {
            role: Role::Assistant,
            kind,
            tool: tool.map(str::to_owned),
            call: None,
            text: text.to_owned(),
            outcome: Default::default(),
            is_mixed: false,
            at: 9,
            cursor: 0,
            is_prompt: false,
            is_certain: true,
            line_key: 0,
            place: Default::default(),
        }
    }

    const RULE: &str = "Run `cargo xtask seed --all` before the payment tests, or they wait for the vendor";

    #[test]
    fn a_quotation_a_command_and_a_changed_file_follow_a_memory() {
        let traces = traces(RULE);
        for (kind, tool, text) in [
            (EntryKind::Text, None, "As noted: before the payment tests, or they WAIT for the vendor."),
            (EntryKind::ToolCall, Some("Bash"), r#"{"command": "cd x && cargo xtask  seed --all"}"#),
            (EntryKind::ToolCall, Some("Edit"), r#"{"file_path": "/home/a/shop/src/pay.rs"}"#),
        ] {
            assert!(traces.are_in(&entry(kind, tool, text)), "{text}");
        }
    }

    #[test]
    fn few_words_other_files_and_reading_do_not_follow_it() {
        let traces = traces(RULE);
        for (kind, tool, text) in [
            (EntryKind::Text, None, "I ran the payment tests for the vendor"),
            (EntryKind::ToolCall, Some("Bash"), r#"{"command": "cargo xtask seed"}"#),
            (EntryKind::ToolCall, Some("Edit"), r#"{"file_path": "/home/a/shop/src/repay.rs"}"#),
            (EntryKind::ToolCall, Some("Read"), r#"{"file_path": "/home/a/shop/src/pay.rs"}"#),
            (EntryKind::ToolResult, Some("Bash"), RULE),
        ] {
            assert!(!traces.are_in(&entry(kind, tool, text)), "{text}");
        }
    }
}
