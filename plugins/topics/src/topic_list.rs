//! The topics: commands that justify a search for memories. Some are built in; the project's own list holds
//! commands discovered at a session's start, and commands that failed.
//!
//! A topic is a name (`make deploy`), compared word by word with parsed commands; it is never a regular
//! expression.

use serde_json::{Value, json};

use crate::irreversible::{is_irreversible, removes_trees};
use crate::topic_name::topic_name;
use interleaf_shell::Command;

/// Key of the project's list in the state that all layers share.
pub const STATE_KEY: &str = "hot-topics";

/// Maximum number of promoted topics; beyond it, the one that failed longest ago is dropped.
const MAX_PROMOTED_TOPICS: usize = 50;

/// Time after which a promoted topic is dropped unless its command fails again: 30 days.
const PROMOTION_LIFETIME_MS: i64 = 30 * 24 * 60 * 60 * 1_000;

/// Programs that run each of their operands as a target.
const TARGET_RUNNERS: [&str; 4] = ["make", "gmake", "just", "task"];

/// Programs that run the scripts of `package.json`.
const SCRIPT_RUNNERS: [&str; 4] = ["npm", "pnpm", "yarn", "bun"];

/// The project's list of topics, stored in the state under [`STATE_KEY`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Topics {
    /// Topics discovered in the project's files and memories.
    pub patterns: Vec<Topic>,
    /// Topics whose command failed.
    pub promoted: Vec<Topic>,
    /// Time of the last discovery, in milliseconds since the Unix epoch.
    pub generated_at: Option<i64>,
}

/// A command that justifies a search for memories.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Topic {
    /// Program and leading words, such as `make deploy` or `g++`.
    pub command: String,
    /// Its source: `Makefile`, `package.json`, `failure`, …
    pub source: String,
    /// Number of failures; 0 for a discovered topic.
    pub count: u32,
    /// Time of its discovery or last failure, in milliseconds since the Unix epoch.
    pub at: i64,
}

/// A command that matches a topic.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Match<'a> {
    /// Index of the command.
    pub index: usize,
    /// The kind of the built-in topic, or the source of the project's topic.
    pub source: &'a str,
    /// The topic; none for a built-in one.
    pub topic: Option<&'a Topic>,
}

impl Topics {
    /// Reads the output of [`Topics::to_json`]. Invalid entries are dropped.
    pub fn read(json: &str) -> Self {
        let value: Value = serde_json::from_str(json).unwrap_or_default();
        let list = |key: &str| value[key].as_array().into_iter().flatten().filter_map(topic).collect();
        Self {
            patterns: list("patterns"),
            promoted: list("promoted"),
            generated_at: value["generated_at"].as_i64(),
        }
    }

    /// Returns the time of the last discovery from the output of [`Topics::to_json`]. It does not parse the
    /// whole list, because every session start calls it.
    pub fn generated_at(json: &str) -> Option<i64> {
        // A key's quotes cannot occur inside a string, because a string escapes them.
        let (_, after) = json.split_once("\"generated_at\":")?;
        let end = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        after[..end].parse().ok()
    }

    /// Returns the list as JSON: `{patterns, generated_at, promoted}`.
    pub fn to_json(&self) -> String {
        let list = |topics: &[Topic]| -> Value { topics.iter().map(to_json).collect() };
        json!({
            "patterns": list(&self.patterns),
            "generated_at": self.generated_at,
            "promoted": list(&self.promoted),
        })
        .to_string()
    }

    /// Counts a failure of this command, and drops expired topics. Returns false, and changes nothing, for a
    /// command that is too ordinary to be a topic.
    pub fn promote(&mut self, command: &Command, now: i64) -> bool {
        let Some(name) = topic_name(command) else { return false };
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
        while self.promoted.len() > MAX_PROMOTED_TOPICS {
            let oldest = (0..self.promoted.len()).min_by_key(|&at| self.promoted[at].at).unwrap_or_default();
            self.promoted.remove(oldest);
        }
        true
    }

    /// Drops promoted topics whose command has not failed for 30 days.
    pub fn expire(&mut self, now: i64) {
        self.promoted.retain(|topic| now.saturating_sub(topic.at) <= PROMOTION_LIFETIME_MS);
    }

    /// Returns the first of the commands that matches a topic of the list. [`builtin_topic`] matches the
    /// built-in ones.
    pub fn find<'a>(&'a self, commands: &[Command]) -> Option<Match<'a>> {
        commands.iter().enumerate().find_map(|(index, command)| {
            let topic =
                self.promoted.iter().chain(&self.patterns).find(|topic| fits(&topic.command, command))?;
            Some(Match { index, source: &topic.source, topic: Some(topic) })
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

fn to_json(topic: &Topic) -> Value {
    json!({ "command": topic.command, "source": topic.source, "count": topic.count, "at": topic.at })
}

/// Tells whether the topic's name matches the command: the program, then its first arguments or operands. For
/// programs that run several targets, any operand counts.
fn fits(name: &str, command: &Command) -> bool {
    let mut words = name.split_whitespace();
    let program = words.next().and_then(|path| path.rsplit('/').next());
    if program != Some(command.program.as_str()) {
        return false;
    }
    let words: Vec<&str> = words.collect();
    if let ([target], true) = (&words[..], TARGET_RUNNERS.contains(&command.program.as_str())) {
        return command.operands().any(|word| word == *target);
    }
    let starts_with_words =
        |arguments: &mut dyn Iterator<Item = &str>| words.iter().all(|word| arguments.next() == Some(*word));
    if SCRIPT_RUNNERS.contains(&command.program.as_str()) && words.first() == Some(&"run") {
        // `pnpm build` is `pnpm run build`.
        return starts_with_words(
            &mut std::iter::once("run").chain(command.operands().skip_while(|word| *word == "run")),
        );
    }
    starts_with_words(&mut command.operands())
        || starts_with_words(&mut command.arguments.iter().map(String::as_str))
}

/// Returns the first of these commands that matches a built-in topic.
pub fn builtin_topic(commands: &[Command]) -> Option<Match<'static>> {
    let fits = |(index, command): (usize, &Command)| {
        builtin_kind(command).map(|source| Match { index, source, topic: None })
    };
    commands.iter().enumerate().find_map(fits)
}

fn builtin_kind(command: &Command) -> Option<&'static str> {
    match command.program.as_str() {
        _ if removes_trees(command) || is_irreversible(command) => Some("destructive"),
        "ssh" | "scp" | "rsync" | "sftp" => Some("remote"),
        "docker" | "podman" | "kubectl" | "helm" | "docker-compose" => Some("containers"),
        _ if command.is_elevated => Some("elevated"),
        _ => None,
    }
}
