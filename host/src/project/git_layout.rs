//! Finds the root of a work tree and its git folders by reading a few small files, as git itself does.
//!
//! In one respect this is stricter than git: a `.git` that points elsewhere counts only if its target points
//! back. An unpacked archive may contain a `.git` file that names the repository of another project. Without
//! this check, sessions in the archive would see that project's memories.

use std::fs;
use std::path::{Path, PathBuf};

use crate::dirs::{read_file, real_path};

/// Maximum size of a file that points to a folder, in bytes. It has one line.
const MAX_POINTER_BYTES: u64 = 16 << 10;
/// Maximum size of a repository's git configuration, in bytes. Usually it has one page.
pub(super) const MAX_CONFIG_BYTES: u64 = 1 << 20;

/// A work tree and its git folders.
#[derive(Debug, Clone)]
pub(super) struct GitLayout {
    /// The folder that contains `.git`; without one, the folder itself.
    pub root: PathBuf,
    pub git: Option<GitDirs>,
    /// The reason why an existing `.git` is ignored.
    pub warning: Option<String>,
}

/// The two folders in which git stores a repository. They differ only in a linked work tree.
#[derive(Debug, Clone)]
pub(super) struct GitDirs {
    /// The folder with the files of this work tree, such as its HEAD.
    pub own: PathBuf,
    /// The folder that all work trees share.
    pub common: PathBuf,
    /// Whether the folder itself says that it belongs to this work tree. A folder made by
    /// `git init --separate-git-dir` does not, so any `.git` file may lead there.
    pub names_work_tree: bool,
}

impl GitLayout {
    /// Finds the layout of the work tree of `folder`, which is a real path.
    pub fn find(folder: &Path) -> Self {
        folder.ancestors().find_map(Self::at).unwrap_or_else(|| Self::without_git(folder, None))
    }

    fn without_git(root: &Path, warning: Option<String>) -> Self {
        Self { root: root.to_owned(), git: None, warning }
    }

    fn with_git(root: &Path, git: GitDirs) -> Self {
        Self { root: root.to_owned(), git: Some(git), warning: None }
    }

    /// Returns the layout if this folder is the root of a work tree.
    pub fn at(root: &Path) -> Option<Self> {
        let dot_git = root.join(".git");
        let metadata = fs::symlink_metadata(&dot_git).ok()?;
        if metadata.is_dir() {
            // Git also ignores an empty `.git` folder and continues with the parent folder.
            return is_git_dir(&dot_git).then(|| Self::with_own_dir(root, dot_git));
        }
        let target =
            if metadata.is_symlink() { Some(dot_git) } else { read_pointer(&dot_git, "gitdir:", root) };
        let own = target.and_then(|target| target.canonicalize().ok()).filter(|own| is_git_dir(own));
        let Some(own) = own else {
            return Some(Self::without_git(root, Some("`.git` does not lead to a git folder".to_owned())));
        };
        Some(match dirs_elsewhere(&own, root) {
            Some(git) => Self::with_git(root, git),
            None => Self::without_git(root, Some(foreign_dir_warning(&own))),
        })
    }

    /// Returns the layout of a work tree with its own `.git` folder. A `.git` folder that names another
    /// common folder is ignored, because git itself never creates one.
    fn with_own_dir(root: &Path, git: PathBuf) -> Self {
        if git.join("commondir").exists() {
            return Self::without_git(root, Some("`.git` names the folder of another repository".to_owned()));
        }
        Self::with_git(root, GitDirs { own: git.clone(), common: git, names_work_tree: true })
    }
}

fn foreign_dir_warning(own: &Path) -> String {
    format!(
        "`.git` leads to {}, which belongs to another folder (`git worktree repair` may help)",
        own.display()
    )
}

/// Returns the bare repository that a folder lies in.
pub(super) fn bare_repository(folder: &Path) -> Option<&Path> {
    let is_bare = |folder: &&Path| core_setting(folder, "bare").as_deref() == Some("true");
    folder.ancestors().find(|folder| is_git_dir(folder) && is_bare(folder))
}

fn is_git_dir(folder: &Path) -> bool {
    let has = |name| fs::symlink_metadata(folder.join(name)).is_ok();
    has("HEAD") && (has("objects") || has("commondir"))
}

/// Returns the git folders outside the work tree, if they belong to `root`.
fn dirs_elsewhere(own: &Path, root: &Path) -> Option<GitDirs> {
    let (common, names_work_tree) = match linked_common_dir(own, root) {
        Some(common) => (common?, true),
        None if is_dir_of(own, root) => (own.to_owned(), core_setting(own, "worktree").is_some()),
        None => return None,
    };
    Some(GitDirs { own: own.to_owned(), common, names_work_tree })
}

