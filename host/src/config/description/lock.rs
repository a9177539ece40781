//! Which descriptions of a project this user has accepted: a file in the user's data folder beside the lock of the
//! project's layers, so that a project cannot bring one along. The last few sets stay accepted, so that changing
//! between branches asks nothing again.

use std::fs::File;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::CategoryDescriptions;
use crate::clock::Millis;
use crate::dirs::{Folders, lock_for_update, read_file, write_json_atomically};
use crate::error::{Error, Result};

/// Sets that stay accepted, as many as of a layer.
const KEPT: usize = 8;
/// Bytes of a lock. The largest set has some 18 kB.
const MOST: u64 = 1 << 20;

/// The lock, as it was read.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Lock {
    #[serde(skip)]
    file: PathBuf,
    /// The newest first.
    accepted: Vec<Accepted>,
}

/// One set that was accepted.
#[derive(Debug, Serialize, Deserialize)]
struct Accepted {
    digest: String,
    at: Millis,
    /// For the difference to the next one.
    descriptions: CategoryDescriptions,
}

impl Lock {
    /// Reads the lock of the project of this id. One that is not there accepts nothing; neither does one that cannot be
    /// understood, and the sentence says why.
    pub fn read(folders: &Folders, project: &str) -> (Self, Option<String>) {
        let file = folders.data.join("projects").join(project).join("descriptions.json");
        match Self::try_read(&file) {
            Ok(lock) => (lock, None),
            Err(error) => (Self { file, accepted: Vec::new() }, Some(error.full())),
        }
    }

    fn try_read(file: &Path) -> Result<Self> {
        let empty = Self { file: file.to_owned(), accepted: Vec::new() };
        let content = read_file(file, MOST).map_err(|error| unreadable(file, &error))?;
        let Some(content) = content else { return Ok(empty) };
        let read: Self = serde_json::from_slice(&content).map_err(|error| unreadable(file, &error))?;
        Ok(Self { accepted: read.accepted, ..empty })
    }

    /// Whether exactly these were accepted.
    pub fn holds(&self, descriptions: &CategoryDescriptions) -> bool {
        let digest = descriptions.digest();
        self.accepted.iter().any(|accepted| accepted.digest == digest)
    }

    /// What was accepted last.
    pub fn latest(&self) -> Option<&CategoryDescriptions> {
        self.accepted.first().map(|accepted| &accepted.descriptions)
    }

    /// What to say of descriptions of these categories that were not accepted.
    pub(in crate::config) fn waiting(&self, categories: &[&str]) -> String {
        let names = categories.join(", ");
        match self.latest() {
            None => format!(
                "the project's description of {names} waits for you; interleaf config accept shows it"
            ),
            Some(_) => format!(
                "the project's description of {names} was changed since you accepted it; interleaf config accept shows how"
            ),
        }
    }

    /// Accepts these.
    ///
    /// # Errors
    /// `Unavailable` when the lock cannot be read or written; likewise below.
    pub fn accept(&mut self, descriptions: CategoryDescriptions, at: Millis) -> Result<()> {
        let _alone = self.read_again()?;
        let digest = descriptions.digest();
        self.accepted.retain(|known| known.digest != digest);
        self.accepted.insert(0, Accepted { digest, at, descriptions });
        self.accepted.truncate(KEPT);
        self.write()
    }

    /// Takes back every set; how many there were.
    ///
    /// # Errors
    /// As for [`Lock::accept`].
    pub fn revoke(&mut self) -> Result<usize> {
        let _alone = self.read_again()?;
        let revoked = std::mem::take(&mut self.accepted).len();
        if revoked > 0 {
            self.write()?;
        }
        Ok(revoked)
    }

    /// What the file says now, which nobody else changes while the answer is held.
    fn read_again(&mut self) -> Result<File> {
        let alone = lock_for_update(&self.file)?;
        *self = Self::try_read(&self.file)?;
        Ok(alone)
    }

    fn write(&self) -> Result<()> {
        write_json_atomically(&self.file, self)
    }
}

fn unreadable(file: &Path, error: &impl std::fmt::Display) -> Error {
    Error::unavailable(format!(
        "{} cannot be read: {error}; no description of a project's holds",
        file.display()
    ))
    .hint("remove the file and accept them again")
}
