//! The commits that a command line made, as git reports them: `[main 3f9a2b1] Fix the tests`.

/// Minimum length of an abbreviated hash.
const MIN_HASH_CHARS: usize = 7;

/// Returns hash and subject of each commit that the output of a command line names.
pub(super) fn commits<'t>(line: &str, output: &'t str) -> Vec<(&'t str, &'t str)> {
    if !(line.contains("git") && line.contains("commit")) {
        return Vec::new();
    }
    output.lines().filter_map(commit).collect()
}

fn commit(line: &str) -> Option<(&str, &str)> {
    let (place, subject) = line.trim().strip_prefix('[')?.split_once("] ")?;
    let (branch, hash) = place.rsplit_once(' ')?;
    let is_hash = hash.len() >= MIN_HASH_CHARS && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    (is_hash && !branch.is_empty()).then_some((hash, subject.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commits_are_recognized_in_the_output_of_git_commit_alone() {
        let output = "[main 3f9a2b1] Fix the tests\n 2 files changed\n[INFO 12345] too short\n\
                      [feature/x (root-commit) 0a1b2c3d4e] Begin\n[detached HEAD abcdef1] Third\n[x] y";

        assert_eq!(
            commits("cd app && git commit -m x", output),
            [("3f9a2b1", "Fix the tests"), ("0a1b2c3d4e", "Begin"), ("abcdef1", "Third")]
        );
        assert_eq!(commits("cat log", output), []);
        assert_eq!(commits("git commit -m x", "On branch main\nnothing to commit"), []);
    }
}
