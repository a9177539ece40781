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
    /// Accepted layers that cannot run here: gates with a failure policy, and others whose file is gone.
    pub missing: Vec<MissingLayer>,
    /// Every file that could be a layer, and whether it was accepted.
    pub candidates: Vec<(LayerCandidate, ApprovalStatus)>,
    /// Approvals that cannot be read, and files that cannot be layers.
    pub warnings: Vec<String>,
}

/// An accepted layer that cannot run. The failure answer of a gate is given.
#[derive(Debug)]
pub struct MissingLayer {
    /// The layer.
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
        layers.warnings.extend(layers.candidates.iter().filter_map(unread_warning));
        layers.add_accepted(&store, user);
        layers.add_missing(&store);
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

    /// Adds the accepted layers whose accepted file is gone. Gates still answer by their failure policy. Any
    /// other layer whose file was changed or cannot be read is among the candidates.
    fn add_missing(&mut self, store: &ApprovalStore) {
        for scope in [FileScope::User, FileScope::Project] {
            for accepted in store.approvals(scope).latest_of_each() {
                let is_its_file =
                    |candidate: &LayerCandidate| candidate.name == accepted.name && candidate.scope == scope;
                let file = self.candidates.iter().find(|(candidate, _)| is_its_file(candidate));
                let cause = missing_reason(accepted, file.map(|(_, status)| status));
                if let Some(cause) = cause.filter(|_| file.is_none() || accepted.has_failure_answer()) {
                    let layer = accepted.to_layer(store.component_path(&accepted.digest));
                    self.missing.push(MissingLayer { layer, cause, is_redirected: false });
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
                self.missing.push(MissingLayer { layer: gate.to_layer(), cause, is_redirected });
            }
        }
    }

    /// Returns a line for the user about the decisions that a session waits for: files to accept, and missing
    /// gates. `None` if there are none.
    pub fn notice(&self) -> Option<String> {
        let pending = self.pending_notices_with(|missing| missing.layer.is_guard());
        (!pending.is_empty()).then(|| format!("{HOST_NAME}: {}", pending.join("; ")))
    }

    /// Returns a sentence for each decision that the user must make: files to accept, and missing layers.
    pub fn pending_notices(&self) -> Vec<String> {
        self.pending_notices_with(|_| true)
    }

    fn pending_notices_with(&self, is_told: fn(&MissingLayer) -> bool) -> Vec<String> {
        let pending = self.candidates.iter().filter(|(_, status)| status.is_pending());
        let is_pending = |name: &str| {
            self.candidates.iter().any(|(candidate, status)| candidate.name == name && status.is_pending())
        };
        let missing = self.missing.iter().filter(|missing| !is_pending(&missing.layer.name));
        pending
            .map(|(candidate, status)| pending_notice(candidate, status))
            .chain(missing.filter(|missing| is_told(missing)).map(missing_notice))
            .collect()
    }
}

fn missing_notice(missing: &MissingLayer) -> String {
    let kind = if missing.layer.is_guard() { "gate" } else { "layer" };
    format!("{kind} {} does not run: {}", missing.layer.name, missing.cause)
}

/// Returns the reason why an accepted layer does not run, given the status of its file.
fn missing_reason(accepted: &AcceptedLayer, status: Option<&ApprovalStatus>) -> Option<String> {
    let name = &accepted.name;
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
            accepted.file.display()
        )),
    }
}

/// Returns the reason why a file was not read, if so.
fn unread_warning((candidate, status): &(LayerCandidate, ApprovalStatus)) -> Option<String> {
    let cause = match status {
        ApprovalStatus::Unchecked => "is too large to be checked in a hook; it is checked in the background",
        ApprovalStatus::Unreadable(cause) => &format!("is not used as a layer: it cannot be read: {cause}"),
        _ => return None,
    };
    Some(format!("{} {cause}", candidate.file.display()))
}

fn pending_notice(candidate: &LayerCandidate, status: &ApprovalStatus) -> String {
    let name = &candidate.name;
    let state = match status {
        ApprovalStatus::Changed { .. } => "was changed since it was accepted",
        _ => "is new here",
    };
    format!("layer {name} {state} and does not run; review it with interleaf layer accept {name}")
}
