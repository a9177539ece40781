//! Where words and identifiers begin and end.

use super::letters::{is_combining, is_pair_script, is_sign};

/// Marks that may stand inside an identifier, a path, a version or an address.
const MARKS: [char; 8] = ['_', '-', '.', '/', ':', '@', '+', '#'];

/// Apostrophes belong to the word.
const APOSTROPHES: [char; 3] = ['\'', '’', 'ʼ'];

/// A stretch of text that is looked at as one.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Run<'a> {
    /// A word or an identifier, without marks at its ends.
    Word(&'a str),
    /// Characters of a script without spaces.
    Pairs(&'a str),
    /// Emoji and other picture signs.
    Signs(&'a str),
}

#[derive(PartialEq, Eq, Clone, Copy)]
enum Class {
    Word,
    Pairs,
    Sign,
    Neither,
}

fn class(character: char) -> Class {
    if is_pair_script(character) {
        Class::Pairs
    } else if is_sign(character) {
        Class::Sign
    } else if character.is_alphanumeric()
        || is_combining(character)
        || MARKS.contains(&character)
        || APOSTROPHES.contains(&character)
    {
        Class::Word
    } else {
        Class::Neither
    }
}

/// The runs of a text, in order.
pub(super) fn runs(text: &str) -> impl Iterator<Item = Run<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        while let Some(first) = rest.chars().next() {
            let kind = class(first);
            let end = rest.find(|c| class(c) != kind).unwrap_or(rest.len());
            let (run, after) = rest.split_at(end);
            rest = after;
            match kind {
                Class::Pairs => return Some(Run::Pairs(run)),
                Class::Sign => return Some(Run::Signs(run)),
                Class::Word if !trimmed(run).is_empty() => return Some(Run::Word(trimmed(run))),
                _ => {}
            }
        }
        None
    })
}

/// Without the marks around it: the full stop of a sentence, the dashes of a flag, quotes. `C++` and `C#`
/// keep theirs, and a possessive loses its `'s`.
fn trimmed(run: &str) -> &str {
    let is_edge = |c: char| MARKS.contains(&c) || APOSTROPHES.contains(&c);
    let run = run.trim_start_matches(is_edge);
    let word = run.trim_end_matches(is_edge);
    let named = run.trim_end_matches(|c| is_edge(c) && c != '+' && c != '#');
    if word.len() == 1 && named.len() > 1 {
        return named;
    }
    APOSTROPHES.iter().find_map(|mark| word.strip_suffix('s')?.strip_suffix(*mark)).unwrap_or(word)
}

/// The pieces of an identifier between its marks. A language whose name ends in marks is one piece.
pub(super) fn parts(run: &str) -> impl Iterator<Item = &str> {
    let one_piece = run.ends_with(MARKS);
    run.split(move |c| !one_piece && MARKS.contains(&c)).filter(|part| !part.is_empty())
}

/// The words inside `camelCase`, `PascalCase` and `HTTPServer`.
pub(super) fn humps(part: &str) -> impl Iterator<Item = &str> {
    let mut rest = part;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (hump, after) = rest.split_at(hump_end(rest));
        rest = after;
        Some(hump)
    })
}

/// Where the first hump ends: before a capital after a small letter, and before the last capital of several
/// or a capital after a digit if small letters follow. The plural of an abbreviation (`URLs`) is no hump.
fn hump_end(part: &str) -> usize {
    let mut letters = part.char_indices();
    let mut before = letters.next().map_or(' ', |(_, first)| first);
    while let Some((place, letter)) = letters.next() {
        let mut after = letters.clone().map(|(_, letter)| letter.is_lowercase());
        let word_follows = after.next() == Some(true) && after.next() == Some(true);
        if letter.is_uppercase() && (before.is_lowercase() || word_follows) {
            return place;
        }
        before = letter;
    }
    part.len()
}
