//! A path that was missing where the shell stood, and the same path from another folder.

use std::fmt;

use crate::command_line::base_name;
use crate::normalized_command::NormalizedCommand;
use crate::read_only::is_read_only_program;
use crate::run::Run;
use crate::run_outcome::Outcome;

/// How a path differed between a failure and a success: `tests/run.py` failed and `app/tests/run.py` passed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathDifference {
    /// What stood before the common part when it failed, with a slash at its end; empty if nothing did.
    failing: String,
    /// What stood before it when it passed.
    passing: String,
}

/// Returns how the path differs that the failure says is missing, if nothing else differs. The folder that a
/// line changes to counts as a part of the path.
pub fn between(failure: &Run, success: &Run) -> Option<PathDifference> {
    // What only looks for a file may miss it: nothing has to be done about that.
    let looks = is_read_only_program(base_name(failure.program()));
    if failure.outcome != Outcome::Failed || looks || !has_same_shape(failure, success) {
        return None;
    }
    let error = failure.failure.as_ref().filter(|error| error.is_of_missing_file && !error.is_of_cd)?;
    let pairs = word_pairs(failure, success);
    // A program that the shell looks up names itself in its errors.
    let is_path = |word: &str| word.contains('/') || word != failure.program();
    let (failing, passing) = pairs.clone().find(|(one, _)| is_path(one) && is_named(one, &error.line))?;
    let is_only = pairs.clone().all(|(one, other)| one == other || one == failing && other == passing);
    let failing = joined(failure.folder(), failing);
    let passing = joined(success.folder(), passing);
    is_only.then(|| prefixes(&failing, &passing)).flatten()
}

/// Tells whether both lines run as many commands with as many words, for the same variables.
fn has_same_shape(one: &Run, other: &Run) -> bool {
    let shape = |command: &NormalizedCommand| (command.words.len(), command.variables.clone());
    let shapes = |run: &Run| run.line.commands.iter().map(shape).collect::<Vec<_>>();
    !one.line.is_compound && !other.line.is_compound && shapes(one) == shapes(other)
}

fn word_pairs<'a>(one: &'a Run, other: &'a Run) -> impl Iterator<Item = (&'a str, &'a str)> + Clone {
    let words =
        |run: &'a Run| run.line.commands.iter().flat_map(|command| &command.words).map(String::as_str);
    words(one).zip(words(other))
}

/// Tells whether an error line names this word: `fatal: cannot change to 'app': no such file`.
fn is_named(word: &str, error: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || "_-./".contains(c);
    let ends = |text: &str| !text.starts_with(is_part) || text.starts_with(". ");
    !word.starts_with('-')
        && word.len() > 1
        && error
            .match_indices(word)
            .any(|(at, _)| !error[..at].ends_with(is_part) && ends(&error[at + word.len()..]))
}

/// Returns the path as it is seen from where the shell stood, without a leading `./`.
fn joined(folder: Option<&str>, path: &str) -> String {
    let plain = |path: &'_ str| path.trim_start_matches("./").trim_end_matches('/').to_owned();
    match folder.filter(|_| !path.starts_with(['/', '~'])) {
        Some(folder) => format!("{}/{}", plain(folder), plain(path)),
        None => plain(path),
    }
}

/// Returns what stands before the common end of two paths; `None` if they are equal, or have no common end.
fn prefixes(failing: &str, passing: &str) -> Option<PathDifference> {
    let components = || failing.rsplit('/').zip(passing.rsplit('/'));
    let common: usize =
        components().take_while(|(one, other)| one == other).map(|(one, _)| one.len() + 1).sum();
    let before = |path: &str| path[..path.len().saturating_sub(common.saturating_sub(1))].to_owned();
    (common > 0 && failing != passing)
        .then(|| PathDifference { failing: before(failing), passing: before(passing) })
}

impl fmt::Display for PathDifference {
    /// Writes it as a phrase: "with `app/` before the path".
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.failing[..], &self.passing[..]) {
            (failing, "") => write!(formatter, "without `{failing}` before the path"),
            ("", passing) => write!(formatter, "with `{passing}` before the path"),
            (failing, passing) => {
                write!(formatter, "with `{passing}` in place of `{failing}` before the path")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Call, Reported};

    fn difference(failing: &str, error: &str, passing: &str) -> Option<String> {
        let run = |line, output, reported| Run::read(&Call { line, output, reported, in_background: false });
        let failure = run(failing, error, Reported::Failed).expect(failing);
        let success = run(passing, "fine", Reported::Succeeded).expect(passing);
        between(&failure, &success).map(|difference| difference.to_string())
    }

    #[test]
    fn what_stood_before_the_path_is_told() {
        for (failing, error, passing, expected) in [
            (
                "python3 run.py",
                "python3: can't open file 'run.py': [Errno 2] No such file or directory",
                "cd tools && python3 run.py",
                "with `tools/` before the path",
            ),
            (
                "git -C shop add -A",
                "fatal: cannot change to 'shop': No such file or directory",
                "git -C /srv/shop add -A",
                "with `/srv/` before the path",
            ),
            (
                "pytest shop/tests/test_a.py -q",
                "ERROR: file or directory not found: shop/tests/test_a.py",
                "pytest tests/test_a.py -q",
                "without `shop/` before the path",
            ),
            (
                "pip install -e ./shop",
                "ERROR: ./shop is not a valid editable requirement. It should either be a path",
                "pip install -e ../shop",
                "with `../` before the path",
            ),
            (
                "bash api/run.sh",
                "bash: api/run.sh: No such file or directory",
                "bash web/run.sh",
                "with `web/` in place of `api/` before the path",
            ),
        ] {
            assert_eq!(difference(failing, error, passing).as_deref(), Some(expected), "{failing}");
        }
    }

    #[test]
    fn anything_else_that_differs_makes_it_another_matter() {
        let missing = "python3: can't open file 'run.py': [Errno 2] No such file or directory";
        for passing in ["python3 run.py", "python3 a/other.py", "python3 a/run.py -v", "A=1 python3 a/run.py"]
        {
            assert_eq!(difference("python3 run.py", missing, passing), None, "{passing}");
        }
        assert_eq!(difference("python3 run.py x", missing, "python3 a/run.py y"), None);
        assert_eq!(difference("python3 run.py", "KeyError: 'run.py'", "python3 a/run.py"), None);
        let another = "python3: can't open file 'config.py': [Errno 2] No such file or directory";
        assert_eq!(difference("python3 run.py", another, "python3 a/run.py"), None);
        let looked = "ls: src: No such file or directory";
        assert_eq!(difference("ls src", looked, "ls app/src"), None, "nothing has to be done about that");
    }
}
