//! ASCII character classes, and functions that find the start and the end of a run of a class.
//!
//! Secrets are ASCII, so the detectors work on bytes. A byte of a character outside ASCII belongs to no
//! class, which is why a run never begins or ends inside a character.

/// a–z
pub const LOWER: u8 = 1;
/// A–Z
pub const UPPER: u8 = 2;
/// 0–9
pub const DIGIT: u8 = 4;
/// 0–9, a–f, A–F
pub const HEX: u8 = 8;
/// `-` and `_`
pub const DASH: u8 = 16;
/// `.`
pub const DOT: u8 = 32;
/// `+` and `/`
pub const PLUS: u8 = 64;
/// `=` and `~`
pub const PAD: u8 = 128;

/// Letters.
pub const ALPHA: u8 = LOWER | UPPER;
/// Letters and digits.
pub const ALNUM: u8 = ALPHA | DIGIT;
/// Letters, digits, `-` and `_`.
pub const WORD: u8 = ALNUM | DASH;
/// The characters of a dotted name.
pub const NAME: u8 = WORD | DOT;
/// Both base64 alphabets, without padding.
pub const BASE64: u8 = WORD | PLUS;

/// Maximum number of blanks between a name and its value.
const MAX_BLANKS: usize = 64;

const CLASSES: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = class_of(byte as u8);
        byte += 1;
    }
    table
}

const fn class_of(byte: u8) -> u8 {
    match byte {
        b'a'..=b'f' => LOWER | HEX,
        b'g'..=b'z' => LOWER,
        b'A'..=b'F' => UPPER | HEX,
        b'G'..=b'Z' => UPPER,
        b'0'..=b'9' => DIGIT | HEX,
        b'-' | b'_' => DASH,
        b'.' => DOT,
        b'+' | b'/' => PLUS,
        b'=' | b'~' => PAD,
        _ => 0,
    }
}

/// Returns whether the byte is of one of these classes.
pub fn is(byte: u8, class: u8) -> bool {
    CLASSES[byte as usize] & class != 0
}

/// Returns whether there is a byte at `at`, and it is of one of these classes.
pub fn is_at(bytes: &[u8], at: usize, class: u8) -> bool {
    bytes.get(at).is_some_and(|&byte| is(byte, class))
}

/// Returns whether all bytes are of one of these classes.
pub fn is_all(bytes: &[u8], class: u8) -> bool {
    bytes.iter().all(|&byte| is(byte, class))
}

/// Returns whether one of the bytes is of one of these classes.
pub fn has_any(bytes: &[u8], class: u8) -> bool {
    bytes.iter().any(|&byte| is(byte, class))
}

/// Returns the number of bytes for which `is_in` is true.
pub fn count(bytes: &[u8], is_in: impl Fn(u8) -> bool) -> usize {
    bytes.iter().filter(|&&byte| is_in(byte)).count()
}

/// Returns the end of the run of a class that starts at `from`.
pub fn run_end(bytes: &[u8], from: usize, class: u8) -> usize {
    run_end_where(bytes, from, |byte| is(byte, class))
}

/// Returns the end of the run of bytes for which `is_in` is true that starts at `from`.
pub fn run_end_where(bytes: &[u8], from: usize, is_in: impl Fn(u8) -> bool) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    from + rest.iter().position(|&byte| !is_in(byte)).unwrap_or(rest.len())
}

/// Returns the start of the run of a class that ends at `end`, at most `reach` bytes back. The letters of a
/// preceding escape (`\n` in JSON) are not part of the run.
pub fn run_start(bytes: &[u8], end: usize, class: u8, reach: usize) -> usize {
    run_start_where(bytes, end, reach, |byte| is(byte, class))
}

/// Returns the start of the run of bytes for which `is_in` is true that ends at `end`, like [`run_start`].
pub fn run_start_where(bytes: &[u8], end: usize, reach: usize, is_in: impl Fn(u8) -> bool) -> usize {
    let floor = end.saturating_sub(reach);
    let start = floor + bytes[floor..end].iter().rposition(|&byte| !is_in(byte)).map_or(0, |last| last + 1);
    skip_escape(bytes, start).min(end)
}

/// Returns the end of the escape (`\n`, `\u00e9`) that contains `at`, or `at` itself.
pub fn skip_escape(bytes: &[u8], at: usize) -> usize {
    let before = &bytes[at.saturating_sub(5)..at];
    let Some(back) = before.iter().rev().position(|&byte| byte == b'\\') else { return at };
    let length = match bytes.get(at - back..) {
        Some([b'n' | b'r' | b't' | b'b' | b'f', ..]) => 1,
        Some([b'u', ..]) if run_end(bytes, at - back + 1, HEX) >= at - back + 5 => 5,
        _ => 0,
    };
    at.max(at - back + length)
}

/// Returns the end of the spaces and tabs at `from`.
pub fn skip_blanks(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while at < from + MAX_BLANKS && matches!(bytes.get(at), Some(b' ' | b'\t')) {
        at += 1;
    }
    at
}

/// Returns whether the text has this word at `at`, in any case.
pub fn has_word_at(bytes: &[u8], at: usize, word: &[u8]) -> bool {
    bytes.get(at..at + word.len()).is_some_and(|found| found.eq_ignore_ascii_case(word))
}

/// Returns whether the text ends with this word, in any case.
pub fn has_suffix(bytes: &[u8], word: &[u8]) -> bool {
    bytes.len() >= word.len() && has_word_at(bytes, bytes.len() - word.len(), word)
}

/// Returns whether the text contains the piece, in any case.
pub fn contains(bytes: &[u8], piece: &[u8]) -> bool {
    bytes.windows(piece.len()).any(|window| window.eq_ignore_ascii_case(piece))
}

/// Returns whether the word is one of these, in any case.
pub fn is_one_of(word: &[u8], words: &[&str]) -> bool {
    words.iter().any(|other| word.eq_ignore_ascii_case(other.as_bytes()))
}

/// Returns whether the byte is `"`, `'` or a backtick.
pub fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'`')
}

/// Returns whether a word can begin at `at`: no letter or digit precedes it, except one of an escape (`\n`,
/// `%3D`).
pub fn is_word_start(bytes: &[u8], at: usize) -> bool {
    at == 0 || !is(bytes[at - 1], ALNUM) || ends_with_escape(&bytes[..at])
}

/// Returns whether the text ends with a backslash escape of one letter, or a percent escape.
pub fn ends_with_escape(before: &[u8]) -> bool {
    match before {
        [.., b'\\', b'n' | b'r' | b't'] => true,
        [.., b'%', high, low] => is(*high, HEX) && is(*low, HEX),
        _ => false,
    }
}

/// Returns whether a line ends at `at`: at a line break, an escaped line break, or the end of the text.
pub fn is_line_end(bytes: &[u8], at: usize) -> bool {
    matches!(bytes.get(at..).unwrap_or_default(), [] | [b'\n' | b'\r', ..] | [b'\\', b'n' | b'r', ..])
}
