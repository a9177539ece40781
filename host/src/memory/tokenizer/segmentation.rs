//! Segmentation of a text into words, identifiers and their parts. Unicode's word boundaries (UAX #29, the
//! crate `unicode-segmentation`) would split identifiers, paths and versions at their marks.

use super::accent_folding::is_combining;
use interleaf_text::{is_hangul, is_ideograph};

/// Marks that may occur inside an identifier, a path, a version or an address.
const MARKS: [char; 8] = ['_', '-', '.', '/', ':', '@', '+', '#'];

/// Apostrophes, which are part of a word.
const APOSTROPHES: [char; 3] = ['\'', '’', 'ʼ'];

/// A stretch of text that is tokenized in one way.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Run<'a> {
    /// A word or an identifier, without marks at its ends.
    Word(&'a str),
    /// Characters of a script without spaces between words.
    Bigrams(&'a str),
    /// Emoji and other symbols.
    Symbols(&'a str),
}

#[derive(PartialEq, Eq, Clone, Copy)]
enum Class {
    Word,
    Bigrams,
    Symbol,
    Separator,
}

fn class(character: char) -> Class {
    if is_bigram_script(character) {
        Class::Bigrams
    } else if is_symbol(character) {
        Class::Symbol
    } else if character.is_alphanumeric()
        || is_combining(character)
        || MARKS.contains(&character)
        || APOSTROPHES.contains(&character)
    {
        Class::Word
    } else {
        Class::Separator
    }
}

/// Returns the runs of a text, in order.
pub(super) fn runs(text: &str) -> impl Iterator<Item = Run<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        while let Some(first) = rest.chars().next() {
            let kind = class(first);
            let end = rest.find(|c| class(c) != kind).unwrap_or(rest.len());
            let (run, after) = rest.split_at(end);
            rest = after;
            match kind {
                Class::Bigrams => return Some(Run::Bigrams(run)),
                Class::Symbol => return Some(Run::Symbols(run)),
                Class::Word if !trim_marks(run).is_empty() => return Some(Run::Word(trim_marks(run))),
                _ => {}
            }
        }
        None
    })
}

/// Removes the marks around a word: the full stop of a sentence, the dashes of a flag, quotes. `C++` and `C#`
/// keep theirs, and a possessive loses its `'s`.
fn trim_marks(run: &str) -> &str {
    let is_mark = |c: char| MARKS.contains(&c) || APOSTROPHES.contains(&c);
    let run = run.trim_start_matches(is_mark);
    let word = run.trim_end_matches(is_mark);
    let language = run.trim_end_matches(|c| is_mark(c) && c != '+' && c != '#');
    if word.len() == 1 && language.len() > 1 {
        return language;
    }
    APOSTROPHES.iter().find_map(|mark| word.strip_suffix('s')?.strip_suffix(*mark)).unwrap_or(word)
}

/// Splits an identifier at its marks. A language whose name ends in marks stays whole.
pub(super) fn identifier_parts(run: &str) -> impl Iterator<Item = &str> {
    let whole = run.ends_with(MARKS);
    run.split(move |c| !whole && MARKS.contains(&c)).filter(|part| !part.is_empty())
}

/// Splits `camelCase`, `PascalCase` and `HTTPServer` into words.
pub(super) fn camel_case_words(part: &str) -> impl Iterator<Item = &str> {
    let mut rest = part;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (word, after) = rest.split_at(camel_case_boundary(rest));
        rest = after;
        Some(word)
    })
}

/// Returns the end of the first word: before a capital letter that follows a small one, and before the last
/// capital of several or a capital after a digit if small letters follow. The plural of an abbreviation
/// (`URLs`) is not split.
fn camel_case_boundary(part: &str) -> usize {
    let mut letters = part.char_indices();
    let mut before = letters.next().map_or(' ', |(_, first)| first);
    while let Some((index, letter)) = letters.next() {
        let mut after = letters.clone().map(|(_, letter)| letter.is_lowercase());
        let word_follows = after.next() == Some(true) && after.next() == Some(true);
        if letter.is_uppercase() && (before.is_lowercase() || word_follows) {
            return index;
        }
        before = letter;
    }
    part.len()
}

/// Tells whether a character is a Chinese, Japanese or Korean letter: their scripts put no spaces between
/// words, or several words between two spaces. Beside the usual blocks: iteration mark, half-width kana, rare
/// ideographs, single Hangul letters.
fn is_bigram_script(character: char) -> bool {
    let rare = matches!(
        character,
        '\u{3005}'
            | '\u{31F0}'..='\u{31FF}'
            | '\u{FF66}'..='\u{FF9F}'
            | '\u{20000}'..='\u{323AF}'
            | '\u{1100}'..='\u{11FF}'
    );
    (rare || is_ideograph(character) || is_hangul(character)) && character.is_alphanumeric()
}

pub(super) fn is_hiragana(character: char) -> bool {
    matches!(character, '\u{3041}'..='\u{309F}')
}

/// Tells whether a character is an emoji, a flag or a dingbat.
fn is_symbol(character: char) -> bool {
    matches!(character, '\u{2600}'..='\u{27BF}' | '\u{1F1E6}'..='\u{1F1FF}' | '\u{1F300}'..='\u{1FAFF}')
}
