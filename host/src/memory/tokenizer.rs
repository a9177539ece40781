//! The tokenizer of the search: splits a text into terms. A text finds a memory if the two share terms.
//!
//! A term is a stemmed word, a whole identifier (beside its parts), a number, an emoji, or a pair of adjacent
//! characters in scripts without spaces between words. The same text always yields the same terms, so English
//! and German may be mixed in one sentence. The tokenizer does not deal with the frequency or the storage of
//! terms.

mod accent_folding;
mod segmentation;
#[cfg(test)]
mod tests;
mod word_lists;

use accent_folding::fold;
use rust_stemmers::{Algorithm, Stemmer};
use segmentation::{Run, camel_case_words, identifier_parts, is_hiragana, runs};
use std::cell::RefCell;
use std::collections::HashMap;
use word_lists::is_common_word;
pub use word_lists::is_stop_word;

/// Maximum length of a word, in bytes. Longer ones are hashes, encoded data or lines without a space, which
/// are not terms.
const MAX_WORD_BYTES: usize = 48;

/// Maximum number of distinct terms of a text. The longest text that a memory may have yields fewer.
const MAX_TERMS: usize = 2_000;

/// Maximum length of a word that is not stemmed, in bytes.
const MAX_UNSTEMMED_BYTES: usize = 2;

/// Maximum number of words whose terms are remembered, of about 100 bytes each.
const MAX_REMEMBERED_WORDS: usize = 20_000;

/// One term of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// The term in its stored and compared form.
    pub text: String,
    /// The specificity of the term.
    pub kind: TermKind,
}

/// The specificity of a term for the subject of a text, the least specific first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TermKind {
    /// A word that occurs in any conversation, or a small number.
    Common,
    /// Any other word.
    Word,
    /// A whole identifier, whose parts are terms too.
    Identifier,
}

/// Returns the distinct terms of `text` in the order of their first occurrence.
pub fn terms(text: &str) -> Vec<Term> {
    let mut terms = Terms::default();
    for run in runs(text) {
        match run {
            Run::Bigrams(run) => terms.add_bigrams(run),
            Run::Word(run) => terms.add_word(run),
            Run::Symbols(run) => terms.add_symbols(run),
        }
        if terms.list.len() >= MAX_TERMS {
            break;
        }
    }
    terms.list
}

/// Returns the distinct terms of `text` as an index stores them.
pub fn search_terms(text: &str) -> Vec<String> {
    terms(text).into_iter().map(|term| term.text).collect()
}

/// Returns the stem of every word of `text` and of every part of an identifier, in order, stop words and
/// repetitions included; in scripts without spaces every pair of adjacent characters.
pub fn stems(text: &str) -> Vec<String> {
    let mut stems = Vec::new();
    for run in runs(text) {
        match run {
            Run::Word(run) => {
                let parts = identifier_parts(run).flat_map(camel_case_words).map(fold);
                stems.extend(parts.filter(|part| part.len() <= MAX_WORD_BYTES).map(|part| stem(&part)));
            }
            Run::Bigrams(run) => stems.extend(pairs(run)),
            Run::Symbols(_) => {}
        }
    }
    stems
}

/// Returns every pair of adjacent characters; a single character alone.
fn pairs(run: &str) -> Vec<String> {
    let characters: Vec<char> = run.chars().collect();
    characters.windows(2.min(characters.len())).map(|pair| pair.iter().collect()).collect()
}

/// Returns every word and identifier of `text`, folded, in order and including stop words.
pub fn folded_words(text: &str) -> impl Iterator<Item = String> {
    runs(text).filter_map(|run| match run {
        Run::Word(run) => Some(fold(run)),
        Run::Bigrams(_) | Run::Symbols(_) => None,
    })
}

#[derive(Default)]
struct Terms {
    list: Vec<Term>,
    indexes: HashMap<String, usize>,
}

impl Terms {
    /// Adds a term. If the list has it already, it keeps the more specific kind: `Testament` and `testing`
    /// share a stem.
    fn add(&mut self, text: String, kind: TermKind) {
        match self.indexes.get(&text) {
            Some(&index) => self.list[index].kind = self.list[index].kind.max(kind),
            None => {
                self.indexes.insert(text.clone(), self.list.len());
                self.list.push(Term { text, kind });
            }
        }
    }

