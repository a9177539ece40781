//! Finds secrets that a sentence or a note labels, in several languages: the password that follows the label
//! in its sentence, a passphrase of several words, a number that opens something.
//!
//! The label and the value need not stand side by side: `Das Passwort lautet nicht mehr wie früher,
//! sondern …`. The farther apart they are, the more the value must look like nothing but a password.

use super::ascii::{self, ALPHA, DIGIT, LOWER, UPPER};
use super::labelled_codes;
use super::labels::{MAX_REACH_BYTES, is_letter, is_separate, label_end};
use super::passphrases;
use super::placeholders;
use super::rule_tables::Kind;
use super::spans::Span;
use super::value_shape::{self, MAX_JUDGED_BYTES};
use std::ops::Range;

/// Minimum length of a password without a name of its own.
const MIN_PASSWORD_BYTES: usize = 8;
/// Maximum number of words between a label and its value.
const MAX_WORDS: usize = 14;
const PASSWORD: Kind = Kind::of("password");

/// Maximum number of bytes of the owner between the word for a passphrase and its copula.
const MAX_OWNER_BYTES: usize = 60;
/// Words and signs after a label that say that the value comes next.
#[rustfmt::skip]
const COPULAS: &[&str] = &[
    "is", "are", "was", "stays", "now", "to", "ist", "lautet", "war", "auf", "est", "sera", "es", "era", "é",
    "è",
    "jest", "to:", "är", "er", "on", "это", "=", "->", "—", "–", "-",
];

/// Signs that say that the value comes next.
const SIGNS: &[&str] = &[":", "=", "—", "–", "→", "->", "：", "「"];

/// Words before the owner of a password, who is not the password.
const OWNER_LEADS: &[&str] = &[
    "as",
    "at",
    "by",
    "for",
    "from",
    "für",
    "in",
    "of",
    "pour",
    "user",
    "username",
    "von",
    "with user",
    "под",
    "para",
];

/// Finds the password after the label at `at`.
pub fn password(bytes: &[u8], at: usize, label: &str, found: &mut Vec<Span>) -> usize {
    let end = label_end(bytes, at, label);
    if !is_separate(bytes, at, label) {
        return end;
    }
    let sentence = Sentence::after(bytes, end);
    let number = || {
        let digits = labelled_codes::digits_after(bytes, end, 3)?;
        let gap = &bytes[end..digits.start];
        (gap.contains(&b':') || !label.is_ascii() && gap.len() <= 1).then_some(digits)
    };
    let value = sentence.distinct_word().or_else(|| sentence.phrase(label)).or_else(number);
    found.extend(value.map(|value| Span::new(value.start, value.end, PASSWORD)));
    end
}

/// Finds the password after a word for an account at `at`, which need not be followed by one.
pub fn account(bytes: &[u8], at: usize, label: &str, found: &mut Vec<Span>) -> usize {
    let end = at + label.len();
    if is_separate(bytes, at, label) {
        let sentence = Sentence::after(bytes, end);
        let is_command = bytes[at..].starts_with(b"AUTH");
        let is_password = |word: &Range<usize>| {
            let text = &bytes[word.clone()];
            text.len() >= MIN_PASSWORD_BYTES
                && (has_sign(text) && is_unmistakable(text) || is_command && is_chosen(text))
        };
        let value = sentence.words().find(is_password);
        found.extend(value.map(|value| Span::new(value.start, value.end, PASSWORD)));
    }
    end
}

/// Finds the password after the slash at `at` and a user: `admin / …`.
pub fn pair(bytes: &[u8], at: usize, anchor_len: usize, found: &mut Vec<Span>) -> usize {
    let start = at + anchor_len;
    let user = &bytes[ascii::run_start_where(bytes, at, 32, |byte| byte > b' ')..at];
    let is_user =
        ascii::is_one_of(user, &["admin", "administrator", "demo", "guest", "operator", "root", "user"])
            || user.contains(&b'@')
            || user.contains(&b'_') && !user.contains(&b'/');
    let value = word_at(bytes, start, bytes.len().min(start + MAX_REACH_BYTES));
    if is_user && value.len() >= MIN_PASSWORD_BYTES && is_unmistakable(&bytes[value.clone()]) {
        found.push(Span::new(value.start, value.end, PASSWORD));
    }
    start
}

