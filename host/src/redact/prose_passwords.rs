//! Finds passwords in sentences: `log in with password …`, `mit dem Passwort …`, `the login admin / …`.
//!
//! Most sentences with the word *password* do not contain one, so the next word must look distinctly like a
//! password: letters with digits and a punctuation mark, or with capitals in the middle. A simple word with a
//! digit (`hunter2`, but also `argon2`) counts only if the sentence introduces it. [`super::assignments`]
//! handles names in programs and files.

use super::ascii::{self, ALPHA, DIGIT, LOWER, NAME, UPPER};
use super::passphrases::{self, MAX_KEY_WORD_BYTES};
use super::placeholders;
use super::plausibility::{self, Notation};
use super::rule_tables::Kind;
use super::secret_names::NameClass;
use super::spans::Span;
use super::value_shape::{self, MAX_JUDGED_BYTES};
use super::value_span;
use std::ops::Range;

/// Minimum length of a password in a sentence.
const MIN_PASSWORD_BYTES: usize = 6;
/// Maximum number of words between the word *password* and the copula.
const MAX_OWNER_WORDS: usize = 5;
/// Maximum length of a user.
const MAX_USER_BYTES: usize = 64;

/// Maximum number of bytes between a label and the first word of a list.
const MAX_LIST_BYTES: usize = 120;
/// Maximum number of words of a list.
const MAX_LIST_WORDS: usize = 24;

const PASSWORD: Kind = Kind::of("password");

/// Words and signs that may occur between the word *password* and the password.
const COPULAS: &[&str] = &[
    "is", "ist", "lautet", "war", "heißt", "es", "est", "c'est", "sera", "é", "to", "auf", "was", "は", "是",
    "为", "：", ":", "=", "—", "->",
];

/// Words before *password* that introduce the password itself.
const LEADING_WORDS: &[&str] = &["with", "mit", "dem", "con", "avec", "com", "using", "met", "und", "and"];

/// Beginnings of technical terms with a digit that occur with *password*.
const TECHNICAL_TERMS: &[&str] = &[
    "argon2", "pbkdf2", "scrypt", "bcrypt", "sha", "md", "base", "oauth", "utf", "ldap", "http", "ntlm",
    "tls",
];

/// Finds the password after the word at `at`.
pub fn password(bytes: &[u8], at: usize, word: &str, found: &mut Vec<Span>) -> usize {
    let end = at + word.len();
    let (start, has_copula) = skip_copula(bytes, end);
    let is_given = has_copula || LEADING_WORDS.iter().any(|lead| is_preceded_by(bytes, at, lead));
    let is_separate = start > end && (at == 0 || !ascii::is(bytes[at - 1], NAME));
    if let Some(quoted) = quoted_at(bytes, start).filter(|_| is_separate && is_given) {
        found.push(Span::new(quoted.start, quoted.end, PASSWORD));
        return quoted.end;
    }
    let Some(range) = word_at(bytes, start).filter(|_| is_separate) else { return end };
    let value = &bytes[range.clone()];
    let is_joined = is_given
        && value.len() >= 8
        && value_shape::is_joined_words(value)
        && !ascii::has_any(value, ascii::DOT);
    if is_plausible(value) && is_joined
        || is_plausible(value) && (is_strong(value) || is_given && is_word_with_digits(value))
    {
        found.push(Span::new(range.start, range.end, PASSWORD));
        return range.end;
    }
    end
}

/// Finds the words after a label such as *seed phrase*: on its line, or on the next one.
pub fn seed_phrase(bytes: &[u8], at: usize, anchor_len: usize, found: &mut Vec<Span>) -> usize {
    let end = at + anchor_len;
    let is_between =
        |byte: u8| matches!(byte, b' ' | b'\n' | b'\r' | b'\t' | b':' | b'=' | b'-') || ascii::is_quote(byte);
    if let Some(list) = numbered_words(bytes, end) {
        found.extend(list.into_iter().map(|word| Span::new(word.start, word.end, PASSWORD)));
        return end;
    }
    let reach = &bytes[..bytes.len().min(end + MAX_USER_BYTES)];
    let start = (end..reach.len()).filter(|&at| at == end || is_between(bytes[at - 1])).find_map(|start| {
        ascii::is_at(bytes, start, LOWER).then_some(start)?;
        Some((start, passphrases::key_phrase_end(bytes, start)?))
    });
    if let Some((start, stop)) = start {
        found.push(Span::new(start, stop, PASSWORD));
        return stop;
    }
    end
}

