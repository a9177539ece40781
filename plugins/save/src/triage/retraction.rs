//! Recognizes statements that do not count: questions, negations, suppositions and jokes.

use super::sentences::{Line, find_all};

/// Maximum distance of a negation from a hit, in words. It does not reach beyond a comma.
const NEGATION_REACH_WORDS: usize = 3;

const NEGATIONS: [&str; 33] = [
    "not", "no", "never", "without", "dont", "doesnt", "didnt", "havent", "hasnt", "hadnt", "isnt", "arent",
    "wasnt", "werent", "wont", "nothing", "nobody", "zero", "0", "kein", "keine", "keinen", "nicht", "ohne",
    "nichts", "ne", "pas", "sans", "aucun", "aucune", "sin", "ningun", "ninguna",
];

const SUPPOSITIONS: [&str; 39] = [
    "would",
    "could",
    "might",
    "maybe",
    "perhaps",
    "suppose",
    "imagine",
    "hypothetical*",
    "what if",
    "if we",
    "if i",
    "if you",
    "if they",
    "should we",
    "shall we",
    "not sure",
    "wondering",
    "theoretically",
    "wenn wir",
    "wenn ich",
    "wenn man",
    "falls",
    "würde*",
    "könnte*",
    "vielleicht",
    "angenommen",
    "sollen wir",
    "theoretisch",
    "peut etre",
    "pourrait",
    "pourrions",
    "si on",
    "si nous",
    "supposons",
    "quizas",
    "tal vez",
    "podria*",
    "si usamos",
    "supongamos",
];

const JOKES: [&str; 15] = [
    "kidding",
    "jk",
    "joking",
    "joke",
    "only joking",
    "as a joke",
    "april fool*",
    "spaß",
    "scherz",
    "witz",
    "quatsch",
    "je rigole",
    "je plaisante",
    "broma",
    "bromeando",
];

/// Tells whether a line is a question.
pub(super) fn is_question(line: &Line) -> bool {
    line.text.trim_end_matches(['"', '“', ')', ' ']).ends_with(['?', '？'])
}

/// Tells whether the words at this position are negated or supposed.
pub(super) fn is_retracted(line: &Line, at: usize) -> bool {
    let before = &line.words[..at];
    is_negated(before)
        || find_all(before, &SUPPOSITIONS).iter().any(|found| !is_followed_by_not(before, found.2))
}

/// Tells whether "not" follows: "could not connect" is not a supposition.
fn is_followed_by_not(before: &str, end: usize) -> bool {
    before[end..].trim_start().starts_with("not ")
}

fn is_negated(before: &str) -> bool {
    let near = before.split_whitespace().rev().take(NEGATION_REACH_WORDS).take_while(|word| *word != ",");
    near.into_iter().any(|word| NEGATIONS.contains(&word))
}

/// Tells whether this line, or one within two sentences of the same entry, is a joke.
pub(super) fn is_joke(lines: &[Line], at: usize) -> bool {
    let near = &lines[at.saturating_sub(2)..(at + 3).min(lines.len())];
    let same = near.iter().filter(|line| line.entry == lines[at].entry);
    same.into_iter().any(|line| !find_all(&line.words, &JOKES).is_empty())
}
