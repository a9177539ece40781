//! Plans that were dropped, and what was put off and then done.

use super::{Standing, Told};
use crate::finding::Finding;
use crate::rules::context::Context;
use crate::rules::deeds::Deed;
use crate::rules::words::{Word, stems};
use interleaf_layer::memory::Category;

/// Words behind *forget* that may name what is dropped, and words of a sentence that only takes something away.
const REACH: usize = 6;
const SHORT: usize = 7;

/// Words before what was not chosen, and behind it.
#[rustfmt::skip]
const REJECTING: &[&str] = &[
    "instead", "of", "rather", "than", "over", "not", "no", "from", "statt", "anstatt", "nicht", "kein",
    "als", "lieu", "de", "vez", "pas", "plutôt", "que",
];
const INSTEAD: &[&str] = &["instead", "rather", "statt", "anstatt", "lieu", "vez", "plutôt", "invece"];
#[rustfmt::skip]
const ALWAYS: &[&str] =
    &[
    "always", "never", "immer", "nie", "niemals", "toujours", "jamais", "siempre", "nunca",
];
const TOO: &[&str] = &["too", "zu", "trop", "demasiado", "muy"];

/// Words that go with what is dropped and say nothing.
#[rustfmt::skip]
const EMPTY: &[&str] = &[
    "thing", "idea", "plan", "stuff", "again", "please", "altogether", "wieder", "bitte", "the", "that",
    "das", "den", "die", "what", "i", "we", "you", "said", "about", "of", "with", "using", "use", "our",
    "my", "this", "a", "whole", "was", "ich", "mit", "über", "le", "la", "les", "el", "los", "de",
];

/// Whether a later sentence drops what a find says.
pub fn drops(standing: &Standing, later: &Told, worked: bool) -> bool {
    let words = &later.said.words;
    let named = |at: usize| {
        // `never mind the warning about redis` is about the warning.
        let mut reach = words[at..].iter().take(REACH).filter(|word| !EMPTY.contains(&word.text.as_str()));
        reach.next().is_some_and(|word| stems(&word.text).iter().any(|stem| standing.about.contains(stem)))
    };
    let decides = standing.is_choice;
    let strong = later.drops.iter().copied().any(named) && !later.keeps;
    let weak = || decides && removed(later).is_some_and(named);
    let returns = || decides && later.returns.is_some_and(|at| was_rejected(standing, &words[at..]));
    strong || weak() || returns() || reverts(standing, later, worked)
}

/// A decision, or one thing in place of another; no rule for all work.
pub fn is_choice(find: &Finding) -> bool {
    let words = crate::rules::words::words(&find.text);
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.text.as_str()));
    find.category == Category::Decision
        || find.category == Category::Preference && has(INSTEAD) && !has(ALWAYS)
}

/// Where what is taken away is named, and nothing besides it.
fn removed(later: &Told) -> Option<usize> {
    let at = later.removes?;
    let named = later.said.words[at..].iter().filter(|word| !EMPTY.contains(&word.text.as_str())).count();
    (named == 1).then_some(at)
}

/// Whether what is taken again is what the find did not choose.
fn was_rejected(standing: &Standing, named: &[Word]) -> bool {
    let text = crate::rules::words::words(&standing.find.text);
    let Some(again) = named.iter().find(|word| !stems(&word.text).is_empty()) else { return false };
    let near = named.iter().take_while(|word| word.start < again.start).count() <= 1;
    text.iter().enumerate().filter(|(_, word)| word.text == again.text && near).any(|(at, _)| {
        let before =
            text[at.saturating_sub(2)..at].iter().any(|word| REJECTING.contains(&word.text.as_str()));
        let behind = &text[at + 1..text.len().min(at + 4)];
        before || behind.iter().any(|word| TOO.contains(&word.text.as_str()))
    })
}

/// `revert that`: the decision of the turn before; any statement, where nothing was done that could be meant.
fn reverts(standing: &Standing, later: &Told, worked: bool) -> bool {
    let next = later.turn == standing.turn + 1 && later.place <= 1;
    let meant = standing.is_choice || !worked;
    let erred = later.erred && standing.find.category != Category::TechDebt;
    next && (later.reverts && meant || erred)
}

/// Whether work that was put off is asked for later, and something is done for it.
pub fn is_done(context: &Context, standing: &Standing, later: &Told) -> bool {
    let turn = &context.turns[later.turn];
    let waits = later.waits || later.said.words.len() > 4 * SHORT;
    if standing.find.category != Category::TechDebt || later.turn == standing.turn || waits {
        return false;
    }
    let deeds = context.deeds.get(turn.deeds.clone()).unwrap_or_default();
    let about = &later.about;
    let head: String = standing.find.text.split_whitespace().take(4).collect::<Vec<_>>().join(" ");
    let subject = stems(&head);
    let shared = standing.about.intersection(about).count();
    let meant = shared >= 2 || shared >= 1 && subject.intersection(about).count() >= 1;
    meant && later.goes && deeds.iter().any(Deed::changes)
}
