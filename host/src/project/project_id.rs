//! The identity of a project: under which id its memories are stored.
//!
//! A new project gets its id from the path of its git folder. Afterwards it is recognized by what a move
//! keeps: the identities of its folders ([`FileIdentity`](super::file_identity::FileIdentity)), each of which
//! leads to the id by a small file, an alias. A path leads to it too, unless another repository is there now
//! ([`ProjectRecord::is_of_another`]). A remote or a history that two folders have in common never does:
//! whoever makes an archive can write both. A person can join a project to another one, whose memories it
//! then uses.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::Project;
use super::project_record::{FolderIdentities, ProjectRecord};
use crate::dirs::{account_home, cannot_write, read_file, real_path, write_atomically};
use crate::error::{Error, Result};

/// Number of hexadecimal digits of an id: 64 bits are enough to distinguish one user's projects.
const ID_DIGITS: usize = 16;
/// Maximum number of joins that are followed from id to id. Only an edited file can make a cycle; this limit
/// ends it.
const MAX_JOINS: usize = 8;
/// Maximum size of a file that names the id of a project, in bytes.
const MAX_POINTER_BYTES: u64 = 256;
/// The permission of everybody to write in a folder.
const WRITABLE_BY_ALL: u32 = 0o002;
/// The folder of aliases, relative to the folder of all projects.
const ALIASES: &str = "aliases";
/// The folder of joins, relative to the folder of all projects.
const JOINS: &str = "joined";
/// The file of a project's database, in its folder.
pub(super) const DATABASE_FILE: &str = "interleaf.db";

impl Project {
    /// Finds out which project this is, among those whose records are in the folder `data`.
    #[must_use]
    pub fn identify(mut self, data: &Path) -> Self {
        let projects = projects_folder(data);
        if self.git.is_none() {
            self.enclose(&projects);
        }
        let identities = FolderIdentities::of(&self.root, self.git.as_ref(), self.main_root().as_deref());
        let by_identity = identity_keys(identities).find_map(|key| pointed_to(&projects, ALIASES, &key));
        self.own_id = match by_identity {
            Some(id) => id,
            None => self.id_at_path(&projects, identities),
        };
        self.id = follow_joins(&projects, self.own_id.clone());
        self
    }

    /// Without git, a folder belongs to the nearest known project around it, so that a command in a subfolder
    /// uses the memories of the session in the root. A folder that others may write, or that holds this
    /// account's home, is around everything and so around nothing.
    fn enclose(&mut self, projects: &Path) {
        let is_known = |folder: &&Path| {
            let record = ProjectRecord::read(&projects.join(id_of_path(folder)));
            record.is_some_and(|record| record.git.is_none())
        };
        let own = |folder: &&Path| **folder == *self.root || is_private_folder(folder);
        if let Some(root) = self.root.ancestors().filter(own).find(is_known).map(Path::to_owned) {
            self.set_root(root);
        }
    }

    /// Returns the id to which the path leads.
    fn id_at_path(&mut self, projects: &Path, identities: FolderIdentities) -> String {
        let known = pointed_to(projects, ALIASES, &self.path_id).unwrap_or_else(|| self.path_id.clone());
        let store = projects.join(&known);
        let is_another = match ProjectRecord::read(&store) {
            Some(record) => record.is_of_another(&self.evidence(), &store, |commits| {
                let existing = self.existing_commits(&commits.iter().collect::<Vec<_>>());
                existing.map(|existing| !existing.is_empty())
            }),
            // A database of an Interleaf that kept no record: any `.git` file may lead to its git folder.
            None => Some(self.is_of_shared_git_dir() && store.join(DATABASE_FILE).exists()),
        };
        self.is_uncertain = is_another.is_none();
        if is_another == Some(false) {
            return known;
        }
        self.replaced_id = Some(known);
        match identity_keys(identities).next() {
            Some(key) => id_of(format!("{}\0{key}", self.path_id).as_bytes()),
            None => id_of(self.root.as_os_str().as_encoded_bytes()),
        }
    }

    /// Tells whether the git folder does not say which work trees belong to it.
    fn is_of_shared_git_dir(&self) -> bool {
        self.git.as_ref().is_some_and(|git| !git.names_work_tree)
    }

    /// Collects the evidence of which project this is.
    pub(super) fn evidence(&self) -> ProjectRecord {
        ProjectRecord::of(&self.name, &self.root, self.git.as_ref(), self.main_root().as_deref())
    }

    /// Records which project this is, so that it is recognized after a move. Writes only what has changed.
    ///
    /// # Errors
    /// `Unavailable` if a file cannot be written.
    pub fn record(&self, data: &Path) -> Result<()> {
        self.record_with(data, None)
    }

    /// Adds the first commits of the history to the record, once. Runs git, which may take seconds.
    ///
    /// # Errors
    /// As for [`Project::record`].
    pub fn record_history(&self, data: &Path) -> Result<()> {
        let is_recorded = |record: ProjectRecord| record.root_commits.is_some();
        if self.git.is_none() || ProjectRecord::read(&self.own_store(data)).is_none_or(is_recorded) {
            return Ok(());
        }
        match self.root_commits() {
            Ok(commits) if commits.is_empty() => Ok(()),
            commits => self.record_with(data, Some(commits.unwrap_or_default())),
        }
    }

