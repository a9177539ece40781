//! What a statement says field by field, as the schema of its kind wants it, and what it points to.

use serde_json::{Value, json};

use super::group::Group;
use super::wording::{cleaned, cut};
use crate::find::Category;
use crate::rules::turns::{Said, Turn};

/// Words that stand for something said before.
const POINTING: &[&str] = &[
    "it", "that", "this", "they", "these", "those", "its", "das", "es", "dies", "die", "sie", "cela", "ça",
    "ce", "eso", "esto", "isso", "isto", "questo", "quello", "dat", "dit", "这",
];

/// The fields of a statement.
pub fn content(group: &Group, text: &str) -> Value {
    let why = group.why.map(|said| cleaned(said).to_owned());
    let reason = why.clone().unwrap_or_else(|| text.to_owned());
    match group.claim.category {
        Category::Preference => {
            json!({ "topic": cut(text, 80), "value": text, "reason": why, "strength": if group.claim.rules { "strong" } else { "default" } })
        }
        Category::Decision => {
            json!({ "status": "accepted", "context": group.of.map(|of| of.text), "decision": text, "rationale": [reason] })
        }
        Category::Constraint => {
            json!({ "kind": "limitation", "rule": text, "impact": [reason], "severity": "medium", "active": true })
        }
        Category::TechDebt => {
            json!({ "status": "open", "priority": "medium", "description": text, "reason_deferred": reason })
        }
        _ => json!({}),
    }
}

/// How much depends on a statement.
pub fn importance(category: Category, rules: bool) -> f32 {
    match category {
        Category::Preference if rules => 0.85,
        Category::Preference | Category::Constraint => 0.75,
        Category::Decision => 0.7,
        Category::TechDebt => 0.6,
        _ => 0.5,
    }
}

/// The sentence of the turn before that this one points to: it begins with a pronoun or with a number.
pub fn pointed_to<'a>(said: &Said, before: &'a Turn<'a>) -> Option<&'a Said<'a>> {
    let text = cleaned(said);
    let from = said.text.len() - text.len();
    let first = said.words.iter().find(|word| word.start >= from)?;
    let number = first.text.starts_with(|c: char| c.is_ascii_digit());
    let points = POINTING.contains(&first.text.as_str()) && said.words.len() <= 12;
    if !number && !points {
        return None;
    }
    let told = |other: &&Said| !other.text.ends_with('?') && other.words.len() >= 4;
    let same = |other: &&Said| other.words.iter().any(|word| word.text == first.text);
    let mut answers = before.answers.iter().rev().filter(told);
    if number { answers.find(same) } else { answers.next() }
}
