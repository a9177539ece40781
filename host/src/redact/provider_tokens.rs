//! Finds credentials by their own form: those of the table of rules, and three that a table cannot describe.
//!
//! A JSON web token has parts, an AWS secret key is next to its access key id, and a Datadog key is
//! recognized only by the name Datadog on its line.

use super::ascii::{self, ALNUM, DIGIT, HEX, NAME, PLUS, UPPER, WORD};
use super::continuations;
use super::placeholders;
use super::rule_tables::{self, Kind, Rule};
use super::spans::Span;
use super::value_shape;
use std::ops::Range;

/// Maximum number of bytes between an access key id, or the name Datadog, and its key.
const MAX_DISTANCE: usize = 160;
/// Distance in bytes within which several occurrences of the name Datadog are examined once, so that a text
/// full of them stays cheap.
const DATADOG_STEP: usize = 40;
/// Maximum number of characters read before a prefix.
const MAX_LEAD: usize = 64;

const JWT: Kind = Kind::of("jwt");
const AWS_ACCESS_KEY: Kind = Kind::of("aws-access-key");
const AWS_SECRET_KEY: Kind = Kind::of("aws-secret-key");
const DATADOG: Kind = Kind::of("datadog-key");

/// Finds a token of the rule whose prefix is at `at`.
pub fn by_rule(bytes: &[u8], at: usize, rule: &Rule, found: &mut Vec<Span>) -> usize {
    let body = at + rule.prefix.len();
    if &bytes[at..body] != rule.prefix.as_bytes() || (rule.word_start && !ascii::is_word_start(bytes, at)) {
        return body;
    }
    let end = rule.body_end(bytes, body);
    let end = continuations::token_end(bytes, rule, body, end).unwrap_or(end);
    let Some(start) = lead_start(bytes, at, rule) else { return body };
    let is_complete = rule.max == usize::MAX || is_word_end(bytes, end);
    let length = ascii::count(&bytes[body..end], |byte| rule.has_in_body(byte));
    let fits = is_complete && (rule.min..=rule.max).contains(&length);
    // The part that a placeholder would replace: the body, or the lead if nothing follows the prefix.
    let replaceable = if end > body { body } else { start };
    if fits && (rule.zeros || !placeholders::is_blanked(&bytes[replaceable..end])) {
        let start = if rule.secret_is_body { body } else { start };
        found.push(Span::new(start, without_full_stop(bytes, end), rule.kind));
    }
    end
}

fn without_full_stop(bytes: &[u8], end: usize) -> usize {
    if bytes[end - 1] == b'.' { end - 1 } else { end }
}

/// Returns the start of the token: its prefix, or the characters required before the prefix.
fn lead_start(bytes: &[u8], at: usize, rule: &Rule) -> Option<usize> {
    let Some((class, min)) = rule.lead else { return Some(at) };
    let start = ascii::run_start_where(bytes, at, MAX_LEAD, |byte| rule_tables::is_in_class(byte, class));
    (at - start >= min).then_some(start)
}

fn is_word_end(bytes: &[u8], end: usize) -> bool {
    !ascii::is_at(bytes, end, ALNUM)
}

/// Base64 of the first member of a header: `alg`, `typ`, `kid`.
const JWT_HEADERS: [&[u8]; 3] = [b"eyJhbGci", b"eyJ0eXAi", b"eyJraWQi"];

/// Finds a JSON web token: two or three base64 parts, of which the first two are JSON objects (`eyJ` is
/// `{"`).
pub fn json_web_token(bytes: &[u8], at: usize, found: &mut Vec<Span>) -> usize {
    let header = ascii::run_end(bytes, at, WORD);
    let is_cut = header - at >= 56 && ascii::is_line_end(bytes, header) && header < bytes.len();
    if is_cut && JWT_HEADERS.iter().any(|start| bytes[at..].starts_with(start)) {
        // `continuations` finds the lines that follow.
        found.push(Span::new(at, header, JWT));
        return header;
    }
    if !bytes[at..].starts_with(b"eyJ") || header - at < 10 || bytes.get(header) != Some(&b'.') {
        return header;
    }
    let payload = ascii::run_end(bytes, header + 1, WORD);
    let end = ascii::run_end(bytes, header + 1, NAME);
    let has_claims = bytes[header + 1..payload].starts_with(b"ey") && payload - header > 10;
    // Encrypted tokens have five parts, and only the first is readable.
    if has_claims || (end - payload > 20 && payload - header > 10) {
        found.push(Span::new(at, without_full_stop(bytes, end), JWT));
    }
    end
}

/// Finds an AWS access key id, and the secret key that follows it in tables and lists of credentials.
pub fn aws_key_pair(bytes: &[u8], at: usize, found: &mut Vec<Span>) -> usize {
    let end = ascii::run_end(bytes, at, UPPER | DIGIT);
    let is_upper = ascii::is_all(&bytes[at..at + 3], UPPER | DIGIT);
    if !is_upper || end - at != 20 || !is_word_end(bytes, end) || !ascii::is_word_start(bytes, at) {
        return end.max(at + 1);
    }
    found.push(Span::new(at, end, AWS_ACCESS_KEY));
    for_each_run(bytes, end..end + MAX_DISTANCE, ALNUM | PLUS, |run| {
        if run.len() == 40 && value_shape::is_random(&bytes[run.clone()]) {
            found.push(Span::new(run.start, run.end, AWS_SECRET_KEY));
        }
    });
    end
}

/// Finds the Datadog keys on the line. They are 32 hexadecimal digits, like many harmless values, so only the
/// name Datadog identifies them.
pub fn datadog_key(bytes: &[u8], at: usize, found: &mut Vec<Span>) -> usize {
    let is_line_break = |byte: &u8| *byte == b'\n';
    let floor = at.saturating_sub(MAX_DISTANCE);
    let next = at + DATADOG_STEP;
    let start = floor + bytes[floor..at].iter().rposition(is_line_break).map_or(0, |last| last + 1);
    let reach = bytes.len().min(next + MAX_DISTANCE);
    let end = at + bytes[at..reach].iter().position(is_line_break).unwrap_or(reach - at);
    for_each_run(bytes, start..end, ALNUM, |run| {
        let key = &bytes[run.clone()];
        // A digest after one of these signs pins an action or an image.
        let is_pinned = run.start > 0 && matches!(bytes[run.start - 1], b'@' | b'-' | b'/' | b':');
        if ascii::is_all(key, HEX) && !is_pinned && key.len() == 32 && value_shape::mixing_ratio(key) > 0.2 {
            found.push(Span::new(run.start, run.end, DATADOG));
        }
    });
    next
}

/// Calls `visit` with each run of a class that begins within the range.
fn for_each_run(bytes: &[u8], range: Range<usize>, class: u8, mut visit: impl FnMut(Range<usize>)) {
    // A run that extends far beyond the range is too long to be a key.
    let bytes = &bytes[..bytes.len().min(range.end + MAX_DISTANCE)];
    let mut next = range.start;
    while next < range.end.min(bytes.len()) {
        let end = ascii::run_end(bytes, next, class);
        let start = ascii::skip_escape(bytes, next);
        if end > start {
            visit(start..end);
        }
        next = end + 1;
    }
}
