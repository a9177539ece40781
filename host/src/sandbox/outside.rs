//! What of the outside a layer sees through WASI: by default nothing at all. What it may see is decided elsewhere; here
//! it is plain data.

use std::path::PathBuf;

use wasmtime_wasi::{FsPerms, WasiCtxBuilder};

/// Folders and variables.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WasiAccess {
    /// The real path of a folder that may be read, and the name that the layer opens it by.
    pub folders: Vec<(PathBuf, String)>,
    /// Names and values.
    pub variables: Vec<(String, String)>,
}

impl WasiAccess {
    /// Opens the folders, for reading only. One that went away in the meantime is not there.
    pub(super) fn open(&self, wasi: &mut WasiCtxBuilder) {
        if !self.folders.is_empty() {
            // The layer has a thread of its own; handing files to another would only start a pool of them.
            wasi.allow_blocking_current_thread(true);
        }
        for (path, name) in &self.folders {
            let _ = wasi.preopened_dir(path, name, FsPerms::ReadOnly);
        }
        wasi.envs(&self.variables);
    }
}
