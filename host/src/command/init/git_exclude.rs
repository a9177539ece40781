//! Keeps the local settings out of commits, with a pattern in `.git/info/exclude`.
//!
//! Local settings contain paths of this machine. Claude Code makes git ignore the file when it creates it, so
//! `init` does the same. The file `info/exclude` is never part of a commit.

use std::path::{Path, PathBuf};

use crate::claude::settings::LOCAL_SETTINGS;
use crate::project::{FileStatus, Project};

/// The status of a project's local settings in git.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum LocalSettingsStatus {
    /// They are ignored already, there is no repository, or git cannot tell.
    Ignored,
    /// They are part of the repository.
    Tracked,
    /// Git would list them as a new file. This file can exclude them.
    Untracked(PathBuf),
}

/// Queries git for the local settings of the folder `root`, which need not be the root of its repository.
pub(super) fn local_settings_status(root: &Path) -> LocalSettingsStatus {
    let project = Project::locate(root);
    match (project.file_status(LOCAL_SETTINGS), project.exclude_file()) {
        (Ok(FileStatus::Tracked), _) => LocalSettingsStatus::Tracked,
        (Ok(FileStatus::Untracked), Some(list)) => LocalSettingsStatus::Untracked(list),
        _ => LocalSettingsStatus::Ignored,
    }
}

/// Returns the list with the pattern of the local settings.
pub(super) fn add_pattern(list: &str) -> String {
    match list {
        _ if list.is_empty() || list.ends_with('\n') => format!("{list}{}\n", pattern()),
        // The missing line break at the end tells `remove_pattern` that there was none.
        _ => format!("{list}\n{}", pattern()),
    }
}

/// Returns the list as it was before [`add_pattern`].
pub(crate) fn remove_pattern(list: &str) -> String {
    match list.strip_suffix(&format!("\n{}", pattern())) {
        Some(rest) => rest.to_owned(),
        None => list.split_inclusive('\n').filter(|line| line.trim_end() != pattern()).collect(),
    }
}

/// Returns the pattern. It matches in every folder, because a project need not be the root of its repository.
fn pattern() -> String {
    format!("**/{LOCAL_SETTINGS}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removing_the_pattern_restores_the_list() {
        for list in ["", "\n", "*.swp\n", "*.swp", "# a\n\n"] {
            let with_pattern = add_pattern(list);
            assert_eq!(with_pattern.matches("**/.claude/settings.local.json").count(), 1);
            assert_eq!(remove_pattern(&with_pattern), list);
        }
        assert_eq!(remove_pattern("a\n**/.claude/settings.local.json\nb"), "a\nb");
    }
}
