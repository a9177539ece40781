//! The layers that run in a project, in order and with their configuration: the embedded layers, and those
//! from files that the user accepted.
//!
//! A layer from a file runs only once the user has accepted the file's digest, and it runs from a copy. An
//! event compares the size, times and inode of each file with cached values and hashes the file only if these
//! differ.

use crate::config::{Activation, Config, LayerConfig};
use crate::layer::{EventName, Layer};

mod accepted_layer;
mod digest_cache;
mod layer_approvals;
mod layer_discovery;
mod layer_status;

pub use accepted_layer::{AcceptedLayer, LayerApprovals};
pub use digest_cache::{DigestCache, MAX_COMPONENT_BYTES};
pub use layer_approvals::{ApprovalStatus, ApprovalStore};
pub use layer_discovery::{LayerCandidate, LayerFiles, LayerFolders};
pub use layer_status::FileLayers;

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
        let available = layers.into_iter().chain(files.accepted).map(|layer| (layer, None));
        let missing = files.missing_gates.into_iter().map(|(layer, cause)| (layer, Some(cause)));
        let member = |(layer, unavailable): (Layer, _)| Member {
            config: config.layer(&layer.name),
            layer,
            unavailable,
        };
        let mut members: Vec<Member> = available.chain(missing).map(member).collect();
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
        let has_answer =
            |member: &&Member| member.unavailable.is_none() || member.layer.failure_answer(event).is_some();
        self.members.iter().filter(answers).filter(has_answer).collect()
    }
}

impl Member {
    /// Returns whether the layer is enabled. A project cannot disable a gate that the user accepted.
    pub fn is_enabled(&self) -> bool {
        match self.config.enabled {
            Activation::Enabled => true,
            Activation::DisabledByUser => false,
            Activation::DisabledByProject => self.layer.failure_answer(EventName::PreTool).is_some(),
        }
    }
}