/// The rest of a sentence after a label.
struct Sentence<'t> {
    bytes: &'t [u8],
    range: Range<usize>,
}

impl<'t> Sentence<'t> {
    fn after(bytes: &'t [u8], start: usize) -> Self {
        let reach = &bytes[start..bytes.len().min(start + MAX_REACH_BYTES)];
        let length = reach.iter().position(|&byte| byte == b'\n').unwrap_or(reach.len());
        Self { bytes, range: start..start + length }
    }

    fn words(&self) -> impl Iterator<Item = Range<usize>> {
        let mut from = self.range.start;
        std::iter::from_fn(move || {
            let start = (from..self.range.end).find(|&at| !separates(self.bytes, at))?;
            let word = word_at(self.bytes, start, self.range.end);
            from = word.end.max(start + 1);
            // A word that the reach cuts is not judged.
            let is_cut =
                word.end == self.range.end && self.bytes.get(word.end).is_some_and(|&byte| byte > b' ');
            (!is_cut).then_some(word)
        })
        .take(MAX_WORDS)
    }

    /// Returns the first word that is a password: one of a person's choice next to the label, or anywhere one
    /// that is nothing else.
    fn distinct_word(&self) -> Option<Range<usize>> {
        let (mut is_next, mut is_owner) = (true, false);
        for word in self.words() {
            let text = &self.bytes[word.clone()];
            if is_owner {
                (is_owner, is_next) = (false, false);
                continue;
            }
            is_owner = ascii::is_one_of(text, OWNER_LEADS);
            let is_long = text.len() >= MIN_PASSWORD_BYTES;
            if is_long && (is_next && is_chosen(text) || is_unmistakable(text)) {
                return Some(word);
            }
            let after = ascii::skip_blanks(self.bytes, word.end);
            let is_followed = SIGNS.iter().any(|sign| self.bytes[after..].starts_with(sign.as_bytes()));
            is_next = is_followed || ascii::is_one_of(text, COPULAS);
        }
        None
    }

    /// Returns the passphrase of several words that a copula introduces.
    fn phrase(&self, label: &str) -> Option<Range<usize>> {
        let text = &self.bytes[self.range.clone()];
        let is_of_phrase = label.contains("phrase") || label.contains("frase");
        let later = || {
            let reach = &text[..text.len().min(MAX_OWNER_BYTES)];
            let at = |sign: &[u8]| {
                reach.windows(sign.len()).position(|part| part == sign).map(|at| at + sign.len())
            };
            is_of_phrase.then(|| at(b": ").or_else(|| at(b" is ")).or_else(|| at(b" ist ")).unwrap_or(0))
        };
        let skipped = copula_end(text).or_else(later)?;
        let start = ascii::skip_blanks(self.bytes, self.range.start + skipped);
        let rest = self.bytes.get(start..self.range.end)?;
        let is_end = |at: &usize| {
            matches!(rest[*at], b',' | b'.' | b';' | b'(' | b'"' | b'\'' | b'`')
                || rest[*at..].starts_with(b" - ")
        };
        let length = (0..rest.len()).find(is_end).unwrap_or(rest.len());
        let phrase = rest[..length].trim_ascii_end();
        passphrases::is_spoken(phrase).then_some(start..start + phrase.len())
    }
}

/// Returns the end of a colon or a copula that begins a text.
fn copula_end(text: &[u8]) -> Option<usize> {
    let start = ascii::skip_blanks(text, 0);
    if text.get(start) == Some(&b':') {
        return Some(start + 1);
    }
    let end = ascii::run_end_where(text, start, |byte| byte > b' ');
    ascii::is_one_of(&text[start..end], COPULAS).then_some(end)
}

/// Returns whether the byte at `at` separates words: white space, a quote, punctuation of Chinese and
/// Japanese and their characters, which are written without spaces.
fn separates(bytes: &[u8], at: usize) -> bool {
    let byte = bytes[at];
    byte <= b' '
        || ascii::is_quote(byte)
        || matches!(byte, b'(' | b'|' | b':' | b'=' | b'*' | b'<' | b'>')
        || is_wide(bytes, at)
}

/// Returns whether the byte belongs to a character of three bytes.
fn is_wide(bytes: &[u8], at: usize) -> bool {
    let lead = (0..3).find_map(|back| at.checked_sub(back).filter(|&at| bytes[at] >= 0xc0));
    lead.is_some_and(|lead| bytes[lead] >= 0xe2 && at - lead < 3) && bytes[at] >= 0x80
}

