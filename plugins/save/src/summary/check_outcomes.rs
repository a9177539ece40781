//! Checks: the runs of tests, linters and builds, and how each ended last.

use interleaf_shell::{Outcome, Run};

use crate::facts::{command_name, run};
use crate::session::calls::ToolCall;
use crate::word_lists::CHECKING;

/// Maximum number of checks that a summary names, the newest.
const MAX_CHECKS: usize = 4;

/// Maximum length of a command that is named as it was run, in characters.
const MAX_NAME_CHARS: usize = 60;

/// Words after which the name of a program follows that could be run by itself.
const LAUNCHING: [&str; 3] = ["-m", "run", "exec"];

/// A check, and how it ended last.
pub struct Check {
    /// The command.
    pub name: String,
    /// Whether it failed.
    pub has_failed: bool,
    /// The program with the words that specify its action. A later check of the same kind supersedes it.
    kind: String,
}

/// Returns the checks whose outcome is known, in the order in which they ran last. Another form of the same
/// check supersedes it: `cargo test --all` after `cargo test -p a`.
pub fn checks(calls: &[ToolCall]) -> Vec<Check> {
    let mut checks: Vec<Check> = Vec::new();
    for found in calls.iter().filter_map(run).filter_map(|run| check(&run)) {
        checks.retain(|check| check.kind != found.kind);
        checks.push(found);
    }
    let oldest = checks.len().saturating_sub(MAX_CHECKS);
    checks.split_off(oldest)
}

fn check(run: &Run) -> Option<Check> {
    let has_failed = match run.outcome {
        Outcome::Passed => false,
        Outcome::Failed if run.failure.as_ref().is_some_and(|failure| failure.is_of_cd) => return None,
        Outcome::Failed => true,
        Outcome::Unknown | Outcome::Interrupted => return None,
    };
    let command = run.line.commands.last()?;
    let kind = kind(&command_name(command))?;
    let typed = command.to_string();
    let name = if typed.chars().count() <= MAX_NAME_CHARS { typed } else { kind.clone() };
    Some(Check { name, has_failed, kind })
}

/// Returns the part of a command's name that says which check it is, whatever runs it: `pytest` of
/// `python3 -m pytest`, `npm test`; none if it checks nothing.
fn kind(name: &str) -> Option<String> {
    let words: Vec<&str> = name.split(' ').collect();
    let is_checking = |word: &&str| word.split(['-', ':', '_', '/', '.']).any(|part| CHECKING.has(part));
    let at = words.iter().position(is_checking)?;
    let begin = if words[..at].iter().any(|word| LAUNCHING.contains(word)) { at } else { 0 };
    Some(words[begin..].join(" "))
}
