//! A cache of the digests of component files.
//!
//! Hashing a large component takes as long as answering an event, so a file is hashed again only if its size,
//! times or inode differ from those in the cache. A file that deceives this comparison counts as accepted,
//! but then the accepted copy runs, not the file.
//!
//! A hook hashes only files that could be accepted ones, and only a limited number of bytes, because a clone
//! could contain gigabytes of them. Commands and the background compilation hash the rest.

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
/// Maximum number of bytes that a hook hashes, which takes 20 to 80 ms.
const MAX_BYTES_PER_HOOK: u64 = 32 << 20;
/// Maximum number of files in the cache of a project. A full cache is cleared.
const MAX_CACHED_FILES: usize = 1_000;
/// Maximum size of a cache file, in bytes: far more than [`MAX_CACHED_FILES`] entries need.
const MAX_CACHE_BYTES: u64 = 4 << 20;

/// The digests of the files that were hashed before.
#[derive(Debug, Default)]
pub struct DigestCache {
    file: PathBuf,
    entries: BTreeMap<PathBuf, Entry>,
    /// Number of bytes that may still be hashed; `None` means any number.
    budget: Option<u64>,
}

/// How much is hashed while layers are searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hashing {
    /// Every file, for commands.
    Complete,
    /// Files of the size of an accepted version, up to a number of bytes, for hooks.
    Bounded,
}

/// The result of looking at a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FileDigest {
    /// Its digest.
    Known(String),
    /// It has the size of no accepted version, so it was not hashed.
    OtherSize,
    /// It was not hashed, because this hook has hashed enough.
    OverBudget,
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
    pub fn read(file: &Path, hashing: Hashing) -> Self {
        let content = read_file(file, MAX_CACHE_BYTES).ok().flatten();
        let entries = content.and_then(|content| serde_json::from_slice(&content).ok()).unwrap_or_default();
        let budget = (hashing == Hashing::Bounded).then_some(MAX_BYTES_PER_HOOK);
        Self { file: file.to_owned(), entries, budget }
    }

    /// Returns the digest of a component. `accepted_sizes` returns the sizes of the accepted versions.
    ///
    /// # Errors
    /// Any error of reading the file; `InvalidData` if it is not a regular file or larger than
    /// [`MAX_COMPONENT_BYTES`].
    pub(super) fn digest(
        &mut self,
        component: &Path,
        accepted_sizes: impl FnOnce() -> Vec<u64>,
    ) -> io::Result<FileDigest> {
        let entry = Entry::new(&fs::metadata(component)?);
        if entry.size > MAX_COMPONENT_BYTES {
            let message = format!("larger than {MAX_COMPONENT_BYTES} bytes");
            return Err(io::Error::new(ErrorKind::InvalidData, message));
        }
        if let Some(known) = self.entries.get(component).filter(|known| known.matches(&entry)) {
            return Ok(FileDigest::Known(known.digest.clone()));
        }
        if let Some(budget) = &mut self.budget {
            if !accepted_sizes().contains(&entry.size) {
                return Ok(FileDigest::OtherSize);
            }
            let Some(left) = budget.checked_sub(entry.size) else { return Ok(FileDigest::OverBudget) };
            *budget = left;
        }
        let content = read_file(component, MAX_COMPONENT_BYTES)?.ok_or(ErrorKind::NotFound)?;
        let digest = digest(&content);
        self.insert(component, Entry { digest: digest.clone(), ..entry });
        Ok(FileDigest::Known(digest))
    }

    /// Stores the entry at once, so that a hook that is stopped has not hashed in vain. If that fails, the
    /// next process hashes the file again.
    fn insert(&mut self, component: &Path, entry: Entry) {
        if self.entries.len() >= MAX_CACHED_FILES {
            self.entries.clear();
        }
        self.entries.insert(component.to_owned(), entry);
        let json = serde_json::to_vec(&self.entries).unwrap_or_default();
        let _ = write_atomically(&self.file, &json);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dirs::scratch::Scratch;

    fn digest_of(cache: &mut DigestCache, component: &Path) -> FileDigest {
        cache.digest(component, Vec::new).expect("it can be read")
    }

    #[test]
    fn a_file_is_hashed_once_until_it_changes() {
        let scratch = Scratch::new();
        let (component, file) = (scratch.file("x.wasm", "one"), scratch.path().join("seen.json"));
        let known = |text: &str| FileDigest::Known(digest(text.as_bytes()));
        assert_eq!(digest_of(&mut DigestCache::read(&file, Hashing::Complete), &component), known("one"));
        let stored = fs::read(&file).expect("stored at once");

        let mut again = DigestCache::read(&file, Hashing::Complete);
        assert_eq!(digest_of(&mut again, &component), known("one"));
        assert_eq!(fs::read(&file).expect("there"), stored);

        scratch.file("x.wasm", "other");
        assert_eq!(digest_of(&mut again, &component), known("other"));
    }

    #[test]
    fn a_hook_hashes_only_files_of_an_accepted_size_and_a_limited_number_of_bytes() {
        let scratch = Scratch::new();
        let [one, two] = ["one.wasm", "two.wasm"].map(|name| scratch.file(name, "same size"));
        let mut cache = DigestCache::read(&scratch.path().join("seen.json"), Hashing::Bounded);

        assert_eq!(digest_of(&mut cache, &one), FileDigest::OtherSize);
        cache.budget = Some(9);
        assert!(matches!(cache.digest(&one, || vec![3, 9]), Ok(FileDigest::Known(_))));
        assert!(matches!(cache.digest(&two, || vec![3, 9]), Ok(FileDigest::OverBudget)));
        assert!(matches!(cache.digest(&one, Vec::new), Ok(FileDigest::Known(_))), "it is cached");
    }

    #[test]
    fn a_file_that_is_too_large_is_reported_also_where_a_hook_would_not_hash_it() {
        let scratch = Scratch::new();
        let component = scratch.file("x.wasm", "");
        let file = fs::File::options().write(true).open(&component).expect("ours");
        file.set_len(MAX_COMPONENT_BYTES + 1).expect("a sparse file");
        for hashing in [Hashing::Complete, Hashing::Bounded] {
            let mut cache = DigestCache::read(&scratch.path().join("seen.json"), hashing);

            let error = cache.digest(&component, Vec::new).expect_err("too large");

            assert_eq!(error.to_string(), "larger than 268435456 bytes");
        }
    }

    #[test]
    fn only_regular_files_are_read() {
        let scratch = Scratch::new();

        let error = DigestCache::default().digest(scratch.path(), Vec::new).expect_err("a folder");

        assert_eq!(error.kind(), ErrorKind::InvalidData);
    }
}
