//! Measures activity: edits, commands and prompts. A session summary describes work; a session of messages
//! alone needs none.

use interleaf_text::client_text::is_client_message;

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::Value;

use crate::finding::Evidence;
use crate::transcript::{Ending, Entry, Kind, Role, Transcript};

/// Tools that change files.
const EDITING: [&str; 4] = ["Edit", "Write", "MultiEdit", "NotebookEdit"];
/// Subcommands of `git` that change nothing.
const READ_ONLY_GIT: [&str; 7] = ["status", "log", "diff", "show", "branch", "blame", "grep"];
/// Maximum number of edits, commands and prompts that count: three are as significant as thirty.
const MAX_COUNTED: usize = 3;
// Weight of each kind of activity at its maximum count. Both kinds of work with one prompt, or one kind with
// three prompts, reach the threshold of a summary (.60); prompts without work do not (.30).
const EDITS_WEIGHT: f32 = 0.45;
const COMMANDS_WEIGHT: f32 = 0.45;
const PROMPTS_WEIGHT: f32 = 0.3;
/// Maximum length of an entry's excerpt as evidence, in characters.
const MAX_EXCERPT_CHARS: usize = 120;

/// The successful tool calls of a session.
pub struct Activity<'t> {
    talk: &'t Transcript,
    edits: Vec<&'t Entry>,
    /// Commands that change something: the index of the entry, the entry, and the commands in it.
    commands: Vec<(usize, &'t Entry, Vec<String>)>,
}

impl<'t> Activity<'t> {
    /// Collects the successful tool calls.
    pub fn of(talk: &'t Transcript) -> Self {
        let results = talk.entries.iter().filter(|entry| entry.kind == Kind::ToolResult);
        let fine: HashSet<&str> =
            results.filter(|it| it.ending == Ending::Fine).filter_map(|it| it.call.as_deref()).collect();
        let calls = || {
            let calls = talk.entries.iter().enumerate().filter(|(_, entry)| entry.kind == Kind::ToolCall);
            calls.filter(|(_, call)| call.call.as_deref().is_some_and(|id| fine.contains(id)))
        };
        let commands = calls().filter_map(|(at, call)| Some((at, call, changing_commands(call)?)));
        let edits = calls().map(|(_, call)| call).filter(|call| is_edit(call));
        Self { talk, edits: edits.collect(), commands: commands.collect() }
    }

    /// Returns the score of a session summary, with evidence.
    pub fn score(&self) -> (f32, Vec<Evidence>) {
        let different: HashSet<&[String]> =
            self.commands.iter().map(|(.., texts)| texts.as_slice()).collect();
        let prompts = self.talk.entries.iter().filter(|entry| is_prompt(entry)).count();
        let score = share(self.edits.len(), EDITS_WEIGHT)
            + share(different.len(), COMMANDS_WEIGHT)
            + share(prompts, PROMPTS_WEIGHT);
        let calls = self.edits.iter().take(MAX_COUNTED).copied();
        let calls =
            calls.chain(self.commands.iter().take(MAX_COUNTED).map(|(_, call, _)| *call)).map(excerpt);
        // Rounded, because sums of thirds are not exact and a score equal to the threshold must reach it.
        ((score.min(1.0) * 1000.0).round() / 1000.0, ends(self.talk).chain(calls).collect())
    }

    /// Returns the failures after which the same command succeeded: the index of the failure's entry, with
    /// that of the success.
    pub fn fixed_failures(&self) -> BTreeMap<usize, usize> {
        let calls = self.talk.entries.iter().filter(|entry| entry.kind == Kind::ToolCall);
        let calls: HashMap<&str, &Entry> = calls.filter_map(|it| Some((it.call.as_deref()?, it))).collect();
        let mut successes: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, _, texts) in &self.commands {
            texts.iter().for_each(|text| successes.entry(text).or_default().push(*at));
        }
        let failures = self.talk.entries.iter().enumerate().filter(|(_, it)| it.ending == Ending::Failed);
        let fixed = failures.filter_map(|(at, failure)| {
            let command = changing_commands(calls.get(failure.call.as_deref()?)?)?.pop()?;
            let later = successes.get(command.as_str())?.iter().find(|success| **success > at)?;
            Some((at, *later))
        });
        fixed.collect()
    }
}

fn share(count: usize, of: f32) -> f32 {
    count.min(MAX_COUNTED) as f32 / MAX_COUNTED as f32 * of
}

fn is_edit(call: &Entry) -> bool {
    call.tool.as_deref().is_some_and(|tool| EDITING.contains(&tool))
}

/// Returns the commands of a shell call that change something.
fn changing_commands(call: &Entry) -> Option<Vec<String>> {
    let input: Value = serde_json::from_str(&call.text).ok()?;
    let commands = topics::commands(input["command"].as_str()?);
    let changes_something = |command: &topics::Command| {
        let is_read_only_git = command.program == "git"
            && command.subcommand().is_some_and(|verb| READ_ONLY_GIT.contains(&verb));
        !topics::is_ordinary(&command.program) && !is_read_only_git
    };
    let texts: Vec<String> =
        commands.iter().filter(|command| changes_something(command)).map(topics::Command::text).collect();
    (!texts.is_empty()).then_some(texts)
}

fn is_prompt(entry: &Entry) -> bool {
    entry.role == Role::User && entry.kind == Kind::Text && !is_client_message(&entry.text)
}

/// Returns the first prompt and the last text of the assistant: the goal of the session and its result.
fn ends(talk: &Transcript) -> impl Iterator<Item = Evidence> {
    let first = talk.entries.iter().find(|entry| is_prompt(entry));
    let last = talk.entries.iter().rfind(|entry| entry.role == Role::Assistant && entry.kind == Kind::Text);
    first.into_iter().chain(last).map(excerpt)
}

/// Returns the beginning of an entry as evidence.
pub fn excerpt(entry: &Entry) -> Evidence {
    let end = entry.text.char_indices().nth(MAX_EXCERPT_CHARS).map_or(entry.text.len(), |(at, _)| at);
    Evidence { quote: entry.text[..end].to_owned(), cursor: entry.cursor }
}
