//! Finds whole private keys: from the first line to the last, on one line or many, and with either end
//! missing.
//!
//! The lines of a key are recognized as long runs of base64; the text between two such runs (a line break, an
//! escaped one, a line number, a log's prefix) belongs to the key too. A first line that no key follows is a
//! string in a program and stays.

use super::ascii::{self, ALNUM, PLUS, UPPER};
use super::rule_tables::Kind;
use super::spans::Span;

/// Minimum length of a run that is a line of a key.
const MIN_LINE_CHARS: usize = 32;
/// Maximum number of bytes between two lines of a key.
const MAX_LINE_GAP: usize = 96;
/// Maximum number of bytes of the headers between the first line and the body.
const MAX_HEADER_BYTES: usize = 240;
/// Maximum length of a label such as `RSA PRIVATE KEY`.
const MAX_LABEL_BYTES: usize = 64;
/// Maximum number of bytes of a line break between the body and a cut-off or last line.
const MAX_BREAK_BYTES: usize = 16;
/// Maximum number of dashes before a label.
const MAX_DASHES: usize = 8;
/// Maximum number of bytes of a JSON web key before and after its type.
const MAX_JWK_BYTES: usize = 4096;
/// The private members of a JSON web key: of RSA and elliptic curves, and the bytes of a symmetric one.
const PRIVATE_MEMBERS: [&[u8]; 7] = [b"d", b"p", b"q", b"dp", b"dq", b"qi", b"k"];
/// Number of letters before the constant part of an RSA key: `MII` and three letters that encode the length.
const RSA_HEAD_BYTES: usize = 6;

const PRIVATE_KEY: Kind = Kind::of("private-key");

/// The alphabet of a key's body.
const ARMOR: u8 = ALNUM | PLUS;

/// Finds the key whose first line has ` BEGIN ` at `at`.
pub fn begin(bytes: &[u8], at: usize, anchor_len: usize, found: &mut Vec<Span>) -> usize {
    let start = ascii::run_start(bytes, at + 1, ascii::DASH, MAX_DASHES);
    let Some(body) = skip_label(bytes, at + anchor_len) else { return at + 1 };
    push_to_end(bytes, start, body, found).unwrap_or(body)
}

/// Finds the key whose last line has ` END ` at `at` and whose first line is missing.
pub fn end(bytes: &[u8], at: usize, anchor_len: usize, found: &mut Vec<Span>) -> usize {
    let Some(end) = skip_label(bytes, at + anchor_len) else { return at + 1 };
    let last_line = ascii::run_start(bytes, at + 1, ascii::DASH, MAX_DASHES);
    if let Some(start) = body_start(bytes, last_line) {
        found.push(Span::new(start, end, PRIVATE_KEY));
    }
    end
}

/// Finds a key without its first line by the first letters of its body, at `at`.
pub fn body(bytes: &[u8], at: usize, found: &mut Vec<Span>) -> usize {
    push_to_end(bytes, at, at, found).unwrap_or_else(|| ascii::run_end(bytes, at, ARMOR))
}

/// Finds an RSA key without its first line by the letters after the length, at `at`.
pub fn rsa_body(bytes: &[u8], at: usize, found: &mut Vec<Span>) -> usize {
    let start = at.checked_sub(RSA_HEAD_BYTES).filter(|&start| bytes[start..].starts_with(b"MII"));
    let Some(start) = start else { return at + 1 };
    push_to_end(bytes, start, start, found).unwrap_or_else(|| ascii::run_end(bytes, at, ARMOR))
}

