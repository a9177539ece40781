//! The layers that run in a project, in order and with their configuration: the embedded layers, and those
//! from files that the user accepted.
//!
//! A layer from a file runs only once the user has accepted the file's digest, and it runs from a copy. An
//! event compares the size, times and inode of each file with cached values and hashes the file only if these
//! differ. The registry of gates says what must be answered even if nothing of the project can be read.

use serde_json::Value;

use crate::config::{Activation, Config, GUARD, LayerConfig};
use crate::layer::{EventName, Layer};

mod accepted_layer;
mod digest_cache;
mod gate_registry;
mod layer_approvals;
mod layer_discovery;
mod layer_status;

pub use accepted_layer::{AcceptedLayer, LayerApprovals};
pub use digest_cache::{DigestCache, Hashing, MAX_COMPONENT_BYTES};
pub use gate_registry::{GateRegistry, RegisteredGate};
pub use layer_approvals::{ApprovalStatus, ApprovalStore};
pub use layer_discovery::{LayerCandidate, LayerFiles, LayerFolders};
pub use layer_status::{FileLayers, MissingLayer};

/// A layer with its configuration.
pub struct Member {
    /// The layer.
    pub layer: Layer,
    /// Its configuration: whether it is enabled, its order, settings and limits.
    pub config: LayerConfig,
    /// The reason why it cannot run. In that case, only the answer of its failure policy is given.
    pub unavailable: Option<String>,
}

/// The layers of a project, in the order in which their replies are merged.
pub struct Roster {
    members: Vec<Member>,
    /// A line for the user about layers that wait for the user's decision.
    pub notice: Option<String>,
}

impl Roster {
    /// Creates the roster of these layers. Members are sorted by their configured order, then by name.
    pub fn new(layers: Vec<Layer>, config: &Config) -> Self {
        Self::with_files(layers, FileLayers::default(), config)
    }

    /// Creates the roster of these layers and of the layers from files. An accepted layer replaces the layer
    /// of the same name; an unaccepted one does not.
    pub fn with_files(mut layers: Vec<Layer>, files: FileLayers, config: &Config) -> Self {
        let notice = files.notice();
        layers.retain(|layer| files.accepted.iter().all(|accepted| accepted.name != layer.name));
        let available = layers.into_iter().chain(files.accepted).map(|layer| Member {
            config: config.layer(&layer.name),
            layer,
            unavailable: None,
        });
        let missing = files.missing.into_iter().map(|missing| Member::missing(missing, config));
        let mut members: Vec<Member> = available.chain(missing).collect();
        members.sort_by(|a, b| (a.config.order, &a.layer.name).cmp(&(b.config.order, &b.layer.name)));
        Self { members, notice }
    }

    /// Returns all members, including disabled ones.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// Returns the members that answer this event, in order.
    pub fn answering(&self, event: EventName) -> Vec<&Member> {
        let answers = |member: &&Member| member.is_enabled() && member.layer.answers.contains(&event);
        let has_answer = |member: &&Member| {
            member.unavailable.is_none() || event == EventName::PreTool && member.layer.is_guard()
        };
        self.members.iter().filter(answers).filter(has_answer).collect()
    }

    /// Returns the enabled layers that guard tool calls, whether or not they can run.
    pub fn guards(&self) -> impl Iterator<Item = &Layer> {
        let guards = self.members.iter().filter(|member| member.is_enabled() && member.layer.is_guard());
        guards.map(|member| &member.layer)
    }

    /// Gives the embedded guard a setting of the host's own, whatever a file sets.
    pub fn set_for_guard(&mut self, name: &str, value: &Value) {
        let guards = self.members.iter_mut().filter(|member| member.layer.name == GUARD);
        for settings in guards.filter_map(|member| member.config.settings.as_object_mut()) {
            settings.insert(name.to_owned(), value.clone());
        }
    }

    /// Gives the embedded guard a setting that no file sets.
    pub fn set_default_for_guard(&mut self, name: &str, value: &Value) {
        let guards = self.members.iter_mut().filter(|member| member.layer.name == GUARD);
        for settings in guards.filter_map(|member| member.config.settings.as_object_mut()) {
            settings.entry(name).or_insert_with(|| value.clone());
        }
    }

    /// Removes every layer for which `keep` returns false.
    pub fn retain(&mut self, keep: impl Fn(&Layer) -> bool) {
        self.members.retain(|member| keep(&member.layer));
    }
}

impl Member {
    fn missing(missing: MissingLayer, config: &Config) -> Self {
        let mut config = config.layer(&missing.layer.name);
        if missing.is_redirected {
            config.enabled = Activation::Enabled;
        }
        Self { config, layer: missing.layer, unavailable: Some(missing.cause) }
    }

    /// Returns whether the layer is enabled.
    pub fn is_enabled(&self) -> bool {
        self.config.enabled.allows(&self.layer)
    }
}
