//! The user's approvals for their own layers and for those of the project, and the copies of the accepted
//! components. Only the copies ever run.

use std::fs;
use std::path::PathBuf;

use super::accepted_layer::{AcceptedLayer, LayerApprovals};
use super::digest_cache::{DigestCache, FileDigest};
use super::layer_discovery::LayerCandidate;
use crate::dirs::{Folders, write_atomically};
use crate::error::{Error, Result};
use crate::layer::FileScope;

/// Whether a file that could be a layer was accepted.
#[derive(Debug, Clone, PartialEq)]
pub enum ApprovalStatus {
    /// Its digest was accepted.
    Accepted(Box<AcceptedLayer>),
    /// Another digest was accepted under its name.
    Changed {
        /// The digest of the file; `None` if a hook did not hash it.
        digest: Option<String>,
        /// The version that was accepted last.
        previous: Box<AcceptedLayer>,
    },
    /// Nothing was accepted under its name.
    New {
        /// The digest of the file; `None` if a hook did not hash it.
        digest: Option<String>,
    },
    /// A hook has not hashed the file, because it is too large.
    Unchecked,
    /// The file cannot be read, for this reason.
    Unreadable(String),
}

impl ApprovalStatus {
    /// Returns the digest of the file, if it could be read.
    pub fn digest(&self) -> Option<&str> {
        match self {
            Self::Accepted(accepted) => Some(&accepted.digest),
            Self::Changed { digest, .. } | Self::New { digest } => digest.as_deref(),
            Self::Unchecked | Self::Unreadable(_) => None,
        }
    }

    /// Returns the version that was accepted under its name before.
    pub fn previous(&self) -> Option<&AcceptedLayer> {
        match self {
            Self::Accepted(previous) | Self::Changed { previous, .. } => Some(previous),
            Self::New { .. } | Self::Unchecked | Self::Unreadable(_) => None,
        }
    }

    /// Returns the status in one word, for programs.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Accepted(_) => "accepted",
            Self::Changed { .. } => "changed",
            Self::New { .. } => "new",
            Self::Unchecked => "unchecked",
            Self::Unreadable(_) => "unreadable",
        }
    }

    /// Returns the status in words, for people.
    pub fn describe(&self) -> String {
        match self {
            Self::Accepted(_) => "accepted".to_owned(),
            Self::Changed { .. } => "changed since you accepted it".to_owned(),
            Self::New { .. } => "new, not accepted yet".to_owned(),
            Self::Unchecked => "not checked yet: too large for a hook".to_owned(),
            Self::Unreadable(cause) => format!("cannot be read: {cause}"),
        }
    }

    /// Returns whether the file may run.
    pub const fn is_accepted(&self) -> bool {
        matches!(self, Self::Accepted(_))
    }

    /// Returns whether the user still has to decide.
    pub const fn is_pending(&self) -> bool {
        matches!(self, Self::Changed { .. } | Self::New { .. })
    }
}

/// The approvals and the copies of accepted components.
pub struct ApprovalStore {
    user: LayerApprovals,
    project: LayerApprovals,
    components: PathBuf,
    /// Messages about approvals files that cannot be read.
    warnings: Vec<String>,
}

impl ApprovalStore {
    /// Reads the approvals for the user's own layers and for those of the project with this id.
    pub fn read(folders: &Folders, project: &str) -> Self {
        let load = |scope| LayerApprovals::load(&approvals_file(folders, scope, project));
        let ((user, user_warning), (project, project_warning)) =
            (load(FileScope::User), load(FileScope::Project));
        let warnings = user_warning.into_iter().chain(project_warning).collect();
        Self { user, project, components: folders.data.join("layers"), warnings }
    }

    /// Returns the approvals for layers of the user or of the project.
    pub fn approvals(&self, scope: FileScope) -> &LayerApprovals {
        match scope {
            FileScope::User => &self.user,
            FileScope::Project => &self.project,
        }
    }

    /// Returns the path of the copy of the component with this digest.
    pub fn component_path(&self, digest: &str) -> PathBuf {
        self.components.join(digest).with_extension("wasm")
    }

