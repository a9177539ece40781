//! Finds the key that a program passes as a string to a function that signs or verifies:
//! `jwt.sign(payload, '…')`, `createHmac('sha256', '…')`.

use super::ascii;
use super::command_lines;
use super::placeholders;
use super::rule_tables::Kind;
use super::spans::Span;
use super::value_span;
use std::ops::Range;

/// Maximum number of bytes of the arguments that are read.
const MAX_ARGUMENTS_BYTES: usize = 200;
/// Minimum length of a key.
const MIN_KEY_BYTES: usize = 6;

const SECRET: Kind = Kind::of("secret");

/// Names that such functions take as strings, without the key.
#[rustfmt::skip]
const ALGORITHMS: &[&str] = &[
    "ascii", "base64", "base64url", "binary", "hex", "hmac", "hs", "jwt", "latin1", "md", "sha", "utf",
];

/// Finds the key among the arguments of the call whose bracket ends the anchor at `at`.
pub fn find(bytes: &[u8], at: usize, anchor_len: usize, found: &mut Vec<Span>) -> usize {
    let start = at + anchor_len;
    let key = strings(bytes, start).find(|string| is_key(bytes, string));
    found.extend(key.map(|key| Span::new(key.start, key.end, SECRET)));
    start
}

/// Returns the strings between `from` and the end of the call or of its line.
fn strings(bytes: &[u8], from: usize) -> impl Iterator<Item = Range<usize>> {
    let limit = bytes.len().min(from + MAX_ARGUMENTS_BYTES);
    let (mut next, mut depth) = (from, 0);
    std::iter::from_fn(move || {
        while next < limit {
            match bytes[next] {
                b'\n' | b';' => return None,
                b'(' => depth += 1,
                b')' if depth == 0 => return None,
                b')' => depth -= 1,
                quote @ (b'"' | b'\'' | b'`') => {
                    let value = value_span::quoted_value(&bytes[..limit], next, 0, quote);
                    next = value.range.end + 1;
                    return value.is_closed.then_some(value.range);
                }
                _ => {}
            }
            next += 1;
        }
        None
    })
}

/// Returns whether the string is a key: no member of an object, no algorithm, no placeholder.
fn is_key(bytes: &[u8], string: &Range<usize>) -> bool {
    let text = &bytes[string.clone()];
    let before = bytes[..string.start - 1].trim_ascii_end();
    let after = ascii::skip_blanks(bytes, string.end + 1);
    let is_member =
        matches!(bytes.get(after), Some(b':')) || before.ends_with(b":") || before.ends_with(b"[");
    let is_algorithm = || {
        let letters = ascii::run_end(text, 0, ascii::ALPHA);
        ascii::is_one_of(&text[..letters], ALGORITHMS) && text.len() <= letters + 4
    };
    let has_dots = text.contains(&b'.') && text.starts_with(b"eyJ");
    text.len() >= MIN_KEY_BYTES
        && !is_member
        && !is_algorithm()
        && !has_dots
        && !placeholders::is_prose(text)
        && command_lines::is_plausible_password(text)
}
