//! `project`: facts about the project, some of them from git.

use std::path::{Component, Path, PathBuf};

use super::{Access, LayerHost, wit_error};
use crate::error::Result;
use crate::layer::Need;
use crate::project::{Commit, Project};
use crate::sandbox::bindings::project::{self as wit, Host};
use crate::sandbox::bindings::types::Error;

/// Maximum number of paths that one call looks at.
const MAX_PATHS: usize = 100;

/// The facts that the host functions need about a project and the process's environment. The harness
/// implements it with fixed values.
pub trait ProjectInfo: Send + Sync {
    /// Returns the name of the project's main folder.
    fn name(&self) -> String;
    /// Starts the slow query to git that layers need first, if there is one, and keeps its answer.
    fn prefetch(&self) {}
    /// Returns the checked-out branch.
    ///
    /// # Errors
    /// `Unavailable` if git does not answer in time.
    fn branch(&self) -> Result<Option<String>>;
    /// Returns the project's default branch.
    ///
    /// # Errors
    /// As for `branch`.
    fn default_branch(&self) -> Result<Option<String>>;
    /// Returns the subjects of the newest commits.
    ///
    /// # Errors
    /// As for `branch`.
    fn recent_subjects(&self, limit: u32) -> Result<Vec<String>>;
    /// Returns the commits after `hash`, oldest first.
    ///
    /// # Errors
    /// As for `branch`; `NotFound` for a hash that git does not know.
    fn commits_since(&self, hash: &str) -> Result<Vec<Commit>>;
    /// Returns the files that differ from HEAD.
    ///
    /// # Errors
    /// As for `branch`.
    fn changed_files(&self) -> Result<Vec<String>>;
    /// Returns a path relative to the project's root; `None` for a path outside it.
    fn relative(&self, path: &str) -> Option<String>;
    /// Returns those of these paths, relative to the project's root, that exist.
    fn existing(&self, paths: Vec<String>) -> Vec<String>;
    /// Returns the folder that contains the folders granted to layers; `None` if there are no files.
    fn root(&self) -> Option<PathBuf>;
    /// Returns an environment variable, if it is set and valid Unicode.
    fn variable(&self, name: &str) -> Option<String>;
}

/// Returns those of these paths that exist below `root`. A path that leads out of it is left out. A link
/// counts as it is, wherever it leads.
pub(crate) fn existing_below(root: &Path, paths: Vec<String>) -> Vec<String> {
    let is_inside =
        |path: &str| Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    let exists = |path: &str| std::fs::symlink_metadata(root.join(path)).is_ok();
    paths.into_iter().filter(|path| !path.is_empty() && is_inside(path) && exists(path)).collect()
}

impl ProjectInfo for Project {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn prefetch(&self) {
        // An error is reported to the layer that calls later.
        let _ = self.recent_commits(1);
    }

    fn branch(&self) -> Result<Option<String>> {
        self.branch()
    }

    fn default_branch(&self) -> Result<Option<String>> {
        self.default_branch()
    }

    fn recent_subjects(&self, limit: u32) -> Result<Vec<String>> {
        self.recent_subjects(limit as usize)
    }

    fn commits_since(&self, hash: &str) -> Result<Vec<Commit>> {
        self.commits_since(hash)
    }

    fn changed_files(&self) -> Result<Vec<String>> {
        self.changed_files()
    }

    fn relative(&self, path: &str) -> Option<String> {
        self.relative(Path::new(path))
    }

    fn existing(&self, paths: Vec<String>) -> Vec<String> {
        existing_below(&self.root, paths)
    }

    fn root(&self) -> Option<PathBuf> {
        Some(self.root.clone())
    }

    fn variable(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }
}

impl Host for LayerHost {
    fn name(&mut self) -> Result<String, Error> {
        self.begin_call(Access::Interface(Need::Project), 0)?;
        Ok(self.host.project.name())
    }

    fn branch(&mut self) -> Result<Option<String>, Error> {
        self.begin_call(Access::Interface(Need::Project), 0)?;
        self.host.project.branch().map_err(wit_error)
    }

    fn default_branch(&mut self) -> Result<Option<String>, Error> {
        self.begin_call(Access::Interface(Need::Project), 0)?;
        self.host.project.default_branch().map_err(wit_error)
    }

    fn recent_subjects(&mut self, limit: u32) -> Result<Vec<String>, Error> {
        self.begin_call(Access::Interface(Need::Project), 0)?;
        self.host.project.recent_subjects(limit).map_err(wit_error)
    }

    fn commits_since(&mut self, hash: String) -> Result<Vec<wit::Commit>, Error> {
        self.begin_call(Access::Interface(Need::Project), hash.len())?;
        let commits = self.host.project.commits_since(&hash).map_err(wit_error)?;
        let bytes = commits.iter().map(|commit| commit.hash.len() + commit.subject.len()).sum();
        self.limiter.check_size(bytes).map_err(wit_error)?;
        let convert = |commit: Commit| wit::Commit { hash: commit.hash, subject: commit.subject };
        Ok(commits.into_iter().map(convert).collect())
    }

    fn changed_files(&mut self) -> Result<Vec<String>, Error> {
        self.begin_call(Access::Interface(Need::Project), 0)?;
        let files = self.host.project.changed_files().map_err(wit_error)?;
        self.limiter.check_size(files.iter().map(String::len).sum()).map_err(wit_error)?;
        Ok(files)
    }

    fn relative_path(&mut self, path: String) -> Result<Option<String>, Error> {
        self.begin_call(Access::Interface(Need::Project), path.len())?;
        Ok(self.host.project.relative(&path))
    }
    fn existing_paths(&mut self, mut paths: Vec<String>) -> Result<Vec<String>, Error> {
        self.begin_call(Access::Interface(Need::Project), paths.iter().map(String::len).sum())?;
        paths.truncate(MAX_PATHS);
        Ok(self.host.project.existing(paths))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_below_the_root_exist() {
        let root = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(root.path().join("src")).expect("a folder");
        std::fs::write(root.path().join("src/a.rs"), "x").expect("a file");
        let paths = ["src/a.rs", "src", "src/b.rs", "", "/etc", "../x", "src/../src/a.rs"].map(str::to_owned);

        assert_eq!(existing_below(root.path(), paths.to_vec()), ["src/a.rs", "src"]);
    }
}
