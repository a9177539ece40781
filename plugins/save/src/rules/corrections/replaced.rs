//! Rules in whose place another one came: `always use tabs in this repo` … `hm no, always spaces in this repo`.

use std::collections::BTreeSet;

use super::{Standing, Told, is_of};
use crate::finding::Finding;
use crate::rules::context::Context;
use crate::rules::turns::Said;
use crate::rules::words::{likeness, stems};
use interleaf_layer::memory::Category;

/// Turns within which a correction is of this rule rather than of what was done.
const NEAR: usize = 3;

/// Words in which two rules of one frame may differ, and that they have in common at least.
const MOST_OTHER: usize = 3;
const LEAST_SAME: usize = 3;

/// How alike a new statement is that takes the place of an old one.
const ANEW: f32 = 0.4;

#[rustfmt::skip]
const REFUSING: &[&str] = &[
    "never", "not", "dont", "no", "nie", "niemals", "nicht", "kein", "keine", "keinen", "jamais", "pas",
    "nunca", "ningún",
];

/// Words that only lead to a correction.
#[rustfmt::skip]
pub const LEADING: &[&str] = &[
    "hm", "hmm", "no", "nope", "nah", "nein", "nee", "non", "sorry", "actually", "wait", "ah", "oh", "ok",
    "doch", "eigentlich", "please", "bitte", "moment", "correction", "korrektur", "falsch", "wrong",
    "entschuldigung", "pardon", "perdón",
];

/// Whether a sentence that corrects is the same rule with something else in it.
pub fn replaces(context: &Context, standing: &Standing, later: &Told) -> bool {
    let rule = matches!(standing.find.category, Category::Preference | Category::Decision);
    let near = later.turn > standing.turn && later.turn - standing.turn <= NEAR && later.place <= 1;
    let said = context.turns[standing.turn].said.iter();
    let corrects = later.corrects || later.refuses;
    let own = || said.filter(|said| standing.find.evidence.iter().any(|evidence| is_of(evidence, said)));
    rule && near && corrects && own().any(|said| is_one_frame(said, later.said))
}

/// Whether two sentences have their words in common but for a few; what is forbidden is no other choice of what is wished.
fn is_one_frame(before: &Said, later: &Said) -> bool {
    let (before, later) = (frame(before), frame(later));
    let same = before.intersection(&later).count();
    let (gone, come) = (before.len() - same, later.len() - same);
    let refuses = |frame: &BTreeSet<&str>| frame.iter().any(|word| REFUSING.contains(word));
    same >= LEAST_SAME
        && same >= gone.max(come)
        && (1..=MOST_OTHER).contains(&come)
        && gone <= MOST_OTHER
        && refuses(&before) == refuses(&later)
}

fn frame<'a>(said: &'a Said) -> BTreeSet<&'a str> {
    let words = said.words.iter().map(|word| word.text.as_str());
    words.skip_while(|word| LEADING.contains(word)).collect()
}

/// Whether another find rests on this sentence and says the same thing anew.
pub fn says_anew(find: &Finding, other: &Finding, said: &Said) -> bool {
    let rests = other.key != find.key && other.evidence.iter().any(|evidence| is_of(evidence, said));
    rests && other.category == find.category && likeness(&stems(&find.text), &stems(&other.text)) >= ANEW
}
