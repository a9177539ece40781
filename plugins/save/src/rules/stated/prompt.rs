//! What the person states in one prompt.

use super::claim::{Claim, of_person};
use super::content::is_vague;
use super::group::{self, Group};
use super::listed::{BANNING, GOING_ON, OWN, is_item, is_short};
use super::signs::{Signs, signs};
use crate::rules::context::Context;
use crate::rules::turns::{Said, Turn};
use crate::rules::words::{Word, stems};
use interleaf_layer::memory::Category;

/// Words of a sentence that only says that the one before it matters: `keep it in mind`.
const STRESSING: usize = 6;

/// A prompt, and what its sentences show.
pub struct Prompt<'a> {
    turn: &'a Turn<'a>,
    before: Option<&'a Turn<'a>>,
    signs: Vec<Signs>,
    /// What each sentence states by itself.
    alone: Vec<Option<Claim>>,
    /// It begins with a refusal.
    corrects: bool,
}

impl<'a> Prompt<'a> {
    /// The prompt of a turn; the one before it is what it may answer to.
    pub fn new(turn: &'a Turn<'a>, before: Option<&'a Turn<'a>>) -> Self {
        let signs: Vec<Signs> = turn.said.iter().map(|said| signs(said, &turn.tongues)).collect();
        let corrects = refused(&turn.said, &signs);
        let alone = signs.iter().map(|signs| of_person(signs, false, corrects)).collect();
        Self { turn, before, signs, alone, corrects }
    }