    /// Returns a message for each approvals file that cannot be read.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Stores a copy of the component, before [`ApprovalStore::accept`] refers to it.
    ///
    /// # Errors
    /// `Unavailable` if it cannot be written.
    pub fn store_component(&self, digest: &str, wasm: &[u8]) -> Result<PathBuf> {
        let copy = self.component_path(digest);
        let is_stored = fs::read(&copy).is_ok_and(|stored| stored == wasm);
        if !is_stored {
            write_atomically(&copy, wasm)
                .map_err(|error| Error::unavailable(format!("cannot write {}: {error}", copy.display())))?;
        }
        Ok(copy)
    }

    /// Accepts a layer whose component is stored.
    ///
    /// # Errors
    /// `Unavailable` if the approvals file cannot be read or written.
    pub fn accept(&mut self, scope: FileScope, layer: AcceptedLayer) -> Result<()> {
        self.approvals_mut(scope).accept(layer)
    }

    /// Revokes every approval under this name, and returns the number of revoked digests.
    ///
    /// # Errors
    /// `Unavailable` if the approvals file cannot be read or written.
    pub fn revoke(&mut self, scope: FileScope, name: &str) -> Result<usize> {
        self.approvals_mut(scope).revoke(name)
    }

    /// Revokes every approval under this name except the one with this digest, and returns their number.
    ///
    /// # Errors
    /// As for [`ApprovalStore::revoke`].
    pub fn revoke_others(&mut self, scope: FileScope, name: &str, digest: &str) -> Result<usize> {
        self.approvals_mut(scope).revoke_others(name, digest)
    }

    /// Returns the digests that are accepted under this name besides this one, the newest first: a project
    /// can go back to such a version without asking.
    pub fn other_digests(&self, name: &str, digest: &str) -> Vec<String> {
        let scopes = [FileScope::User, FileScope::Project].into_iter();
        let others = scopes.flat_map(|scope| self.approvals(scope).others(name, digest));
        others.map(|layer| layer.digest.clone()).collect()
    }

    fn approvals_mut(&mut self, scope: FileScope) -> &mut LayerApprovals {
        match scope {
            FileScope::User => &mut self.user,
            FileScope::Project => &mut self.project,
        }
    }

    /// Returns the status of a file that could be a layer.
    pub(super) fn status(&self, candidate: &LayerCandidate, digests: &mut DigestCache) -> ApprovalStatus {
        let approvals = self.approvals(candidate.scope);
        let digest = match digests.digest(&candidate.file, || self.accepted_sizes(approvals, &candidate.name))
        {
            Ok(FileDigest::Known(digest)) => Some(digest),
            Ok(FileDigest::OtherSize) => None,
            Ok(FileDigest::OverBudget) => return ApprovalStatus::Unchecked,
            Err(error) => return ApprovalStatus::Unreadable(error.to_string()),
        };
        let accepted = digest.as_deref().and_then(|digest| approvals.find(&candidate.name, digest));
        match (accepted, approvals.latest(&candidate.name)) {
            (Some(accepted), _) => ApprovalStatus::Accepted(Box::new(accepted.clone())),
            (None, Some(previous)) => {
                ApprovalStatus::Changed { digest, previous: Box::new(previous.clone()) }
            }
            (None, None) => ApprovalStatus::New { digest },
        }
    }

    /// Returns the sizes of the accepted versions of a layer in bytes, from their copies.
    fn accepted_sizes(&self, approvals: &LayerApprovals, name: &str) -> Vec<u64> {
        let versions = approvals.versions(name);
        let copies = versions.map(|layer| fs::metadata(self.component_path(&layer.digest)));
        copies.filter_map(|copy| Some(copy.ok()?.len())).collect()
    }
}

/// Returns the path of the approvals file for layers of the user, or of the project with this id.
fn approvals_file(folders: &Folders, scope: FileScope, project: &str) -> PathBuf {
    match scope {
        FileScope::User => folders.data.join("layers/accepted.json"),
        FileScope::Project => folders.data.join("projects").join(project).join("accepted.json"),
    }
}

/// Returns the path of the cache of the digests of the project's layer files.
pub(super) fn digest_cache_file(folders: &Folders, project: &str) -> PathBuf {
    folders.cache.join("seen").join(project).with_extension("json")
}
