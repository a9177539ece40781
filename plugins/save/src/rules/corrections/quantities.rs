//! Numbers that were put right: `actually its 60 per minute`, `sorry, 60 calls, not 100`.

use std::collections::BTreeSet;

use serde_json::Value;

use super::amendment::Amendment;
use super::{Later, Standing};
use crate::finding::Finding;
use crate::rules::turns::Said;
use crate::word_lists::{REFUSED_NUMBERS, UNITS};
use interleaf_classifier::words::{Word, is_quantity, stems, words};

/// Maximum number of words behind a number that may say what it counts.
const REACH: usize = 4;

/// Maximum number of words of a sentence that says a number and nothing else.
const MAX_SHORT_WORDS: usize = 6;

/// Maximum number of words of a correction that the statement does not have: with more, it is about something
/// else.
const MAX_OTHER_WORDS: usize = 1;

/// A number and what it counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quantity {
    /// As it stands there, without its unit.
    number: String,
    /// Stems of the words behind it.
    of: BTreeSet<String>,
    /// `not` stands before it.
    is_refused: bool,
}

/// Returns the numbers of a sentence.
pub fn quantities(words: &[Word]) -> Vec<Quantity> {
    let is_number = |word: &Word| is_quantity(&word.text);
    let numbers = words.iter().enumerate().filter(|(_, word)| is_number(word));
    let quantity = |(at, word): (usize, &Word)| {
        let digits = word.text.bytes().take_while(u8::is_ascii_digit).count();
        let behind = words[at + 1..].iter().take(REACH).take_while(|word| !is_number(word));
        let mut of: BTreeSet<String> = behind.clone().flat_map(|word| stems(&word.text)).collect();
        of.extend(behind.map(|word| word.text.clone()).filter(|word| UNITS.has(word)));
        of.extend(Some(word.text[digits..].to_owned()).filter(|unit| !unit.is_empty()));
        let is_refused = at > 0 && REFUSED_NUMBERS.has(&words[at - 1].text);
        Quantity { number: word.text[..digits].to_owned(), of, is_refused }
    };
    numbers.map(quantity).collect()
}

/// Returns the number of a finding that a later sentence puts right, and the right one.
pub fn corrected_number(standing: &Standing, later: &Later) -> Option<(String, String)> {
    let new: Vec<&Quantity> = later.quantities.iter().filter(|it| !it.is_refused).collect();
    let [new] = new[..] else { return None };
    let known = quantities(&words(&standing.finding.text));
    if known.iter().any(|known| known.number == new.number) {
        return None;
    }
    let has = |refused: &&Quantity| known.iter().any(|known| known.number == refused.number);
    let refused = later.quantities.iter().filter(|it| it.is_refused).find(has);
    let old = refused.or_else(|| counted(standing, later, &known, new));
    old.map(|old| (old.number.clone(), new.number.clone()))
}

/// Returns the one number of the finding that counts the same.
fn counted<'q>(
    standing: &Standing,
    later: &Later,
    known: &'q [Quantity],
    new: &Quantity,
) -> Option<&'q Quantity> {
    let is_next = later.turn <= standing.turn + 1;
    let is_bare = new.of.is_empty() && later.said.words.len() <= MAX_SHORT_WORDS && is_next;
    let other = later.about.iter().filter(|stem| !stem.starts_with(|c: char| c.is_ascii_digit()));
    let other = other.filter(|stem| !standing.about.contains(*stem) && !new.of.contains(*stem)).count();
    let same: Vec<&Quantity> =
        known.iter().filter(|known| is_bare || known.of.intersection(&new.of).next().is_some()).collect();
    match same[..] {
        [one] if later.drops && other <= MAX_OTHER_WORDS => Some(one),
        _ => None,
    }
}

/// Returns the finding with the new number. It also rests on the sentence that says so.
pub fn amended(mut finding: Finding, old: &str, new: &str, by: &Said) -> Finding {
    let amendment = Amendment { old: old.to_owned(), new: new.to_owned(), at: by.at };
    finding.text = amendment.applied(&finding.text);
    finding.title = finding.title.map(|title| amendment.applied(&title));
    apply(&amendment, &mut finding.content);
    finding.evidence.push(by.evidence());
    finding
}

fn apply(amendment: &Amendment, value: &mut Value) {
    match value {
        Value::String(text) => *text = amendment.applied(text),
        Value::Array(all) => all.iter_mut().for_each(|value| apply(amendment, value)),
        Value::Object(all) => all.values_mut().for_each(|value| apply(amendment, value)),
        _ => {}
    }
}
