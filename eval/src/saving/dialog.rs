//! Dialogs in which a later message takes back what an earlier one stated, or only looks like it.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use interleaf_text::machine_text::split;
use save::finding::Finding;
use save::rules::{Around, mine};
use save::transcript::{Entry, Kind, Role, Transcript};
use serde::Deserialize;
use serde_json::json;

use super::session::{entry, numbered};

/// Minimum share of a statement's words that a finding has if it says the same.
const MIN_SHARED_WORDS: f32 = 0.6;

/// A dialog of the person and the assistant.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dialog {
    /// What the dialog is about.
    #[allow(dead_code, reason = "for readers of the data")]
    family: String,
    /// The language, in two letters.
    pub language: String,
    turns: Vec<Turn>,
    /// Statements that hold at the end, as the person said them.
    holds: Vec<String>,
    /// Statements that no longer hold at the end.
    fell: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Turn {
    person: String,
    /// Whether the assistant changed a file.
    #[serde(default)]
    did: bool,
    #[serde(default)]
    assistant: String,
}

/// How many of the statements that are found when they are said were judged rightly at the end.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Judged {
    /// Statements that fell, and how many of them are not saved.
    pub fell: (usize, usize),
    /// Statements that hold, and how many of them are saved.
    pub holds: (usize, usize),
}

/// A statement that is judged wrongly.
#[derive(Debug)]
pub struct Mistake<'a> {
    /// As the person said it.
    pub quote: &'a str,
    /// Whether it is saved although it fell.
    pub is_kept: bool,
}

/// Reads the dialogs of a file.
///
/// # Errors
/// If the file cannot be read or a line is no dialog.
pub fn read(path: &Path) -> Result<Vec<Dialog>> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let dialog = |(at, line): (usize, &str)| {
        serde_json::from_str(line).with_context(|| format!("{}:{} is no dialog", path.display(), at + 1))
    };
    text.lines().enumerate().map(dialog).collect()
}

impl Dialog {
    /// Counts the statements, and returns those that are judged wrongly.
    pub fn judge(&self, judged: &mut Judged) -> Vec<Mistake<'_>> {
        let last = self.findings(self.turns.len());
        let mut mistakes = Vec::new();
        for (quotes, fell) in [(&self.fell, true), (&self.holds, false)] {
            for quote in quotes.iter().filter(|quote| self.is_found_when_said(quote)) {
                let is_saved = last.iter().any(|finding| says(finding, quote));
                let count = if fell { &mut judged.fell } else { &mut judged.holds };
                count.0 += 1;
                count.1 += usize::from(is_saved != fell);
                mistakes.extend((is_saved == fell).then_some(Mistake { quote, is_kept: fell }));
            }
        }
        mistakes
    }

    fn is_found_when_said(&self, quote: &str) -> bool {
        let turn = self.turns.iter().position(|turn| turn.person.contains(quote));
        turn.is_some_and(|turn| self.findings(turn + 1).iter().any(|finding| says(finding, quote)))
    }

    /// Returns what the rules find in the first turns.
    fn findings(&self, turns: usize) -> Vec<Finding> {
        let entries = self.turns.iter().take(turns).flat_map(Turn::entries).collect();
        mine(&Transcript { entries: numbered(entries) }, &Around { session: "dialog", ..Around::default() })
            .finds
    }
}

impl Turn {
    fn entries(&self) -> Vec<Entry> {
        let split = split(&self.person);
        let mut entries = vec![entry(Role::User, Kind::Text, &split.typed)];
        if self.did {
            let input =
                json!({ "file_path": "/home/me/shop/src/main.rs", "old_string": "a", "new_string": "b" });
            let call = entry(Role::Assistant, Kind::ToolCall, &input.to_string());
            entries.push(Entry { tool: Some("Edit".to_owned()), ..call });
            entries.push(entry(Role::Tool, Kind::ToolResult, "updated"));
        }
        entries.push(entry(Role::Assistant, Kind::Text, &self.assistant));
        entries.retain(|entry| !entry.text.is_empty());
        entries
    }
}

/// Tells whether a finding still says what this statement says: most of its words, and all of its numbers.
fn says(finding: &Finding, quote: &str) -> bool {
    let (known, words) = (words(&finding.text), words(quote));
    let is_number = |word: &&String| word.starts_with(|c: char| c.is_ascii_digit());
    let shared = words.intersection(&known).count();
    words.iter().filter(is_number).all(|number| known.contains(number))
        && shared as f32 >= MIN_SHARED_WORDS * words.len() as f32
}

fn words(text: &str) -> HashSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}
