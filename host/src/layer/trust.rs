//! Whom this user trusts: the lock for layers of their own, the lock for those of the project, and the copies of the
//! components that were accepted. Only the copies ever run.

use std::fs;
use std::path::PathBuf;

use super::team::ApprovalStatus;
use super::{AcceptedLayer, DigestCache, FileScope, LayerApprovals, LayerCandidate};
use crate::dirs::{Folders, write_atomically};
use crate::error::{Error, Result};

/// The two locks, and where accepted components are kept.
pub struct ApprovalStore {
    person: LayerApprovals,
    project: LayerApprovals,
    copies: PathBuf,
    /// Locks that could not be read.
    notes: Vec<String>,
}

impl ApprovalStore {
    /// What this user has accepted for the project of this id.
    pub fn read(folders: &Folders, project: &str) -> Self {
        let lock = |whose| LayerApprovals::read(&lock_file(folders, whose, project));
        let ((person, of_person), (project, of_project)) = (lock(FileScope::User), lock(FileScope::Project));
        let notes = of_person.into_iter().chain(of_project).collect();
        Self { person, project, copies: folders.data.join("layers"), notes }
    }

    /// The lock for layers of the person's own or of the project.
    pub fn approvals(&self, whose: FileScope) -> &LayerApprovals {
        match whose {
            FileScope::User => &self.person,
            FileScope::Project => &self.project,
        }
    }

    /// Where the component of this digest is kept.
    pub fn component_path(&self, digest: &str) -> PathBuf {
        self.copies.join(digest).with_extension("wasm")
    }

    /// What is wrong with the locks.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Keeps a copy of the component, for [`ApprovalStore::accept`] to refer to.
    ///
    /// # Errors
    /// `Unavailable` when it cannot be written.
    pub fn store_component(&self, digest: &str, wasm: &[u8]) -> Result<PathBuf> {
        let copy = self.component_path(digest);
        let there = fs::read(&copy).is_ok_and(|kept| kept == wasm);
        if !there {
            write_atomically(&copy, wasm).map_err(|error| {
                Error::unavailable(format!("{} cannot be written: {error}", copy.display()))
            })?;
        }
        Ok(copy)
    }

    /// Accepts a layer whose component is kept.
    ///
    /// # Errors
    /// `Unavailable` when the lock cannot be read or written; likewise below.
    pub fn accept(&mut self, whose: FileScope, layer: AcceptedLayer) -> Result<()> {
        self.lock_mut(whose).accept(layer)
    }

    /// Takes back what was accepted under this name; how many digests there were.
    ///
    /// # Errors
    /// As for [`ApprovalStore::accept`].
    pub fn revoke(&mut self, whose: FileScope, name: &str) -> Result<usize> {
        self.lock_mut(whose).revoke(name)
    }

    fn lock_mut(&mut self, whose: FileScope) -> &mut LayerApprovals {
        match whose {
            FileScope::User => &mut self.person,
            FileScope::Project => &mut self.project,
        }
    }

    /// How a file stands.
    pub(super) fn standing(&self, offer: &LayerCandidate, seen: &mut DigestCache) -> ApprovalStatus {
        let digest = match seen.digest(&offer.file) {
            Ok(digest) => digest,
            Err(error) => return ApprovalStatus::Unreadable(error.to_string()),
        };
        let lock = self.approvals(offer.scope);
        match (lock.find(&offer.name, &digest), lock.latest(&offer.name)) {
            (Some(accepted), _) => ApprovalStatus::Accepted(Box::new(accepted.clone())),
            (None, Some(before)) => ApprovalStatus::Changed { digest, previous: Box::new(before.clone()) },
            (None, None) => ApprovalStatus::New { digest },
        }
    }
}

/// The lock file for layers of the person's own, or for those of the project of this id.
fn lock_file(folders: &Folders, whose: FileScope, project: &str) -> PathBuf {
    match whose {
        FileScope::User => folders.data.join("layers/accepted.json"),
        FileScope::Project => folders.data.join("projects").join(project).join("accepted.json"),
    }
}

/// Where the digests of the project's files are remembered.
pub(super) fn seen_file(folders: &Folders, project: &str) -> PathBuf {
    folders.cache.join("seen").join(project).with_extension("json")
}
