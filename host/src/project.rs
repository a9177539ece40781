//! The project of a folder: its root, name, id and configuration file, and facts from git.
//!
//! All work trees of a repository are one project, a clone is another, and without git the folder itself is
//! the project. `project_id` says how it is recognized. Finding a project reads a few small files; `git` runs
//! only for queries that those files do not answer. Other modules store a project's memories under its id.

use std::iter;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use crate::dirs::{MAX_PATH_BYTES, account_home, real_path};

mod commit_cache;
mod file_identity;
mod git;
#[cfg(all(test, unix))]
mod git_attack_tests;
mod git_branches;
mod git_layout;
mod git_objects;
mod git_queries;
mod git_remotes;
mod git_safety;
mod git_transport;
#[cfg(all(test, unix))]
mod identity_tests;
mod known_projects;
mod path_bytes;
mod project_id;
mod project_record;
#[cfg(all(test, unix))]
mod tests;

use commit_cache::CommitCache;
pub use commit_cache::{Commit, CommitStore};
pub use git_branches::is_branch_name;
use git_layout::{GitDirs, GitLayout};
pub use git_objects::{FileAtCommit, TreeFile};
pub use git_queries::FileStatus;
pub use git_transport::Remote;
pub use known_projects::{KnownProject, KnownProjects};

/// The project's configuration, relative to a folder of the work tree.
const CONFIG_FILE: &str = ".claude/interleaf.toml";

/// A project, as found from one of its folders.
#[derive(Debug, Clone)]
pub struct Project {
    /// The root of this work tree; without git, the folder itself. A real path.
    pub root: PathBuf,
    /// The base name of the main work tree, for people and for queries. It does not identify the project.
    pub name: String,
    /// The id under which its memories are stored: 16 hexadecimal digits.
    pub id: String,
    /// The reason why an existing `.git` is ignored; `interleaf doctor` shows it.
    pub git_warning: Option<String>,
    /// The id from the path.
    path_id: String,
    /// The id before any join.
    own_id: String,
    /// The id of the project that was at this path before another repository took its place.
    replaced_id: Option<String>,
    /// Whether git did not say which of two projects this is. Nothing is recorded then.
    is_uncertain: bool,
    /// The folder that the search started from. Relative paths are resolved against it.
    start: PathBuf,
    git: Option<GitDirs>,
    git_program: Option<PathBuf>,
    deadline: Option<Instant>,
    recent_commits: Arc<Mutex<Option<Vec<Commit>>>>,
    commit_cache: Option<CommitCache>,
}

impl Project {
    /// Finds the project of the folder `dir`, with the id under which its memories are stored. `data` is
    /// [`Folders::data`](crate::dirs::Folders).
    pub fn find(dir: &Path, data: &Path) -> Self {
        Self::locate(dir).identify(data)
    }

    /// Finds the project with the id of its path, before the user's folders are known, because finding these
    /// needs the project's root. A path that cannot exist belongs to the root folder of the file system.
    pub fn locate(dir: &Path) -> Self {
        let start = match dir.as_os_str().len() {
            0..=MAX_PATH_BYTES => real_path(&std::env::current_dir().unwrap_or_default().join(dir)),
            _ => PathBuf::from("/"),
        };
        let GitLayout { root, git, warning } = GitLayout::find(&start);
        let id = project_id::id_of_path(git.as_ref().map_or(&root, |git| &git.common));
        Self {
            name: name_of(&root, git.as_ref()),
            path_id: id.clone(),
            own_id: id.clone(),
            id,
            replaced_id: None,
            is_uncertain: false,
            root,
            git_warning: warning,
            start,
            git,
            git_program: None,
            deadline: None,
            recent_commits: Arc::default(),
            commit_cache: None,
        }
    }

    /// Sets the time at which queries to git are stopped. Without a deadline, each query may take five
    /// seconds.
    #[must_use]
    pub fn with_deadline(mut self, deadline: Instant) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// Remembers the newest commits in this store.
    #[must_use]
    pub fn with_commit_store(mut self, store: Arc<dyn CommitStore>) -> Self {
        self.commit_cache = Some(CommitCache::new(store));
        self
    }

    /// Uses this program instead of the `git` on the PATH.
    #[must_use]
    pub fn with_git_program(mut self, program: impl Into<PathBuf>) -> Self {
        self.git_program = Some(program.into());
        self
    }

    /// Makes this folder the root of a project without git.
    fn set_root(&mut self, root: PathBuf) {
        self.path_id = project_id::id_of_path(&root);
        self.name = base_name(&root);
        self.root = root;
    }

    /// Returns the root of the main work tree, if there is one and it can be found without running git.
    pub fn main_root(&self) -> Option<PathBuf> {
        main_work_tree(&self.root, self.git.as_ref()?)
    }

