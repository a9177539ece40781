//! Approvals files: records of the parts of a project that the user has accepted. Each is a JSON file in the
//! user's data folder, so that a project cannot contain one.
//!
//! Several approvals of each subject stay valid, so that the user is not asked again after switching between
//! branches. The implementation of [`Approval`] defines the subject: a layer, or a set of descriptions.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::dirs::{lock_for_update, read_file, write_json_atomically};
use crate::error::{Error, Result};

/// Maximum number of valid approvals of one subject: enough for the branches between which a person switches.
const MAX_APPROVALS_PER_SUBJECT: usize = 8;
/// Maximum size of an approvals file, in bytes. A file of this size would name some thousand layers; the
/// largest set of descriptions has about 18 kB.
const MAX_FILE_BYTES: u64 = 4 << 20;

/// One thing that the user accepted.
pub trait Approval: Serialize + DeserializeOwned {
    /// The key of the list in the file.
    const LIST_KEY: &'static str;
    /// The consequence of an unreadable file, and the next step for the user.
    const IF_UNREADABLE: (&'static str, &'static str);

    /// Returns the subject of the approval.
    fn subject(&self) -> &str;

    /// Returns the SHA-256 of the accepted content, in hexadecimal.
    fn digest(&self) -> &str;

    /// Returns whether a stored approval can be used. An invalid one is ignored.
    fn is_valid(&self) -> bool {
        true
    }
}

/// An approvals file, as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApprovalsFile<T> {
    file: PathBuf,
    /// The newest first.
    approvals: Vec<T>,
}

/// The content of a file. Each kind of approvals file has its own name for the list.
#[derive(Deserialize)]
struct Content<T> {
    #[serde(alias = "layers")]
    accepted: Vec<T>,
}

impl<T: Approval> ApprovalsFile<T> {
    /// Reads an approvals file. A missing or unreadable file approves nothing. The second value is the error
    /// of an unreadable file.
    pub fn load(file: &Path) -> (Self, Option<String>) {
        match Self::try_load(file) {
            Ok(approvals) => (approvals, None),
            Err(error) => (Self::empty(file), Some(error.full())),
        }
    }

    fn empty(file: &Path) -> Self {
        Self { file: file.to_owned(), approvals: Vec::new() }
    }

    fn try_load(file: &Path) -> Result<Self> {
        let content = read_file(file, MAX_FILE_BYTES).map_err(|error| unreadable::<T>(file, &error))?;
        let Some(content) = content else { return Ok(Self::empty(file)) };
        let content: Content<T> =
            serde_json::from_slice(&content).map_err(|error| unreadable::<T>(file, &error))?;
        let approvals = content.accepted.into_iter().filter(Approval::is_valid).collect();
        Ok(Self { file: file.to_owned(), approvals })
    }

    /// Returns the approval of this subject with this digest.
    pub fn find(&self, subject: &str, digest: &str) -> Option<&T> {
        self.approvals.iter().find(|known| known.subject() == subject && known.digest() == digest)
    }

    /// Returns the newest approval of this subject.
    pub fn latest(&self, subject: &str) -> Option<&T> {
        self.approvals.iter().find(|known| known.subject() == subject)
    }

    /// Returns the approvals of this subject, the newest first.
    pub fn versions<'a>(&'a self, subject: &'a str) -> impl Iterator<Item = &'a T> {
        self.approvals.iter().filter(move |known| known.subject() == subject)
    }

    /// Returns every valid approval of this subject except the one with this digest, the newest first.
    pub fn others<'a>(&'a self, subject: &'a str, digest: &'a str) -> impl Iterator<Item = &'a T> {
        self.versions(subject).filter(move |known| known.digest() != digest)
    }

    /// Returns the newest approval of each subject, sorted by subject.
    pub fn latest_of_each(&self) -> Vec<&T> {
        let mut latest: Vec<&T> = self.approvals.iter().collect();
        latest.sort_by_key(|approval| approval.subject());
        latest.dedup_by_key(|approval| approval.subject());
        latest
    }

    /// Stores an approval. Replaces an earlier one of the same subject and digest.
    ///
    /// # Errors
    /// `Unavailable` if the file cannot be read or written.
    pub fn accept(&mut self, approval: T) -> Result<()> {
        let _lock = self.lock_and_reload()?;
        let (subject, digest) = (approval.subject().to_owned(), approval.digest().to_owned());
        self.approvals.retain(|known| known.subject() != subject || known.digest() != digest);
        self.approvals.insert(0, approval);
        let mut kept = 0;
        self.approvals.retain(|known| {
            kept += usize::from(known.subject() == subject);
            known.subject() != subject || kept <= MAX_APPROVALS_PER_SUBJECT
        });
        self.write()
    }

    /// Removes every approval of this subject, and returns their number.
    ///
    /// # Errors
    /// `Unavailable` if the file cannot be read or written.
    pub fn revoke(&mut self, subject: &str) -> Result<usize> {
        self.remove(|known| known.subject() == subject)
    }

    /// Removes every approval of this subject except the one with this digest, and returns their number.
    ///
    /// # Errors
    /// As for [`ApprovalsFile::revoke`].
    pub fn revoke_others(&mut self, subject: &str, digest: &str) -> Result<usize> {
        self.remove(|known| known.subject() == subject && known.digest() != digest)
    }

    fn remove(&mut self, is_revoked: impl Fn(&T) -> bool) -> Result<usize> {
        let _lock = self.lock_and_reload()?;
        let before = self.approvals.len();
        self.approvals.retain(|known| !is_revoked(known));
        let revoked = before - self.approvals.len();
        if revoked > 0 {
            self.write()?;
        }
        Ok(revoked)
    }

    /// Reads the file again under a lock that keeps other processes from changing it while the returned file
    /// is open.
    fn lock_and_reload(&mut self) -> Result<File> {
        let lock = lock_for_update(&self.file)?;
        *self = Self::try_load(&self.file)?;
        Ok(lock)
    }

    fn write(&self) -> Result<()> {
        write_json_atomically(&self.file, &BTreeMap::from([(T::LIST_KEY, &self.approvals)]))
    }
}

fn unreadable<T: Approval>(file: &Path, error: &impl std::fmt::Display) -> Error {
    let (consequence, next_step) = T::IF_UNREADABLE;
    Error::unavailable(format!("cannot read {}: {error}; {consequence}", file.display())).hint(next_step)
}
