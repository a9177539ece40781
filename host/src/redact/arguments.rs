//! The words of a command line, in a shell, in a string of JSON, or in a list of arguments.

use super::extents;
use super::letters;
use std::ops::Range;

/// What stands behind a quote that closes, and not behind one that opens.
const AFTER_CLOSING: &[u8] = b" \t\n\\,:;)]}\"";

/// The next word, quotes included, before the end of the line, a pipe or a semicolon.
pub fn next(bytes: &[u8], from: usize) -> Option<Range<usize>> {
    let start = past_spaces(bytes, from);
    // A quote right behind a word closes the string in which the command line stands.
    let ends = start == from || letters::ends_line(bytes, start);
    if ends || matches!(bytes[start], b'|' | b';' | b'&' | b')' | b']') {
        return None;
    }
    let quote = start + usize::from(bytes[start] == b'\\');
    if let Some(end) = quoted_end(bytes, quote) {
        return Some(start..end);
    }
    let mut end = start;
    while end < bytes.len() && !ends_plain(bytes, end) {
        end = quoted_end(bytes, end).unwrap_or(end + 1);
    }
    (end > start).then_some(start..end)
}

/// The word without the quotes around it and the backslashes before those.
pub fn unquoted(bytes: &[u8], word: Range<usize>) -> Range<usize> {
    let (mut start, mut end) = (word.start, word.end);
    let opening = letters::run_of(bytes, start, b'\\');
    if opening < end && letters::is_quote(bytes[opening]) {
        start = opening + 1;
    }
    if start < end && letters::is_quote(bytes[end - 1]) {
        end -= 1;
        while start < end && bytes[end - 1] == b'\\' {
            end -= 1;
        }
    }
    start..end
}

/// Past spaces, and in a list of arguments past the comma.
fn past_spaces(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    loop {
        match bytes.get(at..).unwrap_or_default() {
            [b' ' | b'\t' | b',', ..] => at += 1,
            [b'\\', b'\n', ..] => at += 2,
            [b'\\', b'\\', b'n', ..] => at += 3,
            _ => return at,
        }
    }
}

fn ends_plain(bytes: &[u8], at: usize) -> bool {
    let sign = matches!(bytes[at], b' ' | b'\t' | b'|' | b';' | b',');
    let quote = letters::run_of(bytes, at, b'\\');
    let closes =
        bytes.get(quote).is_some_and(|&byte| letters::is_quote(byte)) && quoted_end(bytes, quote).is_none();
    sign || closes || letters::ends_line(bytes, at)
}

/// Past the quote that closes the one here, unless the string around it ends first.
fn quoted_end(bytes: &[u8], at: usize) -> Option<usize> {
    let quote = bytes.get(at).copied().filter(|&byte| letters::is_quote(byte))?;
    let slashes = bytes[..at].iter().rev().take_while(|&&byte| byte == b'\\').count();
    let opens = bytes.get(at + 1).is_some_and(|next| !AFTER_CLOSING.contains(next));
    // Two backslashes before a quote are a backslash of the text and the end of the string around it.
    if !opens || !(slashes + 1).is_power_of_two() {
        return None;
    }
    let value = extents::quoted(bytes, at, slashes, quote);
    value.closed.then_some(value.range.end + slashes + 1)
}
