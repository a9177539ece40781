//! Which project this is, and the questions to git.
//!
//! A project is the real path of the common git folder: all work trees of a repository are one project, a clone is
//! another, and without git the folder itself is. Finding it costs a few small file reads and starts nothing; `git`
//! runs only when a question is asked that its files do not answer. Where the project's memories are kept is not
//! known here, only the id they go by.

use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use sha2::{Digest, Sha256};

use crate::dirs::{MAX_PATH_BYTES, read_file, real_path};
use crate::error::{Error, Result};

mod git;
mod place;
mod questions;
#[cfg(all(test, unix))]
mod tests;

use place::Place;
pub use questions::Commit;

/// Hexadecimal digits of an id: 64 bits tell one person's projects apart.
const ID_DIGITS: usize = 16;

/// A project, as seen from one of its folders.
#[derive(Debug, Clone)]
pub struct Project {
    /// The root of this work tree; without git, the folder itself. A real path.
    pub root: PathBuf,
    /// The base name of the main work tree: for people and for queries, never an identity.
    pub name: String,
    /// What its memories go by: 16 hexadecimal digits.
    pub id: String,
    /// Why a `.git` that is there was not believed, for `doctor`.
    pub git_warning: Option<String>,
    own_id: String,
    start: PathBuf,
    git: Option<place::GitFolders>,
    program: PathBuf,
    deadline: Option<Instant>,
    recent: Arc<Mutex<Option<Vec<Commit>>>>,
}

impl Project {
    /// The project that `dir` belongs to, under the id it was joined to, if it was. `data` is
    /// [`Folders::data`](crate::dirs::Folders).
    pub fn find(dir: &Path, data: &Path) -> Self {
        Self::locate(dir).with_joined_id(data)
    }

    /// The project by itself, before it is known where this user's files are: the root is needed to judge those.
    /// A path that cannot exist belongs to the root folder.
    pub fn locate(dir: &Path) -> Self {
        let start = match dir.as_os_str().len() {
            0..=MAX_PATH_BYTES => real_path(&std::env::current_dir().unwrap_or_default().join(dir)),
            _ => PathBuf::from("/"),
        };
        let Place { root, git, git_warning } = Place::of(&start);
        let id = id_of(git.as_ref().map_or(&root, |git| &git.common));
        Self {
            name: name_of(&root, git.as_ref()),
            own_id: id.clone(),
            id,
            root,
            git_warning,
            start,
            git,
            program: "git".into(),
            deadline: None,
            recent: Arc::default(),
        }
    }

    /// The same project under the id that [`Project::join`] wrote down.
    #[must_use]
    pub fn with_joined_id(mut self, data: &Path) -> Self {
        self.id = final_id(data, self.own_id.clone());
        self
    }

    /// From now on this project goes by another's id and shares its memories.
    ///
    /// # Errors
    /// `Invalid` for what is no id or leads back here; `Unavailable` where it cannot be written down.
    pub fn join(&mut self, data: &Path, other: &str) -> Result<()> {
        if !is_id(other) {
            return Err(Error::invalid(format!("`{other}` is not the id of a project"))
                .hint("an id has 16 hexadecimal digits; `interleaf doctor` shows it"));
        }
        let target = final_id(data, other.to_owned());
        if target == self.own_id {
            return Err(Error::invalid(format!("project {other} is this one already")));
        }
        write_joined(&joined_file(data, &self.own_id), &target)?;
        self.id = target;
        Ok(())
    }

    /// Questions to git are given up at this moment; without one, each may take five seconds.
    #[must_use]
    pub fn with_deadline(mut self, deadline: Instant) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// Asks this program instead of the `git` on the PATH.
    #[must_use]
    pub fn with_git_program(mut self, program: impl Into<PathBuf>) -> Self {
        self.program = program.into();
        self
    }

    /// The root of the main work tree, where there is one and it can be told without asking git.
    pub fn main_root(&self) -> Option<PathBuf> {
        let git = self.git.as_ref()?;
        match git.common.file_name() {
            _ if git.own == git.common => Some(self.root.clone()),
            Some(name) if name == ".git" => git.common.parent().map(Path::to_owned),
            _ => place::work_tree(&git.common),
        }
    }

    /// Whether git keeps this project.
    pub fn has_git(&self) -> bool {
        self.git.is_some()
    }

    /// The project's configuration: the nearest `.claude/interleaf.toml` from the starting folder up to the root of
    /// the work tree, else the place at the root where it would be.
    pub fn config_file(&self) -> PathBuf {
        let within = self.start.ancestors().take_while(|folder| folder.starts_with(&self.root));
        let mut files = within.map(|folder| folder.join(".claude/interleaf.toml"));
        files.find(|file| file.exists()).unwrap_or_else(|| self.root.join(".claude/interleaf.toml"))
    }

    /// The path relative to the root, with `/` between its parts; `None` when it lies outside. A relative path is
    /// meant from the starting folder. Links on the way are followed, the last part is not: a link in the work
    /// tree is a file of the project, whatever it points to.
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

fn id_of(path: &Path) -> String {
    let digest = Sha256::digest(path.as_os_str().as_encoded_bytes());
    digest.iter().take(ID_DIGITS / 2).map(|byte| format!("{byte:02x}")).collect()
}

fn is_id(text: &str) -> bool {
    text.len() == ID_DIGITS && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// A common folder `.git` stands in the main work tree; that of a submodule names it; one that stands by itself,
/// bare or separate, has only its own name.
fn name_of(root: &Path, git: Option<&place::GitFolders>) -> String {
    let Some(git) = git else { return base_name(root) };
    if git.own == git.common {
        return base_name(root);
    }
    let hidden = git.common.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
    match (hidden, git.common.parent()) {
        (true, Some(parent)) => base_name(parent),
        _ => place::work_tree(&git.common).map_or_else(
            || base_name(&git.common).trim_end_matches(".git").to_owned(),
            |main| base_name(&main),
        ),
    }
}

fn base_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

fn joined_file(data: &Path, id: &str) -> PathBuf {
    data.join("projects/joined").join(id)
}

/// Follows what was joined, and what that was joined to later; a circle, which only an edited file can make, ends
/// after a few steps.
fn final_id(data: &Path, own: String) -> String {
    let next = |id: &String| {
        let content = read_file(&joined_file(data, id), 256).ok()??;
        String::from_utf8(content).ok().map(|id| id.trim().to_owned()).filter(|id| is_id(id))
    };
    std::iter::successors(Some(own), next).take(8).last().unwrap_or_default()
}

fn write_joined(file: &Path, id: &str) -> Result<()> {
    let folder = file.parent().unwrap_or(file);
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(file, format!("{id}\n")));
    written.map_err(|error| Error::unavailable(format!("{} cannot be written: {error}", file.display())))
}
