//! How people answer and explain, as phrases in each language. What they state is not found by phrases but by
//! the [classifier](crate::classifier).
//!
//! A language is recognized by its frequent words, so that `nie` is *never* in German and *not* in Polish.

mod dutch;
mod eastern_european;
mod english;
mod french;
mod german;
mod italian;
mod other_scripts;
mod phrase;
mod portuguese;
mod spanish;
mod table;

use std::sync::LazyLock;

use self::table::Table;
use super::words::{Word, words};

pub use phrase::Phrase;

/// A language whose phrases can be searched for; see [`Table`] for the fields.
#[derive(Debug)]
#[allow(missing_docs, reason = "the fields of the table")]
pub struct Language {
    marks: Vec<&'static str>,
    script: Option<fn(char) -> bool>,
    pub lasting: Vec<Phrase>,
    pub refuses: Vec<Phrase>,
    pub agrees: Vec<Phrase>,
    pub concedes: Vec<Phrase>,
    pub instead: Vec<Phrase>,
    pub cause: Vec<Phrase>,
    pub report: Vec<Phrase>,
}

impl Language {
    fn new(table: &Table) -> Self {
        let phrases = |phrases: &[&str]| phrases.iter().map(|phrase| Phrase::new(phrase)).collect();
        Self {
            marks: table.marks.split_whitespace().collect(),
            script: table.script,
            lasting: phrases(table.lasting),
            refuses: phrases(table.refuses),
            agrees: phrases(table.agrees),
            concedes: phrases(table.concedes),
            instead: phrases(table.instead),
            cause: phrases(table.cause),
            report: phrases(table.report),
        }
    }
}

static LANGUAGES: LazyLock<Vec<Language>> = LazyLock::new(|| {
    let frequent = [
        &english::TABLE,
        &german::TABLE,
        &french::TABLE,
        &spanish::TABLE,
        &portuguese::TABLE,
        &italian::TABLE,
        &dutch::TABLE,
    ];
    let others = eastern_european::TABLES.into_iter().chain(other_scripts::TABLES);
    frequent.into_iter().chain(others).map(Language::new).collect()
});

/// Maximum number of bytes by which a language is recognized.
const MAX_COMPARED_BYTES: usize = 4_000;

/// Returns the languages that a text may be in, English if nothing tells.
pub fn of(text: &str) -> Vec<&'static Language> {
    let text = &text[..text.floor_char_boundary(MAX_COMPARED_BYTES)];
    let by_script = |language: &&Language| language.script.is_some_and(|is| text.chars().any(is));
    if let Some(language) = LANGUAGES.iter().find(by_script) {
        return vec![language, &LANGUAGES[0]];
    }
    let words: Vec<Word> = text.lines().flat_map(words).collect();
    let count = |language: &Language| {
        words.iter().filter(|word| language.marks.contains(&word.text.as_str())).count()
    };
    let counts: Vec<(usize, &Language)> =
        LANGUAGES.iter().map(|language| (count(language), language)).collect();
    let best = counts.iter().map(|(count, _)| *count).max().unwrap_or_default();
    let near = counts.into_iter().filter(|(count, _)| *count > 0 && *count * 10 >= best * 7);
    let found: Vec<&Language> = near.map(|(_, language)| language).collect();
    // One frequent word tells little: `per` is of four languages, and of none in `50 keys per object`.
    let english = best <= 1 && !found.iter().any(|language| std::ptr::eq(*language, &raw const LANGUAGES[0]));
    found.into_iter().chain(english.then_some(&LANGUAGES[0])).collect()
}

/// Returns where the first of these phrases begins and ends, as indices of words.
pub fn find(phrases: &[Phrase], words: &[Word]) -> Option<(usize, usize)> {
    phrases.iter().filter_map(|phrase| phrase.find(words)).min()
}
