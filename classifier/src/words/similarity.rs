//! What a text is about, and how alike two are.

use std::collections::BTreeSet;

use super::word_lists::COMMON;
use super::{is_apostrophe, is_ideograph, lowered};

/// What a text is about: the beginnings of its words, without those that every text has.
pub fn stems(text: &str) -> BTreeSet<String> {
    let mut stems = BTreeSet::new();
    let mut before: Option<char> = None;
    for word in
        text.split(|c: char| !c.is_alphanumeric() && !is_apostrophe(c)).filter(|word| !word.is_empty())
    {
        let word = lowered(word);
        if word.chars().any(is_ideograph) {
            for c in word.chars() {
                before.map(|before| stems.insert([before, c].iter().collect()));
                before = Some(c);
            }
            continue;
        }
        let number = word.starts_with(|c: char| c.is_ascii_digit());
        if number || word.chars().count() >= 3 && !COMMON.has(&word) {
            stems.insert(word.chars().take(5).collect());
        }
    }
    stems
}

/// How much of the shorter of two is in the other, 0 to 1; nothing of what is too short to tell.
pub fn likeness(a: &BTreeSet<String>, b: &BTreeSet<String>) -> f32 {
    let shorter = a.len().min(b.len());
    match shorter {
        0 => 0.0,
        _ => a.intersection(b).count() as f32 / shorter as f32,
    }
}
