//! What the person said later in the same stretch wins: a later sentence may drop or replace what was stated,
//! correct its number, or ask for work that was put off.
//!
//! A later sentence counts if it says that something no longer holds and is about the same thing. `cargo xtask
//! saving` measures this on dialogs. The host compares a new memory with those that exist.

mod amendment;
mod quantities;

#[cfg(test)]
mod tests;

pub use amendment::{Amendment, amendments};

use std::collections::BTreeSet;

use self::quantities::{Quantity, corrected_number, quantities};
use super::context::Context;
use super::deeds::Deed;
use super::languages::{self, Language};
use super::replies::{Reply, asks};
use super::turns::{Said, Turn};
use crate::classifier::classify_alone;
use crate::finding::{Evidence, Finding};
use crate::word_lists::{NEGATIONS, POINTING};
use interleaf_classifier::words::{Word, stems};
use interleaf_layer::memory::Category;

/// Minimum probability that a sentence states something.
const MIN_STATEMENT_PROBABILITY: f32 = 0.5;

/// Minimum share of the shorter one's words that two statements have in common if one replaces the other.
const MIN_SHARED: f32 = 0.5;

/// Maximum number of stems of a sentence that says little more than what it drops.
const MAX_SHORT_STEMS: usize = 3;

/// Number of words at the beginning of a sentence among which one points back.
const POINTING_WORDS: usize = 3;

/// A sentence of the person that may correct what was said before.
#[derive(Debug)]
struct Later<'a> {
    turn: usize,
    said: &'a Said<'a>,
    about: BTreeSet<String>,
    quantities: Vec<Quantity>,
    /// It begins with a refusal or a concession, or says that something no longer holds.
    drops: bool,
    /// It states something.
    states: bool,
    /// It points to what was just said or done: `revert that`.
    points_back: bool,
}

impl<'a> Later<'a> {
    /// `spoken` are the languages of the stretch, because a short correction does not tell its own.
    fn new(spoken: &[&'static Language], turn: usize, said: &'a Said<'a>) -> Self {
        let reply = Reply::of(said, spoken);
        let negated = |at: usize| at > 0 && NEGATIONS.has(&said.words[at - 1].text);
        let found =
            |it: &&Language| languages::find(&it.drops, &said.words).is_some_and(|(at, _)| !negated(at));
        let has_drop = || spoken.iter().copied().any(|it| found(&it));
        let about = stems(said.text);
        Self {
            turn,
            said,
            quantities: quantities(&said.words),
            drops: reply.refuses && !begins_request(said) || reply.concedes || reply.instead || has_drop(),
            states: classify_alone(said.text, &said.words).any() >= MIN_STATEMENT_PROBABILITY,
            points_back: said.words.iter().take(POINTING_WORDS).any(points),
            about,
        }
    }
}

/// A finding, and where it was stated.
struct Standing<'a> {
    finding: &'a Finding,
    /// The turn of its last sentence.
    turn: usize,
    about: BTreeSet<String>,
}

/// What becomes of a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Fate {
    Falls,
    /// It holds with another number.
    Amended {
        old: String,
        new: String,
    },
}

/// Returns the findings as they hold at the end of the stretch.
pub fn settled(context: &Context, findings: Vec<Finding>) -> Vec<Finding> {
    let spoken = spoken(&context.turns);
    let said = context.turns.iter().enumerate();
    let said = said.flat_map(|(turn, it)| it.said.iter().map(move |said| (turn, said)));
    let later = said.filter(|(_, said)| !asks(said)).map(|(turn, said)| Later::new(&spoken, turn, said));
    let later: Vec<Later> = later.collect();
    let fates: Vec<Option<(Fate, &Later)>> =
        findings.iter().map(|finding| fate(context, &later, finding)).collect();
    // What only corrects a number says nothing by itself.
    let amends = |finding: &Finding| {
        let mut amending = fates.iter().flatten().filter(|(fate, _)| *fate != Fate::Falls);
        amending.any(|(_, by)| finding.evidence.iter().all(|evidence| is_of(evidence, by.said)))
    };
    let amending: Vec<bool> = findings.iter().map(amends).collect();
    let settled =
        findings.into_iter().zip(fates).zip(amending).filter_map(|((finding, fate), amends)| match fate {
            None => (!amends).then_some(finding),
            Some((Fate::Falls, _)) => None,
            Some((Fate::Amended { old, new }, by)) => Some(quantities::amended(finding, &old, &new, by.said)),
        });
    settled.collect()
}

