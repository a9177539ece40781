//! What the person said later in the same stretch wins: plans that were dropped, values that were corrected, rules that
//! were replaced, work that was put off and then done.
//!
//! It looks at finds and at sentences, whoever found them how; a find falls, or it is told with the new value.

mod amendment;
mod dropped;
mod phrases;
mod replaced;
mod values;

#[cfg(test)]
mod tests;

pub use amendment::{Amendment, amendments};

use std::collections::BTreeSet;

use self::phrases::{
    CHANGES, CORRECTS, DROPS, ERRED, GOES, KEEPS, REFUSES, REMOVES, RETURNS, REVERTS, WAITS, end, ends, has,
    opens,
};
use self::values::{Quantity, quantities};
use super::context::Context;
use super::turns::{Said, Turn};
use super::words::stems;
use crate::finding::Finding;
use interleaf_layer::memory::Category;

/// A sentence of the person, and the ways in which it may correct what was said before.
#[derive(Debug)]
struct Told<'a> {
    /// In which turn.
    turn: usize,
    /// Which of the sentences of that turn it is.
    place: usize,
    said: &'a Said<'a>,
    /// What it is about.
    about: BTreeSet<String>,
    quantities: Vec<Quantity>,
    /// Where what is dropped, taken away or taken again is named, as an index of its words.
    drops: Vec<usize>,
    removes: Option<usize>,
    returns: Option<usize>,
    keeps: bool,
    reverts: bool,
    erred: bool,
    corrects: bool,
    refuses: bool,
    changes: bool,
    /// It asks for work now, or says that work waits.
    goes: bool,
    waits: bool,
}

impl<'a> Told<'a> {
    fn new(turn: usize, place: usize, said: &'a Said<'a>) -> Self {
        let words = &said.words;
        Self {
            turn,
            place,
            said,
            about: stems(said.text),
            quantities: quantities(words),
            drops: ends(&DROPS, words).collect(),
            removes: end(&REMOVES, words),
            returns: end(&RETURNS, words),
            keeps: has(&KEEPS, words),
            reverts: has(&REVERTS, words),
            erred: has(&ERRED, words),
            corrects: opens(&CORRECTS, words),
            refuses: opens(&REFUSES, words),
            changes: has(&CHANGES, words),
            goes: has(&GOES, words),
            waits: has(&WAITS, words),
        }
    }

    /// Tells whether it could change anything that was said before. Most sentences cannot, and each find is compared
    /// only with those that can.
    fn may_correct(&self) -> bool {
        let names = !self.drops.is_empty() || self.removes.is_some() || self.returns.is_some();
        let corrects = self.corrects || self.refuses || self.changes || self.erred || self.reverts;
        names || corrects || self.goes || self.quantities.iter().any(|quantity| quantity.is_refused)
    }
}

/// A find, and where it stands.
struct Standing<'a> {
    find: &'a Finding,
    /// Behind so many of the person's sentences.
    after: usize,
    turn: usize,
    /// What it is about.
    about: BTreeSet<String>,
    /// It is a decision, or takes one thing in place of another.
    is_choice: bool,
}

/// What becomes of a find.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Fate {
    Falls,
    /// It holds with another number.
    Amended {
        old: String,
        new: String,
    },
}

/// The finds as they hold at the end of the stretch.
pub fn settled(context: &Context, finds: Vec<Finding>) -> Vec<Finding> {
    let told = told(&context.turns);
    let correcting: Vec<bool> = told.iter().map(Told::may_correct).collect();
    let fates: Vec<Option<(Fate, &Told)>> =
        finds.iter().map(|find| fate(context, &told, &correcting, find, &finds)).collect();
    // What only corrects says nothing by itself.
    let corrections: Vec<&Said> =
        fates.iter().flatten().filter(|(fate, _)| *fate != Fate::Falls).map(|(_, by)| by.said).collect();
    let corrects = |find: &Finding| {
        corrections.iter().any(|said| find.evidence.iter().all(|evidence| is_of(evidence, said)))
    };
    let mut settled = Vec::new();
    for (find, fate) in finds.into_iter().zip(fates) {
        match fate {
            None if corrects(&find) => {}
            None => settled.push(find),
            Some((Fate::Falls, _)) => {}
            Some((Fate::Amended { old, new }, by)) => {
                settled.push(values::amended(find, &old, &new, by.said));
            }
        }
    }
    settled
}

fn told<'a>(turns: &'a [Turn<'a>]) -> Vec<Told<'a>> {
    let all = turns.iter().enumerate();
    all.flat_map(|(turn, it)| {
        it.said.iter().enumerate().map(move |(place, said)| Told::new(turn, place, said))
    })
    .collect()
}

fn fate<'t, 'a>(
    context: &'a Context,
    told: &'t [Told<'a>],
    correcting: &[bool],
    find: &Finding,
    all: &[Finding],
) -> Option<(Fate, &'t Told<'a>)> {
    let can = !matches!(find.category, Category::Runbook | Category::SessionSummary | Category::Learning);
    let standing = standing(context, told, find).filter(|_| can)?;
    let later = told[standing.after..].iter().zip(&correcting[standing.after..]);
    later.filter(|(_, may)| **may).find_map(|(later, _)| {
        let fate = judged(context, &standing, later, all)?;
        Some((fate, later))
    })
}

/// What a later sentence makes of a find.
fn judged(context: &Context, standing: &Standing, later: &Told, all: &[Finding]) -> Option<Fate> {
    let open = later.said.text.trim_end().ends_with(['?', '？']);
    // What is found in it is meant as it says.
    let itself = standing.find.evidence.iter().any(|evidence| is_of(evidence, later.said));
    if open || itself {
        return None;
    }
    if let Some((old, new)) = values::corrected(standing, later) {
        let again = all.iter().any(|other| replaced::says_anew(standing.find, other, later.said));
        return Some(if again { Fate::Falls } else { Fate::Amended { old, new } });
    }
    let falls = dropped::drops(standing, later, context.turns[standing.turn].is_work())
        || replaced::replaces(context, standing, later)
        || dropped::is_done(context, standing, later);
    falls.then_some(Fate::Falls)
}

/// Where a find stands: behind the last of the person's sentences that it rests on.
fn standing<'a>(context: &Context, told: &[Told], find: &'a Finding) -> Option<Standing<'a>> {
    let own = told.iter().rposition(|told| find.evidence.iter().any(|evidence| is_of(evidence, told.said)));
    let (after, turn) = match own {
        Some(at) => (at + 1, told[at].turn),
        None => {
            let cursor = find.evidence.iter().map(|evidence| evidence.cursor).max()?;
            let at = context.talk.entries.iter().position(|entry| entry.cursor >= cursor)?;
            let turn = context.turns.partition_point(|turn| turn.at <= at).checked_sub(1)?;
            (told.partition_point(|told| told.said.at <= at), turn)
        }
    };
    Some(Standing { find, after, turn, about: stems(&find.text), is_choice: dropped::is_choice(find) })
}

fn is_of(evidence: &crate::finding::Evidence, said: &Said) -> bool {
    evidence.cursor == said.cursor && evidence.quote == said.text
}
