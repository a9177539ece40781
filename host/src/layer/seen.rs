//! Digests of files, remembered by what the file system says of them: hashing a large component takes as long as
//! answering an event, so it is done again only when size, times or inode differ.
//!
//! A file that fools the comparison is taken for one that was accepted, and what runs then is the accepted copy.

use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::digest::{digest, is_digest};
use crate::dirs::{read_file, write_atomically};

/// A component larger than this is not looked at, in bytes; one with a whole Python in it has 18 MB.
pub const MAX_COMPONENT_BYTES: u64 = 256 << 20;
/// Remembered files of a project; when there are more, all are looked at anew.
const MOST: usize = 1_000;

/// What is remembered for one project.
#[derive(Debug, Default)]
pub struct DigestCache {
    file: PathBuf,
    known: BTreeMap<PathBuf, Mark>,
    changed: bool,
}

/// What the file system says of a file, and the digest it had then.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Mark {
    size: u64,
    /// Seconds and nanoseconds.
    modified: (i64, i64),
    /// Likewise; unlike the time of modification it cannot be set.
    changed: (i64, i64),
    device: u64,
    inode: u64,
    digest: String,
}

impl Mark {
    fn of(meta: &Metadata) -> Self {
        Self {
            size: meta.len(),
            modified: (meta.mtime(), meta.mtime_nsec()),
            changed: (meta.ctime(), meta.ctime_nsec()),
            device: meta.dev(),
            inode: meta.ino(),
            digest: String::new(),
        }
    }

    fn matches(&self, now: &Self) -> bool {
        is_digest(&self.digest) && *self == Self { digest: self.digest.clone(), ..now.clone() }
    }
}

impl DigestCache {
    /// What was remembered in this file; nothing where it cannot be read.
    pub fn read(file: &Path) -> Self {
        let content = read_file(file, 4 << 20).ok().flatten();
        let known = content.and_then(|content| serde_json::from_slice(&content).ok()).unwrap_or_default();
        Self { file: file.to_owned(), known, changed: false }
    }

    /// The digest of a component.
    ///
    /// # Errors
    /// Whatever reading says; `InvalidData` for what is no regular file or larger than [`MAX_COMPONENT_BYTES`].
    pub fn digest(&mut self, component: &Path) -> io::Result<String> {
        let mut mark = Mark::of(&fs::metadata(component)?);
        if let Some(known) = self.known.get(component).filter(|known| known.matches(&mark)) {
            return Ok(known.digest.clone());
        }
        let content = read_file(component, MAX_COMPONENT_BYTES)?.ok_or(ErrorKind::NotFound)?;
        mark.digest = digest(&content);
        let digest = mark.digest.clone();
        if self.known.len() >= MOST {
            self.known.clear();
        }
        self.known.insert(component.to_owned(), mark);
        self.changed = true;
        Ok(digest)
    }

    /// Writes down what is new. Where that fails, the next process hashes again.
    pub fn save(&self) {
        if self.changed {
            let json = serde_json::to_vec(&self.known).unwrap_or_default();
            let _ = write_atomically(&self.file, &json);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dirs::scratch::Scratch;

    #[test]
    fn a_file_is_hashed_once_until_it_changes() -> io::Result<()> {
        let scratch = Scratch::new();
        let (component, file) = (scratch.file("x.wasm", "one"), scratch.path().join("seen.json"));
        let mut seen = DigestCache::read(&file);
        let one = seen.digest(&component)?;
        seen.save();

        let mut again = DigestCache::read(&file);
        assert_eq!(again.digest(&component)?, one);
        assert!(!again.changed);

        scratch.file("x.wasm", "other");
        assert_eq!(again.digest(&component)?, digest(b"other"));
        assert!(again.changed);
        Ok(())
    }

    #[test]
    fn what_is_no_regular_file_is_not_read() {
        let scratch = Scratch::new();

        let error = DigestCache::default().digest(scratch.path()).expect_err("a folder");

        assert_eq!(error.kind(), ErrorKind::InvalidData);
    }
}
