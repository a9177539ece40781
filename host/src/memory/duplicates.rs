//! Whether two memories say the same, in other words or the same ones.
//!
//! One function that a comparison of meanings can replace. It errs on one side: what is taken for a
//! repetition is not written, so a doubt makes a second entry. A correction shares nearly all its words
//! with what it corrects; that is why two texts that disagree in a number, or in what they deny, are never
//! the same.

use super::record::Memory;
use super::words::{self, Kind};
use std::collections::{BTreeSet, HashSet};

/// The share of all their words that two texts must have in common (Jaccard's index).
const ENOUGH: f64 = 0.6;

/// The words that deny, folded.
const DENIALS: [&str; 30] = [
    "not", "no", "never", "none", "without", "cannot", "cant", "dont", "doesnt", "didnt", "isnt", "arent",
    "wont", "shouldnt", "mustnt", "avoid", "nicht", "nie", "niemals", "kein", "keine", "keinen", "ohne",
    "nein", "havent", "hasnt", "wasnt", "werent", "couldnt", "wouldnt",
];

/// The characters that deny where a script has no spaces.
const DENYING_CHARACTERS: [char; 8] = ['不', '没', '沒', '無', '无', '勿', '禁', '否'];

/// Whether `new` only repeats what `old` says, so that it need not be written. Words of a foreign origin
/// never stand for this user's own.
pub fn repeats(old: &Memory, new: &Memory) -> bool {
    let stands_for = old.category == new.category || old.category.is_durable();
    stands_for && (new.origin.is_untrusted() || !old.origin.is_untrusted()) && same_text(&old.text, &new.text)
}

/// Whether two texts say the same.
pub fn same_text(one: &str, other: &str) -> bool {
    one == other || (nearly_same(one, other) && claims(one) == claims(other))
}

/// Whether two texts share nearly all their words, whatever they claim: one may correct the other.
pub fn nearly_same(one: &str, other: &str) -> bool {
    one == other || similarity(one, other) >= ENOUGH
}

/// How many of its `terms` a text must share with another to be the same.
pub fn least_shared(terms: usize) -> usize {
    (ENOUGH * terms as f64).ceil() as usize
}

fn similarity(one: &str, other: &str) -> f64 {
    let set = |text| words::terms(text).into_iter().map(|term| term.text).collect::<HashSet<_>>();
    let (one, other) = (set(one), set(other));
    let shared = one.intersection(&other).count();
    let all = one.len() + other.len() - shared;
    if all == 0 { 0.0 } else { shared as f64 / all as f64 }
}

/// What must not differ: the numbers in their order, and each denial with what it denies.
fn claims(text: &str) -> (Vec<&str>, BTreeSet<String>) {
    let characters = text.chars().filter(|c| DENYING_CHARACTERS.contains(c)).map(String::from);
    (numbers(text), characters.chain(denials(text)).collect())
}

fn numbers(text: &str) -> Vec<&str> {
    let pieces = text.split(|c: char| !c.is_ascii_digit() && c != '.');
    pieces.map(|piece| piece.trim_matches('.')).filter(|number| !number.is_empty()).collect()
}

/// `never use npm` denies `npm`: the first word after the denial that is not an everyday one.
fn denials(text: &str) -> Vec<String> {
    let mut denials = Vec::new();
    let mut open = false;
    for word in words::plain_words(text) {
        if DENIALS.contains(&word.as_str()) {
            open = true;
        } else if open && let Some(term) = words::terms(&word).iter().find(|term| term.kind != Kind::Everyday)
        {
            denials.push(format!("not {}", term.text));
            open = false;
        }
    }
    if open {
        denials.push("not".to_owned());
    }
    denials
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn same(one: &str, other: &str) {
        assert!(same_text(one, other) && same_text(other, one), "{:.2}", similarity(one, other));
    }

    #[track_caller]
    fn different(one: &str, other: &str) {
        assert!(!same_text(one, other) && !same_text(other, one), "{:.2}", similarity(one, other));
    }

    #[test]
    fn other_forms_and_other_function_words_say_the_same() {
        same("Use pnpm, never npm", "use pnpm and never use npm!");
        same("The migrations run before the tests", "Migration runs before a test");
        same("Texte immer per Du, nie per Sie", "Texte immer mit Du und nie mit Sie");
        same("数据库连接池上限是二十", "数据库连接池的上限是二十");
    }

    #[test]
    fn a_correction_is_no_repetition() {
        different("The vendor API allows 10 requests a second", "The vendor API allows 20 requests a second");
        different("Entry 3 of writer 7", "Entry 7 of writer 3");
        different("Use pnpm, never npm", "Use npm, never pnpm");
        different("Commit the lockfile", "Never commit the lockfile");
        different("Deploy on Friday is allowed", "Deploy am Freitag ist nicht erlaubt");
        different("可以直接部署到生产环境", "不可以直接部署到生产环境");
    }

    #[test]
    fn two_texts_about_the_same_subject_are_two() {
        different("The portal is owned by the web team", "The portal shows the retry count in its header");
    }

    #[test]
    fn texts_without_a_word_are_the_same_only_when_equal() {
        same("🙂", "🙂");
        different("🙂", "🙃");
        different("", "the");
    }
}
