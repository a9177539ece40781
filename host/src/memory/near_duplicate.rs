//! Near-duplicate detection: decides whether two memories say the same, in the same words or in others.
//!
//! A duplicate is not written, so an uncertain case counts as "different" and produces a second entry. A
//! correction shares nearly all of its words with the memory that it corrects; therefore two texts that
//! differ in a number or a negation are never duplicates.

use super::record::Memory;
use super::tokenizer::{self, TermKind};
use std::collections::{BTreeSet, HashSet};

/// Minimum Jaccard similarity of the terms of two near-duplicates.
const MIN_JACCARD_SIMILARITY: f64 = 0.6;

/// Negating words, accent-folded.
const NEGATIONS: [&str; 30] = [
    "not", "no", "never", "none", "without", "cannot", "cant", "dont", "doesnt", "didnt", "isnt", "arent",
    "wont", "shouldnt", "mustnt", "avoid", "nicht", "nie", "niemals", "kein", "keine", "keinen", "ohne",
    "nein", "havent", "hasnt", "wasnt", "werent", "couldnt", "wouldnt",
];

/// Negating characters of scripts without spaces between words.
const NEGATING_CHARACTERS: [char; 8] = ['不', '没', '沒', '無', '无', '勿', '禁', '否'];

/// Tells whether `old` makes `new` redundant. A memory of untrusted origin never makes a trusted one
/// redundant.
pub fn is_redundant(new: &Memory, old: &Memory) -> bool {
    let category_fits = old.category == new.category || old.category.is_durable();
    let origin_fits = new.origin.is_untrusted() || !old.origin.is_untrusted();
    category_fits && origin_fits && is_duplicate(&old.text, &new.text)
}

/// Tells whether two texts say the same.
pub fn is_duplicate(one: &str, other: &str) -> bool {
    one == other || (is_near_duplicate(one, other) && claims(one) == claims(other))
}

/// Tells whether two texts have the same words in the same order, whatever their case and punctuation.
pub fn has_same_words(one: &str, other: &str) -> bool {
    let words = |text: &str| {
        let text = text.to_lowercase();
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_owned).collect::<Vec<_>>()
    };
    words(one) == words(other)
}

/// Tells whether two texts share nearly all terms. They may still contradict each other.
pub fn is_near_duplicate(one: &str, other: &str) -> bool {
    one == other || jaccard_similarity(one, other) >= MIN_JACCARD_SIMILARITY
}

/// Returns the minimum number of its `terms` that a text must share with a duplicate.
pub fn min_shared_terms(terms: usize) -> usize {
    (MIN_JACCARD_SIMILARITY * terms as f64).ceil() as usize
}

fn jaccard_similarity(one: &str, other: &str) -> f64 {
    let set = |text| tokenizer::terms(text).into_iter().map(|term| term.text).collect::<HashSet<_>>();
    let (one, other) = (set(one), set(other));
    let shared = one.intersection(&other).count();
    let all = one.len() + other.len() - shared;
    if all == 0 { 0.0 } else { shared as f64 / all as f64 }
}

/// Returns the parts in which duplicates must agree: the numbers in their order, and the negations with the
/// negated words.
fn claims(text: &str) -> (Vec<&str>, BTreeSet<String>) {
    let characters = text.chars().filter(|c| NEGATING_CHARACTERS.contains(c)).map(String::from);
    (numbers(text), characters.chain(negations(text)).collect())
}

fn numbers(text: &str) -> Vec<&str> {
    let pieces = text.split(|c: char| !c.is_ascii_digit() && c != '.');
    pieces.map(|piece| piece.trim_matches('.')).filter(|number| !number.is_empty()).collect()
}

/// Returns the word that each negation negates: the first word after it that is not a common one. `never use
/// npm` negates `npm`.
fn negations(text: &str) -> Vec<String> {
    let mut negations = Vec::new();
    let mut pending = false;
    for word in tokenizer::folded_words(text) {
        if NEGATIONS.contains(&word.as_str()) {
            pending = true;
        } else if pending
            && let Some(term) = tokenizer::terms(&word).iter().find(|term| term.kind != TermKind::Common)
        {
            negations.push(format!("not {}", term.text));
            pending = false;
        }
    }
    if pending {
        negations.push("not".to_owned());
    }
    negations
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn same(one: &str, other: &str) {
        assert!(
            is_duplicate(one, other) && is_duplicate(other, one),
            "{:.2}",
            jaccard_similarity(one, other)
        );
    }

    #[track_caller]
    fn different(one: &str, other: &str) {
        assert!(
            !is_duplicate(one, other) && !is_duplicate(other, one),
            "{:.2}",
            jaccard_similarity(one, other)
        );
    }

    #[test]
    fn inflection_and_stop_words_make_no_difference() {
        same("Use pnpm, never npm", "use pnpm and never use npm!");
        same("The migrations run before the tests", "Migration runs before a test");
        same("Texte immer per Du, nie per Sie", "Texte immer mit Du und nie mit Sie");
        same("数据库连接池上限是二十", "数据库连接池的上限是二十");
    }

    #[test]
    fn a_correction_is_not_a_duplicate() {
        different("The vendor API allows 10 requests a second", "The vendor API allows 20 requests a second");
        different("Entry 3 of writer 7", "Entry 7 of writer 3");
        different("Use pnpm, never npm", "Use npm, never pnpm");
        different("Commit the lockfile", "Never commit the lockfile");
        different("Deploy on Friday is allowed", "Deploy am Freitag ist nicht erlaubt");
        different("可以直接部署到生产环境", "不可以直接部署到生产环境");
    }

    #[test]
    fn two_statements_about_the_same_subject_are_not_duplicates() {
        different("The portal is owned by the web team", "The portal shows the retry count in its header");
    }

    #[test]
    fn texts_without_terms_are_duplicates_only_if_equal() {
        same("🙂", "🙂");
        different("🙂", "🙃");
        different("", "the");
    }
}
