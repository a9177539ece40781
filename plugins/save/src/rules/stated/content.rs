//! What a statement says field by field, as the schema of its kind wants it, and what it points to.

use serde_json::{Value, json};

use super::group::Group;
use super::wording::{cleaned, cut};
use crate::rules::turns::{Said, Turn};
use crate::rules::words::stems;
use interleaf_layer::memory::Category;

/// Words that stand for something said before.
const POINTING: &[&str] = &[
    "it", "that", "this", "they", "these", "those", "its", "es", "dies", "cela", "ça", "ce", "eso", "esto",
    "isso", "isto", "questo", "quello", "dat", "dit", "这",
];

/// German articles, which point to something only where a verb follows: `das ist`, but not `die API`.
const ARTICLES: &[&str] = &["das", "die", "der"];
const VERBS: &[&str] = &[
    "ist", "sind", "war", "wird", "werden", "kommt", "kommen", "geht", "bleibt", "bleiben", "machen",
    "lassen", "brauchen", "braucht", "muss", "darf", "kann", "nicht", "nie", "immer",
];

/// Words that say nothing of what is meant.
const VAGUE: &[&str] =
    &["again", "like", "way", "slow", "thing", "later", "wieder", "langsam", "encore", "comme"];

/// Whether nobody who was not there knows what this is about: `never do that again`.
pub fn is_vague(said: &Said) -> bool {
    let points = |text: &str| POINTING.contains(&text) || matches!(text, "so" | "das" | "dat");
    let known = stems(said.text).into_iter().filter(|stem| !VAGUE.contains(&stem.as_str()));
    let code =
        said.text.contains(['`', '/', '_', '.']) && said.text.trim_end_matches('.').contains(['`', '/', '_']);
    said.words.iter().any(|word| points(&word.text)) && known.count() == 0 && !code
}

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
    let next = said.words.iter().find(|word| word.start > first.start);
    let article = ARTICLES.contains(&first.text.as_str())
        && next.is_some_and(|next| VERBS.contains(&next.text.as_str()));
    let points = (article || POINTING.contains(&first.text.as_str())) && said.words.len() <= 12;
    if !number && !points {
        return None;
    }
    let told = |other: &&Said| !other.text.ends_with('?') && other.words.len() >= 4;
    let same = |other: &&Said| other.words.iter().any(|word| word.text == first.text);
    let mut answers = before.answers.iter().rev().filter(told);
    if number { answers.find(same) } else { answers.next() }
}
