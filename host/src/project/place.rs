//! Where a work tree and its git folder are, learned by reading a few small files, as git itself would.
//!
//! One thing is stricter than git: a `.git` that leads somewhere else counts only if that place agrees. An unpacked
//! archive may hold a `.git` file that names the repository of another project; believed, it would be shown that
//! project's memories.

use std::fs;
use std::path::{Path, PathBuf};

use crate::dirs::read_file;

/// Files that point somewhere are one line; git's configuration is a page.
const POINTER: u64 = 16 << 10;
const CONFIGURATION: u64 = 1 << 20;

/// A work tree and what git keeps about it.
#[derive(Debug, Clone)]
pub(super) struct Place {
    /// The folder that holds `.git`; where there is none, the folder itself.
    pub root: PathBuf,
    pub git: Option<GitFolders>,
    /// Why a `.git` that is there was not believed.
    pub git_warning: Option<String>,
}

/// The two folders in which git keeps things; they are one, except in a linked work tree.
#[derive(Debug, Clone)]
pub(super) struct GitFolders {
    /// What belongs to this work tree: its HEAD.
    pub own: PathBuf,
    /// What all work trees share.
    pub common: PathBuf,
}

impl Place {
    /// The place that `folder`, a real path, belongs to.
    pub fn of(folder: &Path) -> Self {
        folder.ancestors().find_map(Self::at).unwrap_or_else(|| Self::without_git(folder, None))
    }

    fn without_git(root: &Path, git_warning: Option<String>) -> Self {
        Self { root: root.to_owned(), git: None, git_warning }
    }

    /// git keeps linked work trees inside the common folder, never in a `.git` folder that borrows from another.
    fn with_its_own(root: &Path, git: PathBuf) -> Self {
        if git.join("commondir").exists() {
            return Self::without_git(root, Some("`.git` borrows from another repository".to_owned()));
        }
        Self {
            root: root.to_owned(),
            git: Some(GitFolders { own: git.clone(), common: git }),
            git_warning: None,
        }
    }

    fn at(root: &Path) -> Option<Self> {
        let dot_git = root.join(".git");
        let about = fs::symlink_metadata(&dot_git).ok()?;
        if about.is_dir() {
            // An empty `.git` folder is nothing to git either: it looks further up.
            return is_git_folder(&dot_git).then(|| Self::with_its_own(root, dot_git));
        }
        let target = if about.is_symlink() { Some(dot_git) } else { pointer(&dot_git, "gitdir:", root) };
        let own = target.and_then(|target| target.canonicalize().ok()).filter(|own| is_git_folder(own));
        let Some(own) = own else {
            return Some(Self::without_git(root, Some("`.git` leads to no git folder".to_owned())));
        };
        Some(match folder_elsewhere(&own, root) {
            Some(git) => Self { root: root.to_owned(), git: Some(git), git_warning: None },
            None => Self::without_git(root, Some(disowned(&own))),
        })
    }
}

fn disowned(own: &Path) -> String {
    format!("`.git` leads to {}, which is not of this folder (`git worktree repair` may help)", own.display())
}

fn is_git_folder(folder: &Path) -> bool {
    let has = |name| fs::symlink_metadata(folder.join(name)).is_ok();
    has("HEAD") && (has("objects") || has("commondir"))
}

/// The git folder outside, if it agrees that this is its work tree.
fn folder_elsewhere(own: &Path, root: &Path) -> Option<GitFolders> {
    let common = match linked(own, root) {
        Some(common) => common?,
        None if is_of(own, root) => own.to_owned(),
        None => return None,
    };
    Some(GitFolders { own: own.to_owned(), common })
}

/// For a linked work tree, the common folder; `Some(None)` where the common folder does not know this work tree.
/// It has to lie in `worktrees` of the common folder, which only the owner of that repository can arrange, and
/// `gitdir` beside its HEAD has to name the `.git` of this root.
fn linked(own: &Path, root: &Path) -> Option<Option<PathBuf>> {
    let common = pointer(&own.join("commondir"), "", own)?;
    let agreed = || {
        let common = common.canonicalize().ok()?;
        let back = pointer(&own.join("gitdir"), "", own)?;
        let is_back = back.file_name()? == ".git" && back.parent()?.canonicalize().ok()? == root;
        (own.parent()? == common.join("worktrees") && is_back).then_some(common)
    };
    Some(agreed())
}

/// A submodule's git folder names its work tree. One made by `--separate-git-dir` does not, so there all that can
/// be asked is that it is not plainly somebody else's: bare, or the `.git` in another folder.
fn is_of(own: &Path, root: &Path) -> bool {
    if setting(own, "worktree").is_some() {
        return work_tree(own).is_some_and(|tree| tree == root);
    }
    let beside_another = own.file_name().is_some_and(|name| name == ".git") && own.parent() != Some(root);
    !beside_another && setting(own, "bare").as_deref() != Some("true")
}

/// The work tree that a git folder's configuration names, as a real path.
pub(super) fn work_tree(git: &Path) -> Option<PathBuf> {
    git.join(setting(git, "worktree")?).canonicalize().ok()
}

/// A value of the section `[core]`, from the configuration of the folder or of its work tree.
fn setting(git: &Path, key: &str) -> Option<String> {
    ["config.worktree", "config"].iter().find_map(|file| {
        let text = read_file(&git.join(file), CONFIGURATION).ok()??;
        core_value(&String::from_utf8_lossy(&text), key)
    })
}

fn core_value(configuration: &str, key: &str) -> Option<String> {
    let mut in_core = false;
    let mut found = None;
    for line in configuration.lines().map(str::trim) {
        if line.starts_with('[') {
            in_core = line.to_ascii_lowercase().starts_with("[core]");
        } else if in_core
            && let Some((name, value)) = line.split_once('=')
            && name.trim().eq_ignore_ascii_case(key)
        {
            found = Some(unquoted(value.trim()));
        }
    }
    found
}

/// git quotes a value that begins or ends with a space or holds `#` or `;`, and escapes `"` and `\`.
fn unquoted(value: &str) -> String {
    let mut letters = value.chars();
    let mut plain = String::with_capacity(value.len());
    while let Some(letter) = letters.next() {
        match letter {
            '"' => {}
            '\\' => plain.extend(letters.next()),
            letter => plain.push(letter),
        }
    }
    plain
}

/// Where a one-line file points; a relative path is meant from `base`.
fn pointer(file: &Path, label: &str, base: &Path) -> Option<PathBuf> {
    let content = read_file(file, POINTER).ok()??;
    let path = content.strip_prefix(label.as_bytes())?.trim_ascii();
    (!path.is_empty()).then(|| base.join(path_of(path)))
}

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    std::ffi::OsStr::from_bytes(bytes).into()
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> PathBuf {
    String::from_utf8_lossy(bytes).into_owned().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_core_section_is_read_as_git_writes_it() {
        let configuration = "[core]\n\tbare = false\n\tworktree = \"../a \\\"b\\\" #c\"\n[remote \"core\"]\n\tworktree = no\n";
        assert_eq!(core_value(configuration, "worktree").as_deref(), Some("../a \"b\" #c"));
        assert_eq!(core_value("[CORE]\nBare=true", "bare").as_deref(), Some("true"));
        assert_eq!(core_value("[remote \"x\"]\nworktree = a", "worktree"), None);
    }
}
