//! The shape of a value: generated, chosen by a person, or a piece of a program.
//!
//! These checks examine only the first bytes of a value, so they cost the same for a value of any length.
//! [`super::plausibility`] combines the results.

use super::ascii::{self, ALPHA, DIGIT, HEX, LOWER, UPPER};

/// Maximum number of bytes of a value that are examined.
pub const MAX_JUDGED_BYTES: usize = 64;

/// Returns whether the value is the path of a file. A secret with slashes has a higher mixing ratio.
pub fn is_path(value: &[u8]) -> bool {
    let is_rooted =
        matches!(value, [b'/', ..] | [b'~', b'/', ..] | [b'.', b'/', ..] | [b'.', b'.', b'/', ..]);
    let is_on_drive = matches!(value, [letter, b':', b'\\' | b'/', ..] if ascii::is(*letter, ALPHA));
    (is_rooted || is_on_drive) && mixing_ratio(value) < 0.25
}

/// Returns whether the value is a piece of a program: a call, an index, a generic type, a dotted name.
pub fn is_code(value: &[u8]) -> bool {
    matches!(value, [b'(' | b'[' | b'{', ..])
        || is_word_with_sigil(value)
        || is_numeric_literal(value)
        || is_required_type(value)
        || value.iter().any(|byte| matches!(byte, b'(' | b'[' | b'<' | b'>'))
        || ascii::contains(value, b"::")
        || is_dotted_name(value)
}

/// Returns whether the value is a word after a sign with a meaning in programs: `&str`, `*const`, `!secret`.
fn is_word_with_sigil(value: &[u8]) -> bool {
    let word = &value[1.min(value.len())..];
    matches!(value.first(), Some(b'&' | b'*' | b'@' | b'!' | b'%')) && ascii::is_all(word, ALPHA)
}

/// Returns whether the value is a type that GraphQL requires: `String!`.
fn is_required_type(value: &[u8]) -> bool {
    ascii::is_one_of(value, &["string!", "id!", "int!", "password!"])
}

/// Returns whether the value is a number as in a program: `0x8007052B`, `1326u32`.
fn is_numeric_literal(value: &[u8]) -> bool {
    let value = value.strip_prefix(b"-").unwrap_or(value);
    let digits = ascii::run_end(value, 0, DIGIT);
    let has_type = matches!(value.get(digits), Some(b'u' | b'i' | b'_')) && value.len() - digits <= 6;
    let is_hex = ascii::has_word_at(value, 0, b"0x")
        && ascii::run_end(value, 2, HEX | ascii::DASH) >= value.len().saturating_sub(4);
    is_hex || (digits > 0 && has_type)
}

/// Returns whether the value is a dotted name like `self.token` or `config.db.password`.
fn is_dotted_name(value: &[u8]) -> bool {
    let mut parts = value.split(|&byte| byte == b'.');
    let is_name = |part: &[u8]| ascii::is_at(part, 0, ALPHA) && ascii::is_all(part, ascii::WORD);
    value.contains(&b'.') && parts.all(is_name) && mixing_ratio(value) < 0.3
}

/// Returns whether the value consists of digits and the punctuation of numbers.
pub fn is_number(value: &[u8]) -> bool {
    value.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b',' | b'_' | b'-' | b'+' | b'%'))
}

/// Returns whether the value is a number of four or more parts: a version, an address, an object identifier.
pub fn is_dotted_number(value: &[u8]) -> bool {
    value.iter().filter(|&&byte| byte == b'.').count() >= 3 && ascii::is_all(value, DIGIT | ascii::DOT)
}

/// Returns whether the value has letters, and also digits or signs that occur in passwords.
pub fn is_mixed(value: &[u8]) -> bool {
    let is_sign = |byte: &u8| {
        ascii::is(*byte, DIGIT)
            || matches!(byte, b'!' | b'@' | b'#' | b'$' | b'%' | b'^' | b'&' | b'*' | b'+' | b'=' | b'~')
    };
    value.iter().any(|&byte| ascii::is(byte, ALPHA) || byte >= 0x80) && value.iter().any(is_sign)
}

/// Returns whether the value is generated: long, without spaces, and a random mixture of cases and digits.
pub fn is_random(value: &[u8]) -> bool {
    let is_printable = value.iter().all(|&byte| byte > b' ' && byte < 0x7f);
    // The longer a value and the more kinds of characters it has, the lower the required mixing ratio.
    let digits = value.iter().filter(|&&byte| ascii::is(byte, DIGIT)).count();
    let has_both_cases = ascii::has_any(value, LOWER) && ascii::has_any(value, UPPER);
    let is_rich = (value.len() >= 24 && has_both_cases) || (value.len() >= 20 && digits >= 3);
    let min_ratio = if is_rich { 0.2 } else { 0.3 };
    is_printable
        && value.len() >= 16
        && (digits > 0 || has_random_case(value))
        && mixing_ratio(value) >= min_ratio
}

/// Returns whether the value is several words that a sign joins, with a capital: `Flieder_Busch`.
pub fn is_joined_words(value: &[u8]) -> bool {
    let is_sign = |byte: &u8| ascii::is(*byte, ascii::DASH | ascii::DOT);
    value.len() >= 8
        && value.iter().any(is_sign)
        && ascii::has_any(value, UPPER)
        && ascii::has_any(value, LOWER)
}

