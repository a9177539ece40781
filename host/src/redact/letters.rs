//! Bytes as the finders see them: a class for each, and where a run of a class begins and ends.
//!
//! Secrets are written in ASCII, so everything here looks at bytes. A byte of a character outside ASCII belongs
//! to no class, which is why a run never begins or ends inside a character.

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
/// What a dotted name consists of.
pub const NAME: u8 = WORD | DOT;
/// Both base64 alphabets, without padding.
pub const BASE64: u8 = WORD | PLUS;

const CLASSES: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = class(byte as u8);
        byte += 1;
    }
    table
}

const fn class(byte: u8) -> u8 {
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

/// Whether the byte is of one of these classes.
pub fn is(byte: u8, class: u8) -> bool {
    CLASSES[byte as usize] & class != 0
}

/// Whether there is a byte at this place, and it is of one of these classes.
pub fn is_at(bytes: &[u8], at: usize, class: u8) -> bool {
    bytes.get(at).is_some_and(|&byte| is(byte, class))
}

/// Where the run of a class that starts at `from` ends.
pub fn run(bytes: &[u8], from: usize, class: u8) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    from + rest.iter().position(|&byte| !is(byte, class)).unwrap_or(rest.len())
}

/// Where the run of one byte that starts at `from` ends.
pub fn run_of(bytes: &[u8], from: usize, byte: u8) -> usize {
    from + bytes[from..].iter().take_while(|&&other| other == byte).count()
}

/// Where the run of a class that ends at `end` starts, looking back over at most `reach` bytes. The letters
/// of an escape (`\n` in JSON) before it are no part of it.
pub fn run_back(bytes: &[u8], end: usize, class: u8, reach: usize) -> usize {
    let floor = end.saturating_sub(reach);
    let start =
        floor + bytes[floor..end].iter().rposition(|&byte| !is(byte, class)).map_or(0, |last| last + 1);
    past_escape(bytes, start).min(end)
}

/// Past the escape within which this place lies, if it lies in one: `\n`, `\u00e9`.
pub fn past_escape(bytes: &[u8], at: usize) -> usize {
    let near = &bytes[at.saturating_sub(5)..at];
    let Some(back) = near.iter().rev().position(|&byte| byte == b'\\') else { return at };
    let length = match bytes.get(at - back..) {
        Some([b'n' | b'r' | b't' | b'b' | b'f', ..]) => 1,
        Some([b'u', ..]) if run(bytes, at - back + 1, HEX) >= at - back + 5 => 5,
        _ => 0,
    };
    at.max(at - back + length)
}

/// Past spaces and tabs, of which there are at most 64 between a name and its value.
pub fn past_blanks(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while at < from + 64 && matches!(bytes.get(at), Some(b' ' | b'\t')) {
        at += 1;
    }
    at
}

/// Whether the bytes at this place are these, in whatever case.
pub fn has(bytes: &[u8], at: usize, word: &[u8]) -> bool {
    bytes.get(at..at + word.len()).is_some_and(|here| here.eq_ignore_ascii_case(word))
}

/// Whether the byte is `"`, `'` or a backtick.
pub fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'`')
}

/// Whether a word can begin here: no letter or digit stands before, but for that of an escape (`\n`, `%3D`).
pub fn starts_word(bytes: &[u8], at: usize) -> bool {
    at == 0 || !is(bytes[at - 1], ALNUM) || ends_escape(&bytes[..at])
}

/// Whether the text ends with a backslash escape of one letter, or a percent escape.
pub fn ends_escape(before: &[u8]) -> bool {
    match before {
        [.., b'\\', b'n' | b'r' | b't'] => true,
        [.., b'%', high, low] => is(*high, HEX) && is(*low, HEX),
        _ => false,
    }
}

/// Whether a line ends here: a line break, one that is written as an escape, or the end of the text.
pub fn ends_line(bytes: &[u8], at: usize) -> bool {
    matches!(bytes.get(at..).unwrap_or_default(), [] | [b'\n' | b'\r', ..] | [b'\\', b'n' | b'r', ..])
}
