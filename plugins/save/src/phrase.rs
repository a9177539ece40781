//! Phrases, and whether a sentence has one.
//!
//! A phrase is a few words. `a|b` is either, `use~` begins so, `~ed` ends so, `?a` may be missing, `!a|b` is
//! any other word, `*` up to three words and `**` up to eight; `^` before the first one: a clause begins
//! here.

use interleaf_classifier::words::{Word, is_ideograph, words};

/// A phrase, ready to be looked for.
#[derive(Debug)]
pub struct Phrase {
    opens: bool,
    parts: Vec<Part>,
}

#[derive(Debug)]
enum Part {
    One(Vec<Shape>),
    Maybe(Vec<Shape>),
    Not(Vec<Shape>),
    Gap(usize),
}

#[derive(Debug)]
enum Shape {
    Is(String),
    Begins(String),
    Ends(String),
}

impl Shape {
    fn fits(&self, word: &str) -> bool {
        match self {
            Self::Is(text) => word == text,
            Self::Begins(text) => word.starts_with(text.as_str()),
            Self::Ends(text) => word.ends_with(text.as_str()),
        }
    }
}

impl Phrase {
    /// Reads a phrase.
    pub fn new(text: &str) -> Self {
        let (opens, text) = text.strip_prefix('^').map_or((false, text), |rest| (true, rest));
        Self { opens, parts: text.split_whitespace().flat_map(parts).collect() }
    }

    /// Where a sentence has it: the first word, and the one behind the last.
    pub fn find(&self, words: &[Word]) -> Option<(usize, usize)> {
        let mut starts = (0..words.len()).filter(|at| !self.opens || words[*at].opens);
        starts.find_map(|at| Some((at, end(&self.parts, words, at, true)?)))
    }
}

fn parts(text: &str) -> Vec<Part> {
    match text {
        "*" => vec![Part::Gap(3)],
        "**" => vec![Part::Gap(8)],
        _ if text.starts_with('?') => vec![Part::Maybe(shapes(&text[1..]))],
        _ if text.starts_with('!') => vec![Part::Not(shapes(&text[1..]))],
        // Scripts without blanks: a word for each character.
        _ if text.chars().any(is_ideograph) && !text.contains('|') => {
            words(text).into_iter().map(|word| Part::One(vec![Shape::Is(word.text)])).collect()
        }
        _ => vec![Part::One(shapes(text))],
    }
}

fn shapes(text: &str) -> Vec<Shape> {
    let shape = |word: &str| match (word.strip_suffix('~'), word.strip_prefix('~')) {
        (Some(head), _) => Shape::Begins(head.to_owned()),
        (_, Some(tail)) => Shape::Ends(tail.to_owned()),
        _ => Shape::Is(word.to_owned()),
    };
    text.split('|').map(shape).collect()
}

/// Where these parts end that begin at this word; `free` where a sign may stand before it.
fn end(parts: &[Part], words: &[Word], at: usize, free: bool) -> Option<usize> {
    let Some((part, rest)) = parts.split_first() else { return Some(at) };
    let word = words.get(at).filter(|word| free || !word.parted);
    let fits = |shapes: &[Shape]| word.is_some_and(|word| shapes.iter().any(|shape| shape.fits(&word.text)));
    let next = || end(rest, words, at + 1, false);
    match part {
        Part::One(shapes) if fits(shapes) => next(),
        Part::Not(shapes) if word.is_some() && !fits(shapes) => next(),
        Part::Maybe(shapes) if fits(shapes) => next().or_else(|| end(rest, words, at, free)),
        Part::Maybe(_) => end(rest, words, at, free),
        Part::Gap(most) => (at..=(at + most).min(words.len())).find_map(|at| end(rest, words, at, true)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has(phrase: &str, sentence: &str) -> bool {
        Phrase::new(phrase).find(&words(sentence)).is_some()
    }

    #[test]
    fn a_phrase_is_found_by_whole_words() {
        assert!(has("never use|touch", "please never touch this"));
        assert!(!has("never use", "nevertheless used"));
        assert!(has("limit~ to", "limited to 10 a second"));
        assert!(has("instead of", "X instead of Y") && has("use * not", "use tabs, not spaces"));
        assert!(has("dont !know|~ing touch", "don't ever touch") && !has("dont !know", "don't know"));
        assert!(has("不要用", "请不要用 npm"));
    }

    #[test]
    fn a_phrase_that_opens_a_clause_is_not_found_inside_one() {
        assert!(has("^never use", "no, please never use it") && has("^use", "ok and use it"));
        assert!(!has("^use", "what we use it for"));
    }

    #[test]
    fn what_is_quoted_or_code_has_no_words() {
        assert!(!has("never use", "the text \"you should never use it\" is wrong"));
        assert!(!has("never", "run `git never` twice"));
    }
}
