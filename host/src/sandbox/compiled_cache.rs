//! The cache of compiled layers: written once, then mapped into memory by every event.
//!
//! ```text
//! <cache>/compiled/<wasmtime version>-<engine fingerprint>/<digest of the layer>.cwasm
//! ```
//!
//! A compiled layer is native code, so a file here could do anything. It is loaded only from the user's own
//! folder, and only if the folder and the file belong to this user and nobody else can write them. Files are
//! written under a temporary name, synced and renamed, and never changed afterward, because another process
//! may have them mapped (a file rewritten in place crashed Zellij for months, wasmtime#10283). Any problem is
//! a cache miss, never a failure.

use std::collections::HashMap;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use wasmtime::Engine;
use wasmtime::component::Component;

use super::engine::WASMTIME_VERSION;
use crate::dirs::write_atomically;

/// The place where compiled layers are cached.
pub(super) enum CompiledCache {
    /// In a folder of this user, for all processes.
    Folder(PathBuf),
    /// In this process, until it ends: for the harness, which must not fill a user's cache.
    Process(Mutex<HashMap<String, Component>>),
}

impl CompiledCache {
    /// Returns the cache below `root` for code that `engine` can load.
    pub(super) fn in_folder(root: &Path, engine: &Engine) -> Self {
        let mut fingerprint = DefaultHasher::new();
        engine.precompile_compatibility_hash().hash(&mut fingerprint);
        let name = format!("{WASMTIME_VERSION}-{:016x}", fingerprint.finish());
        Self::Folder(root.join("compiled").join(name))
    }

    /// Returns an empty cache that ends with this process.
    pub(super) fn in_process() -> Self {
        Self::Process(Mutex::default())
    }

    /// Loads the compiled layer with this digest. Returns `None` if it is missing or not trustworthy.
    pub(super) fn load(&self, engine: &Engine, digest: &str) -> Option<Component> {
        match self {
            Self::Process(components) => {
                let component = components.lock().ok()?.get(digest).cloned();
                component.filter(|component| Engine::same(component.engine(), engine))
            }
            Self::Folder(folder) => {
                let path = path(folder, digest);
                let is_trusted = is_private(folder, true) && is_private(&path, false);
                is_trusted.then(|| map(engine, &path))?
            }
        }
    }

    /// Tells whether a file for this digest exists. Loading it may still fail.
    pub(super) fn has_file(&self, digest: &str) -> bool {
        match self {
            Self::Process(_) => true,
            Self::Folder(folder) => path(folder, digest).exists(),
        }
    }

    /// Stores a compiled layer. If that fails, the next process compiles it again.
    pub(super) fn store(&self, digest: &str, component: &Component) {
        match self {
            Self::Process(components) => {
                let stored =
                    components.lock().map(|mut all| all.insert(digest.to_owned(), component.clone()));
                drop(stored);
            }
            Self::Folder(folder) => drop(store(folder, digest, component)),
        }
    }
}

fn path(folder: &Path, digest: &str) -> PathBuf {
    folder.join(digest).with_extension("cwasm")
}

fn store(folder: &Path, digest: &str, component: &Component) -> Option<()> {
    let code = component.serialize().ok()?;
    write_atomically(&path(folder, digest), &code).ok()
}

/// Tells whether a folder or regular file (not a symbolic link) belongs to this user and nobody else can
/// write it.
fn is_private(path: &Path, is_folder: bool) -> bool {
    fs::symlink_metadata(path).is_ok_and(|meta| {
        let is_kind = if is_folder { meta.is_dir() } else { meta.is_file() };
        is_kind && meta.uid() == rustix::process::geteuid().as_raw() && meta.mode() & 0o022 == 0
    })
}

/// Maps compiled code.
#[allow(unsafe_code)]
fn map(engine: &Engine, path: &Path) -> Option<Component> {
    // SAFETY: `deserialize_file` requires bytes that `Component::serialize` produced and that do not change
    // while they are mapped; anything else is arbitrary native code. The file is in a folder that only this
    // user can write (the caller checks both the file and the folder), and its name is the digest of the
    // layer from which it was compiled. `store` above wrote it under a temporary name and renamed it when it
    // was complete, and nothing rewrites it. The folder is the user's own and never inside a project
    // (`dirs.rs`), so a clone cannot contain such a file. wasmtime itself refuses code of another version or
    // configuration. Only code that already runs as this user could forge the file, and such code does not
    // need the file to do harm.
    unsafe { Component::deserialize_file(engine, path) }.ok()
}
