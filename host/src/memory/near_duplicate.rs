//! Near-duplicate detection: decides whether two memories say the same, in the same words or in others.
//!
//! A duplicate is not written, so an uncertain case counts as "different" and produces a second entry. A
//! correction shares nearly all of its words with the memory that it corrects; therefore two texts that
//! differ in a number or a negation are never duplicates.

use super::quantities::differ_in_quantities;
use super::record::Memory;
use super::tokenizer::{self, TermKind};
use std::collections::{BTreeSet, HashSet};

/// Minimum Jaccard similarity of the terms of two near-duplicates.
const MIN_JACCARD_SIMILARITY: f64 = 0.6;

/// Maximum length of a common word that names nothing.
const MAX_PREPOSITION_BYTES: usize = 3;

/// Maximum length of an abbreviation.
const MAX_ABBREVIATION_BYTES: usize = 5;

/// Words that name nothing and are no stop words.
const PREPOSITIONS: [&str; 5] = ["per", "via", "mit", "von", "bei"];

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

/// Tells whether two texts say the same: they share nearly all terms, name the same, and agree in their
/// numbers and negations.
pub fn is_duplicate(one: &str, other: &str) -> bool {
    one == other
        || (is_near_duplicate(one, other) && name_the_same(one, other) && claims(one) == claims(other))
}

/// Tells whether one text puts the other right: they share nearly all terms, name the same, and differ in a
/// quantity or in what they negate. `The timeout is 5 s` does not put `the connect timeout is 2 s` right.
pub fn is_correction(one: &str, other: &str) -> bool {
    is_near_duplicate(one, other)
        && name_the_same(one, other)
        && claims(one) != claims(other)
        && differ_in_quantities(one, other)
}

/// Tells whether no text names something that the other does not: EU and US, staging and production, Stripe
/// and Shopify. Two such facts hold side by side.
fn name_the_same(one: &str, other: &str) -> bool {
    let (one, other) = (Names::of(one), Names::of(other));
    one.words == other.words
        && (one.letters.is_subset(&other.letters) || other.letters.is_subset(&one.letters))
}

/// The words of a text that may be names: all but numbers and prepositions.
struct Names {
    words: BTreeSet<String>,
    /// The letters of scripts without spaces between words. There, a particle more makes no difference.
    letters: BTreeSet<char>,
}

impl Names {
    fn of(text: &str) -> Self {
        let mut names = Self { words: abbreviations(text).collect(), letters: BTreeSet::new() };
        for term in tokenizer::terms(text).into_iter().filter(is_name) {
            // A term of such a script is a pair of letters.
            match !term.text.is_ascii() && term.text.chars().count() == 2 {
                true => names.letters.extend(term.text.chars()),
                false => drop(names.words.insert(term.text)),
            }
        }
        names
    }
}

fn is_name(term: &tokenizer::Term) -> bool {
    let is_number = term.text.starts_with(|c: char| c.is_ascii_digit());
    let is_preposition = PREPOSITIONS.contains(&term.text.as_str())
        || term.kind == TermKind::Common && term.text.len() <= MAX_PREPOSITION_BYTES;
    !is_number && !is_preposition
}

/// Returns the short words in capitals, and single capital letters but for the first word. Long ones are
/// stressed, and in a text without small letters, capitals say nothing.
fn abbreviations(text: &str) -> impl Iterator<Item = String> {
    let has_small_letters = text.contains(char::is_lowercase);
    let words = text.split(|c: char| !c.is_alphanumeric()).enumerate();
    let in_capitals = move |(at, word): &(usize, &str)| {
        has_small_letters
            && (word.len() >= 2 || *at > 0)
            && (1..=MAX_ABBREVIATION_BYTES).contains(&word.len())
            && word.chars().all(char::is_uppercase)
    };
    words.filter(in_capitals).map(|(_, word)| word.to_owned())
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
    fn facts_about_two_places_environments_or_vendors_are_two() {
        for (one, other) in [
            ("Customer data of the EU stays in Frankfurt", "Customer data of the US stays in Frankfurt"),
            ("Deploys to staging need no approval", "Deploys to production need no approval"),
            (
                "The Stripe webhook times out after 20 seconds",
                "The Shopify webhook times out after 20 seconds",
            ),
            (
                "The Stripe webhook times out after 20 seconds",
                "The Shopify webhook times out after 5 seconds",
            ),
        ] {
            different(one, other);
            assert!(!is_correction(one, other), "{one}");
        }
        assert!(is_correction(
            "The Stripe webhook times out after 20 seconds",
            "The Stripe webhook times out after 5 seconds"
        ));
    }

    /// Two memories, and how they are related.
    #[derive(serde::Deserialize)]
    struct Pair {
        old: String,
        new: String,
        relation: String,
    }

    /// Counts of the sealed pairs in `plugins/save/data/pairs`, whose authors did not see this code.
    #[test]
    #[expect(clippy::print_stdout, reason = "the counts are published in docs/saving.md")]
    fn different_memories_are_kept_apart() {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../plugins/save/data/pairs");
        for part in ["development", "sealed"] {
            let text = std::fs::read_to_string(format!("{root}/{part}.jsonl")).expect("the pairs are there");
            let pairs: Vec<Pair> =
                text.lines().map(|line| serde_json::from_str(line).expect("a pair")).collect();
            let count = |relations: &[&str], judge: fn(&str, &str) -> bool| {
                let of = pairs.iter().filter(|pair| relations.contains(&&pair.relation[..]));
                let judged = of.clone().filter(|pair| judge(&pair.old, &pair.new)).count();
                (judged, of.count())
            };
            let merged = |old: &str, new: &str| is_duplicate(old, new) || is_correction(old, new);
            let (wrong, different) = count(&["related", "other"], merged);
            println!(
                "{part}: merged or superseded {wrong} of {different}; same {:?}, corrects {:?}",
                count(&["same"], is_duplicate),
                count(&["corrects"], is_correction)
            );
            assert!(wrong * 100 <= different, "{wrong} of {different}");
        }
    }

    #[test]
    fn texts_without_terms_are_duplicates_only_if_equal() {
        same("🙂", "🙂");
        different("🙂", "🙃");
        different("", "the");
    }
}
