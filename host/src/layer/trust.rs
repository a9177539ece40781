//! Whom this user trusts: the lock for layers of their own, the lock for those of the project, and the copies of the
//! components that were accepted. Only the copies ever run.

use std::fs;
use std::path::PathBuf;

use super::team::Standing;
use super::{Accepted, Lock, Offer, Seen, Whose};
use crate::dirs::{Folders, write_atomically};
use crate::error::{Error, Result};

/// The two locks, and where accepted components are kept.
pub struct Trust {
    person: Lock,
    project: Lock,
    copies: PathBuf,
    /// Locks that could not be read.
    notes: Vec<String>,
}

impl Trust {
    /// What this user has accepted for the project of this id.
    pub fn read(folders: &Folders, project: &str) -> Self {
        let lock = |whose| Lock::read(&lock_file(folders, whose, project));
        let ((person, of_person), (project, of_project)) = (lock(Whose::Person), lock(Whose::Project));
        let notes = of_person.into_iter().chain(of_project).collect();
        Self { person, project, copies: folders.data.join("layers"), notes }
    }

    /// The lock for layers of the person's own or of the project.
    pub fn lock(&self, whose: Whose) -> &Lock {
        match whose {
            Whose::Person => &self.person,
            Whose::Project => &self.project,
        }
    }

    /// Where the component of this digest is kept.
    pub fn copy(&self, digest: &str) -> PathBuf {
        self.copies.join(digest).with_extension("wasm")
    }

    /// What is wrong with the locks.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Keeps a copy of the component, for [`Trust::accept`] to refer to.
    ///
    /// # Errors
    /// `Unavailable` when it cannot be written.
    pub fn keep(&self, digest: &str, wasm: &[u8]) -> Result<PathBuf> {
        let copy = self.copy(digest);
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
    pub fn accept(&mut self, whose: Whose, layer: Accepted) -> Result<()> {
        self.lock_mut(whose).accept(layer)
    }

    /// Takes back what was accepted under this name; how many digests there were.
    ///
    /// # Errors
    /// As for [`Trust::accept`].
    pub fn revoke(&mut self, whose: Whose, name: &str) -> Result<usize> {
        self.lock_mut(whose).revoke(name)
    }

    fn lock_mut(&mut self, whose: Whose) -> &mut Lock {
        match whose {
            Whose::Person => &mut self.person,
            Whose::Project => &mut self.project,
        }
    }

    /// How a file stands.
    pub(super) fn standing(&self, offer: &Offer, seen: &mut Seen) -> Standing {
        let digest = match seen.digest(&offer.file) {
            Ok(digest) => digest,
            Err(error) => return Standing::Unreadable(error.to_string()),
        };
        let lock = self.lock(offer.whose);
        match (lock.find(&offer.name, &digest), lock.latest(&offer.name)) {
            (Some(accepted), _) => Standing::Accepted(Box::new(accepted.clone())),
            (None, Some(before)) => Standing::Changed { digest, before: Box::new(before.clone()) },
            (None, None) => Standing::New { digest },
        }
    }
}

/// The lock file for layers of the person's own, or for those of the project of this id.
fn lock_file(folders: &Folders, whose: Whose, project: &str) -> PathBuf {
    match whose {
        Whose::Person => folders.data.join("layers/accepted.json"),
        Whose::Project => folders.data.join("projects").join(project).join("accepted.json"),
    }
}

/// Where the digests of the project's files are remembered.
pub(super) fn seen_file(folders: &Folders, project: &str) -> PathBuf {
    folders.cache.join("seen").join(project).with_extension("json")
}
