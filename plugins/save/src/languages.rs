//! How people answer, and say that something lasts, as phrases in each language: the files in
//! `plugins/save/languages`.
//!
//! A language is recognized by its frequent words, so that `nie` is *never* in German and *not* in Polish.

use std::collections::HashSet;
use std::sync::LazyLock;

use interleaf_classifier::words::{Word, sections, words};

use crate::phrase::Phrase;

/// The files, English first. Japanese stands before Chinese, because it has letters of its own and the others
/// as well.
const FILES: [&str; 14] = [
    include_str!("../languages/english.txt"),
    include_str!("../languages/german.txt"),
    include_str!("../languages/french.txt"),
    include_str!("../languages/spanish.txt"),
    include_str!("../languages/portuguese.txt"),
    include_str!("../languages/italian.txt"),
    include_str!("../languages/dutch.txt"),
    include_str!("../languages/polish.txt"),
    include_str!("../languages/hungarian.txt"),
    include_str!("../languages/turkish.txt"),
    include_str!("../languages/russian.txt"),
    include_str!("../languages/japanese.txt"),
    include_str!("../languages/korean.txt"),
    include_str!("../languages/chinese.txt"),
];

/// A language whose phrases can be searched for.
#[derive(Debug)]
pub struct Language {
    /// Frequent words by which the language is recognized.
    marks: HashSet<&'static str>,
    /// The letters by which it is recognized, if it has a script of its own.
    script: Option<fn(char) -> bool>,
    /// In so many words: this holds from now on, or is to be remembered.
    pub lasting: Vec<Phrase>,
    /// This holds next time, or in future: an order for the work at hand may say so, too.
    pub future: Vec<Phrase>,
    /// At the beginning of a clause: it holds for all cases, and may be a rule.
    pub absolute: Vec<Phrase>,
    /// At the beginning of a prompt: what was done or proposed is not wanted.
    pub refuses: Vec<Phrase>,
    /// At the beginning of a prompt: it is.
    pub agrees: Vec<Phrase>,
    /// At the beginning of a prompt: the person takes back what they said.
    pub concedes: Vec<Phrase>,
}

impl Language {
    fn read(text: &'static str) -> Self {
        let sections = sections(text);
        let lines = |name: &str| sections.get(name).into_iter().flatten().copied();
        let phrases = |name: &str| lines(name).map(Phrase::new).collect();
        Self {
            marks: lines("marks").flat_map(str::split_whitespace).collect(),
            script: lines("script").next().and_then(script),
            lasting: phrases("lasting"),
            future: phrases("future"),
            absolute: phrases("absolute"),
            refuses: phrases("refuses"),
            agrees: phrases("agrees"),
            concedes: phrases("concedes"),
        }
    }
}

fn script(name: &str) -> Option<fn(char) -> bool> {
    match name {
        "cyrillic" => Some(|c| matches!(c, '\u{400}'..='\u{4ff}')),
        "kana" => Some(|c| matches!(c, '\u{3040}'..='\u{30ff}')),
        "hangul" => Some(|c| matches!(c, '\u{ac00}'..='\u{d7a3}')),
        "han" => Some(|c| matches!(c, '\u{4e00}'..='\u{9fff}')),
        _ => None,
    }
}

static LANGUAGES: LazyLock<Vec<Language>> =
    LazyLock::new(|| FILES.iter().map(|text| Language::read(text)).collect());

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
    let count =
        |language: &Language| words.iter().filter(|word| language.marks.contains(word.text.as_str())).count();
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

#[cfg(test)]
mod tests {
    use super::*;

    const SECTIONS: [&str; 8] =
        ["marks", "script", "lasting", "future", "absolute", "refuses", "agrees", "concedes"];

    #[test]
    fn every_section_of_a_file_is_known_and_not_empty() {
        for text in FILES {
            let sections = sections(text);
            assert!(sections.contains_key("marks") || sections.contains_key("script"), "{text}");
            for (name, lines) in &sections {
                assert!(SECTIONS.contains(name) && !lines.is_empty(), "[{name}] in {text}");
            }
            let script = sections.get("script").map(|lines| lines[0]);
            assert!(script.is_none_or(|name| super::script(name).is_some()), "{script:?}");
        }
    }
}
