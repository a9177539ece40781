//! The grants of a layer, as declared before it runs. The module `grant` enforces them.

use std::collections::BTreeSet;
use std::path::{Component, Path};

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::MemoryGrant;
use crate::error::{Error, Result};

/// A power: the right to answer with more than context. There is one for each decision of the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Power {
    /// Refuse a tool call.
    Deny,
    /// Require the user's confirmation before a tool call.
    Ask,
    /// Allow a tool call without asking.
    Allow,
    /// Replace a tool's input.
    RewriteInput,
    /// Replace a tool's output.
    RewriteOutput,
    /// Refuse a prompt, or send a reason back to the model.
    Block,
    /// Make the session continue.
    GoOn,
}

/// Everything that a layer is granted; by default only its lines in the log. The field names are the keys of
/// `layer.toml` and of `[layers.NAME.grants]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Grants {
    /// The project's memories.
    pub memory: MemoryGrant,
    /// Calls of the language model.
    #[serde(deserialize_with = "model_grant")]
    pub llm: Option<ModelGrant>,
    /// Facts about the project, from git.
    pub project: bool,
    /// Small values between events.
    pub state: bool,
    /// The session so far.
    pub transcript: bool,
    /// The record of earlier sessions of the project. Left out where it is not granted, so that a program of
    /// an earlier version reads the approvals that this one writes.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub sessions: bool,
    /// Captures and jobs.
    pub jobs: bool,
    /// Folders that it may read, relative to the project's root.
    pub files: BTreeSet<String>,
    /// Names of the environment variables that it may read.
    pub environment: BTreeSet<String>,
    /// Lines in the log.
    pub log: bool,
    /// Its powers.
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
            sessions: false,
            jobs: false,
            files: BTreeSet::new(),
            environment: BTreeSet::new(),
            log: true,
            decide: BTreeSet::new(),
        }
    }
}

impl Power {
    /// All powers, the most far-reaching first. They are listed to people in this order.
    pub const ALL: [Self; 7] = [
        Self::Allow,
        Self::RewriteInput,
        Self::RewriteOutput,
        Self::GoOn,
        Self::Block,
        Self::Deny,
        Self::Ask,
    ];

    /// Returns the name in the contract and in the configuration, such as `rewrite-input`.
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
    /// Reads grants as the configuration writes them, converted to JSON.
    ///
    /// # Errors
    /// `Invalid` for an unknown grant, a value of the wrong type, or a folder or variable that cannot be
    /// granted.
    pub fn from_json(value: Value) -> Result<Self> {
        let culprit = invalid_key(&value).map(|key| format!("grants.{key}"));
        let culprit = culprit.as_deref().unwrap_or("grants");
        let grants: Self =
            serde_json::from_value(value).map_err(|error| Error::invalid(format!("{culprit}: {error}")))?;
        if let Some(folder) = grants.files.iter().find(|folder| !is_project_folder(folder)) {
            return Err(Error::invalid(format!(
                "grants: files: {folder:?} is not a folder inside the project"
            )));
        }
        if let Some(name) = grants.environment.iter().find(|name| !is_variable_name(name)) {
            return Err(Error::invalid(format!(
                "grants: environment: {name:?} is not the name of a variable"
            )));
        }
        Ok(grants)
    }

    /// Returns these grants without one power, or without everything under one key.
    ///
    /// # Errors
    /// `Invalid` if there is no such power or key.
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
            "sessions" => self.sessions = false,
            "jobs" => self.jobs = false,
            "files" => self.files.clear(),
            "environment" => self.environment.clear(),
            "log" => self.log = false,
            _ => return Err(Error::invalid(format!("{name:?} is neither a grant nor a power"))),
        }
        Ok(self)
    }

    /// Returns whether the layer is a gate: it may refuse a tool call or require the user's confirmation.
    pub fn is_gate(&self) -> bool {
        self.decide.contains(&Power::Deny) || self.decide.contains(&Power::Ask)
    }

    /// Returns whether the layer may decide in any way whether a tool call runs.
    pub fn decides_on_calls(&self) -> bool {
        self.is_gate() || self.decide.contains(&Power::Allow)
    }
}

/// Returns the first key of the grants that is not valid by itself.
fn invalid_key(value: &Value) -> Option<String> {
    let is_invalid = |(key, value): &(&String, &Value)| {
        serde_json::from_value::<Grants>(serde_json::json!({ key.as_str(): value })).is_err()
    };
    value.as_object()?.iter().find(is_invalid).map(|(key, _)| key.clone())
}