/// Returns the common folder of a linked work tree; `None` if `own` is not the folder of a linked work tree,
/// and `Some(None)` if the common folder does not list this work tree.
///
/// The folder must be in `worktrees` of the common folder, where only the owner of that repository can put
/// it, and `gitdir` beside its HEAD must name the `.git` of this root.
fn linked_common_dir(own: &Path, root: &Path) -> Option<Option<PathBuf>> {
    let common = read_pointer(&own.join("commondir"), "", own)?;
    let checked = || {
        let common = common.canonicalize().ok()?;
        let back = read_pointer(&own.join("gitdir"), "", own)?;
        let points_back = back.file_name()? == ".git" && back.parent()?.canonicalize().ok()? == root;
        (own.parent()? == common.join("worktrees") && points_back).then_some(common)
    };
    Some(checked())
}

/// Returns the roots of the linked work trees that a common folder lists. Whether one belongs to it, its own
/// `.git` decides.
pub(super) fn linked_work_trees(common: &Path) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(common.join("worktrees")).into_iter().flatten().flatten().map(|entry| entry.path());
    let root = |own: PathBuf| {
        let root = read_pointer(&own.join("gitdir"), "", &own)?.parent()?.to_owned();
        Some(real_path(&root))
    };
    entries.filter_map(root).collect()
}

/// Returns whether a git folder outside the work tree belongs to it.
///
/// The git folder of a submodule names its work tree. A folder made by `--separate-git-dir` does not. It
/// counts unless it clearly belongs to another work tree: it must not be bare, and must not be the `.git` in
/// another folder.
fn is_dir_of(own: &Path, root: &Path) -> bool {
    if core_setting(own, "worktree").is_some() {
        return configured_work_tree(own).is_some_and(|work_tree| work_tree == root);
    }
    let is_in_another = own.file_name().is_some_and(|name| name == ".git") && own.parent() != Some(root);
    !is_in_another && core_setting(own, "bare").as_deref() != Some("true")
}

/// Returns the work tree that the configuration of a git folder names, as a real path.
pub(super) fn configured_work_tree(git: &Path) -> Option<PathBuf> {
    git.join(core_setting(git, "worktree")?).canonicalize().ok()
}

/// Reads a value of the section `[core]` from the configuration of the work tree or of the repository.
fn core_setting(git: &Path, key: &str) -> Option<String> {
    ["config.worktree", "config"].iter().find_map(|file| {
        let text = read_file(&git.join(file), MAX_CONFIG_BYTES).ok()??;
        core_value(&String::from_utf8_lossy(&text), key)
    })
}

fn core_value(config: &str, key: &str) -> Option<String> {
    let mut in_core = false;
    let mut last = None;
    for line in config.lines().map(str::trim) {
        if line.starts_with('[') {
            in_core = line.to_ascii_lowercase().starts_with("[core]");
        } else if in_core
            && let Some((name, value)) = line.split_once('=')
            && name.trim().eq_ignore_ascii_case(key)
        {
            last = Some(unquoted(value.trim()));
        }
    }
    last
}

/// Removes git's quoting: git quotes a value that begins or ends with a space or contains `#` or `;`, and
/// escapes `"` and `\`.
fn unquoted(value: &str) -> String {
    let mut chars = value.chars();
    let mut text = String::with_capacity(value.len());
    while let Some(char) = chars.next() {
        match char {
            '"' => {}
            '\\' => text.extend(chars.next()),
            char => text.push(char),
        }
    }
    text
}

/// Returns the target of a one-line file. A relative target is resolved against `base`.
fn read_pointer(file: &Path, label: &str, base: &Path) -> Option<PathBuf> {
    let content = read_file(file, MAX_POINTER_BYTES).ok()??;
    let path = content.strip_prefix(label.as_bytes())?.trim_ascii();
    (!path.is_empty()).then(|| base.join(path_from_bytes(path)))
}

#[cfg(unix)]
fn path_from_bytes(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    std::ffi::OsStr::from_bytes(bytes).into()
}

#[cfg(not(unix))]
fn path_from_bytes(bytes: &[u8]) -> PathBuf {
    String::from_utf8_lossy(bytes).into_owned().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_core_section_is_read_as_git_writes_it() {
        let config = "[core]\n\tbare = false\n\tworktree = \"../a \\\"b\\\" #c\"\n\
                      [remote \"core\"]\n\tworktree = no\n";
        assert_eq!(core_value(config, "worktree").as_deref(), Some("../a \"b\" #c"));
        assert_eq!(core_value("[CORE]\nBare=true", "bare").as_deref(), Some("true"));
        assert_eq!(core_value("[remote \"x\"]\nworktree = a", "worktree"), None);
    }
}
