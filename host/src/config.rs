//! The configuration: default values, the user's `config.toml`, and the project's `.claude/interleaf.toml`.
//!
//! A project's file is untrusted: the table of keys defines who may set each key, and only this module
//! enforces it. If the user and the project set the same key, the user's value applies. Loading never fails:
//! every problem of a file becomes a diagnostic, which `interleaf layers` and `interleaf doctor` show, and
//! the other settings apply. Every hook loads the configuration, so it is cheap without files: nothing is
//! parsed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::dirs::{Env, Folders};
use crate::error::{Error, Result};
use crate::layer::{FailurePolicy, FileScope, Grants, Layer};
use crate::memory::Policy;
use crate::redact::Redactor;

mod category_descriptions;
mod effective_values;
mod key;
mod key_path;
mod key_table;
mod layer_settings;
mod limits;
mod loaded_config;
mod model_config;
mod record_config;
mod settings_merge;
mod sync_config;
#[cfg(test)]
mod tests;
mod toml_reader;

pub use category_descriptions::{CategoryDescriptions, DescriptionApprovals};
pub use key::{Key, KeyAccess, ValueKind};
pub use key_table::KEYS;
pub use layer_settings::{LAYER_SETTINGS, LayerSetting, ProjectRight, SettingKind, unknown_setting};
pub use limits::{Budget, Limits};
pub use loaded_config::{Diagnostic, LoadedConfig, LoadedSetting};
pub use model_config::{ClientKind, ModelConfig};
pub use record_config::{RecordChoice, RecordConfig};
pub use settings_merge::{SettingStatus, rejection_reason};
pub use sync_config::{PLACES, SyncConfig};

/// Maximum size of a configuration file, in bytes. Every hook reads it, and a file of this size takes a few
/// milliseconds.
const MAX_FILE_BYTES: u64 = 64 << 10;
/// Maximum number of warnings about one file. A person who has fixed twenty problems runs the command again.
const MAX_WARNINGS_PER_FILE: usize = 20;
/// The order of the embedded layers in an event.
const EMBEDDED_ORDER: [(&str, i64); 5] =
    [("warmstart", 10), ("recall", 20), ("pretool", 30), ("posttool", 40), ("save", 50)];
/// The embedded layer that asks the person before an agent widens its own rights. Neither a project nor a
/// configuration in a folder that the person has not recorded can disable it or lower its limits.
pub const GUARD: &str = "pretool";
/// The order of any other layer: after the embedded ones.
const DEFAULT_ORDER: i64 = 100;

/// The whole configuration.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// Whether the environment disables Interleaf.
    pub disabled: bool,
    /// The embedded layers and those that a file names. See [`Config::layer`] for any other.
    pub layers: BTreeMap<String, LayerConfig>,
    /// The limits of a layer that has no own limits.
    pub limits: Limits,
    /// The limits on the context that layers may add.
    pub budget: Budget,
    /// The user's own patterns for secrets.
    pub redact: Vec<String>,
    /// Why the user's own patterns are not known, with file and line.
    pub redact_obstacle: Option<String>,
    /// The policy for each category of memories, and the retention of memories.
    pub policy: Policy,
    /// The language model that the user chose.
    pub llm: ModelConfig,
    /// Where memories are exchanged.
    pub sync: SyncConfig,
    /// Whether sessions are recorded.
    pub record: RecordConfig,
    /// Problems of the files and pending decisions of the user, one sentence each, with file and line.
    pub warnings: Vec<String>,
}

/// The configuration of one layer.
#[derive(Debug, Clone, PartialEq)]
pub struct LayerConfig {
    /// Whether the layer runs.
    pub enabled: Activation,
    /// Its position among the layers of an event; lower comes first.
    pub order: i64,
    /// A JSON object that only the layer interprets.
    pub settings: Value,
    /// The limits of the layer.
    pub limits: Limits,
    /// The path of the component to use under this name, as it was written, and the owner of the file that
    /// names it.
    pub file: Option<(FileScope, PathBuf)>,
    /// The grants that are requested for a layer from a file.
    pub requested_grants: Option<Grants>,
    /// The answer if a gate fails.
    pub on_failure: Option<FailurePolicy>,
    /// Whether it shows memories by their titles alone.
    pub shows_titles_only: bool,
}

