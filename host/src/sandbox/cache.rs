//! The cache of compiled layers: mapped into memory on every event, written once.
//!
//! ```text
//! <cache>/compiled/<wasmtime version>-<engine fingerprint>/<digest of the layer>.cwasm
//! ```
//!
//! A compiled layer is native code, so this is the one place where a file could do anything at all: it is read
//! only from the user's own folder, and only if that folder and the file belong to this user and nobody else may
//! write them. Files are written under a temporary name, synced and renamed, and never changed afterwards: another
//! process may have them mapped (a file rewritten in place crashed Zellij for months, wasmtime#10283). Whatever
//! goes wrong is a miss, never a failure.

use std::collections::HashMap;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use wasmtime::Engine;
use wasmtime::component::Component;

use super::config::WASMTIME;
use crate::dirs::write_atomically;

/// Where compiled layers are kept.
pub(super) enum Cache {
    /// In a folder of this user's, for every process.
    Folder(PathBuf),
    /// In this process, while it lives: for the harness, which must not fill a user's cache.
    Process(Mutex<HashMap<String, Component>>),
}

impl Cache {
    /// The cache below `root` for code that `engine` can load.
    pub(super) fn in_folder(root: &Path, engine: &Engine) -> Self {
        let mut fingerprint = DefaultHasher::new();
        engine.precompile_compatibility_hash().hash(&mut fingerprint);
        let name = format!("{WASMTIME}-{:016x}", fingerprint.finish());
        Self::Folder(root.join("compiled").join(name))
    }

    /// A cache that ends with this process.
    pub(super) fn in_process() -> Self {
        Self::Process(Mutex::default())
    }

    /// The compiled layer of this digest; none on any doubt.
    pub(super) fn load(&self, engine: &Engine, digest: &str) -> Option<Component> {
        match self {
            Self::Process(kept) => {
                let kept = kept.lock().ok()?.get(digest).cloned();
                kept.filter(|component| Engine::same(component.engine(), engine))
            }
            Self::Folder(folder) => {
                let path = path(folder, digest);
                let ours = is_ours(folder, true) && is_ours(&path, false);
                ours.then(|| map(engine, &path))?
            }
        }
    }

    /// Whether there seems to be a compiled layer of this digest: a look at its name, and no more.
    pub(super) fn seems_to_have(&self, digest: &str) -> bool {
        match self {
            Self::Process(_) => true,
            Self::Folder(folder) => path(folder, digest).exists(),
        }
    }

    /// Keeps a compiled layer. A failure is no failure: the next process compiles again.
    pub(super) fn store(&self, digest: &str, component: &Component) {
        match self {
            Self::Process(kept) => {
                drop(kept.lock().map(|mut kept| kept.insert(digest.to_owned(), component.clone())))
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

/// Whether a folder or regular file (no symbolic link) belongs to this user and nobody else can write it.
fn is_ours(path: &Path, folder: bool) -> bool {
    fs::symlink_metadata(path).is_ok_and(|meta| {
        let kind = if folder { meta.is_dir() } else { meta.is_file() };
        kind && meta.uid() == rustix::process::geteuid().as_raw() && meta.mode() & 0o022 == 0
    })
}

/// Maps compiled code.
#[allow(unsafe_code)]
fn map(engine: &Engine, path: &Path) -> Option<Component> {
    // SAFETY: `deserialize_file` demands bytes that `Component::serialize` made and that do not change while they
    // are mapped; anything else is arbitrary native code. The path lies in a folder that only this user can write
    // (checked by the caller, file and folder both), under the digest of the layer it was compiled from; it was
    // written by `store` above under a temporary name and renamed whole, and nothing rewrites it. The folder is the
    // user's own and never inside a project (`dirs.rs`), so no clone can bring such a file along. wasmtime itself
    // refuses code of another version or configuration. What remains is code already running as this user, which
    // needs no detour through this file.
    unsafe { Component::deserialize_file(engine, path) }.ok()
}
