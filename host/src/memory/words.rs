//! From text to terms: what two texts must share for one to be found by the other.
//!
//! A term is a stem, an identifier kept whole beside its parts, a number, a picture sign, or a pair of
//! neighbouring characters where a script has no spaces. The same text always gives the same terms, whatever stands
//! around a word, so English and German may be mixed within a sentence. Nothing here knows how rare a term
//! is, or where it is stored.

mod letters;
mod lists;
mod split;
#[cfg(test)]
mod tests;

use letters::fold;
use lists::{is_everyday, is_function_word};
use rust_stemmers::{Algorithm, Stemmer};
use split::{Run, humps, parts, runs};
use std::collections::HashMap;

/// Longer words are not words: hashes, encoded data, lines without a space.
const LONGEST_WORD: usize = 48;

/// How many different terms a text is known by. The longest text a memory may have yields fewer.
const MOST_TERMS: usize = 2_000;

/// One term of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// As it is stored and compared.
    pub text: String,
    /// How much it says.
    pub kind: Kind,
}

/// How much a term says about what a text is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Little: a word that turns up in any conversation, a small number.
    Everyday,
    /// A word.
    Ordinary,
    /// A whole identifier, whose parts are terms too.
    Whole,
}

/// The terms of `text`, each once, in the order of their first occurrence.
pub fn terms(text: &str) -> Vec<Term> {
    let mut found = Terms::default();
    for run in runs(text) {
        match run {
            Run::Pairs(run) => found.pairs(run),
            Run::Word(run) => found.word(run),
            Run::Signs(run) => found.signs(run),
        }
        if found.list.len() >= MOST_TERMS {
            break;
        }
    }
    found.list
}

/// Every word and identifier of `text`, folded, function words and all, in order.
pub fn plain_words(text: &str) -> impl Iterator<Item = String> {
    runs(text).filter_map(|run| match run {
        Run::Word(run) => Some(fold(run)),
        Run::Pairs(_) | Run::Signs(_) => None,
    })
}

#[derive(Default)]
struct Terms {
    list: Vec<Term>,
    places: HashMap<String, usize>,
}

impl Terms {
    /// A term met twice is the more telling of the two: `Testament` and `testing` share a stem.
    fn add(&mut self, text: String, kind: Kind) {
        match self.places.get(&text) {
            Some(&place) => self.list[place].kind = self.list[place].kind.max(kind),
            None => {
                self.places.insert(text.clone(), self.list.len());
                self.list.push(Term { text, kind });
            }
        }
    }

    /// A run of letters, digits and the marks inside identifiers.
    fn word(&mut self, run: &str) {
        let before = self.list.len();
        let mut pieces = 0;
        for part in parts(run).flat_map(humps) {
            pieces += 1;
            self.part(&fold(part));
        }
        let whole = fold(run);
        if pieces > 1 && self.list.len() > before && !is_function_word(&without_marks(&whole)) {
            self.whole(whole);
        } else if pieces > 1 && is_numeric(&whole) {
            self.add(whole, Kind::Ordinary);
        }
    }

    fn whole(&mut self, whole: String) {
        if whole.len() <= LONGEST_WORD {
            self.add(whole, Kind::Whole);
        }
    }

    /// A word, or a piece of an identifier. Single letters say nothing.
    fn part(&mut self, word: &str) {
        if word.len() < 2 || word.len() > LONGEST_WORD || is_function_word(word) {
            return;
        }
        if word.bytes().all(|byte| byte.is_ascii_digit()) {
            let kind = if word.len() < 3 { Kind::Everyday } else { Kind::Ordinary };
            return self.add(word.to_owned(), kind);
        }
        let kind = if is_everyday(word) { Kind::Everyday } else { Kind::Ordinary };
        self.add(stem(word), kind);
    }

    /// A run of a script without spaces: every pair of neighbours, or the one character there is.
    fn pairs(&mut self, run: &str) {
        let characters: Vec<char> = run.chars().collect();
        for pair in characters.windows(2.min(characters.len())) {
            let text: String = pair.iter().collect();
            let everyday = pair.iter().copied().all(letters::is_hiragana) || is_everyday(&text);
            self.add(text, if everyday { Kind::Everyday } else { Kind::Ordinary });
        }
    }

    /// Each sign alone. It may be all that a title has, but it ends any sentence as well.
    fn signs(&mut self, run: &str) {
        run.chars().for_each(|sign| self.add(sign.to_string(), Kind::Everyday));
    }
}

/// The stem of a folded word: first as English, then as German. Each leaves most words of the other alone,
/// and both sides of every comparison went the same way.
fn stem(word: &str) -> String {
    thread_local! {
        static STEMMERS: [Stemmer; 2] = [Algorithm::English, Algorithm::German].map(Stemmer::create);
    }
    if word.len() < 3 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return word.to_owned();
    }
    let mut stem = STEMMERS.with(|[english, german]| german.stem(&english.stem(word)).into_owned());
    // What English made of a `y`: `notify` and `notification`, `delivery` and `deliver` become one.
    if stem.len() > 4 && stem.ends_with('i') {
        stem.pop();
    }
    stem
}

fn without_marks(word: &str) -> String {
    word.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// A version, a time, a date: its pieces alone say nothing.
fn is_numeric(word: &str) -> bool {
    !word.chars().any(char::is_alphabetic)
}