/// Finds the private members of a JSON web key (RFC 7518) whose type is named at `at`.
pub fn json_web_key(bytes: &[u8], at: usize, found: &mut Vec<Span>) -> usize {
    let floor = at.saturating_sub(MAX_JWK_BYTES);
    let limit = bytes.len().min(at + MAX_JWK_BYTES);
    let start = floor + bytes[floor..at].iter().rposition(|&byte| byte == b'{').unwrap_or(0);
    let end = at + bytes[at..limit].iter().position(|&byte| byte == b'}').unwrap_or(limit - at);
    let mut from = start;
    while let Some(length) = bytes[from..end].iter().position(|&byte| byte == b'"') {
        let name = from + length + 1;
        let name_end = ascii::run_end(&bytes[..end], name, ascii::LOWER);
        let value = skip_separator(&bytes[..end], name_end);
        let value_end = ascii::run_end(&bytes[..end], value, ascii::WORD);
        if PRIVATE_MEMBERS.contains(&&bytes[name..name_end]) && value_end - value >= MIN_LINE_CHARS {
            found.push(Span::new(value, value_end, PRIVATE_KEY));
        }
        from = value_end.max(name);
    }
    end.max(at + 1)
}

/// Skips the quotes, backslashes, blanks and the colon between a name and its value.
fn skip_separator(bytes: &[u8], from: usize) -> usize {
    ascii::run_end_where(bytes, from, |byte| matches!(byte, b'"' | b'\\' | b':' | b' '))
}

/// Finds the private lines of a PuTTY key, after the line that states their number.
pub fn putty(bytes: &[u8], at: usize, anchor_len: usize, found: &mut Vec<Span>) -> usize {
    let start = ascii::run_end(bytes, ascii::skip_blanks(bytes, at + anchor_len), ascii::DIGIT);
    push_to_end(bytes, start, start, found).unwrap_or(start)
}

/// Adds the key from `start` to the end of the body at `body`, and returns its end.
fn push_to_end(bytes: &[u8], start: usize, body: usize, found: &mut Vec<Span>) -> Option<usize> {
    let end = body_end(bytes, body)?;
    found.push(Span::new(start, end, PRIVATE_KEY));
    Some(end)
}

/// Skips the rest of a first or last line that names a private key, with its dashes.
fn skip_label(bytes: &[u8], at: usize) -> Option<usize> {
    let reach = &bytes[..bytes.len().min(at + MAX_LABEL_BYTES)];
    let is_label = |byte| byte == b' ' || ascii::is(byte, UPPER | ascii::DIGIT);
    let label_end = ascii::run_end_where(reach, at, is_label);
    let is_private = bytes[at..label_end].windows(11).any(|window| window == b"PRIVATE KEY");
    let end = ascii::run_end(bytes, label_end, ascii::DASH);
    (is_private && end > label_end).then_some(end)
}

/// Returns the end of the key whose body starts at `body`, if there is one.
fn body_end(bytes: &[u8], body: usize) -> Option<usize> {
    let (mut end, mut reach) = (body, MAX_HEADER_BYTES);
    loop {
        match next_part(bytes, end, reach) {
            Some(KeyPart::Line(from, stop)) if is_gap(&bytes[end..from]) => {
                (end, reach) = (stop, MAX_LINE_GAP)
            }
            Some(KeyPart::LastLine(from, stop)) if is_gap(&bytes[end..from]) => {
                return (end > body || is_short_body(&bytes[body..from])).then_some(stop);
            }
            _ => break,
        }
    }
    let has_lines = end > body;
    cut_line_end(bytes, end, if has_lines { 1 } else { 16 }).or(has_lines.then_some(end))
}

/// A part of a key, with its start and end.
enum KeyPart {
    Line(usize, usize),
    LastLine(usize, usize),
}

/// Returns the next part of a key within reach.
fn next_part(bytes: &[u8], from: usize, reach: usize) -> Option<KeyPart> {
    let limit = bytes.len().min(from + reach);
    let mut at = from;
    while at < limit {
        let stop = ascii::run_end(bytes, at, ARMOR);
        if stop - at >= MIN_LINE_CHARS {
            return Some(KeyPart::Line(at, ascii::run_end(bytes, stop, ascii::PAD)));
        }
        if bytes[at..].starts_with(b"----") {
            let label = ascii::skip_blanks(bytes, ascii::run_end(bytes, at, ascii::DASH));
            let is_end = ascii::has_word_at(bytes, label, b"END ");
            let end = is_end.then(|| skip_label(bytes, label + b"END ".len())).flatten()?;
            return Some(KeyPart::LastLine(at, end));
        }
        at = stop.max(at + 1);
    }
    None
}

