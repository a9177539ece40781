//! Counts and values beside a word: `0 failed`, `errors: null`, `retry: 3`.

use std::ops::Range;

use super::words_before;

/// Values that say that there is none.
const NOTHING: [&str; 9] = ["0", "null", "none", "nil", "false", "no", "undefined", "[]", "{}"];

/// Whether what follows is a value that says nothing: `errors: 0`, `"error": null`.
pub fn says_nothing(line: &[u8], end: usize) -> bool {
    let Some(value) = value(line, end) else { return false };
    NOTHING.iter().any(|nothing| {
        let (this, rest) = value.split_at(nothing.len().min(value.len()));
        let rest = String::from_utf8_lossy(rest);
        let over = rest.trim_start().chars().next().is_none_or(|c| ",;)}]|\"'.".contains(c))
            || rest.starts_with(char::is_whitespace) && *nothing == "0";
        this.eq_ignore_ascii_case(nothing.as_bytes()) && over
    })
}

/// What follows a name and its colon or equals sign.
fn value(line: &[u8], end: usize) -> Option<&[u8]> {
    let rest = line.get(end..)?;
    let rest = rest.strip_prefix(b"(s)").unwrap_or(rest);
    let rest =
        rest.strip_prefix(b"\"").or_else(|| rest.strip_prefix(b"'")).unwrap_or(rest).trim_ascii_start();
    let rest = rest.strip_prefix(b":").or_else(|| rest.strip_prefix(b"="))?.trim_ascii_start();
    Some(rest.strip_prefix(b"\"").unwrap_or(rest))
}

/// Whether one word is given a value.
pub fn sets(line: &[u8], words: &Range<usize>) -> bool {
    let one = !line[words.clone()].contains(&b' ');
    one && value(line, words.end).is_some_and(|value| {
        value.first().is_some_and(|first| first.is_ascii_digit() || b"\"'[{".contains(first))
            || [&b"true"[..], b"false"].iter().any(|word| value.starts_with(word))
            || line.get(words.end) == Some(&b'"')
    })
}

/// The number that comes next, apart from blanks, colons and the like.
pub fn number_next(line: &[u8], end: usize) -> Option<u64> {
    let rest = line.get(end..)?.trim_ascii_start();
    let rest = rest.strip_prefix(b":").or_else(|| rest.strip_prefix(b"=")).unwrap_or(rest).trim_ascii_start();
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    number(std::str::from_utf8(&rest[..digits]).ok()?)
}

/// The number that a name is given: 3 of `failed: 3`.
pub fn number_after(line: &[u8], end: usize) -> Option<u64> {
    let value = value(line, end)?;
    let digits = value.iter().take_while(|byte| byte.is_ascii_digit()).count();
    number(std::str::from_utf8(&value[..digits]).ok()?)
}

/// The number before a word: 3 of `3 failed`.
pub fn number_before(line: &[u8], start: usize) -> Option<u64> {
    let word = words_before(line, start).next()?;
    number(word.rsplit(['=', '\u{1b}', 'm']).next()?)
}

/// A number of digits only.
pub fn number(text: &str) -> Option<u64> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}
