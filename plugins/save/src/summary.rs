//! The session in a few lines, as far as the record knows it: the subject of the task, commits, files that
//! were changed, and the last outcome of each check. What the assistant says of its work does not count.
//!
//! A session without a commit and without a change that stays has no summary.

mod check_outcomes;
mod commits;
mod subject;

use serde_json::json;

use super::context::{Context, distinct};
use super::corrections::Amendment;
use super::deeds::Deed;
use super::facts::run;
use super::looking::is_looking;
use crate::finding::{Evidence, Finding, Origin};
use crate::summary_text;
use interleaf_layer::memory::Category;
use interleaf_shell::Outcome;

pub use subject::has_issue_title;

/// Maximum number of files.
const MAX_FILES: usize = 8;

/// Maximum number of commits, the newest.
const MAX_COMMITS: usize = 5;

/// Returns the summary, if something was committed or written.
pub fn summary(context: &Context, amendments: &[Amendment], changes: &[String]) -> Option<Finding> {
    let commits = commits::commits(context.deeds);
    let files = files(context);
    let is_change = |turn: &&super::turns::Turn| context.deeds_in(turn).iter().any(is_change);
    let first = context.turns.iter().find(is_change)?;
    if commits.is_empty() && files.is_empty() {
        return None;
    }
    let subject = subject::of(context, first, amendments, changes)?;
    let checks = check_outcomes::checks(context.deeds);
    let (failing, passing): (Vec<_>, Vec<_>) = checks.into_iter().partition(|check| check.has_failed);
    let newest = commits.len().saturating_sub(MAX_COMMITS);
    let committed = commits[newest..].iter().map(|commit| format!("{}{commit}", summary_text::COMMIT));
    let passed = passing.iter().map(|check| format!("`{}` passed", check.name));
    let content = json!({
        "goal": subject.text,
        "outcome": if failing.is_empty() && !passing.is_empty() { "success" } else { "partial" },
        "completed": committed.chain(passed).collect::<Vec<_>>(),
        "in_progress": failing.iter().map(|check| format!("`{}` failed when it ran last", check.name)).collect::<Vec<_>>(),
        "next_actions": [],
        "key_changes": files,
    });
    let begin = context.talk.entries.first().map_or(0, |entry| entry.cursor);
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
        key: format!("{}/session_summary/{begin}", context.around.session),
    })
}

/// What the task was about, and where it stands.
struct Subject {
    text: String,
    evidence: Option<Evidence>,
}

/// Tells whether a call changed something.
pub fn is_change(deed: &Deed) -> bool {
    let has_passed = || run(deed).is_some_and(|run| run.outcome != Outcome::Failed);
    deed.written().is_some() || deed.changes() && has_passed() || commits::is_commit(deed)
}

/// Returns the files that were written and not removed later, relative to the root.
fn files(context: &Context) -> Vec<String> {
    let removed = |at: usize, path: &str| {
        let later = context.deeds.iter().filter(|deed| deed.at > at).filter_map(Deed::command);
        later.flat_map(interleaf_shell::commands).any(|command| removes(&command, path))
    };
    let written = context.deeds.iter().filter_map(|deed| Some((deed.at, deed.written()?)));
    let kept = written.filter(|(at, path)| !removed(*at, path));
    distinct(kept.filter_map(|(_, path)| context.relative(path)), MAX_FILES)
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
fn tries(deeds: &[Deed]) -> bool {
    let commands = deeds.iter().filter_map(Deed::command).flat_map(interleaf_shell::commands);
    deeds.iter().any(|deed| deed.written().is_some())
        || commands.into_iter().any(|command| !is_looking(&command))
}