/// Returns whether this text can separate two lines of one key. A text with quotes must not contain
/// characters of a list or an object.
fn is_gap(between: &[u8]) -> bool {
    let is_structure =
        |byte: &u8| matches!(byte, b'{' | b'}' | b'[' | b']' | b'(' | b')' | b':' | b'<' | b'>');
    !between.iter().any(|&byte| ascii::is_quote(byte)) || !between.iter().any(is_structure)
}

/// Returns whether the text is a short body: only armor and line breaks.
fn is_short_body(between: &[u8]) -> bool {
    let is_body_byte =
        |byte: &u8| ascii::is(*byte, ARMOR) || matches!(byte, b'=' | b'\\') || byte.is_ascii_whitespace();
    let letters = between.iter().filter(|byte| ascii::is(**byte, ARMOR)).count();
    between.iter().all(is_body_byte) && letters > 4
}

/// Returns the end of a truncated last line of at least `min` letters: the next run, if it is alone on its
/// line or ends the text.
fn cut_line_end(bytes: &[u8], from: usize, min: usize) -> Option<usize> {
    let mut at = from;
    while at < from + MAX_BREAK_BYTES && is_break(bytes, at) {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    let end = ascii::run_end(bytes, ascii::run_end(bytes, at, ARMOR), ascii::PAD);
    let is_alone = ascii::is_line_end(bytes, end) || ascii::is_quote(bytes[end]);
    let is_last = end == bytes.len();
    (at > from && end > at && is_alone && (is_last || end - at >= min)).then_some(end)
}

fn is_break(bytes: &[u8], at: usize) -> bool {
    matches!(
        bytes.get(at..).unwrap_or_default(),
        [b'\n' | b'\r' | b' ' | b'\t', ..] | [b'\\', b'n' | b'r' | b't', ..]
    )
}

/// Returns the start of the key whose last line starts at `end`, if the text contains a part of its body.
fn body_start(bytes: &[u8], end: usize) -> Option<usize> {
    let mut start = last_run_start(bytes, end)?;
    while let Some(line) = line_start_before(bytes, start) {
        start = line;
    }
    // The first line may be truncated too; it then begins the text.
    if last_run_start(bytes, start) == Some(0) {
        start = 0;
    }
    (start < end).then_some(start)
}

/// Returns the start of the run directly before the last line. It may be the only remaining run, so it can
/// have any length.
fn last_run_start(bytes: &[u8], end: usize) -> Option<usize> {
    let mut at = end;
    while at > 0
        && end - at < MAX_BREAK_BYTES
        && (bytes[at - 1].is_ascii_whitespace() || ascii::ends_with_escape(&bytes[..at]))
    {
        at -= if bytes[at - 1].is_ascii_whitespace() { 1 } else { 2 };
    }
    while at > 0 && bytes[at - 1] == b'=' {
        at -= 1;
    }
    let start = ascii::run_start(bytes, at, ARMOR, usize::MAX);
    let is_alone =
        start == 0 || bytes[start - 1].is_ascii_whitespace() || ascii::ends_with_escape(&bytes[..start]);
    (at < end && start < at && (is_alone || at - start >= MIN_LINE_CHARS)).then_some(start)
}

/// Returns the start of the line before `end` within reach, unless the label of another key is between them.
fn line_start_before(bytes: &[u8], end: usize) -> Option<usize> {
    let floor = end.saturating_sub(MAX_LINE_GAP);
    let mut at = end;
    while at > floor {
        let start = ascii::run_start(bytes, at, ARMOR, usize::MAX);
        if at - start >= MIN_LINE_CHARS {
            return is_gap(&bytes[at..end]).then_some(start);
        }
        if [&b"----"[..], b"KEY-", b"BLOCK-"].iter().any(|dashes| bytes[..at].ends_with(dashes)) {
            return None;
        }
        at = start.min(at - 1);
    }
    None
}