    /// Adds the parts of a word or identifier, and the identifier as a whole.
    fn add_word(&mut self, run: &str) {
        let before = self.list.len();
        let mut parts = 0;
        for part in identifier_parts(run).flat_map(camel_case_words) {
            parts += 1;
            self.add_part(&fold(part));
        }
        let whole = fold(run);
        if parts > 1 && self.list.len() > before && !is_stop_word(&alphanumeric(&whole)) {
            self.add_identifier(whole);
        } else if parts > 1 && is_numeric(&whole) {
            self.add(whole, TermKind::Word);
        }
    }

    fn add_identifier(&mut self, identifier: String) {
        if identifier.len() <= MAX_WORD_BYTES {
            self.add(identifier, TermKind::Identifier);
        }
    }

    /// Adds a word or a part of an identifier. Single letters are not terms.
    fn add_part(&mut self, word: &str) {
        if word.len() < 2 || word.len() > MAX_WORD_BYTES {
            return;
        }
        if let Some(Term { text, kind }) = remembered_term_of(word) {
            self.add(text, kind);
        }
    }

    /// Adds every pair of adjacent characters of a script without spaces, or a single character.
    fn add_bigrams(&mut self, run: &str) {
        for text in pairs(run) {
            let common = text.chars().all(is_hiragana) || is_common_word(&text);
            self.add(text, if common { TermKind::Common } else { TermKind::Word });
        }
    }

    /// Adds each emoji as a separate term. A title may consist of an emoji, but emojis also end many
    /// sentences, so they count as common.
    fn add_symbols(&mut self, run: &str) {
        run.chars().for_each(|symbol| self.add(symbol.to_string(), TermKind::Common));
    }
}

/// Returns the term of a folded word as [`term_of`] does, and remembers it: an import meets the same words
/// again and again.
fn remembered_term_of(word: &str) -> Option<Term> {
    thread_local! {
        static REMEMBERED: RefCell<HashMap<String, Option<Term>>> = RefCell::default();
    }
    REMEMBERED.with_borrow_mut(|remembered| {
        if let Some(term) = remembered.get(word) {
            return term.clone();
        }
        if remembered.len() >= MAX_REMEMBERED_WORDS {
            remembered.clear();
        }
        let term = term_of(word);
        remembered.insert(word.to_owned(), term.clone());
        term
    })
}

/// Returns the term of a folded word; none of a stop word.
fn term_of(word: &str) -> Option<Term> {
    if is_stop_word(word) {
        return None;
    }
    if word.bytes().all(|byte| byte.is_ascii_digit()) {
        let kind = if word.len() < 3 { TermKind::Common } else { TermKind::Word };
        return Some(Term { text: word.to_owned(), kind });
    }
    let kind = if is_common_word(word) { TermKind::Common } else { TermKind::Word };
    Some(Term { text: stem(word), kind })
}

/// Returns the stem of a folded word: stemmed as English, then as German. Each stemmer leaves most words of
/// the other language unchanged, and both sides of every comparison are stemmed in the same way.
fn stem(word: &str) -> String {
    thread_local! {
        static STEMMERS: [Stemmer; 2] = [Algorithm::English, Algorithm::German].map(Stemmer::create);
    }
    if word.len() <= MAX_UNSTEMMED_BYTES || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return word.to_owned();
    }
    let mut stem = STEMMERS.with(|[english, german]| german.stem(&english.stem(word)).into_owned());
    // The English stemmer turns a final `y` into `i`. Without it, `notify` and `notification` share a stem.
    if stem.len() > 4 && stem.ends_with('i') {
        stem.pop();
    }
    stem
}

fn alphanumeric(word: &str) -> String {
    word.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Tells whether a word has no letters: a version, a time, a date. Its parts alone mean nothing.
fn is_numeric(word: &str) -> bool {
    !word.chars().any(char::is_alphabetic)
}
