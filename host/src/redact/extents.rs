//! Where a value starts and ends, quoted or not, in plain text or inside strings inside strings.
//!
//! An end never falls inside an escape, so that JSON from which a value is taken stays JSON.

use super::letters::{self, ALPHA, NAME};
use super::names;
use super::spans;
use super::values::LOOK;
use std::ops::Range;

/// A value as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extent {
    /// The value without its quotes.
    pub range: Range<usize>,
    /// It stands in quotes.
    pub quoted: bool,
    /// What closes it is there too.
    pub closed: bool,
}

/// What may stand between a link and a quoted value: functions that only dress it.
const WRAPPERS: &[&str] =
    &["b64decode", "bytes", "from", "new", "secret", "secretstr", "securestring", "some", "str", "string"];

/// The value that starts at `at`, as far as it has to be seen to be judged.
pub fn of_value(bytes: &[u8], at: usize, wants_quote: bool) -> Option<Extent> {
    let at = past_wrapper(bytes, at);
    let slashes = bytes[at.min(bytes.len())..].iter().take(8).take_while(|&&byte| byte == b'\\').count();
    let quote = *bytes.get(at + slashes)?;
    if letters::is_quote(quote) {
        return Some(quoted(bytes, at + slashes, slashes, quote));
    }
    if wants_quote || slashes > 0 {
        return None;
    }
    // A name with a value of its own (`token=token=`) is looked at when its turn comes.
    let name = letters::run(&bytes[..bytes.len().min(at + LOOK)], at, NAME);
    if matches!(bytes.get(name), Some(b'=' | b':')) && names::read(&bytes[at..name]).is_some() {
        return None;
    }
    let stop = bare_stop(bytes, at, LOOK);
    let end = if stop - at < LOOK { without_signs(bytes, at, stop) } else { stop };
    // What touches a mark is the rest of something that was judged as a whole when it was there.
    (end > at && spans::mark_at(bytes, stop).is_none()).then_some(Extent {
        range: at..end,
        quoted: false,
        closed: false,
    })
}

/// The text of an element, up to the tag that closes it.
pub fn of_element(bytes: &[u8], at: usize) -> Option<Extent> {
    let rest = bytes.get(at..)?;
    let length = rest.iter().position(|&byte| matches!(byte, b'<' | b'\n' | b'"'))?;
    rest[length..].starts_with(b"</").then_some(Extent {
        range: at..at + length,
        quoted: false,
        closed: true,
    })
}

/// The whole of a value that was found to be secret.
pub fn whole(bytes: &[u8], extent: &Extent) -> Range<usize> {
    if extent.quoted || extent.closed || extent.range.len() < LOOK {
        return extent.range.clone();
    }
    let start = extent.range.start;
    start..without_signs(bytes, start, bare_stop(bytes, start, usize::MAX))
}

/// Past `String::from(`, `b`, `new SecretString(` and their like before a quote.
fn past_wrapper(bytes: &[u8], at: usize) -> usize {
    let start = if letters::has(bytes, at, b"new ") { at + 4 } else { at };
    let mut end = start;
    while end < start + 40 && (letters::is_at(bytes, end, NAME) || bytes.get(end) == Some(&b':')) {
        end += 1;
    }
    let name = &bytes[start.min(bytes.len())..end.min(bytes.len())];
    let last = name.rsplit(|&byte| matches!(byte, b'.' | b':')).next().unwrap_or_default();
    match bytes.get(end) {
        Some(&byte)
            if letters::is_quote(byte) && name.len() <= 2 && letters::run(name, 0, ALPHA) == name.len() =>
        {
            end
        }
        Some(b'(') if WRAPPERS.iter().any(|word| last.eq_ignore_ascii_case(word.as_bytes())) => end + 1,
        _ => at,
    }
}

/// A value in quotes, which may themselves be escaped: `slashes` backslashes stand before the quote at `at`.
pub fn quoted(bytes: &[u8], at: usize, slashes: usize, quote: u8) -> Extent {
    let triple = slashes == 0 && bytes[at..].starts_with(&[quote; 3]);
    let start = if triple { at + 3 } else { at + 1 };
    let (mut end, mut backslashes) = (start, 0);
    while let Some(&byte) = bytes.get(end) {
        match byte {
            b'\n' | b'\r' => break,
            b'\\' => backslashes += 1,
            _ if byte == quote && closes(backslashes, slashes) => {
                return Extent { range: start..end - slashes, quoted: true, closed: true };
            }
            b'"' if closes_around(backslashes, slashes) => break,
            b'"' if quote != b'"' && matches!(bytes.get(end + 1), Some(b':' | b',' | b'}' | b']')) => break,
            _ => backslashes = 0,
        }
        if byte != b'\\' {
            backslashes = 0;
        }
        end += 1;
    }
    Extent { range: start..(end - backslashes.min(end - start)), quoted: true, closed: false }
}

/// Whether a quote after so many backslashes closes one that was opened after `opened`: the others are pairs that
/// stand for backslashes of the value.
fn closes(backslashes: usize, opened: usize) -> bool {
    backslashes >= opened && (backslashes - opened).is_multiple_of(2 * (opened + 1))
}

/// Whether a quote after so many backslashes closes a string around the one that was opened after `opened`.
fn closes_around(backslashes: usize, opened: usize) -> bool {
    backslashes % (opened + 1) != opened
}

/// Where a value without quotes stops, looking at most `reach` bytes ahead.
fn bare_stop(bytes: &[u8], start: usize, reach: usize) -> usize {
    let limit = bytes.len().min(start.saturating_add(reach));
    (start..limit).find(|&at| ends_bare(bytes, at)).unwrap_or(limit)
}

/// The end without the signs of the sentence or expression in which the value stands.
fn without_signs(bytes: &[u8], start: usize, stop: usize) -> usize {
    let sign = |byte: &u8| matches!(byte, b',' | b';' | b')' | b']' | b'}' | b'>' | b'.' | b':');
    start + bytes[start..stop].iter().rposition(|byte| !sign(byte)).map_or(0, |last| last + 1)
}

fn ends_bare(bytes: &[u8], at: usize) -> bool {
    match &bytes[at..] {
        // Quotation marks, dashes and ellipses of the typesetter, and the stops of Chinese and Japanese.
        [byte, ..]
            if *byte <= b' ' || letters::is_quote(*byte) || matches!(byte, 0x7f | 0xe2 | 0xe3 | 0xef) =>
        {
            true
        }
        [b'\\', next, ..] => letters::is(*next, letters::ALNUM) || letters::is_quote(*next) || *next == b'\\',
        [b'<', b'/', ..] | [b'&', b'&', ..] | [b'|', b'|', ..] => true,
        [b'&' | b';' | b',', ..] => is_next_name(bytes, at + 1),
        [b'[', ..] => spans::mark_at(bytes, at).is_some(),
        _ => false,
    }
}

/// Whether a name and its link follow: then a list of several goes on.
fn is_next_name(bytes: &[u8], at: usize) -> bool {
    let reach = bytes.len().min(at + 40);
    let end = letters::run(&bytes[..reach], at.min(reach), NAME);
    letters::is_at(bytes, at, ALPHA) && matches!(bytes.get(end), Some(b'=' | b':'))
}
