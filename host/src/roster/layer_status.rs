//! Compares the layers from files with the user's approvals: finds those that run, those that cannot run, and
//! those that wait for a decision.

use super::accepted_layer::AcceptedLayer;
use super::digest_cache::{DigestCache, Hashing};
use super::gate_registry::{GateRegistry, RegisteredGate};
use super::layer_approvals::{ApprovalStatus, ApprovalStore, digest_cache_file};
use super::layer_discovery::{LayerCandidate, LayerFiles, LayerFolders};
use crate::config::{Config, GUARD};
use crate::dirs::Folders;
use crate::layer::{FileScope, HOST_NAME, Layer};
use crate::project::Project;

/// The layers from files, of the project and of the user.
#[derive(Debug, Default)]
pub struct FileLayers {
    /// The accepted layers whose files exist; of several with the same name only the first, the user's own.
    pub accepted: Vec<Layer>,
    /// Gates with a failure policy that cannot run here.
    pub missing_gates: Vec<MissingGate>,
    /// Every file that could be a layer, and whether it was accepted.
    pub candidates: Vec<(LayerCandidate, ApprovalStatus)>,
    /// Approvals that cannot be read, and files that cannot be layers.
    pub warnings: Vec<String>,
}

/// An accepted gate that cannot run. Its failure answer is given.
#[derive(Debug)]
pub struct MissingGate {
    /// The gate.
    pub layer: Layer,
    /// The reason why it does not run.
    pub cause: String,
    /// Whether the session's folders are not those in which it was accepted. Their configuration cannot
    /// switch it off.
    pub is_redirected: bool,
}

impl FileLayers {
    /// Searches the folders, and compares the files with the user's approvals for the project.
    pub fn find(
        user: &Folders,
        searched: &LayerFolders,
        project: &Project,
        config: &Config,
        registry: &GateRegistry,
        hashing: Hashing,
    ) -> Self {
        let files = LayerFiles::find(searched, config);
        let store = ApprovalStore::read(user, &project.id);
        let mut layers = Self { warnings: files.warnings, ..Self::default() };
        layers.warnings.extend(store.warnings().iter().cloned());
        layers.warnings.extend(registry.issue().map(str::to_owned));
        if !files.candidates.is_empty() {
            let mut digests = DigestCache::read(&digest_cache_file(user, &project.id), hashing);
            let candidates = files.candidates.into_iter();
            layers.candidates = candidates
                .map(|candidate| {
                    let status = store.status(&candidate, &mut digests);
                    (candidate, status)
                })
                .collect();
        }
        layers.warnings.extend(layers.candidates.iter().filter_map(unchecked_warning));
        layers.add_accepted(&store, user);
        layers.add_missing_gates(&store);
        layers.add_registered_gates(registry.gates_of(project), &store, user);
        layers
    }

    /// Returns whether a hook left a file to the commands, because it is too large.
    pub fn has_unchecked_files(&self) -> bool {
        self.candidates.iter().any(|(_, status)| *status == ApprovalStatus::Unchecked)
    }

    /// Adds the accepted layers. One that replaces the embedded guard must have been accepted in a folder of
    /// the person, because a project's variables could lead to another one.
    fn add_accepted(&mut self, store: &ApprovalStore, folders: &Folders) {
        for (candidate, status) in &self.candidates {
            let ApprovalStatus::Accepted(accepted) = status else { continue };
            if candidate.name == GUARD && !folders.are_recorded() {
                self.warnings.push(format!(
                    "layer {GUARD} does not replace the embedded one, because it was accepted in a folder \
                     that is not recorded as yours"
                ));
                continue;
            }
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
                    self.missing_gates.push(MissingGate { layer, cause, is_redirected: false });
                }
            }
        }
    }

    /// Adds the registered gates that the approvals do not contain, or contain in other folders.
    fn add_registered_gates<'g>(
        &mut self,
        gates: impl Iterator<Item = &'g RegisteredGate>,
        store: &ApprovalStore,
        folders: &Folders,
    ) {
        for gate in gates {
            let redirection = gate.redirection(folders);
            let is_redirected = redirection.is_some();
            let is_approved = || store.approvals(gate.scope()).latest(gate.name()).is_some();
            if is_redirected || !is_approved() {
                let cause = redirection.unwrap_or_else(|| {
                    format!(
                        "its approval cannot be found; run interleaf layer accept {0} or layer revoke {0}",
                        gate.name()
                    )
                });
                self.missing_gates.push(MissingGate { layer: gate.to_layer(), cause, is_redirected });
            }
        }
    }

    /// Returns a line for the user about all pending decisions; `None` if there are none.
    pub fn notice(&self) -> Option<String> {
        let pending = self.pending_notices();
        (!pending.is_empty()).then(|| format!("{HOST_NAME}: {}", pending.join("; ")))
    }

    /// Returns a sentence for each decision that the user must make: files to accept, and missing gates.
    pub fn pending_notices(&self) -> Vec<String> {
        let pending = self.candidates.iter().filter(|(_, status)| status.is_pending());
        let is_pending = |name: &str| {
            self.candidates.iter().any(|(candidate, status)| candidate.name == name && status.is_pending())
        };
        let missing = self.missing_gates.iter().filter(|gate| !is_pending(&gate.layer.name));
        pending
            .map(|(candidate, status)| pending_notice(candidate, status))
            .chain(missing.map(|gate| format!("gate {} does not run: {}", gate.layer.name, gate.cause)))
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
        Some(ApprovalStatus::Unchecked) => {
            Some("its file is too large to be checked in a hook and is checked in the background".to_owned())
        }
        Some(ApprovalStatus::Unreadable(cause)) => Some(format!("its file cannot be read: {cause}")),
        None => Some(format!(
            "its file {} is missing; if you removed it on purpose, run interleaf layer revoke {name}",
            gate.file.display()
        )),
    }
}

fn unchecked_warning((candidate, status): &(LayerCandidate, ApprovalStatus)) -> Option<String> {
    (*status == ApprovalStatus::Unchecked).then(|| {
        format!(
            "{} is too large to be checked in a hook; it is checked in the background",
            candidate.file.display()
        )
    })
}

fn pending_notice(candidate: &LayerCandidate, status: &ApprovalStatus) -> String {
    let name = &candidate.name;
    let state = match status {
        ApprovalStatus::Changed { .. } => "was changed since it was accepted",
        _ => "is new here",
    };
    format!("layer {name} {state} and does not run; review it with interleaf layer accept {name}")
}
