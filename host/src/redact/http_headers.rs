//! Finds secrets in HTTP headers that grant access: authorization of every scheme, and cookies.

use super::ascii::{self, ALNUM, DIGIT, NAME, PAD, PLUS};
use super::base64;
use super::placeholders;
use super::rule_tables::Kind;
use super::spans::Span;
use super::value_shape::{self, MAX_JUDGED_BYTES};

const BEARER: Kind = Kind::of("bearer-token");
const BASIC: Kind = Kind::of("basic-auth");
const AUTHORIZATION: Kind = Kind::of("authorization");
const COOKIE: Kind = Kind::of("cookie");

/// The characters of a token in a header (RFC 6750).
const TOKEN: u8 = NAME | PLUS | PAD;
/// Maximum number of quotes, backslashes and brackets around the separator of a header.
const MAX_QUOTE_BYTES: usize = 8;

/// Maximum number of bytes of a Cookie header that are read to find one that grants access.
const MAX_COOKIES_BYTES: usize = 4096;

/// Words in the names of cookies that store a choice of the reader.
const PREFERENCES: &[&str] =
    &["consent", "cookie", "currency", "lang", "locale", "optanon", "theme", "timezone", "viewport"];
/// Beginnings of the names of cookies that count readers.
const MEASUREMENTS: &[&str] =
    &["_ga", "_gid", "_gcl", "_gat", "_fbp", "_hj", "_pk_", "_utm", "__utm", "ajs_"];

/// Finds the token after `Bearer`, unless the text is an ordinary sentence.
pub fn bearer(bytes: &[u8], at: usize, found: &mut Vec<Span>) -> usize {
    let end = at + "bearer".len();
    let Some(start) = skip_gap(bytes, at, end) else { return end };
    let stop = ascii::run_end(bytes, start, TOKEN);
    let token = &bytes[start..stop];
    let has_digits = ascii::has_any(token, DIGIT);
    let is_long = token.len() >= if has_digits { 12 } else { 24 };
    let is_likely =
        (has_digits || value_shape::mixing_ratio(token) >= 0.15) && !placeholders::names_itself(token);
    if is_long && is_likely && !placeholders::is_placeholder(token) {
        found.push(Span::new(start, stop, BEARER));
    }
    stop.max(end)
}

/// Finds the value after `Basic`, if it is a user and a password in base64.
pub fn basic(bytes: &[u8], at: usize, found: &mut Vec<Span>) -> usize {
    let end = at + "basic".len();
    let Some(start) = skip_gap(bytes, at, end) else { return end };
    let stop = ascii::run_end(bytes, start, ALNUM | PLUS | PAD);
    if base64::is_credential_pair(&bytes[start..stop]) {
        found.push(Span::new(start, stop, BASIC));
    }
    stop.max(end)
}

/// Skips the white space between the name of a scheme and its value. Returns none if there is none.
fn skip_gap(bytes: &[u8], at: usize, end: usize) -> Option<usize> {
    let escaped = if bytes[end..].starts_with(b"%20") { end + 3 } else { end };
    let start = ascii::skip_blanks(bytes, escaped);
    (start > end && ascii::is_word_start(bytes, at)).then_some(start)
}

/// Finds the value of an authorization header with another scheme, or without a scheme.
pub fn authorization(bytes: &[u8], at: usize, found: &mut Vec<Span>) -> usize {
    let end = at + "authorization".len();
    let Some(value) = header_value(bytes, end) else { return end };
    let scheme_end = ascii::run_end(bytes, value, ALNUM | ascii::DASH);
    let has_scheme = bytes.get(scheme_end) == Some(&b' ');
    let is_known = ["bearer", "basic"].iter().any(|word| ascii::has_word_at(bytes, value, word.as_bytes()));
    let start = if has_scheme { ascii::skip_blanks(bytes, scheme_end) } else { value };
    let stop = ascii::run_end(bytes, start, TOKEN);
    let token = &bytes[start..stop];
    let min = if has_scheme { 8 } else { 16 };
    let has_digits = ascii::has_any(token, DIGIT);
    let is_token = token.len() >= min
        && has_digits
        && !value_shape::is_code(token)
        && !placeholders::names_itself(token);
    let is_short_token = is_known && token.len() >= 6 && has_digits;
    let is_call = matches!(bytes.get(stop), Some(b'(' | b':' | b'['));
    if (is_token || is_short_token)
        && !is_call
        && value_shape::mixing_ratio(token) >= 0.1
        && !placeholders::is_placeholder(token)
    {
        found.push(Span::new(start, stop, AUTHORIZATION));
    }
    stop.max(end)
}

