//! What a layer is allowed: the declaration, before anything runs. `grant/` holds layers to it.

mod memory;
mod model;
mod words;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

pub use memory::{MemoryGrant, Reach};
pub use model::ModelGrant;

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

/// Everything a layer is granted; by default nothing but its lines in the log. The keys are those of `layer.toml` and
/// of `[layers.NAME.grants]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Grants {
    /// Memories of the project.
    pub memory: MemoryGrant,
    /// Calls of the language model.
    #[serde(deserialize_with = "model::read")]
    pub llm: Option<ModelGrant>,
    /// Facts about the project, from git.
    pub project: bool,
    /// Small values that outlive the hook process.
    pub state: bool,
    /// The session so far.
    pub transcript: bool,
    /// Captures and jobs.
    pub jobs: bool,
    /// Folders of the project that it may read, relative to the project's root.
    pub files: BTreeSet<String>,
    /// Variables of the environment that it may read, by name.
    pub environment: BTreeSet<String>,
    /// Lines in the user's log.
    pub log: bool,
    /// Answers that change what happens.
    pub decide: BTreeSet<Power>,
}

impl Default for Grants {
    fn default() -> Self {
        Self {
            memory: MemoryGrant::default(),
            llm: None,
            project: false,
            state: false,
            transcript: false,
            jobs: false,
            files: BTreeSet::new(),
            environment: BTreeSet::new(),
            log: true,
            decide: BTreeSet::new(),
        }
    }
}

impl Power {
    /// All of them, the most far-reaching first: the order in which a person should read them.
    pub const ALL: [Self; 7] = [
        Self::Allow,
        Self::RewriteInput,
        Self::RewriteOutput,
        Self::GoOn,
        Self::Block,
        Self::Deny,
        Self::Ask,
    ];

    /// Its name in the contract and in the configuration, such as `rewrite-input`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Deny => "deny",
            Self::Ask => "ask",
            Self::Allow => "allow",
            Self::RewriteInput => "rewrite-input",
            Self::RewriteOutput => "rewrite-output",
            Self::Block => "block",
            Self::GoOn => "go-on",
        }
    }
}

impl Grants {
    /// The grants as the configuration writes them, in JSON.
    ///
    /// # Errors
    /// `Invalid` for a grant that does not exist.
    pub fn read(value: serde_json::Value) -> crate::error::Result<Self> {
        serde_json::from_value(value)
            .map_err(|error| crate::error::Error::invalid(format!("grants: {error}")))
    }

    /// Whether the layer may keep a tool from running, or have the person asked first.
    pub fn is_gate(&self) -> bool {
        self.decide.contains(&Power::Deny) || self.decide.contains(&Power::Ask)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn nothing_is_granted_by_default() {
        assert_eq!(Grants::default().describe(), "nothing");
        assert_eq!(Grants::read(json!({})).expect("empty"), Grants::default());
    }

    #[test]
    fn grants_read_as_they_are_written() {
        let grants = Grants::read(json!({"memory": "read", "decide": ["go-on", "ask"]})).expect("valid");
        assert_eq!(grants.describe(), "decide (go-on, ask), memory (read)");
        assert!(Grants::read(json!({"memroy": "read"})).is_err(), "a misspelt grant is refused");
    }

    #[test]
    fn what_is_written_reads_the_same_again() {
        let all = json!({
            "memory": {"read": true, "write": ["learning"]}, "llm": {"calls": 1}, "project": true, "state": true,
            "transcript": true, "jobs": true, "files": ["docs"], "environment": ["CI"], "log": false,
            "decide": ["allow", "deny"],
        });
        let grants = Grants::read(all).expect("valid");

        let again = Grants::read(serde_json::to_value(&grants).expect("JSON")).expect("valid");

        assert_eq!(again, grants);
    }
}