    /// Returns the roots of all work trees of the project: this one, the main one, and those that the
    /// repository lists. One that was deleted may be among them.
    pub fn work_trees(&self) -> Vec<PathBuf> {
        let linked =
            self.git.as_ref().map(|git| git_layout::linked_work_trees(&git.common)).unwrap_or_default();
        let mut roots: Vec<PathBuf> = iter::once(self.root.clone()).chain(self.main_root()).collect();
        roots.extend(linked);
        roots.sort_unstable();
        roots.dedup();
        roots
    }

    /// Returns the folders whose files may have come with the project: its work tree and the main one, and
    /// those of each repository around it. A repository that holds this account's home folder (dotfiles in
    /// git) counts only if the session was started in it.
    pub fn source_folders(&self) -> Vec<PathBuf> {
        let home = account_home().map(|home| real_path(&home));
        let enclosing = self.root.ancestors().skip(1).filter_map(GitLayout::at);
        let enclosing = enclosing.flat_map(|GitLayout { root, git, .. }| {
            let main = git.and_then(|git| main_work_tree(&root, &git));
            [Some(root), main]
        });
        let others = iter::once(self.main_root()).chain(enclosing).flatten();
        let others = others.filter(|root| !home.as_ref().is_some_and(|home| home.starts_with(root)));
        iter::once(self.root.clone()).chain(others).collect()
    }

    /// Returns the folder that the search started from. A real path.
    pub fn start(&self) -> &Path {
        &self.start
    }

    /// Returns the work trees that somebody else may have filled: this one, the main one, and every
    /// repository around them. Programs are not looked up there. A folder with this account's home in it is
    /// the person's own.
    pub fn foreign_work_trees(&self) -> Vec<PathBuf> {
        let main = self.main_root();
        let mut trees: Vec<_> = [Some(&self.root), main.as_ref()].into_iter().flatten().cloned().collect();
        let around = |tree: &PathBuf| tree.ancestors().skip(1).map(Path::to_owned).collect::<Vec<_>>();
        let enclosing = trees.iter().flat_map(around).filter(|folder| folder.join(".git").exists());
        trees.extend(enclosing.collect::<Vec<_>>());
        let home = account_home().map(|home| real_path(&home));
        let is_own =
            |tree: &Path| tree.parent().is_none() || home.as_ref().is_some_and(|home| home.starts_with(tree));
        trees.retain(|tree| !is_own(tree));
        trees
    }

    /// Returns whether the project is a git repository.
    pub fn has_git(&self) -> bool {
        self.git.is_some()
    }

    /// Returns the project's configuration file: the nearest `.claude/interleaf.toml` from the starting
    /// folder up to the root of the work tree, otherwise the path at the root where it would be.
    pub fn config_file(&self) -> PathBuf {
        let within = self.start.ancestors().take_while(|folder| folder.starts_with(&self.root));
        let mut files = within.map(|folder| folder.join(CONFIG_FILE));
        files.find(|file| file.exists()).unwrap_or_else(|| self.root.join(CONFIG_FILE))
    }

    /// Returns the path relative to the root, with `/` between its parts, or `None` if it lies outside.
    ///
    /// A relative path is resolved against the starting folder. Symbolic links are followed, except for the
    /// last part: a link in the work tree is a file of the project, regardless of its target.
    pub fn relative(&self, path: &Path) -> Option<String> {
        let path = Some(self.start.join(path)).filter(|path| path.as_os_str().len() <= MAX_PATH_BYTES)?;
        let real = match (path.parent(), path.components().next_back()) {
            (Some(parent), Some(Component::Normal(name))) => real_path(parent).join(name),
            _ => real_path(&path),
        };
        let parts = real.strip_prefix(&self.root).ok()?.components();
        Some(parts.map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/"))
    }
}

/// Returns the root of the main work tree of a repository, seen from one of its work trees.
fn main_work_tree(root: &Path, git: &GitDirs) -> Option<PathBuf> {
    match git.common.file_name() {
        _ if git.own == git.common => Some(root.to_owned()),
        Some(name) if name == ".git" => git.common.parent().map(Path::to_owned),
        _ => git_layout::configured_work_tree(&git.common),
    }
}

/// Returns the name of a project. A common folder `.git` is in the main work tree, and the common folder of a
/// submodule names its work tree. A separate or bare repository has only its own name.
fn name_of(root: &Path, git: Option<&GitDirs>) -> String {
    let Some(git) = git else { return base_name(root) };
    if git.own == git.common {
        return base_name(root);
    }
    let is_hidden = git.common.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
    match (is_hidden, git.common.parent()) {
        (true, Some(parent)) => base_name(parent),
        _ => git_layout::configured_work_tree(&git.common).map_or_else(
            || base_name(&git.common).trim_end_matches(".git").to_owned(),
            |work_tree| base_name(&work_tree),
        ),
    }
}

fn base_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
