//! The session in a few lines, as far as the record knows it: the subject of the task, commits, files that
//! were changed, and the last outcome of each check. What the assistant says of its work does not count.
//!
//! A session without a commit and without a change that stays has no summary.

mod check_outcomes;
mod commits;
mod subject;
pub mod summary_text;

use serde_json::json;

use crate::facts::run;
use crate::finding::{Evidence, Finding, Origin};
use crate::session::calls::ToolCall;
use crate::session::read_only::is_read_only;
use crate::session::{Session, distinct};
use interleaf_layer::memory::Category;
use interleaf_shell::Outcome;

/// Maximum number of files.
const MAX_FILES: usize = 8;

/// Maximum number of commits, the newest.
const MAX_COMMITS: usize = 5;

/// Returns the summary, if something was committed or written.
pub fn summary(session: &Session, changes: &[String]) -> Option<Finding> {
    let commits = commits::commits(session.calls);
    let files = files(session);
    let is_change = |turn: &&crate::session::turns::Turn| session.calls_in(turn).iter().any(is_change);
    let first = session.turns.iter().find(is_change)?;
    if commits.is_empty() && files.is_empty() {
        return None;
    }
    let subject = subject::of(session, first, changes)?;
    let checks = check_outcomes::checks(session.calls);
    let (failing, passing): (Vec<_>, Vec<_>) = checks.into_iter().partition(|check| check.has_failed);
    let newest = commits.len().saturating_sub(MAX_COMMITS);
    let committed = commits[newest..].iter().map(|commit| format!("{}{commit}", summary_text::COMMIT));
    let failed = |check: &check_outcomes::Check| format!("`{}` failed when it ran last", check.name);
    let passed = passing.iter().map(|check| format!("`{}` passed", check.name));
    let content = json!({
        "goal": subject.text,
        "outcome": if failing.is_empty() && !passing.is_empty() { "success" } else { "partial" },
        "completed": committed.chain(passed).collect::<Vec<_>>(),
        "in_progress": failing.iter().map(failed).collect::<Vec<_>>(),
        "next_actions": [],
        "key_changes": files,
    });
    let begin = session.transcript.entries.first().map_or(0, |entry| entry.cursor);
    Some(Finding {
        category: Category::SessionSummary,
        title: None,
        text: summary_text::render(&content),
        content,
        tags: changes.iter().map(|change| format!("change:{change}")).collect(),
        files,
        confidence: 0.8,
        importance: 0.5,
        origin: Origin::Assistant,
        score: 0.7,
        cues: Vec::new(),
        about: None,
        evidence: subject.evidence.into_iter().collect(),
        key: format!("{}/session_summary/{begin}", session.surroundings.session_id),
    })
}

/// What the task was about, and where it stands.
struct Subject {
    text: String,
    evidence: Option<Evidence>,
}

/// Tells whether a call changed something.
pub fn is_change(call: &ToolCall) -> bool {
    let has_passed = || run(call).is_some_and(|run| run.outcome != Outcome::Failed);
    call.written().is_some() || call.changes() && has_passed() || commits::is_commit(call)
}

/// Returns the files that were written and not removed later, relative to the root.
fn files(session: &Session) -> Vec<String> {
    let removed = |at: usize, path: &str| {
        let later = session.calls.iter().filter(|call| call.at > at).filter_map(ToolCall::command);
        later.flat_map(interleaf_shell::commands).any(|command| removes(&command, path))
    };
    let written = session.calls.iter().filter_map(|call| Some((call.at, call.written()?)));
    let kept = written.filter(|(at, path)| !removed(*at, path));
    distinct(kept.filter_map(|(_, path)| session.relative(path)), MAX_FILES)
}

/// Tells whether a command removes this file, or a folder around it.
fn removes(command: &interleaf_shell::Command, path: &str) -> bool {
    let mut operands = command.operands();
    let is_removal = match command.program.as_str() {
        "rm" | "unlink" | "mv" => true,
        "git" => operands.next() == Some("rm"),
        _ => false,
    };
    is_removal
        && operands.any(|operand| {
            let operand = operand.trim_start_matches("./").trim_end_matches('/');
            let is_same = path.ends_with(operand) && path[..path.len() - operand.len()].ends_with('/');
            !operand.is_empty() && (path == operand || is_same || path.contains(&format!("/{operand}/")))
        })
}

/// Tells whether something was to be changed in this turn, with success or not.
fn tries(calls: &[ToolCall]) -> bool {
    let commands = calls.iter().filter_map(ToolCall::command).flat_map(interleaf_shell::commands);
    calls.iter().any(|call| call.written().is_some())
        || commands.into_iter().any(|command| !is_read_only(&command))
}

#[cfg(test)]
mod tests;
