//! What a layer is allowed: the declaration, before anything runs. `grant/` holds layers to it.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// How far a layer may go with memories.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Access {
    /// Not at all.
    #[default]
    None,
    /// Search and read.
    Read,
    /// Also create and retire, under the host's write rules.
    Write,
}

/// The power to answer with more than context: one for each decision of the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Power {
    /// Refuse a tool call.
    Deny,
    /// Have the person asked before a tool call.
    Ask,
    /// Let a tool call pass without asking.
    Allow,
    /// Replace a tool's input.
    RewriteInput,
    /// Replace a tool's output.
    RewriteOutput,
    /// Refuse a prompt, or feed a reason back.
    Block,
    /// Make the session go on.
    GoOn,
}

/// Everything a layer is granted; nothing by default. The keys are those of `layer.toml` and of `[layers.NAME.grants]`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Grants {
    /// Memories of the project.
    pub memory: Access,
    /// Calls of the language model.
    pub llm: bool,
    /// Facts about the project, from git.
    pub project: bool,
    /// Small values that outlive the hook process.
    pub state: bool,
    /// The session so far.
    pub transcript: bool,
    /// Captures and jobs.
    pub jobs: bool,
    /// Answers that change what happens.
    pub decide: BTreeSet<Power>,
}

impl Grants {
    /// The grants in words, for a person.
    pub fn describe(&self) -> String {
        let mut words = Vec::new();
        match self.memory {
            Access::None => {}
            Access::Read => words.push("memory (read)".to_owned()),
            Access::Write => words.push("memory (read, write)".to_owned()),
        }
        let named = [
            (self.llm, "llm"),
            (self.project, "project"),
            (self.state, "state"),
            (self.transcript, "transcript"),
            (self.jobs, "jobs"),
        ];
        words.extend(named.iter().filter(|(granted, _)| *granted).map(|(_, name)| (*name).to_owned()));
        if !self.decide.is_empty() {
            words.push(format!("decide ({})", self.powers()));
        }
        if words.is_empty() { "nothing".to_owned() } else { words.join(", ") }
    }

    fn powers(&self) -> String {
        let name = |power| serde_json::to_value(power).ok().and_then(|name| Some(name.as_str()?.to_owned()));
        self.decide.iter().filter_map(name).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_granted_by_default() {
        assert_eq!(Grants::default().describe(), "nothing");
        assert_eq!(serde_json::from_str::<Grants>("{}").expect("empty"), Grants::default());
    }

    #[test]
    fn grants_read_as_they_are_written() {
        let grants: Grants =
            serde_json::from_str(r#"{"memory":"read","decide":["go-on","ask"]}"#).expect("valid");
        assert_eq!(grants.describe(), "memory (read), decide (ask, go-on)");
        assert!(
            serde_json::from_str::<Grants>(r#"{"memroy":"read"}"#).is_err(),
            "a misspelt grant is refused"
        );
    }
}