/// Returns the words of a numbered list after a label: `1. … 2. …`, as many as a key has.
fn numbered_words(bytes: &[u8], from: usize) -> Option<Vec<Range<usize>>> {
    let reach = &bytes[from..bytes.len().min(from + MAX_LIST_BYTES)];
    let first = reach.windows(2).position(|pair| matches!(pair, b"1." | b"1)" | b"1:"))?;
    let (mut at, mut words) = (from + first, Vec::new());
    loop {
        let digits = ascii::run_end(bytes, ascii::run_end_where(bytes, at, |byte| byte <= b' '), DIGIT);
        let sign = matches!(bytes.get(digits), Some(b'.' | b')' | b':')).then_some(digits + 1);
        let Some(start) = sign.map(|sign| ascii::skip_blanks(bytes, sign)) else { break };
        let end = ascii::run_end(&bytes[..bytes.len().min(start + MAX_KEY_WORD_BYTES + 1)], start, LOWER);
        if !(3..=MAX_KEY_WORD_BYTES).contains(&(end - start)) || words.len() > MAX_LIST_WORDS {
            break;
        }
        words.push(start..end);
        at = end;
    }
    passphrases::is_key_length(words.len()).then_some(words)
}

/// Finds the password of a pair after the word at `at`: `login admin / …`.
pub fn credentials(bytes: &[u8], at: usize, word: &str, found: &mut Vec<Span>) -> usize {
    let end = at + word.len();
    let (start, _) = skip_copula(bytes, end);
    let reach = &bytes[..bytes.len().min(start + MAX_USER_BYTES)];
    let user_end = ascii::run_end_where(reach, start, |byte| ascii::is(byte, NAME) || byte == b'@');
    let slash = ascii::skip_blanks(bytes, user_end);
    let has_user = user_end > start && start > end && bytes.get(slash) == Some(&b'/');
    if !has_user || !ascii::is_word_start(bytes, at) {
        return end;
    }
    let after = ascii::skip_blanks(bytes, slash + 1);
    let is_spaced = slash > user_end && after > slash + 1;
    let Some(range) = word_at(bytes, after) else { return end };
    let value = &bytes[range.clone()];
    if is_plausible(value) && is_strong(value) && (is_spaced || has_sign(value)) && !value.contains(&b'/') {
        found.push(Span::new(range.start, range.end, PASSWORD));
        return range.end;
    }
    end
}

/// Returns the text in quotes at `at`, if it may be a password: no sentence and no word of a program.
fn quoted_at(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let value = value_span::value_at(bytes, at, true).filter(|value| value.is_closed)?;
    let text = &bytes[value.range.clone()];
    let is_text = text.len() >= MIN_PASSWORD_BYTES && !ascii::is_all(text, NAME);
    (is_text && plausibility::is_secret(NameClass::Password, Notation::Quoted, text)).then_some(value.range)
}

/// Returns the possible start of the value, and whether a copula precedes it.
fn skip_copula(bytes: &[u8], end: usize) -> (usize, bool) {
    let at = ascii::skip_blanks(bytes, end);
    let copula = COPULAS.iter().find(|copula| {
        // A copula that is a word must be a whole word; a sign may be anywhere.
        let is_within_word =
            ascii::is_all(copula.as_bytes(), ALPHA) && ascii::is_at(bytes, at + copula.len(), NAME);
        ascii::has_word_at(bytes, at, copula.as_bytes()) && !is_within_word
    });
    match copula {
        Some(copula) => (ascii::skip_blanks(bytes, at + copula.len()), true),
        None => after_owner(bytes, at).map_or((at, false), |value| (value, true)),
    }
}

