//! Seals: the proof that this program wrote a file of native code.
//!
//! A file of the cache could do anything once it runs, and where the cache lies depends on variables that a
//! project can set. So each file has a seal beside it, made with a secret that lies in a folder of the
//! account, which no variable names. Without a valid seal, a file counts as missing.
//!
//! A seal has two message authentication codes (keyed BLAKE3) over the name of the file:
//!
//! - one over the file's bytes. It holds wherever the file is moved, but checking it reads all of the file,
//!   35 MB for a layer in Python;
//! - one over the file's identity: device, inode, size, and the times of its last changes in nanoseconds.
//!   No program without privileges can set the time of the last change (ctime), so the identity holds for
//!   exactly the bytes that were sealed. Checking it costs some microseconds.
//!
//! The second is checked first. Where it fails, as after a move to another disk, the first decides, and the
//! seal is renewed.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use blake3::{Hash, Hasher};
use rustix::fs::OFlags;
use rustix::process::geteuid;

use crate::dirs::{create_atomically, read_file, write_atomically};

/// Length of the secret, in bytes.
const SECRET_BYTES: usize = 32;

/// Length of an authentication code, in bytes.
const MAC_BYTES: usize = 32;

/// The name of the file with the secret.
const SECRET_FILE: &str = "compiled.key";

/// Permissions that a file of native code must not have.
const WRITABLE_BY_OTHERS: u32 = 0o022;

/// Permissions that the file with the secret must not have.
const ACCESSIBLE_BY_OTHERS: u32 = 0o077;

/// The secret of this account with which files are sealed.
#[derive(Clone)]
pub(super) struct SealKey([u8; SECRET_BYTES]);

/// An open file whose seal was valid.
pub(super) struct CheckedFile(File);

impl CheckedFile {
    pub(super) const fn as_file(&self) -> &File {
        &self.0
    }
}

impl SealKey {
    /// Reads the secret from the first of these folders that has one which only this user can read.
    pub(super) fn read(folders: &[PathBuf]) -> Option<Self> {
        folders.iter().find_map(|folder| Self::read_file(&folder.join(SECRET_FILE)))
    }

    #[cfg(test)]
    pub(super) fn into_bytes(self) -> [u8; SECRET_BYTES] {
        self.0
    }

    fn read_file(path: &Path) -> Option<Self> {
        let (file, _) = open_own(path, ACCESSIBLE_BY_OTHERS)?;
        let mut secret = Vec::new();
        file.take(SECRET_BYTES as u64 + 1).read_to_end(&mut secret).ok()?;
        Some(Self(secret.try_into().ok()?))
    }

    /// Reads the secret, or makes it in the first of these folders that can be written. Processes that do so
    /// at the same time agree on one secret.
    ///
    /// # Errors
    /// The error of the last folder, if none can be used.
    pub(super) fn read_or_create(folders: &[PathBuf]) -> io::Result<Self> {
        let mut result = Err(io::Error::new(io::ErrorKind::NotFound, "this account has no home folder"));
        for folder in folders {
            result = Self::read(folders).map_or_else(|| Self::create(&folder.join(SECRET_FILE)), Ok);
            if result.is_ok() {
                break;
            }
        }
        result
    }

    fn create(path: &Path) -> io::Result<Self> {
        let mut secret = [0; SECRET_BYTES];
        getrandom::fill(&mut secret).map_err(|error| io::Error::other(error.to_string()))?;
        match create_atomically(path, &secret) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
        let unusable = || io::Error::other(format!("{} is not a secret of this user alone", path.display()));
        Self::read_file(path).ok_or_else(unusable)
    }

    fn mac(&self, purpose: &str, name: &str) -> Hasher {
        let mut mac = Hasher::new_keyed(&self.0);
        for part in [purpose, name] {
            mac.update(&(part.len() as u64).to_le_bytes());
            mac.update(part.as_bytes());
        }
        mac
    }

    fn content_mac(&self, name: &str, content: impl Read) -> io::Result<Hash> {
        let mut mac = self.mac("content", name);
        mac.update_reader(content)?;
        Ok(mac.finalize())
    }

    fn identity_mac(&self, name: &str, meta: &Metadata) -> Hash {
        let mut mac = self.mac("identity", name);
        for number in [meta.dev(), meta.ino(), meta.size()] {
            mac.update(&number.to_le_bytes());
        }
        for number in [meta.mtime(), meta.mtime_nsec(), meta.ctime(), meta.ctime_nsec()] {
            mac.update(&number.to_le_bytes());
        }
        mac.finalize()
    }

    /// Seals the file at `path`, into which this program just wrote `content`.
    ///
    /// # Errors
    /// Any error of the file system; the file then has no valid seal.
    pub(super) fn seal(&self, name: &str, path: &Path, content: &[u8]) -> io::Result<()> {
        let (_, meta) = open_own(path, WRITABLE_BY_OTHERS).ok_or(io::ErrorKind::NotFound)?;
        self.write_seal(name, path, self.content_mac(name, content)?, &meta)
    }

    fn write_seal(&self, name: &str, path: &Path, content: Hash, meta: &Metadata) -> io::Result<()> {
        let identity = self.identity_mac(name, meta);
        write_atomically(&seal_path(path), &[*content.as_bytes(), *identity.as_bytes()].concat())
    }

    /// Opens the file at `path` if it has a valid seal of this name.
    pub(super) fn open(&self, name: &str, path: &Path) -> Option<CheckedFile> {
        let (file, meta) = open_own(path, WRITABLE_BY_OTHERS)?;
        let seal = read_file(&seal_path(path), 2 * MAC_BYTES as u64).ok()??;
        let (content, identity) = seal.split_at_checked(MAC_BYTES)?;
        // The comparisons take the same time whatever differs.
        if self.identity_mac(name, &meta) != Hash::from_slice(identity).ok()? {
            let actual = self.content_mac(name, &file).ok()?;
            (actual == Hash::from_slice(content).ok()?).then_some(())?;
            // The next process need not read the whole file again. If this cannot be stored, it does.
            let _ = self.write_seal(name, path, actual, &meta);
        }
        Some(CheckedFile(file))
    }
}

fn seal_path(path: &Path) -> PathBuf {
    path.with_extension("seal")
}

/// Opens a regular file that belongs to this user and has none of the forbidden permissions. A link is not
/// followed, and a pipe does not block.
fn open_own(path: &Path, forbidden_mode: u32) -> Option<(File, Metadata)> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let file = OpenOptions::new().read(true).custom_flags(flags.bits() as i32).open(path).ok()?;
    let meta = file.metadata().ok()?;
    let is_own = meta.is_file() && meta.uid() == geteuid().as_raw() && meta.mode() & forbidden_mode == 0;
    is_own.then_some((file, meta))
}
