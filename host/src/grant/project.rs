//! `project`: facts about the project, and questions to git.

use std::path::{Path, PathBuf};

use super::{LayerHost, Use, wire};
use crate::error::Result;
use crate::layer::Need;
use crate::project::{Commit, Project};
use crate::sandbox::bindings::project::{self as wit, Host};
use crate::sandbox::bindings::types::Error;

/// What can be asked of a project and of what surrounds it. The harness gives fixed answers.
pub trait ProjectInfo: Send + Sync {
    /// The name of its main folder.
    fn name(&self) -> String;
    /// Asks git beforehand for what will be asked first, where that takes time; the answer is kept.
    fn prefetch(&self) {}
    /// The branch checked out.
    ///
    /// # Errors
    /// `Unavailable` when git does not answer in time; likewise below.
    fn branch(&self) -> Result<Option<String>>;
    /// The branch that others start from.
    ///
    /// # Errors
    /// As for `branch`.
    fn default_branch(&self) -> Result<Option<String>>;
    /// Subjects of the newest commits.
    ///
    /// # Errors
    /// As for `branch`.
    fn recent_subjects(&self, limit: u32) -> Result<Vec<String>>;
    /// Commits after `hash`, oldest first.
    ///
    /// # Errors
    /// As for `branch`; `NotFound` for a hash that git does not know.
    fn commits_since(&self, hash: &str) -> Result<Vec<Commit>>;
    /// Files that differ from HEAD.
    ///
    /// # Errors
    /// As for `branch`.
    fn changed_files(&self) -> Result<Vec<String>>;
    /// A path relative to the project's root.
    fn relative(&self, path: &str) -> Option<String>;
    /// The folder that granted folders lie below; none where there are no files.
    fn root(&self) -> Option<PathBuf>;
    /// A variable of the environment, if it is set and is text.
    fn variable(&self, name: &str) -> Option<String>;
}

impl ProjectInfo for Project {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn prefetch(&self) {
        // Who asks in earnest hears of a failure.
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

    fn root(&self) -> Option<PathBuf> {
        Some(self.root.clone())
    }

    fn variable(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }
}

impl Host for LayerHost {
    fn name(&mut self) -> Result<String, Error> {
        self.permit(Use::Other(Need::Project), 0)?;
        Ok(self.host.project.name())
    }

    fn branch(&mut self) -> Result<Option<String>, Error> {
        self.permit(Use::Other(Need::Project), 0)?;
        self.host.project.branch().map_err(wire)
    }

    fn default_branch(&mut self) -> Result<Option<String>, Error> {
        self.permit(Use::Other(Need::Project), 0)?;
        self.host.project.default_branch().map_err(wire)
    }

    fn recent_subjects(&mut self, limit: u32) -> Result<Vec<String>, Error> {
        self.permit(Use::Other(Need::Project), 0)?;
        self.host.project.recent_subjects(limit).map_err(wire)
    }

    fn commits_since(&mut self, hash: String) -> Result<Vec<wit::Commit>, Error> {
        self.permit(Use::Other(Need::Project), hash.len())?;
        let commits = self.host.project.commits_since(&hash).map_err(wire)?;
        self.meter
            .carry(commits.iter().map(|commit| commit.hash.len() + commit.subject.len()).sum())
            .map_err(wire)?;
        Ok(commits
            .into_iter()
            .map(|commit| wit::Commit { hash: commit.hash, subject: commit.subject })
            .collect())
    }

    fn changed_files(&mut self) -> Result<Vec<String>, Error> {
        self.permit(Use::Other(Need::Project), 0)?;
        let files = self.host.project.changed_files().map_err(wire)?;
        self.meter.carry(files.iter().map(String::len).sum()).map_err(wire)?;
        Ok(files)
    }

    fn relative_path(&mut self, path: String) -> Result<Option<String>, Error> {
        self.permit(Use::Other(Need::Project), path.len())?;
        Ok(self.host.project.relative(&path))
    }
}