/// Returns the start of the value after a few words and a copula: `for the staging host is …`.
fn after_owner(bytes: &[u8], from: usize) -> Option<usize> {
    const LEADS: [&str; 12] =
        ["for", "of", "on", "to", "für", "vom", "von", "zum", "du", "de", "pour", "des"];
    let is_letter = |byte: u8| ascii::is(byte, NAME) || byte >= 0x80 || byte == b'\'';
    let mut at = from;
    for index in 0..=MAX_OWNER_WORDS {
        let reach = &bytes[..bytes.len().min(at + MAX_USER_BYTES)];
        let end = ascii::run_end_where(reach, at, is_letter);
        let word = &bytes[at..end];
        if index == 0 && !ascii::is_one_of(word, &LEADS) || end == at {
            return None;
        }
        let next = ascii::skip_blanks(bytes, end);
        if bytes.get(next) == Some(&b':') {
            return Some(ascii::skip_blanks(bytes, next + 1));
        }
        if index > 0 && ascii::is_one_of(word, &["is", "ist", "lautet", "est", "c'est", "was", "war"]) {
            return Some(next);
        }
        at = next;
    }
    None
}

/// Returns the word at `at`, without quotes and the punctuation of the sentence.
fn word_at(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let value = value_span::value_at(bytes, at, false).filter(|value| !value.is_quoted)?;
    // A longer word is no password of a sentence. To read it to its end at each label would not be linear.
    let range = Some(value.range).filter(|range| range.len() < MAX_JUDGED_BYTES)?;
    // Chinese and Japanese sentences continue without a space; their characters begin with 0xe3 or more.
    let length = bytes[range.clone()].iter().position(|&byte| byte >= 0xe3);
    Some(range.start..length.map_or(range.end, |length| range.start + length))
}

/// Returns whether the value is not recognizably something else: a path, code, an example, a technical term.
fn is_plausible(value: &[u8]) -> bool {
    let is_term = TECHNICAL_TERMS.iter().any(|term| ascii::has_word_at(value, 0, term.as_bytes()));
    value.len() >= MIN_PASSWORD_BYTES
        && !is_term
        && !placeholders::names_itself(value)
        && plausibility::is_secret(NameClass::Password, Notation::Embedded, value)
        && !value_shape::is_digest(value)
}

/// Returns whether the value looks distinctly like a password: digits among letters, and a sign or letters of
/// both cases.
fn is_strong(value: &[u8]) -> bool {
    let has = |class| ascii::has_any(value, class);
    has(ALPHA) && has(DIGIT) && !is_measure(value) && (has_sign(value) || has(UPPER) && has(LOWER))
}

/// Returns whether the value is a word with digits after it.
fn is_word_with_digits(value: &[u8]) -> bool {
    let word = ascii::run_end(value, 0, LOWER);
    word >= 4 && word < value.len() && ascii::is_all(&value[word..], DIGIT)
}

/// Returns whether the value has a sign that occurs in passwords, but in no name, date or version.
fn has_sign(value: &[u8]) -> bool {
    value.iter().any(|byte| b"!@#$%^&*+=?".contains(byte))
}

/// Returns whether the value is a number with its unit, or begins like one: `12-character`, `500ms`.
fn is_measure(value: &[u8]) -> bool {
    let digits = ascii::run_end(value, 0, DIGIT);
    digits > 0 && !has_sign(value) && ascii::is_all(&value[digits..], ALPHA | ascii::DASH)
}

/// Returns whether this word and a space precede `at`.
fn is_preceded_by(bytes: &[u8], at: usize, word: &str) -> bool {
    let Some(start) = at.checked_sub(word.len() + 1) else { return false };
    bytes[at - 1] == b' '
        && ascii::has_word_at(bytes, start, word.as_bytes())
        && ascii::is_word_start(bytes, start)
}
