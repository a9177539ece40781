//! The session in a few lines, for whoever goes on: what it was about, what was done, what is open.
//!
//! Only turns in which something was changed count, and of those not the ones whose outcome the person refused. A
//! session without any has no summary, however long it was.

use serde_json::json;

use super::context::Context;
use super::deeds::Deed;
use super::phrase::Phrase;
use super::runs::{Run, is_looking, runs as runs_of};
use super::stated::signs::signs;
use super::stated::wording::{cleaned, cut, raised};
use super::stated::{Amendment, refuses};
use super::turns::{Said, Turn};
use crate::find::{Category, Evidence, Find, Origin};
use crate::talk::Ending;

/// Characters of the summary, of its goal, of one thing done.
const MOST: usize = 600;
const LONGEST_GOAL: usize = 160;
const LONGEST_DONE: usize = 150;

/// Things done, and files, that are told.
const MOST_DONE: usize = 4;
const MOST_FILES: usize = 8;

/// An answer that is shorter says only together with the prompt what was done.
const SHORT_ANSWER: usize = 28;

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
    "fehlt noch",
    "il reste",
    "reste à",
    "queda|quedan|falta pendiente|por",
    "resta|restano da|ancora",
];

/// The summary, if the session is worth one.
pub fn summary(context: &Context, amendments: &[Amendment], changes: &[String]) -> Option<Find> {
    let turns: Vec<&Turn> = context.turns.iter().filter(|turn| is_work(context, turn)).collect();
    let first = turns.first()?;
    let amend = |at: usize, text: String| {
        amendments
            .iter()
            .filter(|amendment| amendment.at > at)
            .fold(text, |text, amendment| amendment.applied(&text))
    };
    let begun = context.turns.iter().find(|turn| tries(context, turn)).unwrap_or(first);
    let goal = amend(begun.at, goal(begun, changes));
    let mut evidence: Vec<Evidence> =
        begun.said.iter().find(|said| cleaned(said).len() > 2).map(Said::evidence).into_iter().collect();
    let (mut completed, mut next) = (Vec::new(), Vec::new());
    for turn in turns.iter().filter(|turn| !was_refused(context, turn)) {
        let (done, left) = outcome(context, turn);
        evidence.extend(done.iter().chain(&left).map(|said| said.evidence()));
        completed.extend(told(turn, &done).map(|text| amend(turn.at, text)));
        next.extend(left.iter().map(|said| raised(&cut(cleaned(said), LONGEST_DONE))));
    }
    let last = turns.last().map_or(0, |turn| turn.deeds.start);
    let open = still_failing(&runs_of(&context.deeds[last..]));
    let files = files(context);
    let done = &completed[completed.len().saturating_sub(MOST_DONE)..];
    let text = text(&goal, done, &open, &next, &files);
    let outcome = if open.is_empty() && !completed.is_empty() { "success" } else { "partial" };
    let content = json!({
        "goal": goal, "outcome": outcome, "completed": completed, "in_progress": open, "blockers": [],
        "next_actions": next, "key_changes": files,
    });
    Some(Find {
        category: Category::SessionSummary,
        title: None,
        text,
        content,
        tags: changes.iter().map(|change| format!("change:{change}")).collect(),
        files,
        confidence: 0.8,
        importance: 0.5,
        origin: Origin::Assistant,
        score: 0.7,
        key: format!(
            "{}/session_summary/{}",
            context.around.session,
            context.talk.entries.first().map_or(0, |entry| entry.cursor)
        ),
        evidence,
    })
}

/// Whether something was changed in this turn.
fn is_work(context: &Context, turn: &Turn) -> bool {
    let deeds = context.deeds.get(turn.deeds.clone()).unwrap_or_default();
    let wrote = deeds.iter().any(|deed| deed.written().is_some());
    wrote || deeds.iter().filter_map(Run::of).any(|run| changes(&run)) && changed(context)
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

fn was_refused(context: &Context, turn: &Turn) -> bool {
    context.turns.iter().find(|next| next.at > turn.at).is_some_and(refuses)
}

/// What the person wanted, in their words.
fn goal(turn: &Turn, changes: &[String]) -> String {
    let real = turn.said.iter().filter(|said| said.words.len() >= 3 && !signs(said, &turn.tongues).jests);
    let text: Vec<&str> = real.map(cleaned).collect();
    match (text.is_empty(), changes.first()) {
        (true, Some(change)) => format!("the OpenSpec change {change}"),
        (true, None) => turn
            .said
            .first()
            .map_or_else(|| "going on with earlier work".to_owned(), |said| cut(said.text, LONGEST_GOAL)),
        _ => cut(&text.join(" "), LONGEST_GOAL),
    }
}

/// What the assistant says at the end of a turn: what was done, and what is left.
fn outcome<'a>(context: &Context, turn: &'a Turn<'a>) -> (Vec<&'a Said<'a>>, Vec<&'a Said<'a>>) {
    let last = turn.answers.last().map(|said| said.at);
    let after = context.deeds.get(turn.deeds.clone()).and_then(<[Deed]>::first).map_or(0, |deed| deed.at);
    let said = turn.answers.iter().filter(|said| Some(said.at) == last && said.at > after);
    let tells = said.filter(|said| !said.text.ends_with('?') && !context.echoes.has(said.text));
    let (left, done): (Vec<&Said>, Vec<&Said>) = tells.partition(|said| is_left(said));
    (done.into_iter().take(2).collect(), left.into_iter().take(1).collect())
}

fn is_left(said: &Said) -> bool {
    LEFT.iter().any(|phrase| Phrase::new(phrase).find(&said.words).is_some())
}

/// What was done, with the prompt where the answer alone says too little.
fn told(turn: &Turn, done: &[&Said]) -> Option<String> {
    let answer = cut(&done.iter().map(|said| cleaned(said)).collect::<Vec<_>>().join(" "), LONGEST_DONE);
    if answer.is_empty() {
        return None;
    }
    let prompt = turn.said.iter().map(cleaned).find(|text| text.len() > 8 && !text.ends_with('?'));
    Some(match prompt {
        Some(prompt) if answer.chars().count() < SHORT_ANSWER => {
            format!("{}: {answer}", raised(&cut(prompt, 80)))
        }
        _ => answer,
    })
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

fn text(goal: &str, done: &[String], open: &[String], next: &[String], files: &[String]) -> String {
    let stop = |part: &str| {
        if part.ends_with(['.', '!', '?', '…', '。']) { part.to_owned() } else { format!("{part}.") }
    };
    let mut parts = vec![format!("Goal: {}", stop(goal))];
    let trimmed =
        |all: &[String]| all.iter().map(|part| part.trim_end_matches('.')).collect::<Vec<_>>().join("; ");
    if !done.is_empty() {
        parts.push(format!("Done: {}.", trimmed(done)));
    }
    let open: Vec<String> = open.iter().chain(next.iter().rev().take(2)).cloned().collect();
    if !open.is_empty() {
        parts.push(format!("Open: {}.", trimmed(&open)));
    }
    if !files.is_empty() {
        parts.push(format!("Files: {}.", files.join(", ")));
    }
    while parts.join(" ").chars().count() > MOST && parts.len() > 2 {
        parts.pop();
    }
    cut(&parts.join(" "), MOST - 2)
}
