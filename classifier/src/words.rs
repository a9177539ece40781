//! A sentence as it is compared: lower-cased words, where clauses begin, and what two texts have in common.
//!
//! Quoted text and code are one opaque word each: what somebody else said, or a program, states no rule.

mod similarity;
mod word_lists;

pub use interleaf_text::is_ideograph;
pub use similarity::{likeness, stems};
pub(crate) use word_lists::SHORT;
use word_lists::{ELIDED, JOINING, LEADING};
pub use word_lists::{WordList, sections};

/// Words of a sentence that are compared; of a longer one the rest counts for nothing.
const MOST: usize = 120;

/// Bytes within which a quotation has to end.
const LONGEST_QUOTATION: usize = 600;

/// The opaque word for code.
pub const CODE: &str = "`";
/// The opaque word for a quotation.
pub const QUOTED: &str = "\"";

/// A word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// Lower-cased, without apostrophes.
    pub text: String,
    /// Where it begins in the sentence.
    pub start: usize,
    /// Where it ends in the sentence.
    pub end: usize,
    /// Whether a clause begins with it, but for words that only lead to it.
    pub opens: bool,
    /// Whether a sign stands before it.
    pub parted: bool,
}

/// The words of a sentence.
pub fn words(sentence: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let (mut at, mut opens, mut parted) = (0, true, false);
    while at < sentence.len() && words.len() < MOST {
        let Some(c) = sentence[at..].chars().next() else { break };
        if let Some((end, word)) = opaque(sentence, at, c) {
            words.push(Word { text: word.to_owned(), start: at, end, opens, parted });
            (at, opens, parted) = (end, false, false);
        } else if c.is_alphanumeric() {
            let end = end_of_word(sentence, at, c);
            let text = lowered(&sentence[at..end]);
            let (lead, joins) = (LEADING.has(&text), JOINING.has(&text));
            let next = joins && (opens || text.len() > 1) || lead && opens;
            words.push(Word { text, start: at, end, opens, parted });
            (at, opens, parted) = (end, next, false);
        } else {
            parted |= ",;:()[]{}–—!?.。、，；：•*|".contains(c) || c == '-' && sentence[..at].ends_with(' ');
            opens |= parted;
            at += c.len_utf8();
        }
    }
    words
}

/// A number, also with its unit: `20`, `200kb`.
pub fn is_quantity(word: &str) -> bool {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    (1..=9).contains(&digits) && word.len() <= digits + 6
}

/// Lower-cased, without apostrophes: `don't` and `dont` are one.
pub fn lowered(text: &str) -> String {
    text.chars()
        .filter(|c| !is_apostrophe(*c))
        .flat_map(char::to_lowercase)
        .filter(|c| *c != '\u{307}')
        .collect()
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2019}' | '\u{2018}')
}

fn end_of_word(sentence: &str, at: usize, first: char) -> usize {
    if is_ideograph(first) {
        return at + first.len_utf8();
    }
    let rest = &sentence[at..];
    let mut chars = rest.char_indices().peekable();
    while let Some((offset, c)) = chars.next() {
        let next = chars.peek().is_some_and(|(_, next)| next.is_alphanumeric());
        let inside = is_apostrophe(c) && next && !ELIDED.has(&rest[..offset].to_lowercase());
        if !(c.is_alphanumeric() && !is_ideograph(c) || c == '_' || inside) {
            return at + offset;
        }
    }
    sentence.len()
}

/// Where a quotation of three words or more, or code, ends that begins here.
fn opaque(sentence: &str, at: usize, c: char) -> Option<(usize, &'static str)> {
    let closing: &[char] = match c {
        '`' => &['`'],
        '"' => &['"'],
        '“' => &['”', '"'],
        '„' => &['“', '”', '"'],
        '«' => &['»'],
        '「' => &['」'],
        _ => return None,
    };
    let inside = &sentence[at + c.len_utf8()..];
    let inside = &inside[..inside.floor_char_boundary(LONGEST_QUOTATION)];
    let length = inside.find(closing)?;
    let close = inside[length..].chars().next()?.len_utf8();
    let end = at + c.len_utf8() + length + close;
    let many = inside[..length].split_whitespace().nth(2).is_some();
    match c {
        '`' => Some((end, CODE)),
        _ if many || c == '「' => Some((end, QUOTED)),
        _ => None,
    }
}
