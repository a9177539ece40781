//! Whether work was done, which is what a session summary is about. Messages alone are none: seed 003 gave thirty of
//! them a summary each time.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::Value;

use crate::find::Evidence;
use crate::talk::{Ending, Entry, Kind, Role, Talk};

use super::lines::is_the_clients;

/// Tools that change files.
const EDITING: [&str; 4] = ["Edit", "Write", "MultiEdit", "NotebookEdit"];
/// `git` that only looks.
const LOOKING: [&str; 7] = ["status", "log", "diff", "show", "branch", "blame", "grep"];
/// Three of a kind are as good as thirty.
const MOST: usize = 3;
/// What three of a kind weigh together: both kinds of work with one exchange, or one kind with three, are a session
/// worth a summary (.60); talk without work is not (.30).
const EDITS: f32 = 0.45;
const COMMANDS: f32 = 0.45;
const EXCHANGES: f32 = 0.3;
/// Characters of a call that are shown.
const SHOWN: usize = 120;

/// What was done: the calls that succeeded.
pub(super) struct Done<'t> {
    talk: &'t Talk,
    edits: Vec<&'t Entry>,
    /// Commands that do something, with their place in the talk and what they do.
    commands: Vec<(usize, &'t Entry, Vec<String>)>,
}

impl<'t> Done<'t> {
    /// Looks at all calls once.
    pub fn of(talk: &'t Talk) -> Self {
        let results = talk.entries.iter().filter(|entry| entry.kind == Kind::ToolResult);
        let fine: HashSet<&str> =
            results.filter(|it| it.ending == Ending::Fine).filter_map(|it| it.call.as_deref()).collect();
        let calls = || {
            let calls = talk.entries.iter().enumerate().filter(|(_, entry)| entry.kind == Kind::ToolCall);
            calls.filter(|(_, call)| call.call.as_deref().is_some_and(|id| fine.contains(id)))
        };
        let commands = calls().filter_map(|(at, call)| Some((at, call, doing(call)?)));
        let edits = calls().map(|(_, call)| call).filter(|call| is_edit(call));
        Self { talk, edits: edits.collect(), commands: commands.collect() }
    }

    /// How much it is, and where it shows.
    pub fn score(&self) -> (f32, Vec<Evidence>) {
        let different: HashSet<&[String]> =
            self.commands.iter().map(|(.., doing)| doing.as_slice()).collect();
        let exchanges = self.talk.entries.iter().filter(|entry| is_prompt(entry)).count();
        let score =
            share(self.edits.len(), EDITS) + share(different.len(), COMMANDS) + share(exchanges, EXCHANGES);
        let calls = self.edits.iter().take(MOST).copied();
        let calls = calls.chain(self.commands.iter().take(MOST).map(|(_, call, _)| *call)).map(shown);
        // Sums of thirds are not exact, and a threshold is met by being met.
        ((score.min(1.0) * 1000.0).round() / 1000.0, ends(self.talk).chain(calls).collect())
    }

    /// The failures after which the same command succeeded, and that success, by their places in the talk.
    pub fn fixed(&self) -> BTreeMap<usize, usize> {
        let calls = self.talk.entries.iter().filter(|entry| entry.kind == Kind::ToolCall);
        let calls: HashMap<&str, &Entry> = calls.filter_map(|it| Some((it.call.as_deref()?, it))).collect();
        let mut successes: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, _, doing) in &self.commands {
            doing.iter().for_each(|done| successes.entry(done).or_default().push(*at));
        }
        let failures = self.talk.entries.iter().enumerate().filter(|(_, it)| it.ending == Ending::Failed);
        let fixed = failures.filter_map(|(at, failure)| {
            let tried = doing(calls.get(failure.call.as_deref()?)?)?.pop()?;
            let later = successes.get(tried.as_str())?.iter().find(|done| **done > at)?;
            Some((at, *later))
        });
        fixed.collect()
    }
}

fn share(count: usize, of: f32) -> f32 {
    count.min(MOST) as f32 / MOST as f32 * of
}

fn is_edit(call: &Entry) -> bool {
    call.tool.as_deref().is_some_and(|tool| EDITING.contains(&tool))
}

/// What a shell call does, command by command; none where it only looks.
fn doing(call: &Entry) -> Option<Vec<String>> {
    let input: Value = serde_json::from_str(&call.text).ok()?;
    let commands = topics::commands(input["command"].as_str()?);
    let does = |command: &topics::Command| {
        let looks =
            command.program == "git" && command.subcommand().is_some_and(|verb| LOOKING.contains(&verb));
        !topics::is_ordinary(&command.program) && !looks
    };
    let doing: Vec<String> =
        commands.iter().filter(|command| does(command)).map(topics::Command::text).collect();
    (!doing.is_empty()).then_some(doing)
}

fn is_prompt(entry: &Entry) -> bool {
    entry.role == Role::User && entry.kind == Kind::Text && !is_the_clients(&entry.text)
}

/// The first thing asked and the last thing said: what it was about, and what came of it.
fn ends(talk: &Talk) -> impl Iterator<Item = Evidence> {
    let first = talk.entries.iter().find(|entry| is_prompt(entry));
    let last = talk.entries.iter().rfind(|entry| entry.role == Role::Assistant && entry.kind == Kind::Text);
    first.into_iter().chain(last).map(shown)
}

/// The beginning of an entry as evidence.
pub(super) fn shown(entry: &Entry) -> Evidence {
    let end = entry.text.char_indices().nth(SHOWN).map_or(entry.text.len(), |(at, _)| at);
    Evidence { quote: entry.text[..end].to_owned(), cursor: entry.cursor }
}
