//! What is recorded of a project beside its database: where it is and what it belongs to. It tells whether
//! the repository at a path is still the one whose memories are stored.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::file_identity::FileIdentity;
use super::git_layout::GitDirs;
use super::git_remotes::remote_digests;
use super::path_bytes;
use crate::dirs::{cannot_write, create_private_folder, read_file, write_json_atomically};
use crate::error::Result;

/// The file of a record, in the folder of the project's database.
const FILE_NAME: &str = "project.json";
/// Maximum size of a record, in bytes. It has less than 2 kB.
const MAX_BYTES: u64 = 64 << 10;

/// The record of a project. Each field is evidence of what it belongs to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct ProjectRecord {
    /// The name, for people.
    pub name: String,
    /// The root of the main work tree; if that is not known, of the work tree that was used last.
    #[serde(with = "path_bytes")]
    pub root: PathBuf,
    /// The common git folder.
    #[serde(with = "path_bytes::optional")]
    pub git: Option<PathBuf>,
    /// The identity of the main work tree's root.
    pub root_identity: Option<FileIdentity>,
    /// The identity of the common git folder, if that says which work trees belong to it.
    pub git_identity: Option<FileIdentity>,
    /// Digests of the remotes.
    pub remotes: Vec<String>,
    /// The first commits of the history; empty if git took too long to find them, `None` if it was not asked.
    pub root_commits: Option<Vec<String>>,
    /// The identity of the folder that holds this record. A record in another folder came with a copy, of a
    /// home folder for instance, so the identities in it say nothing.
    pub kept_in: Option<FileIdentity>,
}

/// The identities of a project's folders: the part of the evidence that costs a hook no file to read.
#[derive(Debug, Clone, Copy)]
pub(super) struct FolderIdentities {
    /// As [`ProjectRecord::root_identity`].
    pub root: Option<FileIdentity>,
    /// As [`ProjectRecord::git_identity`].
    pub git: Option<FileIdentity>,
}

impl FolderIdentities {
    /// Finds the identities of the project with this root, git folder and root of the main work tree.
    pub fn of(root: &Path, git: Option<&GitDirs>, main_root: Option<&Path>) -> Self {
        let own_root = if git.is_some() { main_root } else { Some(root) };
        Self {
            root: own_root.and_then(FileIdentity::of),
            git: git.filter(|git| git.names_work_tree).and_then(|git| FileIdentity::of(&git.common)),
        }
    }
}

impl ProjectRecord {
    /// Collects what can be known of a project without running git.
    pub fn of(name: &str, root: &Path, git: Option<&GitDirs>, main_root: Option<&Path>) -> Self {
        let FolderIdentities { root: root_identity, git: git_identity } =
            FolderIdentities::of(root, git, main_root);
        Self {
            name: name.to_owned(),
            root: main_root.unwrap_or(root).to_owned(),
            git: git.map(|git| git.common.clone()),
            root_identity,
            git_identity,
            remotes: git.map(|git| remote_digests(&git.common)).unwrap_or_default(),
            root_commits: None,
            kept_in: None,
        }
    }

    /// Reads the record in the folder of a project's database. A record that is damaged counts as missing.
    pub fn read(store: &Path) -> Option<Self> {
        let content = read_file(&store.join(FILE_NAME), MAX_BYTES).ok()??;
        serde_json::from_slice(&content).ok()
    }

    /// Writes the record, unless the same one is there. What is not known here stays as it was.
    ///
    /// # Errors
    /// `Unavailable` if the file cannot be written.
    pub fn write(mut self, store: &Path) -> Result<()> {
        create_private_folder(store).map_err(|error| cannot_write(store, &error))?;
        self.kept_in = FileIdentity::of(store);
        let before = Self::read(store);
        if let Some(before) = before.as_ref().filter(|before| before.git == self.git) {
            self.keep_from(before);
        }
        if before.as_ref() == Some(&self) {
            return Ok(());
        }
        write_json_atomically(&store.join(FILE_NAME), &self)
    }

    fn keep_from(&mut self, before: &Self) {
        if self.root_commits.is_none() {
            self.root_commits.clone_from(&before.root_commits);
        }
        if self.root_identity.is_none() && before.root.exists() {
            self.root.clone_from(&before.root);
            self.root_identity = before.root_identity;
        }
        self.git_identity = self.git_identity.or(before.git_identity);
    }

    /// Tells whether the project `here`, at the same path, is another one than the recorded one: both are
    /// repositories, the folders are others, and they have neither a remote nor a first commit in common.
    /// Returns `None` if git does not say whether the repository here has one of the commits, which
    /// `has_commits` asks.
    ///
    /// A folder without git has nothing but its path. A git folder that does not say which work trees belong
    /// to it has the same remotes and commits from everywhere, so only the root counts.
    pub fn is_of_another(
        &self,
        here: &Self,
        store: &Path,
        has_commits: impl Fn(&[String]) -> Option<bool>,
    ) -> Option<bool> {
        if self.git.is_none() && here.git.is_none() {
            return Some(false);
        }
        let are_same = self.compare_folders(here);
        if here.git.is_some() && here.git_identity.is_none() {
            return Some(are_same != Some(true) && self.root != here.root);
        }
        if are_same != Some(false) || !self.is_in_its_folder(store) {
            return Some(false);
        }
        if here.remotes.iter().any(|remote| self.remotes.contains(remote)) {
            return Some(false);
        }
        match self.root_commits.as_deref() {
            None | Some([]) => Some(true),
            Some(commits) => Some(!has_commits(commits)?),
        }
    }

    /// Tells whether one of the folders is the same; `None` if none can be compared.
    fn compare_folders(&self, here: &Self) -> Option<bool> {
        let pairs = [(self.git_identity, here.git_identity), (self.root_identity, here.root_identity)];
        let known = pairs.into_iter().filter_map(|(one, other)| one?.is_same(&other?));
        known.reduce(|one, other| one || other)
    }

    /// Tells whether the record is still in the folder in which it was written.
    fn is_in_its_folder(&self, store: &Path) -> bool {
        let folders = self.kept_in.zip(FileIdentity::of(store));
        folders.is_some_and(|(then, now)| then.is_same(&now) == Some(true))
    }
}
