//! How a sentence of the person answers what was done or proposed.

use super::turns::Said;
use crate::languages::{self, Language};
use crate::phrase::Phrase;
use crate::word_lists::{QUESTION_WORDS, TAGS};
use interleaf_classifier::words::Word;

/// How a sentence answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reply {
    /// What was done or proposed is not wanted.
    pub refuses: bool,
    /// It is.
    pub agrees: bool,
    /// The person takes back what they said.
    pub concedes: bool,
}

impl Reply {
    /// Returns how this sentence answers.
    pub fn of(said: &Said, languages: &[&'static Language]) -> Self {
        let words = &said.words;
        let first = |phrases: fn(&Language) -> &[Phrase]| {
            languages.iter().filter_map(|language| languages::find(phrases(language), words)).min()
        };
        let opens = |(at, _): (usize, usize)| at <= 1 && leads(words, at);
        Self {
            refuses: first(|language| &language.refuses).is_some_and(opens),
            agrees: first(|language| &language.agrees).is_some_and(|(at, _)| at == 0),
            concedes: first(|language| &language.concedes).is_some_and(opens),
        }
    }
}

/// Tells whether a sentence is a question.
pub fn asks(said: &Said) -> bool {
    let is_marked = said.text.trim_end_matches(['"', ')', ' ']).ends_with(['?', '？']);
    let is_tag = said.words.len() > 3 && said.words.last().is_some_and(|it| it.parted && TAGS.has(&it.text));
    is_marked && !is_tag || said.words.first().is_some_and(|word| QUESTION_WORDS.has(&word.text))
}

/// Tells whether only words that lead to this word stand before it.
fn leads(words: &[Word], at: usize) -> bool {
    words[..at.min(words.len())].iter().all(|word| word.opens)
}
