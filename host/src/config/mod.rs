//! The configuration: what holds by default, what the person says in `config.toml`, what the project asks for in
//! `.claude/interleaf.toml`.
//!
//! A project's file is a stranger's: `KEYS` says of every key who may set it, and this is the only place that asks.
//! Where both set the same key the person wins. Nothing here fails: what is wrong with a file becomes a note, which
//! `layers` and `doctor` show, and the rest holds. It is loaded on every hook, so with no file nothing is parsed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::dirs::{Env, Folders};
use crate::layer::{FailurePolicy, FileScope, Grants};
use crate::memory::Policy;

mod apply;
mod description;
mod keys;
mod limits;
mod lookup;
mod model;
mod nearest;
mod note;
mod read;
mod survey;
#[cfg(test)]
mod tests;
mod value;

pub use apply::rejection_reason;
pub use description::{CategoryDescriptions, Lock as DescriptionApprovals};
pub use keys::{KEYS, Key, KeyAccess, ValueKind};
pub use limits::{Budget, Limits};
pub use model::{ClientKind, ModelConfig};
pub use note::Diagnostic;
pub use survey::{LoadedConfig, LoadedSetting, SettingStatus};

/// A configuration file is read on every hook; one of this size (in bytes) takes a few milliseconds.
const MOST_FILE: u64 = 64 << 10;
/// Notes kept of one file. A person who has mended twenty things looks again anyway.
const MOST_NOTES: usize = 20;
/// Where the embedded layers stand in the order of an event; others come after them.
const ORDER: [(&str, i64); 5] =
    [("warmstart", 10), ("recall", 20), ("pretool", 30), ("posttool", 40), ("save", 50)];
const ORDER_OF_OTHERS: i64 = 100;

/// Everything that can be set.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// Whether the environment switches everything off.
    pub disabled: bool,
    /// The embedded layers and those that a file names. See [`Config::layer`] for any other.
    pub layers: BTreeMap<String, LayerConfig>,
    /// Limits of a layer that has none of its own.
    pub limits: Limits,
    /// How much context may be added.
    pub budget: Budget,
    /// Patterns of the person's own, for what must never be stored.
    pub redact: Vec<String>,
    /// Where memories are kept.
    pub store: Store,
    /// What holds for each category of memories, and how long they are kept.
    pub policy: Policy,
    /// The language model that the person chose.
    pub llm: ModelConfig,
    /// What was not heeded and why, one sentence each, with file and line.
    pub warnings: Vec<String>,
}

/// What is set for one layer.
#[derive(Debug, Clone, PartialEq)]
pub struct LayerConfig {
    /// Whether it runs.
    pub enabled: Activation,
    /// Its place among the layers of an event; lower comes first.
    pub order: i64,
    /// A JSON object that only the layer understands.
    pub settings: Value,
    /// What it may use up.
    pub limits: Limits,
    /// A component that is to take this name, as it was written, and by whom.
    pub file: Option<(FileScope, PathBuf)>,
    /// What a layer from a file asks for.
    pub requested_grants: Option<Grants>,
    /// What is to be answered in place of a gate that fails.
    pub on_failure: Option<FailurePolicy>,
}

/// Whether a layer runs, and who says otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activation {
    /// It runs.
    Enabled,
    /// The person has switched it off.
    DisabledByUser,
    /// The project has, which does not hold for a gate that the person accepted.
    DisabledByProject,
}

/// A kind of store for memories.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Store {
    /// One SQLite file for each project, in the person's data folder.
    #[default]
    Sqlite,
}

impl Default for Config {
    fn default() -> Self {
        let limits = Limits::default();
        let layers =
            ORDER.iter().map(|(name, _)| ((*name).to_owned(), LayerConfig::of(name, limits))).collect();
        let (budget, store) = (Budget::default(), Store::default());
        let (policy, llm) = (Policy::default(), ModelConfig::default());
        let (redact, warnings) = (Vec::new(), Vec::new());
        Self { disabled: false, layers, limits, budget, redact, store, policy, llm, warnings }
    }
}

impl LayerConfig {
    fn of(name: &str, limits: Limits) -> Self {
        let order =
            ORDER.iter().find(|(known, _)| *known == name).map_or(ORDER_OF_OTHERS, |(_, order)| *order);
        let settings = Value::Object(serde_json::Map::new());
        Self {
            enabled: Activation::Enabled,
            order,
            settings,
            limits,
            file: None,
            requested_grants: None,
            on_failure: None,
        }
    }
}

impl Config {
    /// Reads the person's file, then the project's ([`Project::config_file`](crate::project::Project)); `project` is the
    /// project's id. Without folders there is no file of the person's, and nothing that they accepted.
    pub fn load(folders: Option<&Folders>, project_file: &Path, project: &str) -> Self {
        LoadedConfig::load(folders, project_file, project).config
    }

    /// What this text would set if it were the person's file.
    pub fn from_user_toml(toml: &str) -> Self {
        LoadedConfig::from_text(Path::new("config.toml"), toml).config
    }

    /// Heeds `INTERLEAF_DISABLE`.
    #[must_use]
    pub fn with_env(mut self, env: Env) -> Self {
        self.disabled = is_disabled(env);
        self
    }

    /// What is set for a layer, whether or not a file names it.
    pub fn layer(&self, name: &str) -> LayerConfig {
        self.layers.get(name).cloned().unwrap_or_else(|| LayerConfig::of(name, self.limits))
    }
}

/// Whether `INTERLEAF_DISABLE` switches everything off: any value but empty, `0` and `false`.
pub fn is_disabled(env: Env) -> bool {
    env("INTERLEAF_DISABLE").is_some_and(|value| !matches!(value.to_str(), Some("" | "0" | "false")))
}

/// The file that the person writes.
pub fn user_file(folders: &Folders) -> PathBuf {
    folders.config.join("config.toml")
}
