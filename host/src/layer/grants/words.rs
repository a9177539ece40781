//! Grants in words for a person: powers first, because those decide over the session.

use super::{CategorySet, Grants, Power};

impl Grants {
    /// All of it in a line, such as `decide (ask), memory (read)`.
    pub fn summary(&self) -> String {
        let mut words = Vec::new();
        if !self.decide.is_empty() {
            words.push(format!("decide ({})", self.powers()));
        }
        words.extend(self.memory());
        words
            .extend(self.llm.map(|llm| format!("llm ({} calls, {} tokens an event)", llm.calls, llm.tokens)));
        let named = [
            (self.project, "project"),
            (self.state, "state"),
            (self.transcript, "transcript"),
            (self.jobs, "jobs"),
        ];
        words.extend(named.iter().filter(|(granted, _)| *granted).map(|(_, name)| (*name).to_owned()));
        for (name, list) in [("files", &self.files), ("environment", &self.environment)] {
            if !list.is_empty() {
                words.push(format!("{name} ({})", join(list)));
            }
        }
        if !self.log {
            words.push("no log".to_owned());
        }
        if words.is_empty() { "nothing".to_owned() } else { words.join(", ") }
    }

    /// One sentence for each right, to read before accepting and to compare with what was accepted before.
    pub fn descriptions(&self) -> Vec<String> {
        let powers = Power::ALL.into_iter().filter(|power| self.decide.contains(power));
        let mut told: Vec<String> = powers.map(|power| power.description().to_owned()).collect();
        let rights = [("reads", &self.memory.read), ("writes and retires", &self.memory.write)];
        for (does, reach) in rights.iter().filter(|(_, reach)| **reach != CategorySet::None) {
            told.push(format!("{does} {}", reach.description()));
        }
        if let Some(llm) = self.llm {
            told.push(format!(
                "asks the language model: {} calls and {} tokens an event, {} and {} a day",
                llm.calls, llm.tokens, llm.daily_calls, llm.daily_tokens
            ));
        }
        let named = [
            (self.project, "asks git about the project: branch, commits, changed files"),
            (self.state, "keeps small values from one event to the next, and shares some with other layers"),
            (self.transcript, "reads the conversation so far"),
            (self.jobs, "queues captures, and work for after the event"),
        ];
        told.extend(named.iter().filter(|(granted, _)| *granted).map(|(_, words)| (*words).to_owned()));
        told.extend(self.files.iter().map(|folder| match folder.as_str() {
            "." => "reads all files of the project, hidden ones, too".to_owned(),
            _ => format!("reads the files below {folder}/"),
        }));
        told.extend(self.environment.iter().map(|name| format!("reads the environment variable {name}")));
        told
    }

    fn powers(&self) -> String {
        let held = Power::ALL.into_iter().filter(|power| self.decide.contains(power));
        held.map(Power::as_str).collect::<Vec<_>>().join(", ")
    }

    fn memory(&self) -> Option<String> {
        let rights = [("read", &self.memory.read), ("write", &self.memory.write)];
        let held = rights.iter().filter_map(|(name, reach)| match reach {
            CategorySet::None => None,
            CategorySet::All => Some((*name).to_owned()),
            CategorySet::Only(_) => Some(format!("{name} {}", reach.list())),
        });
        let held: Vec<String> = held.collect();
        (!held.is_empty()).then(|| format!("memory ({})", held.join(", ")))
    }
}

impl Power {
    /// What it lets a layer do.
    pub const fn description(self) -> &'static str {
        match self {
            Self::Allow => "lets tool calls pass without you being asked",
            Self::RewriteInput => "changes what a tool is given before it runs",
            Self::RewriteOutput => "changes what the model sees of a tool's output",
            Self::GoOn => "makes the session go on when it would stop",
            Self::Block => "refuses prompts, and feeds reasons back to the model",
            Self::Deny => "refuses tool calls",
            Self::Ask => "has you asked before a tool call",
        }
    }
}

impl CategorySet {
    fn list(&self) -> String {
        match self {
            Self::Only(categories) => join(categories),
            Self::None | Self::All => String::new(),
        }
    }

    fn description(&self) -> String {
        match self {
            Self::Only(_) => format!("memories of the categories {}", self.list()),
            Self::None | Self::All => "all memories of the project".to_owned(),
        }
    }
}

fn join<T: std::fmt::Display>(list: &std::collections::BTreeSet<T>) -> String {
    list.iter().map(T::to_string).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn powers_are_told_first() {
        let grants = Grants::from_json(json!({"memory": {"read": ["decision"]}, "decide": ["ask", "allow"]}));

        assert_eq!(
            grants.expect("valid").descriptions(),
            [
                "lets tool calls pass without you being asked",
                "has you asked before a tool call",
                "reads memories of the categories decision",
            ]
        );
    }
}
