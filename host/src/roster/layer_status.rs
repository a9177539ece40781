//! Compares the layers from files with the user's approvals: finds those that run, those that cannot run, and
//! those that wait for a decision.

use super::accepted_layer::AcceptedLayer;
use super::digest_cache::DigestCache;
use super::layer_approvals::{ApprovalStatus, ApprovalStore, digest_cache_file};
use super::layer_discovery::{LayerCandidate, LayerFiles, LayerFolders};
use crate::config::Config;
use crate::dirs::Folders;
use crate::layer::{FileScope, Layer};

/// The layers from files, of the project and of the user.
#[derive(Debug, Default)]
pub struct FileLayers {
    /// The accepted layers whose files exist; of several with the same name only the first, the user's own.
    pub accepted: Vec<Layer>,
    /// Gates with a failure policy whose accepted file is gone or changed, each with the reason why it does
    /// not run.
    pub missing_gates: Vec<(Layer, String)>,
    /// Every file that could be a layer, and whether it was accepted.
    pub candidates: Vec<(LayerCandidate, ApprovalStatus)>,
    /// Approvals that cannot be read, and files that cannot be layers.
    pub warnings: Vec<String>,
}

impl FileLayers {
    /// Searches the folders, and compares the files with the user's approvals for the project with this id.
    pub fn find(user: &Folders, searched: &LayerFolders, project: &str, config: &Config) -> Self {
        let files = LayerFiles::find(searched, config);
        let store = ApprovalStore::read(user, project);
        let mut layers = Self { warnings: files.warnings, ..Self::default() };
        layers.warnings.extend(store.warnings().iter().cloned());
        if !files.candidates.is_empty() {
            let mut digests = DigestCache::read(&digest_cache_file(user, project));
            let candidates = files.candidates.into_iter();
            layers.candidates = candidates
                .map(|candidate| {
                    let status = store.status(&candidate, &mut digests);
                    (candidate, status)
                })
                .collect();
            digests.save();
        }
        layers.add_accepted(&store);
        layers.add_missing_gates(&store);
        layers
    }

    fn add_accepted(&mut self, store: &ApprovalStore) {
        for (candidate, status) in &self.candidates {
            let ApprovalStatus::Accepted(accepted) = status else { continue };
            if self.accepted.iter().all(|layer| layer.name != candidate.name.as_str()) {
                self.accepted.push(accepted.to_layer(store.component_path(&accepted.digest)));
            }
        }
    }

    /// Adds the accepted gates whose accepted file is gone. They still answer by their failure policy.
    fn add_missing_gates(&mut self, store: &ApprovalStore) {
        for scope in [FileScope::User, FileScope::Project] {
            let gates = store.approvals(scope).latest_of_each().into_iter();
            for gate in gates.filter(|gate| gate.has_failure_answer()) {
                let is_file_of_gate =
                    |candidate: &LayerCandidate| candidate.name == gate.name && candidate.scope == scope;
                let file = self.candidates.iter().find(|(candidate, _)| is_file_of_gate(candidate));
                if let Some(cause) = missing_reason(gate, file.map(|(_, status)| status)) {
                    let layer = gate.to_layer(store.component_path(&gate.digest));
                    self.missing_gates.push((layer, cause));
                }
            }
        }
    }

    /// Returns a line for the user about all pending decisions; `None` if there are none.
    pub fn notice(&self) -> Option<String> {
        let pending = self.pending_notices();
        (!pending.is_empty()).then(|| format!("interleaf: {}", pending.join("; ")))
    }

    /// Returns a sentence for each decision that the user must make: files to accept, and missing gates.
    pub fn pending_notices(&self) -> Vec<String> {
        let pending = self.candidates.iter().filter(|(_, status)| status.is_pending());
        let is_pending = |name: &str| {
            self.candidates.iter().any(|(candidate, status)| candidate.name == name && status.is_pending())
        };
        let missing = self.missing_gates.iter().filter(|(gate, _)| !is_pending(&gate.name));
        pending
            .map(|(candidate, status)| pending_notice(candidate, status))
            .chain(missing.map(|(gate, cause)| format!("gate {} does not run: {cause}", gate.name)))
            .collect()
    }
}

/// Returns the reason why a gate does not run, given the status of its file.
fn missing_reason(gate: &AcceptedLayer, status: Option<&ApprovalStatus>) -> Option<String> {
    let name = &gate.name;
    match status {
        Some(ApprovalStatus::Accepted(_)) => None,
        Some(ApprovalStatus::Changed { .. } | ApprovalStatus::New { .. }) => Some(format!(
            "its file was changed and the change is not accepted; review it with interleaf layer accept \
             {name}"
        )),
        Some(ApprovalStatus::Unreadable(cause)) => Some(format!("its file cannot be read: {cause}")),
        None => Some(format!(
            "its file {} is missing; if you removed it on purpose, run interleaf layer revoke {name}",
            gate.file.display()
        )),
    }
}

fn pending_notice(candidate: &LayerCandidate, status: &ApprovalStatus) -> String {
    let name = &candidate.name;
    let state = match status {
        ApprovalStatus::Changed { .. } => "was changed since it was accepted",
        _ => "is new here",
    };
    format!("layer {name} {state} and does not run; review it with interleaf layer accept {name}")
}