/// Limits on a layer's calls of the language model and on their tokens, per event and per day (UTC).
///
/// Tokens sent and tokens received both count. The spend cap over all layers and projects also applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ModelGrant {
    /// Calls per event.
    pub calls: u32,
    /// Tokens per event.
    pub tokens: u32,
    /// Calls per day.
    pub daily_calls: u32,
    /// Tokens per day.
    pub daily_tokens: u32,
}

impl Default for ModelGrant {
    /// Returns limits that are enough for one draft and its verification in each of about twenty events per
    /// day.
    fn default() -> Self {
        Self { calls: 2, tokens: 8_000, daily_calls: 50, daily_tokens: 50_000 }
    }
}

/// Reads `true` as the default limits, `false` as no grant, or a table of limits.
fn model_grant<'de, D: Deserializer<'de>>(from: D) -> Result<Option<ModelGrant>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "true, false or a table with calls, tokens, daily_calls, daily_tokens")]
    enum ModelSetting {
        Enabled(bool),
        Figures(ModelGrant),
        Null(()),
    }
    Ok(match ModelSetting::deserialize(from)? {
        ModelSetting::Enabled(true) => Some(ModelGrant::default()),
        ModelSetting::Enabled(false) | ModelSetting::Null(()) => None,
        ModelSetting::Figures(figures) => Some(figures),
    })
}

/// Returns whether a path stays inside the project, as it is written, and can be shown to a person.
fn is_project_folder(path: &str) -> bool {
    let is_inside = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    !path.is_empty()
        && !path.contains(interleaf_text::is_invisible)
        && Path::new(path).components().all(is_inside)
}

fn is_variable_name(name: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    !name.is_empty()
        && name.bytes().all(is_allowed)
        && !name.starts_with(|first: char| first.is_ascii_digit())
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
    fn a_summary_lists_grants_and_an_unknown_grant_is_refused() {
        let grants = Grants::from_json(json!({"memory": "read", "decide": ["go-on", "ask"]})).expect("valid");
        assert_eq!(grants.summary(), "decide (go-on, ask), memory (read)");
        assert!(Grants::from_json(json!({"memroy": "read"})).is_err(), "a misspelled grant is refused");
    }

    #[test]
    fn an_error_names_the_grant_and_what_it_expects() {
        let cases = [
            (json!({"state": "yes"}), "grants.state: invalid type: string \"yes\", expected a boolean"),
            (json!({"memroy": "read"}), "grants.memroy: unknown field `memroy`, expected one of `memory`"),
            (
                json!({"memory": "all"}),
                "grants.memory: unknown variant `all`, expected one of `none`, `read`",
            ),
            (json!({"memory": {"reads": true}}), "grants.memory: unknown field `reads`"),
            (json!({"memory": {"read": ["learnings"]}}), "grants.memory: unknown variant `learnings`"),
            (json!({"memory": {"read": "learning"}}), "grants.memory: expected true, false or a list of"),
        ];
        for (grants, expected) in cases {
            let error = Grants::from_json(grants).expect_err("invalid").message;
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn folders_stay_inside_the_project_and_variables_have_names() {
        for folder in ["../secrets", "/etc", "", "docs\u{1b}[2J"] {
            assert!(Grants::from_json(json!({"files": [folder]})).is_err(), "{folder:?}");
        }
        assert!(Grants::from_json(json!({"files": ["docs", "./a/b"], "environment": ["CI", "_x1"]})).is_ok());
        assert!(Grants::from_json(json!({"environment": ["A B"]})).is_err());
    }

    #[test]
    fn a_power_or_a_whole_key_can_be_excluded() -> Result<()> {
        let grants = Grants::from_json(json!({"memory": "read", "decide": ["ask", "deny"]}))?;

        assert_eq!(grants.clone().without("deny")?.summary(), "decide (ask), memory (read)");
        assert_eq!(grants.clone().without("memory")?.summary(), "decide (deny, ask)");
        assert!(grants.without("everything").is_err());
        Ok(())
    }

    #[test]
    fn serialized_grants_read_back_unchanged() {
        let all = json!({
            "memory": {"read": true, "write": ["learning"]}, "llm": {"calls": 1}, "project": true,
            "state": true,
            "transcript": true, "jobs": true, "files": ["docs"], "environment": ["CI"], "log": false,
            "decide": ["allow", "deny"],
        });
        let grants = Grants::from_json(all).expect("valid");

        let again = Grants::from_json(serde_json::to_value(&grants).expect("JSON")).expect("valid");

        assert_eq!(again, grants);
    }
}