/// Returns whether the value is several words of a person's choice: joined by signs, one of them with a
/// capital or followed by a number, and neither a name in a program nor a file.
pub fn is_composed(value: &[u8]) -> bool {
    let is_sign = |byte: &u8| !ascii::is(*byte, ascii::ALNUM) && *byte < 0x80;
    let words = || value.split(is_sign).filter(|word| !word.is_empty());
    let is_word = |word: &&[u8]| word.len() >= 3 && is_wordlike(word);
    let has_capital = words().any(|word| word.len() >= 3 && ascii::is(word[0], UPPER) && is_wordlike(word));
    let is_plain = |byte: &u8| {
        !matches!(byte, b'/' | b'\\' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'<' | b'>' | b',' | b':')
    };
    (8..=MAX_JUDGED_BYTES).contains(&value.len())
        && value.iter().all(|byte| *byte > b' ' && is_plain(byte))
        && words().count() >= 2
        && words().filter(is_word).count() >= 1
        && (has_capital || ascii::has_any(value, DIGIT))
        && !PROGRAM_ROOTS.iter().any(|root| ascii::has_word_at(value, 0, root.as_bytes()))
        && !is_host_or_file(value)
}

/// Returns whether two words of the value are capitalized.
pub fn has_two_capitals(value: &[u8]) -> bool {
    let is_capitalized = |word: &&[u8]| word.len() >= 3 && ascii::is(word[0], UPPER) && is_wordlike(word);
    value.split(|&byte| !ascii::is(byte, ascii::ALNUM)).filter(is_capitalized).count() >= 2
}

/// Returns whether the word is one of letters, perhaps with a capital at the start and digits at the end.
fn is_wordlike(word: &[u8]) -> bool {
    let letters = ascii::run_end_where(word, 0, |byte| ascii::is(byte, ALPHA) || byte >= 0x80);
    let body = &word[1.min(letters)..letters];
    letters > 0 && ascii::is_all(&word[letters..], DIGIT) && !ascii::has_any(body, UPPER)
}

/// Returns whether the value ends like the name of a host or a file.
fn is_host_or_file(value: &[u8]) -> bool {
    let last = value.rsplit(|&byte| byte == b'.').next().unwrap_or_default();
    value.contains(&b'.') && last.len() <= 8 && ascii::is_all(last, LOWER)
}

/// Beginnings of dotted names in programs.
#[rustfmt::skip]
const PROGRAM_ROOTS: &[&str] = &[
    "app.", "args.", "builder.", "config.", "configuration", "console.", "ctx.", "data.", "document.", "env.",
    "environment.", "event.", "form.", "input.", "model.", "options.", "params.", "props.", "properties.",
    "req.", "request.", "res.", "response.", "self.", "session.", "settings.", "state.", "string.", "system.",
    "this.", "user.", "values.", "var.",
];

/// Returns whether capitals and small letters alternate more often than in a name.
pub fn has_random_case(value: &[u8]) -> bool {
    let capitals = value.windows(2).filter(|pair| ascii::is_all(pair, UPPER)).count();
    value.len() >= 12 && capitals >= 2 && mixing_ratio(value) >= 0.2
}

/// Returns whether the value has the form of a digest or an identifier: long and random without being secret.
pub fn is_digest(value: &[u8]) -> bool {
    let is_hex = value.split(|&byte| byte == b'-').all(|group| ascii::is_all(group, HEX));
    is_hex && matches!(value.len(), 32 | 36 | 40 | 56 | 64 | 96 | 128)
}

/// Returns whether the value is as many hexadecimal digits as a key has, or as many of base32 as the seed of
/// one-time passwords.
pub fn is_raw_key(value: &[u8]) -> bool {
    // At most 64 bytes are examined, so a longer key is seen as one of 64.
    let is_hex = matches!(value.len(), 32 | 48 | 64) && ascii::is_all(value, HEX);
    let is_base32 = matches!(value.len(), 16 | 26 | 32 | 52) && ascii::is_all(value, UPPER | DIGIT);
    (is_hex || is_base32) && mixing_ratio(value) > 0.15
}

/// Returns whether the value has the form of a UUID, which is not a secret.
pub fn is_uuid(value: &[u8]) -> bool {
    value.len() == 36 && value.contains(&b'-') && is_digest(value)
}

/// Returns the share of neighboring letters and digits that are of different kinds.
///
/// Random base64 has a ratio of about 0.45, hexadecimal digits 0.47, lower-case letters with digits 0.4;
/// words and camel case stay below 0.25, because a capital that begins a word does not count twice.
pub fn mixing_ratio(value: &[u8]) -> f32 {
    let value = &value[..value.len().min(MAX_JUDGED_BYTES)];
    let changes = value.windows(2).filter(|pair| is_change(pair[0], pair[1])).count();
    let pairs = value.len().saturating_sub(1).max(1);
    changes as f32 / pairs as f32
}

fn is_change(one: u8, next: u8) -> bool {
    let is_digit = |byte| ascii::is(byte, DIGIT);
    let is_letter = |byte| ascii::is(byte, ALPHA);
    (is_digit(one) && is_letter(next))
        || (is_letter(one) && is_digit(next))
        || (ascii::is(one, LOWER) && ascii::is(next, UPPER))
}
