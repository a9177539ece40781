//! The project's own list: what was discovered at a session's start, and what failures promoted.
//!
//! A topic is a name (`make deploy`), compared word by word with parsed commands; it is never a regular expression.

use serde_json::{Value, json};

use crate::command::Command;
use crate::name;

/// Promotions kept; the one that failed longest ago makes room.
const PROMOTED: usize = 50;

/// Milliseconds after which a promotion is forgotten unless the command failed again: 30 days.
const KEPT: i64 = 30 * 24 * 60 * 60 * 1_000;

/// Programs that run each word they are given.
const RUN_EACH: [&str; 4] = ["make", "gmake", "just", "task"];

/// Programs that run the scripts of `package.json`.
const RUN_SCRIPTS: [&str; 4] = ["npm", "pnpm", "yarn", "bun"];

/// The list, as it is kept in the project's state under `hot-topics`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Topics {
    /// Discovered in the project's files and memories.
    pub patterns: Vec<Topic>,
    /// Brought by failures.
    pub promoted: Vec<Topic>,
    /// When the patterns were discovered, in milliseconds since the epoch.
    pub generated_at: Option<i64>,
}

/// A command worth a look.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Topic {
    /// Program and leading words, such as `make deploy` or `g++`.
    pub command: String,
    /// Where it comes from: `Makefile`, `package.json`, `failure`, …
    pub source: String,
    /// How often it failed; 0 for a discovered one.
    pub count: u32,
    /// When it was discovered or last failed, in milliseconds since the epoch.
    pub at: i64,
}

/// What fits a command line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Match<'a> {
    /// Which of the commands.
    pub at: usize,
    /// The kind of the base pattern, or where the topic comes from.
    pub source: &'a str,
    /// The topic; none for a base pattern.
    pub topic: Option<&'a Topic>,
}

impl Topics {
    /// Reads what [`Topics::to_json`] wrote. Whatever is broken is left out.
    pub fn read(json: &str) -> Self {
        let value: Value = serde_json::from_str(json).unwrap_or_default();
        let list = |key: &str| value[key].as_array().into_iter().flatten().filter_map(topic).collect();
        Self {
            patterns: list("patterns"),
            promoted: list("promoted"),
            generated_at: value["generated_at"].as_i64(),
        }
    }

    /// When the list that [`Topics::to_json`] wrote was generated, without reading all of it: every session asks.
    pub fn generated_at(json: &str) -> Option<i64> {
        // Inside a string the quotes would be escaped.
        let (_, after) = json.split_once("\"generated_at\":")?;
        let end = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        after[..end].parse().ok()
    }

    /// As JSON: `{patterns, generated_at, promoted}`.
    pub fn to_json(&self) -> String {
        let list = |topics: &[Topic]| -> Value { topics.iter().map(written).collect() };
        json!({
            "patterns": list(&self.patterns),
            "generated_at": self.generated_at,
            "promoted": list(&self.promoted),
        })
        .to_string()
    }

    /// Counts a failure of this command, and forgets what failed too long ago. False, with nothing changed, for a
    /// command that is too ordinary to be a topic.
    pub fn promote(&mut self, command: &Command, now: i64) -> bool {
        let Some(name) = name::pattern(command) else { return false };
        self.expire(now);
        match self.promoted.iter_mut().find(|topic| topic.command == name) {
            Some(known) => {
                known.count = known.count.saturating_add(1);
                known.at = known.at.max(now);
            }
            None => {
                self.promoted.push(Topic { command: name, source: "failure".to_owned(), count: 1, at: now })
            }
        }
        while self.promoted.len() > PROMOTED {
            let oldest = (0..self.promoted.len()).min_by_key(|&at| self.promoted[at].at).unwrap_or_default();
            self.promoted.remove(oldest);
        }
        true
    }

    /// Forgets promotions whose command has not failed for 30 days.
    pub fn expire(&mut self, now: i64) {
        self.promoted.retain(|topic| now.saturating_sub(topic.at) <= KEPT);
    }

    /// The first of the commands that a topic of the list fits. Base patterns are asked by [`crate::base`].
    pub fn find<'a>(&'a self, commands: &[Command]) -> Option<Match<'a>> {
        commands.iter().enumerate().find_map(|(at, command)| {
            let topic =
                self.promoted.iter().chain(&self.patterns).find(|topic| fits(&topic.command, command))?;
            Some(Match { at, source: &topic.source, topic: Some(topic) })
        })
    }
}

fn topic(value: &Value) -> Option<Topic> {
    let command = value.as_str().or_else(|| value["command"].as_str())?.trim().to_owned();
    let source = value["source"].as_str().unwrap_or_default().to_owned();
    let count = value["count"].as_u64().and_then(|count| u32::try_from(count).ok()).unwrap_or_default();
    (!command.is_empty()).then(|| Topic {
        command,
        source,
        count,
        at: value["at"].as_i64().unwrap_or_default(),
    })
}

fn written(topic: &Topic) -> Value {
    json!({ "command": topic.command, "source": topic.source, "count": topic.count, "at": topic.at })
}

/// Whether the name's words are the command's: the program, then its first arguments or operands. Any target counts
/// for programs that run several.
fn fits(name: &str, command: &Command) -> bool {
    let mut words = name.split_whitespace();
    let program = words.next().and_then(|path| path.rsplit('/').next());
    if program != Some(command.program.as_str()) {
        return false;
    }
    let words: Vec<&str> = words.collect();
    if let ([target], true) = (&words[..], RUN_EACH.contains(&command.program.as_str())) {
        return command.operands().any(|word| word == *target);
    }
    let leads = |given: &mut dyn Iterator<Item = &str>| words.iter().all(|word| given.next() == Some(*word));
    if RUN_SCRIPTS.contains(&command.program.as_str()) && words.first() == Some(&"run") {
        // `pnpm build` is `pnpm run build`.
        return leads(
            &mut std::iter::once("run").chain(command.operands().skip_while(|word| *word == "run")),
        );
    }
    leads(&mut command.operands()) || leads(&mut command.arguments.iter().map(String::as_str))
}
