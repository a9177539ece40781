//! What a layer is allowed: the declaration, before anything runs. `grant/` holds layers to it.

mod memory;
mod model;
mod words;

use std::collections::BTreeSet;
use std::path::{Component, Path};

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

pub use memory::{CategorySet, MemoryGrant};
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
    pub fn from_json(value: serde_json::Value) -> Result<Self> {
        let grants: Self =
            serde_json::from_value(value).map_err(|error| Error::invalid(format!("grants: {error}")))?;
        if let Some(folder) = grants.files.iter().find(|folder| !is_folder(folder)) {
            return Err(Error::invalid(format!("grants: files: {folder:?} is no folder within the project")));
        }
        if let Some(name) = grants.environment.iter().find(|name| !is_variable(name)) {
            return Err(Error::invalid(format!("grants: environment: {name:?} is no name of a variable")));
        }
        Ok(grants)
    }

    /// These grants without one: a power, or everything under a key.
    ///
    /// # Errors
    /// `Invalid` for what is neither.
    pub fn without(mut self, name: &str) -> Result<Self> {
        if let Some(power) = Power::ALL.into_iter().find(|power| power.as_str() == name) {
            self.decide.remove(&power);
            return Ok(self);
        }
        match name {
            "memory" => self.memory = MemoryGrant::default(),
            "llm" => self.llm = None,
            "project" => self.project = false,
            "state" => self.state = false,
            "transcript" => self.transcript = false,
            "jobs" => self.jobs = false,
            "files" => self.files.clear(),
            "environment" => self.environment.clear(),
            "log" => self.log = false,
            _ => return Err(Error::invalid(format!("there is no grant or power {name:?}"))),
        }
        Ok(self)
    }

    /// Whether the layer may keep a tool from running, or have the person asked first.
    pub fn is_gate(&self) -> bool {
        self.decide.contains(&Power::Deny) || self.decide.contains(&Power::Ask)
    }
}

/// A path that leads nowhere outside of the project, as it is written, and that can be shown to a person.
fn is_folder(path: &str) -> bool {
    let within = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    !path.is_empty() && !path.contains(char::is_control) && Path::new(path).components().all(within)
}

fn is_variable(name: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    !name.is_empty() && name.bytes().all(fits) && !name.starts_with(|first: char| first.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn nothing_is_granted_by_default() {
        assert_eq!(Grants::default().summary(), "nothing");
        assert_eq!(Grants::from_json(json!({})).expect("empty"), Grants::default());
    }

    #[test]
    fn grants_read_as_they_are_written() {
        let grants = Grants::from_json(json!({"memory": "read", "decide": ["go-on", "ask"]})).expect("valid");
        assert_eq!(grants.summary(), "decide (go-on, ask), memory (read)");
        assert!(Grants::from_json(json!({"memroy": "read"})).is_err(), "a misspelt grant is refused");
    }

    #[test]
    fn folders_stay_within_the_project_and_variables_have_names() {
        for folder in ["../secrets", "/etc", "", "docs\u{1b}[2J"] {
            assert!(Grants::from_json(json!({"files": [folder]})).is_err(), "{folder:?}");
        }
        assert!(Grants::from_json(json!({"files": ["docs", "./a/b"], "environment": ["CI", "_x1"]})).is_ok());
        assert!(Grants::from_json(json!({"environment": ["A B"]})).is_err());
    }

    #[test]
    fn a_power_or_a_whole_key_can_be_left_out() -> Result<()> {
        let grants = Grants::from_json(json!({"memory": "read", "decide": ["ask", "deny"]}))?;

        assert_eq!(grants.clone().without("deny")?.summary(), "decide (ask), memory (read)");
        assert_eq!(grants.clone().without("memory")?.summary(), "decide (deny, ask)");
        assert!(grants.without("everything").is_err());
        Ok(())
    }

    #[test]
    fn what_is_written_reads_the_same_again() {
        let all = json!({
            "memory": {"read": true, "write": ["learning"]}, "llm": {"calls": 1}, "project": true, "state": true,
            "transcript": true, "jobs": true, "files": ["docs"], "environment": ["CI"], "log": false,
            "decide": ["allow", "deny"],
        });
        let grants = Grants::from_json(all).expect("valid");

        let again = Grants::from_json(serde_json::to_value(&grants).expect("JSON")).expect("valid");

        assert_eq!(again, grants);
    }
}
