//! The branches of a repository, and whether one has the changes of another, also if they came by a rebase or
//! as one commit (a squash merge).

use std::collections::{BTreeMap, BTreeSet};

use interleaf_text::is_invisible;

use super::Project;
use crate::error::Result;

/// Where branches are, in the order in which they are preferred.
const PREFIXES: [&str; 2] = ["refs/heads/", "refs/remotes/origin/"];

/// Maximum number of commits whose changes are compared. A branch that was merged longer ago than that is
/// taken for unmerged.
const MAX_COMPARED_COMMITS: &str = "--max-count=1000";

/// Tells whether git allows a branch of this name: see `git check-ref-format`.
pub fn is_branch_name(name: &str) -> bool {
    let is_forbidden = |c: char| is_invisible(c) || " ~^:?*[\\".contains(c);
    let is_part = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.ends_with(".lock");
    !name.contains(is_forbidden)
        && !["..", "@{"].iter().any(|text| name.contains(text))
        && !name.starts_with('-')
        && !name.ends_with('.')
        && !matches!(name, "@" | "HEAD")
        && name.split('/').all(is_part)
}

impl Project {
    /// Returns the names of the branches of this repository and its remote, and of the current one, which
    /// may have no commit yet. Without git there are none.
    ///
    /// # Errors
    /// `Unavailable` if git fails.
    pub fn branch_names(&self) -> Result<BTreeSet<String>> {
        if !self.has_git() {
            return Ok(BTreeSet::new());
        }
        Ok(self
            .branch_tips()?
            .into_keys()
            .chain(self.branch()?)
            .filter(|name| is_branch_name(name))
            .collect())
    }

    /// Returns the newest commit of each branch of this repository and its remote, by the branch's name.
    ///
    /// # Errors
    /// `Unavailable` if git fails.
    pub fn branch_tips(&self) -> Result<BTreeMap<String, String>> {
        let mut tips = BTreeMap::new();
        for prefix in PREFIXES {
            for (name, tip) in self.refs(prefix)? {
                let name = name.trim_start_matches(prefix).to_owned();
                tips.entry(name).or_insert(tip);
            }
        }
        Ok(tips)
    }

    /// Tells whether a branch, named by its newest commit, has all changes of another: its commits, or
    /// commits with the same changes, or one commit with all of them. `None` if a commit is not there any
    /// more.
    ///
    /// # Errors
    /// `Unavailable` if git fails.
    pub fn has_changes_of(&self, branch: &str, other: &str) -> Result<Option<bool>> {
        let git = self.patient_git()?;
        if !git.run(&["cat-file", "-e", &format!("{other}^{{commit}}")])?.status.success() {
            return Ok(None);
        }
        if git.run(&["merge-base", "--is-ancestor", other, branch])?.status.success() {
            return Ok(Some(true));
        }
        let base = git.run(&["merge-base", branch, other])?.stdout.trim().to_owned();
        if base.is_empty() {
            return Ok(Some(false));
        }
        let here = self.patch_ids_between(&base, branch)?;
        let squashed = self.patch_ids(&["diff-tree", "-p", &base, other], String::new())?;
        let single = self.patch_ids_between(&base, other)?;
        let has_all = |ids: &BTreeSet<String>| !ids.is_empty() && ids.is_subset(&here);
        Ok(Some(has_all(&squashed) || has_all(&single)))
    }

    /// Returns what identifies the changes of each commit after `base`, whatever commit they are in.
    fn patch_ids_between(&self, base: &str, tip: &str) -> Result<BTreeSet<String>> {
        let range = format!("{base}..{tip}");
        let commits = self.ask_git(&["rev-list", "--no-merges", MAX_COMPARED_COMMITS, &range], Vec::new())?;
        self.patch_ids(&["diff-tree", "--stdin", "-p"], commits)
    }

    fn patch_ids(&self, differences: &[&str], input: String) -> Result<BTreeSet<String>> {
        let git = self.patient_git()?;
        let plain = ["--root", "-r", "--no-ext-diff", "--no-textconv"];
        let (command, rest) = differences.split_at(1);
        let patches = git.pipe(&[command, &plain, rest].concat(), input.into_bytes())?;
        let ids = git.pipe(&["patch-id", "--stable"], patches)?;
        let ids = String::from_utf8_lossy(&ids).into_owned();
        Ok(ids.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::tests::{commit, git, repository};
    use super::*;
    use crate::dirs::scratch::Scratch;

    /// Makes a branch with two commits beside `main`.
    fn branch(folder: &Path, name: &str) {
        git(folder, &["switch", "--quiet", "-c", name, "main"]);
        for part in ["one", "two"] {
            std::fs::write(folder.join(format!("{name}-{part}")), part).expect("ours");
            git(folder, &["add", "-A"]);
            commit(folder, part);
        }
        git(folder, &["switch", "--quiet", "main"]);
    }

    #[test]
    fn main_has_the_changes_of_what_was_merged_rebased_or_squashed() {
        let scratch = Scratch::new();
        let folder = repository(&scratch, "main");
        let names = ["merged", "rebased", "squashed", "open"];
        names.iter().for_each(|name| branch(&folder, name));
        std::fs::write(folder.join("between"), "so that nothing is a fast-forward").expect("ours");
        git(&folder, &["add", "-A"]);
        commit(&folder, "between");

        git(&folder, &["merge", "--quiet", "--no-edit", "merged"]);
        git(&folder, &["cherry-pick", "rebased~1", "rebased"]);
        git(&folder, &["merge", "--quiet", "--squash", "squashed"]);
        commit(&folder, "squashed");

        let project = Project::locate(&folder);
        let tips = project.branch_tips().expect("git answers");
        let has = |name: &str| project.has_changes_of(&tips["main"], &tips[name]).expect("git answers");
        assert_eq!(names.map(has), [Some(true), Some(true), Some(true), Some(false)]);
        let unknown = project.has_changes_of(&tips["main"], &"0123456789".repeat(4));
        assert_eq!(unknown.expect("git answers"), None);
    }

    #[test]
    fn a_branch_has_a_name_that_git_allows() {
        for name in ["main", "feature/cart-rounding", "v1.2", "größe", "a@b"] {
            assert!(is_branch_name(name), "{name}");
        }
        for name in
            ["", "a b", "a..b", "-a", "a.", "/a", "a//b", ".a/b", "a.lock", "a~1", "a\nb", "@", "HEAD"]
        {
            assert!(!is_branch_name(name), "{name}");
        }
    }

    #[test]
    fn branches_of_the_remote_are_known_by_their_names() {
        let scratch = Scratch::new();
        let folder = repository(&scratch, "main");
        branch(&folder, "feature");
        git(scratch.path(), &["clone", "--quiet", "main", "clone"]);

        let tips = Project::locate(&scratch.path().join("clone")).branch_tips().expect("git answers");

        assert!(tips.contains_key("feature") && tips.contains_key("main"), "{tips:?}");
    }
}
