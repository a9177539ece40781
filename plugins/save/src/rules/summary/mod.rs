//! The session in a few lines, for whoever goes on: what it was about, what was done, what is open.
//!
//! Only turns in which something was changed count, and of those not the ones whose outcome the person refused. A
//! session without any has no summary, however long it was.

mod goal;
mod outcome;
mod told;

use serde_json::json;

use self::outcome::outcome;
use self::told::{LONGEST_DONE, Story, goal, told};

use super::context::{Context, distinct};
use super::corrections::Amendment;
use super::deeds::Deed;
use super::fixes::refuses_work;
use super::runs::{Run, is_looking, runs as runs_of};
use super::turns::{Said, Turn};
use super::wording::{cleaned, cut, raised};
use crate::finding::{Finding, Origin};
use crate::transcript::Ending;
use interleaf_classifier::words::stems;
use interleaf_layer::memory::Category;

/// Files that are told.
const MOST_FILES: usize = 8;

/// Runs that change something, without a file written, that are worth a summary.
const LEAST_RUNS: usize = 2;

/// The summary, if the session is worth one.
pub fn summary(context: &Context, amendments: &[Amendment], changes: &[String]) -> Option<Finding> {
    let changed = changed(context);
    let turns: Vec<&Turn> = context.turns.iter().filter(|turn| is_work(context, turn, changed)).collect();
    let (first, last) = (turns.first()?, turns.last()?);
    let begun = goal::begun(context, first);
    let mut story = Story { goal: amended(amendments, begun.at, goal(begun, changes)), ..Story::default() };
    story.evidence.extend(begun.said.iter().find(|said| cleaned(said).len() > 2).map(Said::evidence));
    for turn in turns.iter().filter(|turn| !was_refused(context, turn)) {
        story.add(context, turn, amendments);
    }
    // A turn that only edits leaves what failed before it as it is.
    let tried = context
        .turns
        .iter()
        .rev()
        .find(|turn| context.deeds_in(turn).iter().any(|deed| Run::of(deed).is_some()))
        .unwrap_or(last);
    story.open = still_failing(&runs_of(&context.deeds[tried.deeds.start..]));
    story.files = files(context);
    Some(story.find(context, changes))
}

/// A text from before, with the numbers that were put right later.
fn amended(amendments: &[Amendment], at: usize, text: String) -> String {
    let later = amendments.iter().filter(|amendment| amendment.at > at);
    later.fold(text, |text, amendment| amendment.applied(&text))
}

impl Story {
    /// What came of a turn.
    fn add(&mut self, context: &Context, turn: &Turn, amendments: &[Amendment]) {
        let (done, left) = outcome(context, turn);
        self.evidence.extend(done.iter().chain(&left).map(|said| said.evidence()));
        let deeds = context.deeds_in(turn);
        let wrote = deeds.iter().any(|deed| deed.written().is_some());
        let told = told(turn, &done, wrote, &self.goal);
        self.done.extend(told.map(|text| amended(amendments, turn.at, text)));
        self.next.extend(left.iter().map(|said| raised(&cut(cleaned(said), LONGEST_DONE))));
    }

    fn find(self, context: &Context, changes: &[String]) -> Finding {
        let outcome = if self.open.is_empty() && !self.done.is_empty() { "success" } else { "partial" };
        let begin = context.talk.entries.first().map_or(0, |entry| entry.cursor);
        Finding {
            category: Category::SessionSummary,
            title: None,
            text: self.text(),
            content: json!({
                "goal": self.goal, "outcome": outcome, "completed": self.done, "in_progress": self.open, "blockers": [],
                "next_actions": self.next, "key_changes": self.files,
            }),
            tags: changes.iter().map(|change| format!("change:{change}")).collect(),
            files: self.files,
            confidence: 0.8,
            importance: 0.5,
            origin: Origin::Assistant,
            score: 0.7,
            cues: Vec::new(),
            about: None,
            key: format!("{}/session_summary/{begin}", context.around.session),
            evidence: self.evidence,
        }
    }
}

/// Whether something was changed in this turn.
fn is_work(context: &Context, turn: &Turn, changed: bool) -> bool {
    let deeds = context.deeds_in(turn);
    let wrote = deeds.iter().any(|deed| deed.written().is_some());
    wrote || changed && deeds.iter().filter_map(Run::of).any(|run| changes(&run))
}

/// Whether the person did not want what came of this turn.
fn was_refused(context: &Context, turn: &Turn) -> bool {
    let Some(next) = context.next_turn(turn.at) else { return false };
    let deeds = context.deeds_in(turn);
    let done = deeds.iter().filter(|deed| deed.changes());
    let done: Vec<&str> = done.flat_map(|deed| [deed.text("command"), deed.text("new_string")]).collect();
    let said = turn.said.iter().map(|said| said.text);
    refuses_work(next, Some(turn), &stems(&done.into_iter().chain(said).collect::<Vec<_>>().join(" ")))
}

/// Tells whether a call changed something.
pub fn is_change(deed: &Deed) -> bool {
    deed.written().is_some() || Run::of(deed).is_some_and(|run| changes(&run))
}

fn changes(run: &Run) -> bool {
    let commits = |command: &interleaf_shell::Command| {
        command.program == "git" && command.subcommand() == Some("commit")
    };
    run.ending == Ending::Fine && run.commands.iter().any(|command| !is_looking(command) || commits(command))
}

/// Whether enough was changed in the session.
fn changed(context: &Context) -> bool {
    let wrote = context.deeds.iter().any(|deed| deed.written().is_some());
    wrote || context.deeds.iter().filter_map(Run::of).filter(changes).count() >= LEAST_RUNS
}

/// Commands whose last run failed, in whatever way they were run.
fn still_failing(runs: &[Run]) -> Vec<String> {
    let mut failing: Vec<&Run> = Vec::new();
    for run in runs.iter().filter(|run| !run.known.is_empty() && run.ending != Ending::Interrupted) {
        failing.retain(|failed| !run.mends(failed));
        if run.ending == Ending::Failed {
            failing.push(run);
        }
    }
    failing.into_iter().map(|run| format!("`{}` still fails", run.name())).collect()
}

/// Files that were written, relative to the root.
fn files(context: &Context) -> Vec<String> {
    let written = context.deeds.iter().filter_map(Deed::written);
    distinct(written.filter_map(|path| context.relative(path)), MOST_FILES)
}
