//! Finds the start and the end of a value, quoted or not, in ordinary text or in nested strings.
//!
//! An end is never inside an escape, so that JSON from which a value is removed stays JSON.

use super::ascii::{self, ALPHA, NAME};
use super::secret_names;
use super::spans;
use super::value_shape::MAX_JUDGED_BYTES;
use std::ops::Range;

/// Functions that may wrap a quoted value.
const WRAPPERS: &[&str] =
    &["b64decode", "bytes", "from", "new", "secret", "secretstr", "securestring", "some", "str", "string"];

/// Maximum number of bytes of a wrapper's name.
const MAX_WRAPPER_BYTES: usize = 40;
/// Maximum number of backslashes before a quote.
const MAX_BACKSLASHES: usize = 8;
/// Maximum length of the name after a separator of a list, in bytes.
const MAX_LIST_NAME_BYTES: usize = 40;

/// A value in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueSpan {
    /// The value without its quotes.
    pub range: Range<usize>,
    /// Whether it is in quotes.
    pub is_quoted: bool,
    /// Whether its closing quote or tag was found.
    pub is_closed: bool,
}

/// Returns the value that starts at `at`, at most the part that is needed to check it.
pub fn value_at(bytes: &[u8], at: usize, needs_quote: bool) -> Option<ValueSpan> {
    let at = skip_wrapper(bytes, at);
    let rest = &bytes[at.min(bytes.len())..];
    let slashes = rest.iter().take(MAX_BACKSLASHES).take_while(|&&byte| byte == b'\\').count();
    let quote = *bytes.get(at + slashes)?;
    if ascii::is_quote(quote) {
        return Some(quoted_value(bytes, at + slashes, slashes, quote));
    }
    if needs_quote || slashes > 0 {
        return None;
    }
    // A name with its own value (`token=token=`) is examined at its own anchor.
    let name_end = ascii::run_end(&bytes[..bytes.len().min(at + MAX_JUDGED_BYTES)], at, NAME);
    if matches!(bytes.get(name_end), Some(b'=' | b':'))
        && secret_names::classify(&bytes[at..name_end]).is_some()
    {
        return None;
    }
    let stop = unquoted_end(bytes, at, MAX_JUDGED_BYTES);
    let end = if stop - at < MAX_JUDGED_BYTES { trim_punctuation(bytes, at, stop) } else { stop };
    // Text next to a marker is the rest of a value that an earlier pass checked as a whole.
    (end > at && spans::marker_len_at(bytes, stop).is_none()).then_some(ValueSpan {
        range: at..end,
        is_quoted: false,
        is_closed: false,
    })
}

/// Returns the text of an element, up to its closing tag.
pub fn element_text_at(bytes: &[u8], at: usize) -> Option<ValueSpan> {
    let rest = bytes.get(at..)?;
    let length = rest.iter().position(|&byte| matches!(byte, b'<' | b'\n' | b'"'))?;
    rest[length..].starts_with(b"</").then_some(ValueSpan {
        range: at..at + length,
        is_quoted: false,
        is_closed: true,
    })
}

/// Returns the full range of a value that is a secret.
pub fn full_range(bytes: &[u8], value: &ValueSpan) -> Range<usize> {
    if value.is_quoted || value.is_closed || value.range.len() < MAX_JUDGED_BYTES {
        return value.range.clone();
    }
    let start = value.range.start;
    start..trim_punctuation(bytes, start, unquoted_end(bytes, start, usize::MAX))
}

/// Skips `String::from(`, `b`, `new SecretString(` and the like before a quote.
fn skip_wrapper(bytes: &[u8], at: usize) -> usize {
    let start = if ascii::has_word_at(bytes, at, b"new ") { at + 4 } else { at };
    let mut end = start;
    while end < start + MAX_WRAPPER_BYTES && (ascii::is_at(bytes, end, NAME) || bytes.get(end) == Some(&b':'))
    {
        end += 1;
    }
    let name = &bytes[start.min(bytes.len())..end.min(bytes.len())];
    let last = name.rsplit(|&byte| matches!(byte, b'.' | b':')).next().unwrap_or_default();
    match bytes.get(end) {
        Some(&byte) if ascii::is_quote(byte) && name.len() <= 2 && ascii::is_all(name, ALPHA) => end,
        Some(b'(') if ascii::is_one_of(last, WRAPPERS) => end + 1,
        _ => at,
    }
}

