//! A number that the person puts right: `no, 30 is too much, take 20`. What was said of 30 before holds for 20.

use crate::rules::replies::refuses;
use crate::rules::turns::{Said, Turn};
use interleaf_classifier::words::is_quantity;

/// A number that was put right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Amendment {
    /// What it was.
    pub old: String,
    /// What it is.
    pub new: String,
    /// Where the entry stands that says so.
    pub at: usize,
}

impl Amendment {
    /// A text from before, with the number as it is.
    pub fn applied(&self, text: &str) -> String {
        let mut amended = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(&self.old) {
            let (head, tail) = (&rest[..at], &rest[at + self.old.len()..]);
            // `3` in `python 3.11` is part of a version.
            let in_version = |rest: &str| {
                rest.strip_prefix('.').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
            };
            let after_version =
                head.ends_with('.') && head.trim_end_matches('.').ends_with(|c: char| c.is_ascii_digit());
            let whole = !head.ends_with(|c: char| c.is_alphanumeric())
                && !tail.starts_with(|c: char| c.is_ascii_digit())
                && !in_version(tail)
                && !after_version;
            amended.push_str(head);
            amended.push_str(if whole { &self.new } else { &self.old });
            rest = tail;
        }
        amended + rest
    }
}

/// Returns the numbers that the person puts right.
pub fn amendments(turns: &[Turn]) -> Vec<Amendment> {
    turns.windows(2).filter_map(|pair| amended(&pair[1], &pair[0])).collect()
}

/// Returns the number that this turn puts right.
fn amended(turn: &Turn, before: &Turn) -> Option<Amendment> {
    if !refuses(turn) {
        return None;
    }
    turn.said.iter().take(3).find_map(|said| {
        let known = |number: &&str| mentioned(before, number);
        let (old, new): (Vec<&str>, Vec<&str>) = numbers(said).into_iter().partition(known);
        let ([old], [new]) = (&old[..], &new[..]) else { return None };
        Some(Amendment { old: (*old).to_owned(), new: (*new).to_owned(), at: turn.at })
    })
}

fn numbers<'a>(said: &'a Said) -> Vec<&'a str> {
    let mut numbers: Vec<&str> =
        said.words.iter().map(|word| word.text.as_str()).filter(|word| is_quantity(word)).collect();
    numbers.dedup();
    numbers
}

/// Tells whether this number is mentioned in a turn.
fn mentioned(turn: &Turn, number: &str) -> bool {
    let mut all = turn.said.iter().chain(&turn.answers);
    all.any(|said| said.words.iter().any(|word| word.text == number))
}
