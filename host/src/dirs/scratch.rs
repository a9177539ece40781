//! A folder for one test, gone when the test is.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// The folder.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("interleaf-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).expect("a temporary folder can be made");
        Self(folder.canonicalize().expect("it exists"))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// A folder inside, made with all its parents.
    pub(crate) fn folder(&self, name: &str) -> PathBuf {
        let folder = self.0.join(name);
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        folder
    }

    /// A file inside, with its parents.
    pub(crate) fn file(&self, name: &str, content: &str) -> PathBuf {
        let file = self.0.join(name);
        std::fs::create_dir_all(file.parent().expect("a file has a parent")).expect("parents can be made");
        std::fs::write(&file, content).expect("a file can be written");
        file
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
