//! The session in a few lines, for whoever goes on: what it was about, what was done, what is open.
//!
//! Only turns in which something was changed count, and of those not the ones whose outcome the person refused. A
//! session without any has no summary, however long it was.

mod told;

use serde_json::json;

use self::told::{LONGEST_DONE, Story, goal, told};

use super::context::Context;
use super::deeds::Deed;
use super::phrase::Phrase;
use super::runs::{Run, is_looking, runs as runs_of};
use super::stated::wording::{cleaned, cut, raised};
use super::stated::{Amendment, refuses};
use super::turns::{Said, Turn};
use crate::find::{Category, Find, Origin};
use crate::talk::Ending;

/// Files that are told.
const MOST_FILES: usize = 8;

/// Runs that change something, without a file written, that are worth a summary.
const LEAST_RUNS: usize = 2;

/// What says that something is left.
const LEFT: &[&str] = &[
    "i|we would|d|should ?still add|suggest|recommend|need|move|fix|document|do",
    "next step",
    "still|remains|remaining open|missing|todo|to|needed",
    "open point|question|issue",
    "left to do",
    "not done|implemented|covered yet",
    "should be added|fixed|moved|documented",
    "todo",
    "follow up",
    "ich würde ** noch|ergänzen|hinzufügen|aufnehmen",
    "nächster|als nächstes schritt",
    "steht|stehen noch|aus",
    "noch offen|offene|zu tun",
    "offen ist|sind",
    "fehlt noch",
    "il reste",
    "reste à",
    "queda|quedan|falta pendiente|por",
    "resta|restano da|ancora",
];

/// The summary, if the session is worth one.
pub fn summary(context: &Context, amendments: &[Amendment], changes: &[String]) -> Option<Find> {
    let changed = changed(context);
    let turns: Vec<&Turn> = context.turns.iter().filter(|turn| is_work(context, turn, changed)).collect();
    let (first, last) = (turns.first()?, turns.last()?);
    let begun = context.turns.iter().find(|turn| tries(context, turn)).unwrap_or(first);
    let mut story = Story { goal: amended(amendments, begun.at, goal(begun, changes)), ..Story::default() };
    story.evidence.extend(begun.said.iter().find(|said| cleaned(said).len() > 2).map(Said::evidence));
    for turn in turns.iter().filter(|turn| !context.next_turn(turn.at).is_some_and(refuses)) {
        story.add(context, turn, amendments);
    }
    story.open = still_failing(&runs_of(&context.deeds[last.deeds.start..]));
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
        self.done.extend(told(turn, &done).map(|text| amended(amendments, turn.at, text)));
        self.next.extend(left.iter().map(|said| raised(&cut(cleaned(said), LONGEST_DONE))));
    }

    fn find(self, context: &Context, changes: &[String]) -> Find {
        let outcome = if self.open.is_empty() && !self.done.is_empty() { "success" } else { "partial" };
        let begin = context.talk.entries.first().map_or(0, |entry| entry.cursor);
        Find {
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
            key: format!("{}/session_summary/{begin}", context.around.session),
            evidence: self.evidence,
        }
    }
}

/// Whether something was changed in this turn.
fn is_work(context: &Context, turn: &Turn, changed: bool) -> bool {
    let deeds = context.deeds.get(turn.deeds.clone()).unwrap_or_default();
    let wrote = deeds.iter().any(|deed| deed.written().is_some());
    wrote || changed && deeds.iter().filter_map(Run::of).any(|run| changes(&run))
}

/// Whether something was to be changed in this turn, with success or not.
fn tries(context: &Context, turn: &Turn) -> bool {
    let deeds = context.deeds.get(turn.deeds.clone()).unwrap_or_default();
    let runs = deeds.iter().filter_map(Run::of);
    deeds.iter().any(|deed| deed.written().is_some())
        || runs.into_iter().any(|run| run.commands.iter().any(|command| !is_looking(command)))
}

fn changes(run: &Run) -> bool {
    let commits =
        |command: &topics::Command| command.program == "git" && command.subcommand() == Some("commit");
    run.ending == Ending::Fine && run.commands.iter().any(|command| !is_looking(command) || commits(command))
}

/// Whether enough was changed in the session.
fn changed(context: &Context) -> bool {
    let wrote = context.deeds.iter().any(|deed| deed.written().is_some());
    wrote || context.deeds.iter().filter_map(Run::of).filter(changes).count() >= LEAST_RUNS
}

/// What the assistant says at the end of a turn: what was done, and what is left.
fn outcome<'a>(context: &Context, turn: &'a Turn<'a>) -> (Vec<&'a Said<'a>>, Vec<&'a Said<'a>>) {
    let last = turn.answers.last().map(|said| said.at);
    let after = context.deeds.get(turn.deeds.clone()).and_then(<[Deed]>::first).map_or(0, |deed| deed.at);
    let said = turn.answers.iter().filter(|said| Some(said.at) == last && said.at > after);
    let tells = said.filter(|said| !said.text.ends_with('?') && !context.echoes.has(said.text));
    let (left, done): (Vec<&Said>, Vec<&Said>) = tells.partition(|said| is_left(said));
    let short = |said: &&Said| said.words.len() < 3;
    let (short, long): (Vec<&Said>, Vec<&Said>) = done.into_iter().partition(short);
    let done = if long.is_empty() { short } else { long };
    (done.into_iter().take(2).collect(), left.into_iter().take(1).collect())
}

fn is_left(said: &Said) -> bool {
    LEFT.iter().any(|phrase| Phrase::new(phrase).find(&said.words).is_some())
}

/// Commands whose last run failed.
fn still_failing(runs: &[Run]) -> Vec<String> {
    let mut failing: Vec<String> = Vec::new();
    for run in runs.iter().filter(|run| !run.known.is_empty() && run.ending != Ending::Interrupted) {
        failing.retain(|name| *name != run.name());
        if run.ending == Ending::Failed {
            failing.push(run.name());
        }
    }
    failing.into_iter().map(|name| format!("`{name}` still fails")).collect()
}

/// Files that were written, relative to the root.
fn files(context: &Context) -> Vec<String> {
    let mut files: Vec<String> = Vec::new();
    for path in context.deeds.iter().filter_map(Deed::written).filter_map(|path| context.relative(path)) {
        if !files.iter().any(|known| known == path) && files.len() < MOST_FILES {
            files.push(path.to_owned());
        }
    }
    files
}
