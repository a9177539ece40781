//! What a program decodes from escapes: percent escapes of addresses, those of strings in JSON and programs,
//! and entities of HTML.
//!
//! Only the neighborhood of an escape is decoded, because most escapes are rare or far apart.

use std::ops::Range;

use super::View;

/// Number of bytes before and after an escape in which a secret may contain it.
const MARGIN: usize = 256;

/// Entities of HTML that occur in names and values.
const ENTITIES: [(&[u8], char); 7] = [
    (b"&quot;", '"'),
    (b"&amp;", '&'),
    (b"&apos;", '\''),
    (b"&#39;", '\''),
    (b"&#34;", '"'),
    (b"&lt;", '<'),
    (b"&gt;", '>'),
];

/// An escape: its end in the text, and the character that it stands for. A color code stands for none.
type Escape = (usize, Option<char>);

/// Calls `visit` with the view of each neighborhood of escapes.
pub fn decoded_windows(text: &str, mut visit: impl FnMut(&View)) {
    let (mut next, mut last) = (next_escape(text, 0), None::<Range<usize>>);
    let mut escapes = Vec::new();
    while let Some((at, escape)) = next {
        next = next_escape(text, escape.0);
        let start = at.saturating_sub(MARGIN);
        match &mut last {
            Some(window) if start <= window.end => window.end = escape.0 + MARGIN,
            window => {
                if let Some(window) = window.replace(start..escape.0 + MARGIN) {
                    visit(&decode(text, window, &std::mem::take(&mut escapes)));
                }
            }
        }
        escapes.push((at, escape));
    }
    if let Some(window) = last {
        visit(&decode(text, window, &escapes));
    }
}

fn decode(text: &str, window: Range<usize>, escapes: &[(usize, Escape)]) -> View {
    let end = text.ceil_char_boundary(window.end.min(text.len()));
    let (mut view, mut from) = (View::default(), text.floor_char_boundary(window.start));
    for &(at, (stop, character)) in escapes {
        view.push(text, from..at);
        if let Some(character) = character {
            view.push_instead(character, at..stop);
        }
        from = stop;
    }
    view.push(text, from..end.max(from));
    view
}

/// Returns the position of the next escape at or after `from`.
fn next_escape(text: &str, from: usize) -> Option<(usize, Escape)> {
    let bytes = text.as_bytes();
    let mut at = from;
    loop {
        let rest = bytes.get(at..)?;
        at += memchr::memchr3(b'\\', b'%', b'&', rest)?;
        if let Some(escape) = escape_at(bytes, at) {
            return Some((at, escape));
        }
        // A backslash before another one does not begin an escape of its own.
        at += if bytes[at..].starts_with(b"\\\\") { 2 } else { 1 };
    }
}

fn escape_at(bytes: &[u8], at: usize) -> Option<Escape> {
    match bytes.get(at..)? {
        // A byte that is not ASCII is a part of a character.
        [b'%', high @ b'0'..=b'7', low, ..] => Some((at + 3, Some(decodable(code(&[*high, *low])?)?))),
        [b'\\', b'/', ..] => Some((at + 2, Some('/'))),
        [b'\\', b'u', b'0', b'0', high, low, ..] => string_escape(bytes, at + 6, code(&[*high, *low])?),
        [b'\\', b'x', high, low, ..] => string_escape(bytes, at + 4, code(&[*high, *low])?),
        [b'\\', b'0', b'3', b'3', ..] => color_code(bytes, at + 4),
        [b'\\', b'e', ..] => color_code(bytes, at + 2),
        [b'&', ..] => {
            let (entity, c) = ENTITIES.iter().find(|(entity, _)| bytes[at..].starts_with(entity))?;
            Some((at + entity.len(), Some(*c)))
        }
        _ => None,
    }
}

/// Returns the escape of a string that ends at `end`. A quote or a backslash stays, because it does not end
/// the string.
fn string_escape(bytes: &[u8], end: usize, code: u8) -> Option<Escape> {
    match code {
        0x1b => color_code(bytes, end),
        b'"' | b'\\' | b'\'' => None,
        code => Some((end, Some(decodable(code)?))),
    }
}

/// Returns the color code (SGR, or erase in line) whose escape character ends at `from`.
fn color_code(bytes: &[u8], from: usize) -> Option<Escape> {
    let parameters = bytes.get(from..)?.strip_prefix(b"[")?;
    let length = parameters.iter().take_while(|byte| matches!(byte, b'0'..=b'9' | b';' | b':')).count();
    matches!(parameters.get(length)?, b'm' | b'K').then_some((from + length + 2, None))
}

fn code(digits: &[u8]) -> Option<u8> {
    u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

/// Returns the character of Latin-1, if it is printable or white space.
fn decodable(code: u8) -> Option<char> {
    matches!(code, b' '..=b'~' | b'\n' | b'\t' | 0xa1..).then(|| char::from(code))
}
