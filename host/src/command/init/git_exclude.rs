//! Keeps the files of one person out of commits, with patterns in `.git/info/exclude`.
//!
//! Local settings contain paths of this machine, and local instructions are not the team's. Claude Code makes
//! git ignore such a file when it creates it, so `init` does the same. The file `info/exclude` is never part
//! of a commit.

use std::path::{Path, PathBuf};

use crate::project::{FileStatus, Project};

/// The status of a project's file in git.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum CommitStatus {
    /// It is ignored already, there is no repository, or git cannot tell.
    Ignored,
    /// It is part of the repository.
    Tracked,
    /// Git would list it as a new file. This file can exclude it.
    Untracked(PathBuf),
}

/// Queries git for a file of the folder `root`, which need not be the root of its repository.
pub(super) fn commit_status(root: &Path, file: &str) -> CommitStatus {
    let project = Project::locate(root);
    match (project.file_status(file), project.exclude_file()) {
        (Ok(FileStatus::Tracked), _) => CommitStatus::Tracked,
        (Ok(FileStatus::Untracked), Some(list)) => CommitStatus::Untracked(list),
        _ => CommitStatus::Ignored,
    }
}

/// Returns the list with the pattern of a file.
pub(super) fn add_pattern(list: &str, file: &str) -> String {
    match list {
        _ if list.is_empty() || list.ends_with('\n') => format!("{list}{}\n", pattern(file)),
        // The missing line break at the end tells `remove_pattern` that there was none.
        _ => format!("{list}\n{}", pattern(file)),
    }
}

/// Returns the list as it was before [`add_pattern`].
pub(crate) fn remove_pattern(list: &str, file: &str) -> String {
    let pattern = pattern(file);
    match list.strip_suffix(&format!("\n{pattern}")) {
        Some(rest) => rest.to_owned(),
        None => list.split_inclusive('\n').filter(|line| line.trim_end() != pattern).collect(),
    }
}

/// Returns the pattern of a file. It matches in every folder, because a project need not be the root of its
/// repository.
fn pattern(file: &str) -> String {
    format!("**/{file}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removing_the_patterns_in_reverse_order_restores_the_list() {
        for list in ["", "\n", "*.swp\n", "*.swp", "# a\n\n"] {
            let with_patterns = add_pattern(&add_pattern(list, "a/b.json"), "c.md");
            assert_eq!(with_patterns.matches("**/a/b.json").count(), 1);
            assert_eq!(remove_pattern(&remove_pattern(&with_patterns, "c.md"), "a/b.json"), list);
        }
        assert_eq!(remove_pattern("a\n**/b.json\nb", "b.json"), "a\nb");
    }
}
