//! What the person states in one prompt.

use super::claim::{Claim, of_person};
use super::group::{self, Group};
use super::signs::{Signs, signs};
use crate::find::Category;
use crate::rules::context::Context;
use crate::rules::turns::{Said, Turn};
use crate::rules::words::stems;

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
        for (at, said) in self.turn.said.iter().enumerate() {
            if self.signs[at].keep && said.words.len() <= STRESSING {
                group::stress(&mut groups, said);
            } else if let Some(found) = self.group(at).filter(|_| !context.echoes.has(said.text)) {
                group::add(&mut groups, found);
            }
        }
        groups
    }

    fn group(&self, at: usize) -> Option<Group<'a>> {
        let (said, beside) = (&self.turn.said[at], self.beside(at));
        let least = if self.corrects { 2 } else { 3 };
        let claim = of_person(&self.signs[at], beside.is_some(), self.corrects);
        let claim = claim.or_else(|| self.noted(at)).filter(|_| said.words.len() >= least)?;
        let group = Group::of(claim, said, beside, self.before);
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
            (plain && (shared || decides && other > at || self.corrects) && said.words.len() >= 3)
                .then_some(said)
        })
    }

    /// The sentence that refuses, where this one says what is wanted instead.
    fn refusal(&self, at: usize) -> Option<&'a Said<'a>> {
        let first = self.turn.said.first().filter(|first| first.words.len() >= 3)?;
        let refuses = self.signs[0].refuses && self.alone[0].is_none() && !self.signs[0].asks;
        (refuses && (1..=2).contains(&at)).then_some(first)
    }

    /// Something to be remembered that is no rule.
    fn noted(&self, at: usize) -> Option<Claim> {
        let signs = &self.signs[at];
        let not =
            signs.asks || signs.supposes || signs.hearsay || signs.passing || signs.idle || signs.quotes;
        let notes = signs.keep && !not && self.turn.said[at].words.len() > STRESSING;
        notes.then_some(Claim { category: Category::Context, score: 0.6, rules: false })
    }
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