/// Returns a value in quotes, which may themselves be escaped: `slashes` backslashes precede the quote at
/// `at`.
pub fn quoted_value(bytes: &[u8], at: usize, slashes: usize, quote: u8) -> ValueSpan {
    let is_triple = slashes == 0 && bytes[at..].starts_with(&[quote; 3]);
    let start = if is_triple { at + 3 } else { at + 1 };
    let (mut end, mut backslashes) = (start, 0);
    while let Some(&byte) = bytes.get(end) {
        match byte {
            b'\n' | b'\r' => break,
            b'\\' => backslashes += 1,
            _ if byte == quote && is_closing(backslashes, slashes) => {
                return ValueSpan { range: start..end - slashes, is_quoted: true, is_closed: true };
            }
            b'"' if closes_outer_string(backslashes, slashes) => break,
            b'"' if quote != b'"' && matches!(bytes.get(end + 1), Some(b':' | b',' | b'}' | b']')) => break,
            _ => backslashes = 0,
        }
        if byte != b'\\' {
            backslashes = 0;
        }
        end += 1;
    }
    ValueSpan { range: start..(end - backslashes.min(end - start)), is_quoted: true, is_closed: false }
}

/// Returns whether a quote after this number of backslashes closes a quote that was opened after `opened`:
/// the other backslashes are pairs that represent backslashes of the value.
fn is_closing(backslashes: usize, opened: usize) -> bool {
    backslashes >= opened && (backslashes - opened).is_multiple_of(2 * (opened + 1))
}

/// Returns whether a quote after this number of backslashes closes a string around the one that was opened
/// after `opened`.
fn closes_outer_string(backslashes: usize, opened: usize) -> bool {
    backslashes % (opened + 1) != opened
}

/// Returns the end of a value without quotes, at most `reach` bytes ahead.
fn unquoted_end(bytes: &[u8], start: usize, reach: usize) -> usize {
    let limit = bytes.len().min(start.saturating_add(reach));
    (start..limit).find(|&at| ends_unquoted(bytes, at)).unwrap_or(limit)
}

/// Returns the end of the value without trailing punctuation of the sentence or expression around it.
fn trim_punctuation(bytes: &[u8], start: usize, stop: usize) -> usize {
    let is_punctuation = |byte: &u8| matches!(byte, b',' | b';' | b')' | b']' | b'}' | b'>' | b'.' | b':');
    let last = bytes[start..stop].iter().rposition(|byte| !is_punctuation(byte));
    start + last.map_or(0, |last| last + 1)
}

fn ends_unquoted(bytes: &[u8], at: usize) -> bool {
    match &bytes[at..] {
        // 0xe2, 0xe3 and 0xef begin typographic quotes, dashes and ellipses, and Chinese and Japanese
        // punctuation.
        [byte, ..]
            if *byte <= b' ' || ascii::is_quote(*byte) || matches!(byte, 0x7f | 0xe2 | 0xe3 | 0xef) =>
        {
            true
        }
        [b'\\', next, ..] => ascii::is(*next, ascii::ALNUM) || ascii::is_quote(*next) || *next == b'\\',
        [b'<', b'/', ..] | [b'&', b'&', ..] | [b'|', b'|', ..] => true,
        [b'&' | b';' | b',', ..] => is_list_name_at(bytes, at + 1),
        [b'[', ..] => spans::marker_len_at(bytes, at).is_some(),
        _ => false,
    }
}

/// Returns whether a name and its separator are at `at`, so that a list of several values continues.
fn is_list_name_at(bytes: &[u8], at: usize) -> bool {
    let reach = bytes.len().min(at + MAX_LIST_NAME_BYTES);
    let end = ascii::run_end(&bytes[..reach], at.min(reach), NAME);
    ascii::is_at(bytes, at, ALPHA) && matches!(bytes.get(end), Some(b'=' | b':'))
}
