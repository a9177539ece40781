//! ProjectInfo about a project that a test states.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::Harness;
use crate::error::Result;
use crate::grant::ProjectInfo;
use crate::project::Commit;

/// What a test says of the project.
#[derive(Debug, Clone, Default)]
pub(super) struct Fixed {
    pub(super) name: String,
    pub(super) branch: Option<String>,
    pub(super) subjects: Vec<String>,
    pub(super) root: Option<PathBuf>,
    pub(super) variables: BTreeMap<String, String>,
}

impl Harness {
    /// The project's name.
    #[must_use]
    pub fn project(mut self, name: &str) -> Self {
        name.clone_into(&mut self.facts.name);
        self
    }

    /// The branch checked out and the subjects of its newest commits.
    #[must_use]
    pub fn branch(mut self, branch: &str, subjects: &[&str]) -> Self {
        self.facts.branch = Some(branch.to_owned());
        self.facts.subjects = subjects.iter().map(|subject| (*subject).to_owned()).collect();
        self
    }

    /// The project's root: granted folders are looked for below it.
    #[must_use]
    pub fn project_root(mut self, root: impl Into<PathBuf>) -> Self {
        self.facts.root = Some(root.into());
        self
    }

    /// Sets a variable of the environment, which a layer sees if it was granted.
    #[must_use]
    pub fn env_var(mut self, name: &str, value: &str) -> Self {
        self.facts.variables.insert(name.to_owned(), value.to_owned());
        self
    }
}

impl ProjectInfo for Fixed {
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

    fn root(&self) -> Option<PathBuf> {
        self.root.clone()
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.variables.get(name).cloned()
    }
}
