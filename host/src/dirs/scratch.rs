//! A temporary folder for one test.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A temporary folder, named by its real path. It is removed when the value is dropped.
pub(crate) struct Scratch {
    path: PathBuf,
    _folder: TempDir,
}

impl Scratch {
    pub(crate) fn new() -> Self {
        let folder = TempDir::with_prefix("interleaf-").expect("a temporary folder can be created");
        let path = folder.path().canonicalize().expect("the folder exists");
        Self { path, _folder: folder }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Creates a folder and its parents inside the scratch folder.
    pub(crate) fn folder(&self, name: &str) -> PathBuf {
        let folder = self.path.join(name);
        std::fs::create_dir_all(&folder).expect("a folder can be created");
        folder
    }

    /// Writes a file inside the scratch folder, and creates its parents.
    pub(crate) fn file(&self, name: &str, content: &str) -> PathBuf {
        let file = self.path.join(name);
        std::fs::create_dir_all(file.parent().expect("a file has a parent")).expect("parents can be created");
        std::fs::write(&file, content).expect("a file can be written");
        file
    }
}
