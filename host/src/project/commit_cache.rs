//! The newest commits, remembered from one session to the next: the same HEAD has the same history, so git
//! need not run again. If git does not answer in time, the commits of an earlier HEAD are better than none.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// A commit of the project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commit {
    /// The full hash.
    pub hash: String,
    /// The first line of the message, at most 300 characters.
    pub subject: String,
}

/// Where the cache is kept from one process to the next.
pub trait CommitStore: Send + Sync {
    /// Returns what was stored last.
    fn load(&self) -> Option<String>;
    /// Stores the text. A failure is not reported: git is asked again the next time.
    fn store(&self, text: &str);
}

/// The cache of a project.
#[derive(Clone)]
pub(super) struct CommitCache(Arc<dyn CommitStore>);

/// The commits of a HEAD.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct CachedCommits {
    /// The hash of HEAD.
    pub head: String,
    /// The newest commits, newest first.
    pub commits: Vec<Commit>,
}

impl CommitCache {
    pub fn new(store: Arc<dyn CommitStore>) -> Self {
        Self(store)
    }

    /// Returns the commits that were stored last; none if nothing was stored, or it cannot be read.
    pub fn load(&self) -> Option<CachedCommits> {
        serde_json::from_str(&self.0.load()?).ok()
    }

    pub fn store(&self, commits: &CachedCommits) {
        if let Ok(text) = serde_json::to_string(commits) {
            self.0.store(&text);
        }
    }
}

impl fmt::Debug for CommitCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CommitCache")
    }
}
