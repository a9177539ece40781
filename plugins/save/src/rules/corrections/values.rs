//! Numbers that were put right: `actually its 60 per minute`, `sorry, 60 calls, not 100`.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Amendment;
use super::replaced::LEADING;
use super::{Standing, Told};
use crate::finding::Finding;
use crate::rules::turns::Said;
use crate::rules::words::is_quantity;
use crate::rules::words::{Word, stems, words};

/// Words behind a number that may say what it counts.
const REACH: usize = 4;

/// Words of a sentence that says a number and nothing else.
const SHORT: usize = 6;

/// Words right before the number that does not hold.
const NOT: &[&str] = &["not", "nicht", "pas", "no", "não", "non"];

/// Units too short to be known as words.
const UNITS: &[&str] = &["ms", "s", "h", "kb", "mb", "gb", "px", "m", "min", "sec", "kg", "%"];

/// A number and what it counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quantity {
    /// As it stands there, without its unit.
    pub number: String,
    /// Stems of the words behind it.
    pub of: BTreeSet<String>,
    /// `not` stands before it.
    pub is_refused: bool,
}

/// The numbers of a text.
pub fn quantities(words: &[Word]) -> Vec<Quantity> {
    let is_number = |word: &Word| is_quantity(&word.text);
    let of = |at: usize, word: &Word| {
        let digits = word.text.bytes().take_while(u8::is_ascii_digit).count();
        let behind = words[at + 1..].iter().take(REACH).take_while(|word| !is_number(word));
        let units = behind.filter(|word| UNITS.contains(&word.text.as_str())).map(|word| word.text.clone());
        let mut of: BTreeSet<String> = units.collect();
        of.extend(
            words[at + 1..]
                .iter()
                .take(REACH)
                .take_while(|word| !is_number(word))
                .flat_map(|word| stems(&word.text)),
        );
        of.extend(Some(word.text[digits..].to_owned()).filter(|unit| !unit.is_empty()));
        let is_refused = at > 0 && NOT.contains(&words[at - 1].text.as_str());
        Quantity { number: word.text[..digits].to_owned(), of, is_refused }
    };
    words.iter().enumerate().filter(|(_, word)| is_number(word)).map(|(at, word)| of(at, word)).collect()
}

/// The number of a find that a later sentence puts right, and the right one.
pub fn corrected(standing: &Standing, later: &Told) -> Option<(String, String)> {
    let told = &later.quantities;
    let new: Vec<&Quantity> = told.iter().filter(|it| !it.is_refused).collect();
    let [new] = new[..] else { return None };
    let known = quantities(&words(&standing.find.text));
    if known.iter().any(|known| known.number == new.number) {
        return None;
    }
    let refused =
        || told.iter().find(|it| it.is_refused && known.iter().any(|known| known.number == it.number));
    let old = match refused() {
        Some(refused) => Some(refused.number.clone()),
        None => counted(standing, later, &known, new),
    };
    old.map(|old| (old, new.number.clone()))
}

/// The one number of the find that counts the same.
fn counted(standing: &Standing, later: &Told, known: &[Quantity], new: &Quantity) -> Option<String> {
    let words = &later.said.words;
    let other = others(standing, later.said, new);
    let corrects = later.corrects && other <= 1 || later.refuses && other == 0;
    let corrects = corrects || later.erred || later.changes;
    let next = later.turn <= standing.turn + 1 && later.place == 0;
    let bare = new.of.is_empty() && words.len() <= SHORT && next && (later.corrects || later.refuses);
    let same: Vec<&Quantity> =
        known.iter().filter(|known| bare || known.of.intersection(&new.of).next().is_some()).collect();
    match same[..] {
        [one] if corrects => Some(one.number.clone()),
        _ => None,
    }
}

/// Words of a sentence that neither the find has nor the number counts: it may be about something else.
fn others(standing: &Standing, said: &Said, new: &Quantity) -> usize {
    let leads = |word: &&Word| LEADING.contains(&word.text.as_str());
    let words = said.words.iter().skip_while(leads).filter(|word| !is_quantity(&word.text));
    let about: BTreeSet<String> = words.flat_map(|word| stems(&word.text)).collect();
    about.iter().filter(|stem| !standing.about.contains(*stem) && !new.of.contains(*stem)).count()
}

/// The find with the new number, which rests on the sentence that says so.
pub fn amended(mut find: Finding, old: &str, new: &str, by: &Said) -> Finding {
    let amendment = Amendment { old: old.to_owned(), new: new.to_owned(), at: by.at };
    find.text = amendment.applied(&find.text);
    find.title = find.title.map(|title| amendment.applied(&title));
    apply(&amendment, &mut find.content);
    find.evidence.push(by.evidence());
    find
}

fn apply(amendment: &Amendment, value: &mut Value) {
    match value {
        Value::String(text) => *text = amendment.applied(text),
        Value::Array(all) => all.iter_mut().for_each(|value| apply(amendment, value)),
        Value::Object(all) => all.values_mut().for_each(|value| apply(amendment, value)),
        _ => {}
    }
}