    fn record_with(&self, data: &Path, root_commits: Option<Vec<String>>) -> Result<()> {
        if self.is_uncertain {
            return Ok(());
        }
        let projects = projects_folder(data);
        let evidence = ProjectRecord { root_commits, ..self.evidence() };
        let identities = FolderIdentities { root: evidence.root_identity, git: evidence.git_identity };
        let keys = identity_keys(identities).chain([self.path_id.clone()]).filter(|key| *key != self.own_id);
        let keys: Vec<String> = keys.collect();
        evidence.write(&self.own_store(data))?;
        for key in keys {
            // The path leads to the project that was there first, so that two of them do not take turns.
            let known = pointed_to(&projects, ALIASES, &key);
            let is_path = key == self.path_id;
            let is_taken =
                is_path && (known.is_some() || ProjectRecord::read(&projects.join(&key)).is_some());
            if !is_taken && known.as_ref() != Some(&self.own_id) {
                point(&projects.join(ALIASES).join(key), &self.own_id)?;
            }
        }
        Ok(())
    }

    /// Returns the folder of the project's own memories, before any join.
    fn own_store(&self, data: &Path) -> PathBuf {
        projects_folder(data).join(&self.own_id)
    }

    /// Joins this project to another one. From now on it uses that id and shares that project's memories.
    ///
    /// # Errors
    /// `Invalid` if `other` is not an id or leads back to this project; `Unavailable` if the join cannot be
    /// stored.
    pub fn join(&mut self, data: &Path, other: &str) -> Result<()> {
        if !is_project_id(other) {
            return Err(Error::invalid(format!("`{other}` is not a project id"))
                .hint("an id has 16 hexadecimal digits; `interleaf project list` shows it"));
        }
        let projects = projects_folder(data);
        let target = follow_joins(&projects, other.to_owned());
        if target == self.own_id {
            return Err(Error::invalid(format!("{other} is this project already")));
        }
        self.record(data)?;
        point(&projects.join(JOINS).join(&self.own_id), &target)?;
        self.id = target;
        Ok(())
    }

    /// Ends a join: the project uses its own memories again. Returns false if it was not joined.
    ///
    /// # Errors
    /// `Unavailable` if the file cannot be removed.
    pub fn leave(&mut self, data: &Path) -> Result<bool> {
        let file = projects_folder(data).join(JOINS).join(&self.own_id);
        match fs::remove_file(&file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            removed => removed.map_err(|error| cannot_write(&file, &error))?,
        }
        self.id.clone_from(&self.own_id);
        Ok(true)
    }
}

/// Returns the id of the project with this common git folder, or without git, with this folder.
pub(super) fn id_of_path(path: &Path) -> String {
    id_of(path.as_os_str().as_encoded_bytes())
}

fn id_of(text: &[u8]) -> String {
    Sha256::digest(text).iter().take(ID_DIGITS / 2).map(|byte| format!("{byte:02x}")).collect()
}

pub(super) fn is_project_id(text: &str) -> bool {
    text.len() == ID_DIGITS && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Returns the folder that holds a folder for each project.
pub(super) fn projects_folder(data: &Path) -> PathBuf {
    data.join("projects")
}

/// Tells whether a folder may be a project around others: not one that everybody may write, and not one that
/// holds this account's home.
fn is_private_folder(folder: &Path) -> bool {
    let is_shared = || fs::metadata(folder).map_or(true, |metadata| metadata.mode() & WRITABLE_BY_ALL != 0);
    let holds_home = || account_home().is_some_and(|home| real_path(&home).starts_with(folder));
    !holds_home() && !is_shared()
}

/// Returns the names of the aliases for the folders of a project, the repository first.
fn identity_keys(identities: FolderIdentities) -> impl Iterator<Item = String> {
    let identities = [("git", identities.git), ("root", identities.root)].into_iter();
    identities
        .filter_map(|(kind, identity)| Some(id_of(format!("{kind}:{}", identity?.unique_name()?).as_bytes())))
}

/// Follows the joins from this id to the id in use.
pub(super) fn follow_joins(projects: &Path, id: String) -> String {
    let joined_to = |id: &String| pointed_to(projects, JOINS, id);
    std::iter::successors(Some(id), joined_to).take(MAX_JOINS).last().unwrap_or_default()
}

/// Returns the id in an alias or a join.
fn pointed_to(projects: &Path, folder: &str, name: &str) -> Option<String> {
    let content = read_file(&projects.join(folder).join(name), MAX_POINTER_BYTES).ok()??;
    String::from_utf8(content).ok().map(|id| id.trim().to_owned()).filter(|id| is_project_id(id))
}

/// Deletes the aliases and joins that lead to this id, and its own join.
pub(super) fn delete_pointers(projects: &Path, id: &str) -> Result<()> {
    for folder in [ALIASES, JOINS] {
        for entry in fs::read_dir(projects.join(folder)).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name == id || pointed_to(projects, folder, &name).as_deref() == Some(id) {
                fs::remove_file(entry.path()).map_err(|error| cannot_write(&entry.path(), &error))?;
            }
        }
    }
    Ok(())
}

fn point(file: &Path, id: &str) -> Result<()> {
    write_atomically(file, format!("{id}\n").as_bytes()).map_err(|error| cannot_write(file, &error))
}