    /// What it states; nothing where it is not meant.
    pub fn groups(&self, context: &Context) -> Vec<Group<'a>> {
        let smiles = || !self.turn.is_work() && self.turn.said.iter().any(|said| smiles(said.text));
        let mut groups: Vec<Group> = Vec::new();
        if self.signs.iter().any(|signs| signs.jests) || smiles() {
            return groups;
        }
        let mut joined = None;
        for (at, said) in self.turn.said.iter().enumerate().filter(|(_, said)| !said.words.is_empty()) {
            if joined == Some(at) {
                continue;
            } else if self.signs[at].keep && stresses(said) {
                group::stress(&mut groups, said);
            } else if let Some(found) = self.group(at).filter(|_| !context.echoes.has(said.text)) {
                let next = self.continued(at);
                joined = next.map(|_| at + 1);
                let stronger = next.and_then(|_| self.alone[at + 1]);
                let found = next.into_iter().fold(found, Group::along);
                group::add(&mut groups, stronger.into_iter().fold(found, Group::raised_to));
            }
        }
        groups
    }

    fn group(&self, at: usize) -> Option<Group<'a>> {
        let (said, beside) = (&self.turn.said[at], self.beside(at));
        let least = if self.corrects { 2 } else { 3 };
        let mut signs = self.signs[at];
        signs.until |= signs.defer && self.continued(at).is_some();
        signs.reason |=
            beside.is_some() && self.signs.get(at + 1).is_some_and(|next| next.hangs || next.because);
        let claim = of_person(&signs, beside.is_some(), self.corrects);
        let claim = claim
            .or_else(|| self.noted(at))
            .or_else(|| self.listed(at))
            .filter(|_| said.words.len() >= least && !self.is_task(at))?;
        let group = Group::of(claim, said, beside, self.before);
        let bare =
            claim.category == Category::TechDebt && said.words.len() <= 5 && stems(said.text).len() <= 2;
        if group.of.is_none() && (bare || is_vague(said)) {
            return None;
        }
        Some(self.refusal(at).into_iter().fold(group, Group::along))
    }

    /// The sentence beside this one that says why: about the same, with a reason, and nothing else by itself.
    fn beside(&self, at: usize) -> Option<&'a Said<'a>> {
        let about = stems(self.turn.said[at].text);
        [at + 1, at.wrapping_sub(1)].into_iter().find_map(|other| {
            let (said, signs) = (self.turn.said.get(other)?, self.signs.get(other)?);
            let plain = self.alone[other].is_none() && signs.reason && !signs.asks && !signs.supposes;
            let word = |stem: &String| !stem.starts_with(|c: char| c.is_ascii_digit());
            let shared = stems(said.text).intersection(&about).any(word);
            let decides = self.signs[at].decided || self.signs[at].settled || signs.because;
            (plain
                && (shared || signs.hangs && other > at || decides || self.corrects)
                && said.words.len() >= 3)
                .then_some(said)
        })
    }

    /// The sentence behind a ban that says what holds in its place, or what comes of it otherwise.
    fn continued(&self, at: usize) -> Option<&'a Said<'a>> {
        let (said, next) = (&self.turn.said[at], self.turn.said.get(at + 1)?);
        let signs = &self.signs[at + 1];
        let tells =
            !(signs.asks || signs.supposes || signs.builds || signs.task || signs.passing || signs.keep);
        let bans = said.words.iter().take(5).any(|word| BANNING.contains(&word.text.as_str()));
        let word = |word: Option<&Word>| word.is_some_and(|word| GOING_ON.contains(&word.text.as_str()));
        let instead = word(next.words.first()) || word(next.words.last()) || signs.habit || signs.custom;
        let waits =
            self.signs[at].defer && !self.signs[at].until && signs.until && self.alone[at + 1].is_none();
        (tells
            && !is_item(next)
            && (signs.hangs || bans && instead || waits)
            && next.words.len() >= 2
            && is_short(next))
        .then_some(next)
    }

    /// Whether the next sentence only says that this is to be built: `… implement that please`.
    fn is_task(&self, at: usize) -> bool {
        let short = |said: &Said| said.words.len() <= 5;
        self.turn.said.get(at + 1).is_some_and(short) && self.signs[at + 1].builds
    }

    /// The sentence that refuses, where this one says what is wanted instead.
    fn refusal(&self, at: usize) -> Option<&'a Said<'a>> {
        let first = self.turn.said.first().filter(|first| first.words.len() >= 3 && !is_item(first))?;
        let refuses = self.signs[0].refuses && self.alone[0].is_none() && !self.signs[0].asks;
        (refuses && (1..=2).contains(&at)).then_some(first)
    }

    /// One of a list of rules: none of it is a task, and another one is a rule by itself.
    fn listed(&self, at: usize) -> Option<Claim> {
        let items: Vec<usize> = (0..self.signs.len()).filter(|at| is_item(&self.turn.said[*at])).collect();
        let other = |at: &usize| {
            let signs = &self.signs[*at];
            signs.builds || signs.task || signs.asks || signs.supposes || signs.idle || signs.once
        };
        let rules = items.iter().any(|at| self.alone[*at].is_some_and(|claim| claim.rules));
        (items.len() >= 3 && items.contains(&at) && rules && !items.iter().any(other)).then_some(Claim {
            category: Category::Preference,
            score: 0.75,
            rules: true,
        })
    }

    /// Something to be remembered that is no rule.
    fn noted(&self, at: usize) -> Option<Claim> {
        let signs = &self.signs[at];
        let not = signs.asks
            || signs.supposes
            || signs.hearsay
            || signs.passing
            || signs.idle
            || signs.quotes
            || signs.once;
        let fact = signs.number && signs.habit && (signs.contrast || self.corrects);
        let own = self.turn.said[at].words.iter().any(|word| OWN.contains(&word.text.as_str()));
        let notes = (signs.keep && !own && !stresses(&self.turn.said[at]) || fact) && !not;
        notes.then_some(Claim { category: Category::Context, score: 0.6, rules: false })
    }
}

/// Whether a sentence only says that the one before it matters.
fn stresses(said: &Said) -> bool {
    said.words.len() <= STRESSING && stems(said.text).len() < 4
}

/// Whether the person does not want what was done or proposed.
pub fn refuses(turn: &Turn) -> bool {
    let signs: Vec<Signs> = turn.said.iter().take(2).map(|said| signs(said, &turn.tongues)).collect();
    refused(&turn.said, &signs)
}

/// Whether a prompt begins with a refusal; `hm.` may stand before it, `ok.` may not.
fn refused(said: &[Said], signs: &[Signs]) -> bool {
    let second =
        || said[0].words.len() <= 2 && !signs[0].agrees && signs.get(1).is_some_and(|signs| signs.refuses);
    signs.first().is_some_and(|first| first.refuses || second())
}

/// What is said with a smile, and has nothing done to it, is not meant.
fn smiles(text: &str) -> bool {
    let smiles = [":)", ";)", ":-)", ";-)", ":D", "😄", "😂", "🤣", "😉", "😜", "xD"];
    smiles.iter().any(|smile| text.contains(smile))
}