/// Tells whether a sentence begins with a negation that belongs to a request: `dont forget it`, but not `no, keep it`.
fn begins_request(said: &Said) -> bool {
    let negates = said.words.first().is_some_and(|word| NEGATIONS.has(&word.text));
    negates && said.words.get(1).is_some_and(|word| !word.parted)
}

fn points(word: &Word) -> bool {
    POINTING.has(&word.text)
}

/// Returns the languages of all turns.
fn spoken(turns: &[Turn]) -> Vec<&'static Language> {
    let mut spoken: Vec<&'static Language> = Vec::new();
    for language in turns.iter().flat_map(|turn| &turn.languages) {
        if !spoken.iter().any(|known| std::ptr::eq(*known, *language)) {
            spoken.push(language);
        }
    }
    spoken
}

fn fate<'l, 'a>(
    context: &Context,
    later: &'l [Later<'a>],
    finding: &Finding,
) -> Option<(Fate, &'l Later<'a>)> {
    let standing = standing(context, finding)?;
    let from = later.partition_point(|later| later.turn <= standing.turn);
    later[from..].iter().find_map(|later| Some((judged(context, &standing, later)?, later)))
}

/// Returns what a later sentence makes of a finding.
fn judged(context: &Context, standing: &Standing, later: &Later) -> Option<Fate> {
    if let Some((old, new)) = corrected_number(standing, later) {
        return Some(Fate::Amended { old, new });
    }
    let falls = match standing.finding.category {
        Category::TechDebt => is_done(context, standing, later) || replaces(standing, later),
        _ => replaces(standing, later) || takes_back(context, standing, later),
    };
    falls.then_some(Fate::Falls)
}

/// Tells whether a sentence drops or replaces what was stated: it says that something no longer holds, and is
/// about the same.
fn replaces(standing: &Standing, later: &Later) -> bool {
    let shared = standing.about.intersection(&later.about).count();
    let shorter = standing.about.len().min(later.about.len());
    let is_near = shared as f32 >= MIN_SHARED * shorter as f32;
    let is_short = later.about.len() <= MAX_SHORT_STEMS;
    shared > 0 && later.drops && (later.states || is_near || is_short)
}

/// Tells whether the sentence only takes back what was said in the turn before, for which nothing was done.
fn takes_back(context: &Context, standing: &Standing, later: &Later) -> bool {
    let is_next = later.turn == standing.turn + 1;
    let is_meant = standing.finding.category == Category::Decision || !context.turns[standing.turn].is_work();
    is_next && later.drops && later.points_back && is_meant
}

/// Tells whether work that was put off is asked for later, and something is done for it.
fn is_done(context: &Context, standing: &Standing, later: &Later) -> bool {
    let deeds = context.deeds_in(&context.turns[later.turn]);
    let head: String = standing.finding.text.split_whitespace().take(4).collect::<Vec<_>>().join(" ");
    let shared = standing.about.intersection(&later.about).count();
    let names_head = stems(&head).intersection(&later.about).count() > 0;
    let is_negated = later.said.words.iter().any(|word| NEGATIONS.has(&word.text));
    (shared >= 2 || shared >= 1 && names_head)
        && !(later.states || is_negated)
        && deeds.iter().any(Deed::changes)
}

/// Returns where the person stated a finding; `None` if they did not, or if it tells what was done.
fn standing<'a>(context: &Context, finding: &'a Finding) -> Option<Standing<'a>> {
    let is_stated =
        !matches!(finding.category, Category::Runbook | Category::SessionSummary | Category::Learning);
    let rests_on = |turn: &Turn| {
        turn.said.iter().any(|said| finding.evidence.iter().any(|evidence| is_of(evidence, said)))
    };
    let turn = context.turns.iter().rposition(rests_on).filter(|_| is_stated)?;
    Some(Standing { finding, turn, about: stems(&finding.text) })
}

fn is_of(evidence: &Evidence, said: &Said) -> bool {
    evidence.cursor == said.cursor && evidence.quote == said.text
}