/// Whether a layer runs, and if not, who disabled it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activation {
    /// The layer runs.
    Enabled,
    /// The user disabled it.
    DisabledByUser,
    /// The project disabled it, which has no effect on a gate that the user accepted.
    DisabledByProject,
}

impl Activation {
    /// Returns whether this layer runs. A project cannot disable a layer that guards tool calls.
    pub fn allows(self, layer: &Layer) -> bool {
        match self {
            Self::Enabled => true,
            Self::DisabledByUser => false,
            Self::DisabledByProject => layer.is_guard(),
        }
    }
}

impl Default for Config {
    fn default() -> Self {
        let limits = Limits::default();
        let layer = |(name, _): &(&str, i64)| ((*name).to_owned(), LayerConfig::new(name, limits));
        Self {
            disabled: false,
            layers: EMBEDDED_ORDER.iter().map(layer).collect(),
            limits,
            budget: Budget::default(),
            redact: Vec::new(),
            redact_obstacle: None,
            policy: Policy::default(),
            llm: ModelConfig::default(),
            sync: SyncConfig::default(),
            record: RecordConfig::default(),
            warnings: Vec::new(),
        }
    }
}

impl LayerConfig {
    fn new(name: &str, limits: Limits) -> Self {
        let embedded = EMBEDDED_ORDER.iter().find(|(known, _)| *known == name);
        Self {
            enabled: Activation::Enabled,
            order: embedded.map_or(DEFAULT_ORDER, |(_, order)| *order),
            settings: Value::Object(serde_json::Map::new()),
            limits,
            file: None,
            requested_grants: None,
            on_failure: None,
            shows_titles_only: false,
        }
    }
}

impl Config {
    /// Reads the user's file, then the project's ([`Project::config_file`](crate::project::Project));
    /// `project` is the project's id. Without folders, there is neither a file of the user nor an approval.
    pub fn load(folders: Option<&Folders>, project_file: &Path, project: &str) -> Self {
        LoadedConfig::load(folders, project_file, project).config
    }

    /// Returns the configuration with this text as the user's file.
    pub fn from_user_toml(toml: &str) -> Self {
        LoadedConfig::from_text(Path::new("config.toml"), toml).config
    }

    /// Applies the environment variable `INTERLEAF_DISABLE`.
    #[must_use]
    pub fn with_env(mut self, env: Env) -> Self {
        self.disabled = is_disabled(env);
        self
    }

    /// Compiles the user's own patterns for secrets, which takes about 0.3 ms each.
    ///
    /// # Errors
    /// `Invalid` if a pattern is not valid, or if it is not known which patterns there are: then nothing may
    /// be stored, logged or sent, because a secret could be in it.
    pub fn redactor(&self) -> Result<Redactor> {
        match &self.redact_obstacle {
            None => Redactor::new(&self.redact),
            Some(obstacle) => Err(Error::invalid(format!(
                "nothing is stored, because your own redaction patterns cannot be read: {obstacle}"
            ))
            .hint("correct the file; interleaf config check tells when it is right")),
        }
    }

    /// Returns the configuration of a layer, whether or not a file names it.
    pub fn layer(&self, name: &str) -> LayerConfig {
        self.layers.get(name).cloned().unwrap_or_else(|| LayerConfig::new(name, self.limits))
    }
}

/// Returns whether `INTERLEAF_DISABLE` disables Interleaf: any value does, except the empty one, `0` and
/// `false`.
pub fn is_disabled(env: Env) -> bool {
    env("INTERLEAF_DISABLE").is_some_and(|value| !matches!(value.to_str(), Some("" | "0" | "false")))
}

/// Returns the path of the user's configuration file.
pub fn user_file(folders: &Folders) -> PathBuf {
    folders.config.join("config.toml")
}