/// Returns the word at `start`, without the punctuation after it.
fn word_at(bytes: &[u8], start: usize, limit: usize) -> Range<usize> {
    let is_end = |&at: &usize| {
        bytes[at] <= b' '
            || ascii::is_quote(bytes[at])
            || matches!(bytes[at], b'<' | b'>' | b'|')
            || is_wide(bytes, at)
    };
    let stop = (start..limit).find(is_end).unwrap_or(limit);
    let is_sign = |byte: &u8| matches!(byte, b',' | b'.' | b';' | b':' | b')' | b']' | b'}' | b'*' | b'\\');
    let length = bytes[start..stop].iter().rposition(|byte| !is_sign(byte)).map_or(0, |last| last + 1);
    start..start + length
}

/// Returns whether a word next to its label is a password: it is composed, or has digits and signs.
fn is_chosen(word: &[u8]) -> bool {
    let is_word = value_shape::is_composed(word)
        || value_shape::has_random_case(word) && ascii::has_any(word, DIGIT)
        || is_strong(word);
    is_word && is_no_name(word)
}

/// Returns whether a word is nothing but a password, wherever it stands: two composed words with a number, or
/// signs that occur in passwords only.
fn is_unmistakable(word: &[u8]) -> bool {
    let words = || word.split(|&byte| !is_letter(byte)).filter(|part| part.len() >= 3);
    let has_capital = || ascii::has_any(word, UPPER) || has_sign(word);
    let is_of_words = || words().count() >= 2 && ascii::has_any(word, DIGIT) && has_capital();
    let is_of_signs =
        || has_sign(word) && ascii::has_any(word, ALPHA) && has_capital() && words().count() >= 1;
    let is_random = || word.len() >= 16 && value_shape::is_random(word) && !word.contains(&b'=');
    (value_shape::is_composed(word) && (is_of_words() || is_of_signs()) || is_random()) && is_no_name(word)
}

/// Returns whether the word has a sign within it that occurs in passwords, but in no name.
fn has_sign(word: &[u8]) -> bool {
    word[1..].iter().any(|byte| b"!#$%^&*?~".contains(byte))
}

/// Returns whether the word has digits, and a sign or letters of both cases.
fn is_strong(word: &[u8]) -> bool {
    let has = |class| ascii::has_any(word, class);
    word.len() >= 8
        && has(ALPHA)
        && has(DIGIT)
        && has(UPPER)
        && has(LOWER)
        && value_shape::mixing_ratio(word) >= 0.25
}

/// Returns whether the word is not the name or the address of something, and no piece of a program.
fn is_no_name(word: &[u8]) -> bool {
    let word = &word[..word.len().min(MAX_JUDGED_BYTES)];
    let is_part_public = |part: &[u8]| part.len() >= 12 && ascii::is_all(part, ascii::HEX);
    let has_digest = || word.contains(&b'-') && word.split(|&byte| byte == b'-').any(is_part_public);
    // An entity of HTML is a quote that was not decoded.
    let has_entity = || {
        word.contains(&b'&') && ["&quot", "&#", "&amp"].iter().any(|e| ascii::contains(word, e.as_bytes()))
    };
    if word.contains(&b'+') || has_digest() || has_entity() || is_measure(word) {
        return false;
    }
    word.iter().all(|byte| !matches!(byte, b'/' | b'(' | b')' | b'{' | b'}' | b'[' | b'\\' | b'=' | b':'))
        && !placeholders::is_placeholder(word)
        && !placeholders::names_itself(word)
        && !value_shape::is_digest(word)
        && (!value_shape::is_code(word) || is_capitalized(word))
        && !ascii::contains(word, b"--")
        && word[0] != b'-'
        && word[0] != b'$'
}

/// Returns whether the word is a number with what it counts: `12-character`.
fn is_measure(word: &[u8]) -> bool {
    let digits = ascii::run_end(word, 0, DIGIT);
    digits > 0 && ascii::is_all(&word[digits..], ALPHA | ascii::DASH)
}

/// Returns whether the dotted parts of a word are capitalized, as in no name of a program that begins with a
/// small letter.
fn is_capitalized(word: &[u8]) -> bool {
    value_shape::is_composed(word) && ascii::is(word[0], UPPER)
}
