//! HTTP headers that carry a right: authorisation of every scheme, and cookies.

use super::encoded;
use super::kinds::Kind;
use super::letters::{self, ALNUM, DIGIT, NAME, PAD, PLUS};
use super::placeholders;
use super::spans::Span;
use super::values;

const BEARER: Kind = Kind::of("bearer-token");
const BASIC: Kind = Kind::of("basic-auth");
const AUTHORIZATION: Kind = Kind::of("authorization");
const COOKIE: Kind = Kind::of("cookie");

const TOKEN: u8 = NAME | PLUS | PAD;

/// What follows `Bearer`, unless it is the rest of a sentence.
pub fn bearer(bytes: &[u8], at: usize, found: &mut Vec<Span>) -> usize {
    let end = at + "bearer".len();
    let Some(start) = past_gap(bytes, at, end) else { return end };
    let stop = letters::run(bytes, start, TOKEN);
    let token = &bytes[start..stop];
    let digits = token.iter().any(|&byte| letters::is(byte, DIGIT));
    let long = token.len() >= if digits { 12 } else { 24 };
    let likely = (digits || values::jumble(token) >= 0.15) && !placeholders::names_itself(token);
    if long && likely && !placeholders::is_placeholder(token) {
        found.push(Span::new(start, stop, BEARER));
    }
    stop.max(end)
}

/// What follows `Basic`, if it is a user and a password in base64.
pub fn basic(bytes: &[u8], at: usize, found: &mut Vec<Span>) -> usize {
    let end = at + "basic".len();
    let Some(start) = past_gap(bytes, at, end) else { return end };
    let stop = letters::run(bytes, start, ALNUM | PLUS | PAD);
    if encoded::is_pair(&bytes[start..stop]) {
        found.push(Span::new(start, stop, BASIC));
    }
    stop.max(end)
}

/// Past the space, or the quote and colon, between the word of a scheme and its value.
fn past_gap(bytes: &[u8], at: usize, end: usize) -> Option<usize> {
    let percent = if bytes[end..].starts_with(b"%20") { end + 3 } else { end };
    let start = letters::past_blanks(bytes, percent);
    (start > end && letters::starts_word(bytes, at)).then_some(start)
}

/// The value of an authorisation header whose scheme is neither of the two, or which has none.
pub fn authorization(bytes: &[u8], at: usize, found: &mut Vec<Span>) -> usize {
    let end = at + "authorization".len();
    let Some(value) = header_value(bytes, end) else { return end };
    let scheme = letters::run(bytes, value, ALNUM | letters::DASH);
    let named = bytes.get(scheme) == Some(&b' ');
    let known = ["bearer", "basic"].iter().any(|word| letters::has(bytes, value, word.as_bytes()));
    let start = if named { letters::past_blanks(bytes, scheme) } else { value };
    let stop = letters::run(bytes, start, TOKEN);
    let token = &bytes[start..stop];
    let least = if named { 8 } else { 16 };
    let digits = token.iter().any(|&byte| letters::is(byte, DIGIT));
    let bare =
        token.len() >= least && digits && !values::is_code(token) && !placeholders::names_itself(token);
    let short = known && token.len() >= 6 && digits;
    let code = matches!(bytes.get(stop), Some(b'(' | b':' | b'['));
    if (bare || short) && !code && values::jumble(token) >= 0.1 && !placeholders::is_placeholder(token) {
        found.push(Span::new(start, stop, AUTHORIZATION));
    }
    stop.max(end)
}

/// The values of a Cookie header, or the value that a Set-Cookie header sets; what is said about it stays.
pub fn cookie(bytes: &[u8], at: usize, found: &mut Vec<Span>) -> usize {
    let end = at + "cookie".len();
    let Some(start) = header_value(bytes, end) else { return end };
    let name = letters::run(bytes, start, NAME);
    if name == start || bytes.get(name) != Some(&b'=') {
        return end;
    }
    let sets = letters::has(bytes, at.saturating_sub(4), b"set-");
    let stop = cookie_end(bytes, name + 1, sets);
    if is_cookie(&bytes[name + 1..stop]) {
        found.push(Span::new(if sets { name + 1 } else { start }, stop, COOKIE));
    }
    stop
}

/// Where one cookie ends, or all of them: at a quote, a line's end, and for one at a semicolon.
fn cookie_end(bytes: &[u8], start: usize, one: bool) -> usize {
    let mut end = start;
    while !letters::ends_line(bytes, end) && !letters::is_quote(bytes[end]) && bytes[end] != b'\\' {
        if one && bytes[end] == b';' {
            break;
        }
        end += 1;
    }
    while end > start && bytes[end - 1] == b' ' {
        end -= 1;
    }
    end
}

fn is_cookie(value: &[u8]) -> bool {
    let word = &value[..value.iter().position(|&byte| byte == b';').unwrap_or(value.len()).min(values::LOOK)];
    let spaced = word.contains(&b' ') || word.contains(&b'(');
    word.len() >= 4 && !spaced && !placeholders::is_placeholder(word) && !placeholders::is_ordinary(word)
}

/// Where the value of a header starts: after its name's quote, a colon or comma, a space and the value's quote.
fn header_value(bytes: &[u8], end: usize) -> Option<usize> {
    let mut at = past_quotes(bytes, end);
    at = letters::past_blanks(bytes, at);
    let arrow = bytes.get(at..at + 2) == Some(b"=>");
    let comma = bytes.get(at) == Some(&b',') && letters::is_quote(bytes[at - 1]);
    if !arrow && !comma && !matches!(bytes.get(at)?, b':' | b'=') {
        return None;
    }
    at = letters::past_blanks(bytes, at + if arrow { 2 } else { 1 });
    Some(past_quotes(bytes, at))
}

fn past_quotes(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while at < from + 8 && closes(bytes, at) {
        at += 1;
    }
    at
}

fn closes(bytes: &[u8], at: usize) -> bool {
    match bytes.get(at..).unwrap_or_default() {
        [b'\\', next, ..] => letters::is_quote(*next) || *next == b'\\',
        [byte, ..] => letters::is_quote(*byte) || *byte == b']',
        [] => false,
    }
}
