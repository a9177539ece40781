//! The content of a statement by the schema of its category, and what it points to.

use interleaf_layer::memory::Category;
use serde_json::{Value, json};

use crate::session::turns::{Said, Turn};
use crate::session::wording::cleaned;
use crate::word_lists::{ARTICLES, POINTING, VAGUE, VERBS};
use interleaf_classifier::words::stems;
use interleaf_text::truncate_at_word;

/// Maximum length of the topic of a preference, in characters.
const MAX_TOPIC_CHARS: usize = 80;

/// Minimum number of words of a sentence that says by itself what it is about.
const MIN_WORDS: usize = 3;

/// Tells whether nobody who was not there knows what a sentence is about: `never do that again`, `ok.`
pub fn is_vague(said: &Said) -> bool {
    let points = |text: &str| POINTING.has(text) || matches!(text, "so" | "das" | "dat");
    let known = stems(said.text).into_iter().filter(|stem| !VAGUE.has(stem));
    let code =
        said.text.contains(['`', '/', '_', '.']) && said.text.trim_end_matches('.').contains(['`', '/', '_']);
    let count = known.count();
    (said.words.iter().any(|word| points(&word.text)) || said.words.len() < MIN_WORDS) && count <= 1 && !code
}

/// Returns the content of a statement. Only what the person said is filled in.
pub fn content(category: Category, subject: Option<&str>, text: &str) -> Value {
    match category {
        Category::Preference => {
            json!({ "topic": truncate_at_word(text, MAX_TOPIC_CHARS), "value": text, "strength": "strong" })
        }
        Category::Decision => {
            json!({ "status": "accepted", "context": subject, "decision": text, "rationale": [text] })
        }
        Category::Constraint => {
            json!({
                "kind": "limitation", "rule": text, "impact": [text], "severity": "medium", "active": true,
            })
        }
        Category::TechDebt => {
            json!({ "status": "open", "priority": "medium", "description": text, "reason_deferred": text })
        }
        _ => json!({}),
    }
}

/// Returns how much depends on a statement of this category, from 0 to 1.
pub const fn importance(category: Category) -> f32 {
    match category {
        Category::Preference => 0.85,
        Category::Constraint => 0.75,
        Category::Decision => 0.7,
        _ => 0.6,
    }
}

/// The sentence of the turn before that this one points to: it begins with a pronoun or with a number.
pub fn pointed_to<'a>(said: &Said, before: &'a Turn<'a>) -> Option<&'a Said<'a>> {
    let text = cleaned(said);
    let from = said.text.len() - text.len();
    let first = said.words.iter().find(|word| word.start >= from)?;
    let number = first.text.starts_with(|c: char| c.is_ascii_digit());
    let next = said.words.iter().find(|word| word.start > first.start);
    let article = ARTICLES.has(&first.text) && next.is_some_and(|next| VERBS.has(&next.text));
    let points = (article || POINTING.has(&first.text)) && said.words.len() <= 12;
    if !number && !points {
        return None;
    }
    let told = |other: &&Said| !other.text.ends_with('?') && other.words.len() >= 4;
    let same = |other: &&Said| other.words.iter().any(|word| word.text == first.text);
    let mut answers = before.answers.iter().rev().filter(told);
    if number { answers.find(same) } else { answers.next() }
}
