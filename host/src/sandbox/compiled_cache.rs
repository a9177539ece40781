//! The cache of compiled layers: written once, then mapped into memory by every event. Embedded layers are
//! part of the program and need no cache.
//!
//! ```text
//! <cache>/compiled/<wasmtime version>-<engine fingerprint>/<digest of the layer>.cwasm, .seal
//! ```
//!
//! A compiled layer is native code, so a file here could do anything. It is loaded only if its seal proves
//! that this program wrote it (`code_seal`), and only if the folder and the file belong to this user and
//! nobody else can write them. The folders above need no check: whoever exchanges them has no seal. Files are
//! written under a temporary name, synced and renamed, and never changed afterward, because another process
//! may have them mapped (a file rewritten in place crashed Zellij for months, wasmtime#10283). Any problem is
//! a cache miss, never a failure.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rustix::fs::{Access, access};
use rustix::process::geteuid;
use wasmtime::Engine;
use wasmtime::component::Component;

use super::code_seal::SealKey;
use super::engine::WASMTIME_VERSION;
use super::native_code::{NewCode, map_checked};
use crate::dirs::{create_private_folder, write_atomically};

/// The cache in a folder of this user, for all processes.
pub(super) struct CompiledCache {
    folder: PathBuf,
    /// The folder's name, which identifies the engine.
    engine_name: String,
    /// The folders that can hold the account's secret.
    secret_folders: Vec<PathBuf>,
    /// The secret, once it was looked for.
    key: OnceLock<Option<SealKey>>,
}

impl CompiledCache {
    /// Returns the cache below `root` for code that `compiler` makes.
    pub(super) fn new(root: &Path, secret_folders: Vec<PathBuf>, compiler: &Engine) -> Self {
        let mut fingerprint = DefaultHasher::new();
        compiler.precompile_compatibility_hash().hash(&mut fingerprint);
        let engine_name = format!("{WASMTIME_VERSION}-{:016x}", fingerprint.finish());
        let folder = root.join("compiled").join(&engine_name);
        Self { folder, engine_name, secret_folders, key: OnceLock::new() }
    }

    /// Loads the compiled layer with this digest. Returns `None` if it is missing or not trustworthy.
    pub(super) fn load(&self, engine: &Engine, digest: &str) -> Option<Component> {
        let key = self.key.get_or_init(|| SealKey::read(&self.secret_folders)).as_ref()?;
        let file =
            is_private(&self.folder).then(|| key.open(&self.sealed_name(digest), &self.path(digest)))??;
        map_checked(engine, &file).ok()
    }

    /// Tells whether a file for this digest exists. Loading it may still fail.
    pub(super) fn has_file(&self, digest: &str) -> bool {
        self.path(digest).exists()
    }

    /// Stores a compiled layer. If that fails, the next process compiles it again.
    pub(super) fn store(&self, digest: &str, code: &NewCode) {
        let _ = self.try_store(digest, code.bytes());
    }

    fn try_store(&self, digest: &str, code: &[u8]) -> io::Result<()> {
        let key = SealKey::read_or_create(&self.secret_folders)?;
        write_atomically(&self.path(digest), code)?;
        key.seal(&self.sealed_name(digest), &self.path(digest), code)
    }

    /// Returns why compiled layers cannot be kept for other processes, if they cannot.
    pub(super) fn obstacle(&self) -> Option<String> {
        let cannot_write = |error: io::Error| format!("cannot write {}: {error}", self.folder.display());
        if let Err(error) = SealKey::read_or_create(&self.secret_folders) {
            return Some(format!("cannot keep the secret that protects compiled code: {error}"));
        }
        let writable =
            create_private_folder(&self.folder).and_then(|()| Ok(access(&self.folder, Access::WRITE_OK)?));
        let is_private = || is_private(&self.folder).then_some(()).ok_or(io::ErrorKind::PermissionDenied);
        writable.and_then(|()| Ok(is_private()?)).err().map(cannot_write)
    }

    fn path(&self, digest: &str) -> PathBuf {
        self.folder.join(digest).with_extension("cwasm")
    }

    /// The name under which a file is sealed: a seal for another layer or another engine does not fit.
    fn sealed_name(&self, digest: &str) -> String {
        format!("{}/{digest}", self.engine_name)
    }
}

/// Tells whether this is a folder, not a link to one, that belongs to this user and nobody else can write.
fn is_private(folder: &Path) -> bool {
    fs::symlink_metadata(folder)
        .is_ok_and(|meta| meta.is_dir() && meta.uid() == geteuid().as_raw() && meta.mode() & 0o022 == 0)
}