/// Finds the values of a Cookie header, or the value that a Set-Cookie header sets. The attributes stay.
pub fn cookie(bytes: &[u8], at: usize, found: &mut Vec<Span>) -> usize {
    let end = at + "cookie".len();
    let Some(start) = header_value(bytes, end) else { return end };
    let name_end = ascii::run_end(bytes, start, NAME);
    if name_end == start || bytes.get(name_end) != Some(&b'=') {
        return end;
    }
    let is_set_cookie = ascii::has_word_at(bytes, at.saturating_sub(4), b"set-");
    let stop = cookie_end(bytes, name_end + 1, is_set_cookie);
    let cookies = &bytes[start..stop];
    let has_access = match is_set_cookie {
        true => !is_preference(cookies),
        false => !cookies[..cookies.len().min(MAX_COOKIES_BYTES)].split(|&b| b == b';').all(is_preference),
    };
    if is_cookie(&bytes[name_end + 1..stop]) && has_access {
        found.push(Span::new(if is_set_cookie { name_end + 1 } else { start }, stop, COOKIE));
    }
    stop
}

/// Returns the end of the cookies: a quote or the end of the line; for a single cookie also a semicolon.
fn cookie_end(bytes: &[u8], start: usize, is_one: bool) -> usize {
    let mut end = start;
    while !ascii::is_line_end(bytes, end) && !ascii::is_quote(bytes[end]) && bytes[end] != b'\\' {
        if is_one && bytes[end] == b';' {
            break;
        }
        end += 1;
    }
    while end > start && bytes[end - 1] == b' ' {
        end -= 1;
    }
    end
}

/// Returns whether the cookie `name=value` stores a choice of the reader or a measurement, which grants
/// nothing.
fn is_preference(cookie: &[u8]) -> bool {
    let cookie = cookie.trim_ascii();
    let name = &cookie[..ascii::run_end(cookie, 0, NAME)];
    PREFERENCES.iter().any(|word| ascii::contains(name, word.as_bytes()))
        || MEASUREMENTS.iter().any(|start| name.starts_with(start.as_bytes()))
        || cookie.ends_with(b"=deleted")
}

fn is_cookie(value: &[u8]) -> bool {
    let first = value.iter().position(|&byte| byte == b';').unwrap_or(value.len());
    let first = &value[..first.min(MAX_JUDGED_BYTES)];
    let is_prose = first.contains(&b' ') || first.contains(&b'(');
    first.len() >= 4
        && !is_prose
        && !placeholders::is_placeholder(first)
        && !placeholders::is_ordinary_word(first)
}

/// Returns the start of a header's value: after the quote of its name, a colon or comma, a space and the
/// value's own quote.
fn header_value(bytes: &[u8], end: usize) -> Option<usize> {
    let at = ascii::skip_blanks(bytes, skip_quotes(bytes, end));
    let is_arrow = bytes.get(at..at + 2) == Some(b"=>");
    let is_comma = bytes.get(at) == Some(&b',') && ascii::is_quote(bytes[at - 1]);
    if !is_arrow && !is_comma && !matches!(bytes.get(at)?, b':' | b'=') {
        return None;
    }
    let value = ascii::skip_blanks(bytes, at + if is_arrow { 2 } else { 1 });
    Some(skip_quotes(bytes, value))
}

fn skip_quotes(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while at < from + MAX_QUOTE_BYTES && is_quote_or_bracket(bytes, at) {
        at += 1;
    }
    at
}

fn is_quote_or_bracket(bytes: &[u8], at: usize) -> bool {
    match bytes.get(at..).unwrap_or_default() {
        [b'\\', next, ..] => ascii::is_quote(*next) || *next == b'\\',
        [byte, ..] => ascii::is_quote(*byte) || *byte == b']',
        [] => false,
    }
}
