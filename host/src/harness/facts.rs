//! Facts about a project that a test states.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::error::Result;
use crate::grant::Facts;
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

impl Facts for Fixed {
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
