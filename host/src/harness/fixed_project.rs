//! A project whose facts a test sets in code.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::Harness;
use crate::error::Result;
use crate::grant::{ProjectInfo, existing_below};
use crate::project::Commit;

/// The facts about the project that a test has set.
#[derive(Debug, Clone, Default)]
pub(super) struct FixedProject {
    name: String,
    branch: Option<String>,
    subjects: Vec<String>,
    root: Option<PathBuf>,
    variables: BTreeMap<String, String>,
}

impl Harness {
    /// Sets the project's name.
    #[must_use]
    pub fn project(mut self, name: &str) -> Self {
        name.clone_into(&mut self.fixed_project.name);
        self
    }

    /// Sets the checked-out branch and the subjects of its newest commits, newest first.
    #[must_use]
    pub fn branch(mut self, branch: &str, subjects: &[&str]) -> Self {
        self.fixed_project.branch = Some(branch.to_owned());
        self.fixed_project.subjects = subjects.iter().map(|subject| (*subject).to_owned()).collect();
        self
    }

    /// Sets the project's root, which contains the folders that layers are granted.
    #[must_use]
    pub fn project_root(mut self, root: impl Into<PathBuf>) -> Self {
        self.fixed_project.root = Some(root.into());
        self
    }

    /// Sets an environment variable. A layer sees it if it was granted.
    #[must_use]
    pub fn env_var(mut self, name: &str, value: &str) -> Self {
        self.fixed_project.variables.insert(name.to_owned(), value.to_owned());
        self
    }
}

impl ProjectInfo for FixedProject {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn branch(&self) -> Result<Option<String>> {
        Ok(self.branch.clone())
    }

    fn default_branch(&self) -> Result<Option<String>> {
        Ok(Some("main".to_owned()))
    }

    fn recent_subjects(&self, limit: u32) -> Result<Vec<String>> {
        Ok(self.subjects.iter().take(limit as usize).cloned().collect())
    }

    fn commits_since(&self, _hash: &str) -> Result<Vec<Commit>> {
        Ok(Vec::new())
    }

    fn changed_files(&self) -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    fn relative(&self, path: &str) -> Option<String> {
        path.strip_prefix('/').is_none().then(|| path.to_owned())
    }

    /// Without a root, the test has set no files, and every path counts as one that exists.
    fn existing(&self, paths: Vec<String>) -> Vec<String> {
        match &self.root {
            Some(root) => existing_below(root, paths),
            None => paths,
        }
    }

    fn root(&self) -> Option<PathBuf> {
        self.root.clone()
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.variables.get(name).cloned()
    }
}
