//! Keeping local settings out of a person's commits: the questions to git, and its list of what to ignore.
//!
//! Local settings hold paths of this machine. Claude Code has git ignore the file when it makes it; a file
//! that we make gets the same, in `.git/info/exclude`, which is part of no commit.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::claude::settings::LOCAL_SETTINGS;

/// What git makes of the local settings of a project.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Local {
    /// They are no concern of git's, or ignored already.
    Safe,
    /// They are part of the repository.
    Tracked,
    /// They would turn up as a new file, unless this file lists them.
    Unlisted(PathBuf),
}

/// Asks git. Where there is no git or no repository, all is well.
pub(super) fn ask(root: &Path) -> Local {
    if git(root, &["ls-files", "--error-unmatch", "--", LOCAL_SETTINGS])
        .is_some_and(|answer| answer.status.success())
    {
        return Local::Tracked;
    }
    // 0 means ignored, 1 not ignored, anything else that this is not a question for git.
    match git(root, &["check-ignore", "--quiet", "--", LOCAL_SETTINGS])
        .and_then(|answer| answer.status.code())
    {
        Some(1) => exclude_file(root).map_or(Local::Safe, Local::Unlisted),
        _ => Local::Safe,
    }
}

/// The list with the local settings on it.
pub(super) fn with_line(text: &str) -> String {
    match text {
        _ if text.is_empty() || text.ends_with('\n') => format!("{text}{}\n", line()),
        // Whether the list ended with a line break is kept in whether it does now.
        _ => format!("{text}\n{}", line()),
    }
}

/// The list as it was before [`with_line`].
pub(crate) fn without_line(text: &str) -> String {
    match text.strip_suffix(&format!("\n{}", line())) {
        Some(rest) => rest.to_owned(),
        None => text.split_inclusive('\n').filter(|it| it.trim_end() != line()).collect(),
    }
}

/// In any folder of the repository, as a project need not be its root.
fn line() -> String {
    format!("**/{LOCAL_SETTINGS}")
}

fn exclude_file(root: &Path) -> Option<PathBuf> {
    let answer =
        git(root, &["rev-parse", "--git-path", "info/exclude"]).filter(|answer| answer.status.success())?;
    let path = String::from_utf8(answer.stdout).ok()?;
    Some(root.join(path.trim_end_matches(['\n', '\r'])))
}

/// Runs git on this project and nothing else, whatever the surroundings say.
fn git(root: &Path, question: &[&str]) -> Option<Output> {
    let mut git = Command::new("git");
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX"] {
        git.env_remove(name);
    }
    git.env("GIT_OPTIONAL_LOCKS", "0").stdin(Stdio::null());
    // A repository that came as a copy may name a program to run as its file system monitor.
    git.arg("-C").arg(root).args(["-c", "core.fsmonitor=false"]).args(question).output().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_comes_and_goes_without_a_trace() {
        for text in ["", "\n", "*.swp\n", "*.swp", "# a\n\n"] {
            let with = with_line(text);
            assert_eq!(with.matches("**/.claude/settings.local.json").count(), 1);
            assert_eq!(without_line(&with), text);
        }
        assert_eq!(without_line("a\n**/.claude/settings.local.json\nb"), "a\nb");
    }
}
