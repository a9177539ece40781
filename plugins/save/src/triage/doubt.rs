//! Words that take a statement back: a question, a negation, a supposition, a joke. What is said under one of them was
//! not said, as far as a memory goes.

use super::lines::Line;
use super::words::all;

/// Words before a hit that turn it round; they reach this many words far, and not beyond a comma.
const REACH: usize = 3;

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

/// Whether a question is asked.
pub(super) fn is_question(line: &Line) -> bool {
    line.text.trim_end_matches(['"', '“', ')', ' ']).ends_with(['?', '？'])
}

/// Whether what stands at this place of a line's words does not count.
pub(super) fn is_taken_back(line: &Line, at: usize) -> bool {
    let before = &line.words[..at];
    is_negated(before) || all(before, &SUPPOSITIONS).iter().any(|found| !is_refused(before, found.2))
}

/// "Could not connect" is no supposition.
fn is_refused(before: &str, end: usize) -> bool {
    before[end..].trim_start().starts_with("not ")
}

fn is_negated(before: &str) -> bool {
    let near = before.split_whitespace().rev().take(REACH).take_while(|word| *word != ",");
    near.into_iter().any(|word| NEGATIONS.contains(&word))
}

/// Whether a joke is made here or within two sentences of the same entry.
pub(super) fn is_joke(lines: &[Line], at: usize) -> bool {
    let near = &lines[at.saturating_sub(2)..(at + 3).min(lines.len())];
    let same = near.iter().filter(|line| line.entry == lines[at].entry);
    same.into_iter().any(|line| !all(&line.words, &JOKES).is_empty())
}
