//! A cache of the digests of component files.
//!
//! Hashing a large component takes as long as answering an event, so a file is hashed again only if its size,
//! times or inode differ from those in the cache. A file that deceives this comparison counts as accepted,
//! but then the accepted copy runs, not the file.

use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::dirs::{read_file, write_atomically};
use crate::layer::{digest, is_digest};

/// Maximum size of a component, in bytes. A component that contains all of Python has 18 MB.
pub const MAX_COMPONENT_BYTES: u64 = 256 << 20;
/// Maximum number of files in the cache of a project. A full cache is cleared.
const MAX_CACHED_FILES: usize = 1_000;
/// Maximum size of a cache file, in bytes: far more than [`MAX_CACHED_FILES`] entries need.
const MAX_CACHE_BYTES: u64 = 4 << 20;

/// The digests of the files that were hashed before.
#[derive(Debug, Default)]
pub struct DigestCache {
    file: PathBuf,
    entries: BTreeMap<PathBuf, Entry>,
    is_changed: bool,
}

/// The digest of a file, and the metadata that it had when it was hashed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    size: u64,
    /// Seconds and nanoseconds.
    modified: (i64, i64),
    /// Seconds and nanoseconds; unlike the time of modification, programs cannot set it.
    changed: (i64, i64),
    device: u64,
    inode: u64,
    digest: String,
}

impl Entry {
    fn new(metadata: &Metadata) -> Self {
        Self {
            size: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
            device: metadata.dev(),
            inode: metadata.ino(),
            digest: String::new(),
        }
    }

    fn matches(&self, current: &Self) -> bool {
        is_digest(&self.digest) && *self == Self { digest: self.digest.clone(), ..current.clone() }
    }
}

impl DigestCache {
    /// Reads the cache; it is empty if the file is missing or cannot be read.
    pub fn read(file: &Path) -> Self {
        let content = read_file(file, MAX_CACHE_BYTES).ok().flatten();
        let entries = content.and_then(|content| serde_json::from_slice(&content).ok()).unwrap_or_default();
        Self { file: file.to_owned(), entries, is_changed: false }
    }

    /// Returns the digest of a component.
    ///
    /// # Errors
    /// Any error of reading the file; `InvalidData` if it is not a regular file or larger than
    /// [`MAX_COMPONENT_BYTES`].
    pub fn digest(&mut self, component: &Path) -> io::Result<String> {
        let mut entry = Entry::new(&fs::metadata(component)?);
        if let Some(known) = self.entries.get(component).filter(|known| known.matches(&entry)) {
            return Ok(known.digest.clone());
        }
        let content = read_file(component, MAX_COMPONENT_BYTES)?.ok_or(ErrorKind::NotFound)?;
        entry.digest = digest(&content);
        let digest = entry.digest.clone();
        if self.entries.len() >= MAX_CACHED_FILES {
            self.entries.clear();
        }
        self.entries.insert(component.to_owned(), entry);
        self.is_changed = true;
        Ok(digest)
    }

    /// Stores new entries. If that fails, the next process hashes those files again.
    pub fn save(&self) {
        if self.is_changed {
            let json = serde_json::to_vec(&self.entries).unwrap_or_default();
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
        let mut cache = DigestCache::read(&file);
        let one = cache.digest(&component)?;
        cache.save();

        let mut again = DigestCache::read(&file);
        assert_eq!(again.digest(&component)?, one);
        assert!(!again.is_changed);

        scratch.file("x.wasm", "other");
        assert_eq!(again.digest(&component)?, digest(b"other"));
        assert!(again.is_changed);
        Ok(())
    }

    #[test]
    fn only_regular_files_are_read() {
        let scratch = Scratch::new();

        let error = DigestCache::default().digest(scratch.path()).expect_err("a folder");

        assert_eq!(error.kind(), ErrorKind::InvalidData);
    }
}
