//! The identity of a folder on its file system, which a move keeps and a copy does not have.
//!
//! A file system reuses the numbers of deleted inodes, so the number alone would take a new folder for a
//! deleted one. The time of birth, which no program can set, tells them apart.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};

/// The identity of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FileIdentity {
    /// The number of the device. Some file systems get another one at each mount, so it proves nothing.
    pub device: u64,
    pub inode: u64,
    /// When the inode was created, in nanoseconds since the Unix epoch; `None` if the file system does not
    /// say.
    pub born: Option<u64>,
}

impl FileIdentity {
    /// Returns the identity of the folder at this path; `None` if it cannot be read.
    pub fn of(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok()?;
        let born = metadata.created().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
        let born = born.and_then(|since| u64::try_from(since.as_nanos()).ok());
        Some(Self { device: metadata.dev(), inode: metadata.ino(), born })
    }

    /// Tells whether both are the same folder; `None` if that is not known, because a time of birth is
    /// missing.
    pub fn is_same(&self, other: &Self) -> Option<bool> {
        let (born, other_born) = (self.born?, other.born?);
        Some((self.inode, born) == (other.inode, other_born))
    }

    /// Returns a name that only this folder has; `None` without a time of birth.
    pub fn unique_name(&self) -> Option<String> {
        Some(format!("{}:{}", self.inode, self.born?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dirs::scratch::Scratch;

    #[test]
    fn a_moved_folder_is_the_same_and_a_new_one_at_its_path_is_not() {
        let scratch = Scratch::new();
        let (old, new) = (scratch.folder("old"), scratch.path().join("new"));
        let before = FileIdentity::of(&old).expect("a folder");

        fs::rename(&old, &new).expect("a move");
        let moved = FileIdentity::of(&new).expect("a folder");
        scratch.folder("old");
        let created = FileIdentity::of(&old).expect("a folder");

        assert_eq!((before.is_same(&moved), before.is_same(&created)), (Some(true), Some(false)));
        assert_eq!(before.unique_name(), moved.unique_name());
    }

    #[test]
    fn without_a_time_of_birth_nothing_is_known() {
        let one = FileIdentity { device: 1, inode: 2, born: None };

        assert_eq!((one.is_same(&one), one.unique_name()), (None, None));
    }
}
