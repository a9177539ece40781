//! Grants as text for people: a summary in one line, and one description for each right. Powers come first,
//! because they change the course of a session.

use std::collections::BTreeSet;
use std::fmt::Display;

use super::{CategorySet, Grants, Power};

impl Grants {
    /// Returns all grants in one line, such as `decide (ask), memory (read)`.
    pub fn summary(&self) -> String {
        let mut parts = Vec::new();
        if !self.decide.is_empty() {
            let powers: Vec<&str> = self.powers().map(Power::as_str).collect();
            parts.push(format!("decide ({})", powers.join(", ")));
        }
        parts.extend(self.memory_summary());
        parts.extend(
            self.llm.map(|llm| format!("llm ({} calls, {} tokens per event)", llm.calls, llm.tokens)),
        );
        let switches = [
            (self.project, "project"),
            (self.state, "state"),
            (self.transcript, "transcript"),
            (self.sessions, "sessions"),
            (self.jobs, "jobs"),
        ];
        parts.extend(switches.iter().filter(|(granted, _)| *granted).map(|(_, name)| (*name).to_owned()));
        for (name, list) in [("files", &self.files), ("environment", &self.environment)] {
            if !list.is_empty() {
                parts.push(format!("{name} ({})", join(list)));
            }
        }
        if !self.log {
            parts.push("no log".to_owned());
        }
        if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") }
    }

    /// Returns one description for each right. The user reads them before accepting a layer, and they are
    /// compared with those of the previously accepted version.
    pub fn descriptions(&self) -> Vec<String> {
        let mut descriptions: Vec<String> =
            self.powers().map(|power| power.description().to_owned()).collect();
        let rights = [("reads", &self.memory.read), ("writes and retires", &self.memory.write)];
        for (verb, set) in rights.iter().filter(|(_, set)| **set != CategorySet::None) {
            descriptions.push(format!("{verb} {}", set.description()));
        }
        if let Some(llm) = self.llm {
            descriptions.push(format!(
                "calls the language model: up to {} calls and {} tokens per event, {} and {} per day",
                llm.calls, llm.tokens, llm.daily_calls, llm.daily_tokens
            ));
        }
        let switches = [
            (self.project, "asks git about the project: branch, commits, changed files"),
            (self.state, "stores small values between events, and shares some of them with other layers"),
            (self.transcript, "reads the conversation so far"),
            (
                self.sessions,
                "searches the recorded earlier sessions of the project: prompts, answers and commands",
            ),
            (
                self.jobs,
                "queues jobs that run after the event, and reads and deletes what all layers captured: \
                 prompts, commands and outputs of every session of the project",
            ),
        ];
        descriptions
            .extend(switches.iter().filter(|(granted, _)| *granted).map(|(_, text)| (*text).to_owned()));
        descriptions.extend(self.files.iter().map(|folder| match folder.as_str() {
            "." => "reads all files of the project, including hidden ones".to_owned(),
            // In quotes, so that a name cannot go on as a part of the sentence.
            _ => format!("reads the files below {:?}", format!("{folder}/")),
        }));
        descriptions
            .extend(self.environment.iter().map(|name| format!("reads the environment variable {name}")));
        descriptions
    }

    fn powers(&self) -> impl Iterator<Item = Power> {
        Power::ALL.into_iter().filter(|power| self.decide.contains(power))
    }

    fn memory_summary(&self) -> Option<String> {
        let rights = [("read", &self.memory.read), ("write", &self.memory.write)];
        let granted = rights.iter().filter_map(|(name, set)| match set {
            CategorySet::None => None,
            CategorySet::All => Some((*name).to_owned()),
            CategorySet::Only(categories) => Some(format!("{name} {}", join(categories))),
        });
        let granted: Vec<String> = granted.collect();
        (!granted.is_empty()).then(|| format!("memory ({})", granted.join(", ")))
    }
}

impl Power {
    /// Returns a phrase that says what the power lets a layer do.
    pub const fn description(self) -> &'static str {
        match self {
            Self::Allow => "can allow tool calls without asking you",
            Self::RewriteInput => "can change the input of a tool before it runs",
            Self::RewriteOutput => "can change what the model sees of a tool's output",
            Self::GoOn => "can make the session continue when it would stop",
            Self::Block => "can refuse prompts, and send reasons back to the model",
            Self::Deny => "can refuse tool calls",
            Self::Ask => "can require your confirmation before a tool call",
        }
    }
}

impl CategorySet {
    fn description(&self) -> String {
        match self {
            Self::Only(categories) if categories.len() == 1 => {
                format!("memories of the category {}", join(categories))
            }
            Self::Only(categories) => format!("memories of the categories {}", join(categories)),
            Self::None | Self::All => "all memories of the project".to_owned(),
        }
    }
}

fn join<T: Display>(list: &BTreeSet<T>) -> String {
    list.iter().map(T::to_string).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn powers_are_described_first() {
        let grants = Grants::from_json(json!({"memory": {"read": ["decision"]}, "decide": ["ask", "allow"]}));

        assert_eq!(
            grants.expect("valid").descriptions(),
            [
                "can allow tool calls without asking you",
                "can require your confirmation before a tool call",
                "reads memories of the category decision",
            ]
        );
    }
}
