//! Credentials that are known by sight: those of the table of rules, and some that a table cannot say.
//!
//! A web token has parts, an AWS secret is known by the company it keeps, and a Datadog key only by the name of
//! Datadog on its line.

use super::kinds::Kind;
use super::letters::{self, ALNUM, DIGIT, HEX, NAME, PLUS, UPPER, WORD};
use super::placeholders;
use super::rules::Rule;
use super::spans::Span;
use super::values;

const JWT: Kind = Kind::of("jwt");
const AWS_ID: Kind = Kind::of("aws-access-key");
const AWS_SECRET: Kind = Kind::of("aws-secret-key");
const TWILIO: Kind = Kind::of("twilio-key");
const DATADOG: Kind = Kind::of("datadog-key");

/// How far from a telling word its credential may stand, in bytes.
const NEAR: usize = 160;

/// A credential of the rule whose prefix stands at `at`.
pub fn of_rule(bytes: &[u8], at: usize, rule: &Rule, found: &mut Vec<Span>) -> usize {
    let body = at + rule.prefix.len();
    if &bytes[at..body] != rule.prefix.as_bytes() || (rule.edge && !letters::starts_word(bytes, at)) {
        return body;
    }
    let end = letters::run(bytes, body, rule.body);
    let Some(start) = start(bytes, at, rule) else { return body };
    let whole = rule.most == usize::MAX || ends_word(bytes, end);
    let fits = whole && (rule.least..=rule.most).contains(&(end - body));
    // Where the body is all before the prefix, that is what may be blanked.
    let own = if end > body { body } else { start };
    if fits && !placeholders::is_blanked(&bytes[own..end]) {
        found.push(Span::new(if rule.keep { body } else { start }, without_stop(bytes, end), rule.kind));
    }
    end
}

/// The end without the full stop of a sentence.
fn without_stop(bytes: &[u8], end: usize) -> usize {
    if bytes[end - 1] == b'.' { end - 1 } else { end }
}

/// Where the credential starts: at its prefix, or with what must stand before that.
fn start(bytes: &[u8], at: usize, rule: &Rule) -> Option<usize> {
    let Some((class, least)) = rule.lead else { return Some(at) };
    let start = letters::run_back(bytes, at, class, 64);
    (at - start >= least).then_some(start)
}

fn ends_word(bytes: &[u8], end: usize) -> bool {
    !letters::is_at(bytes, end, ALNUM)
}

/// A web token: two or three base64 parts, of which the first two are JSON objects (`eyJ` is `{"`).
pub fn jwt(bytes: &[u8], at: usize, found: &mut Vec<Span>) -> usize {
    let header = letters::run(bytes, at, WORD);
    if !bytes[at..].starts_with(b"eyJ") || header - at < 10 || bytes.get(header) != Some(&b'.') {
        return header;
    }
    let payload = letters::run(bytes, header + 1, WORD);
    let end = letters::run(bytes, header + 1, NAME);
    let claims = bytes[header + 1..payload].starts_with(b"ey") && payload - header > 10;
    // Encrypted tokens have five parts, and only the first can be read.
    if claims || (end - payload > 20 && payload - header > 10) {
        found.push(Span::new(at, without_stop(bytes, end), JWT));
    }
    end
}

/// An AWS access key id, and the secret key that follows it in tables and lists of credentials.
pub fn aws(bytes: &[u8], at: usize, found: &mut Vec<Span>) -> usize {
    let end = letters::run(bytes, at, UPPER | DIGIT);
    let upper = bytes[at..at + 3].iter().all(|&byte| letters::is(byte, UPPER | DIGIT));
    if !upper || end - at != 20 || !ends_word(bytes, end) || !letters::starts_word(bytes, at) {
        return end.max(at + 1);
    }
    found.push(Span::new(at, end, AWS_ID));
    each_run(bytes, end..end + NEAR, ALNUM | PLUS, |start, stop| {
        if stop - start == 40 && values::is_random(&bytes[start..stop]) {
            found.push(Span::new(start, stop, AWS_SECRET));
        }
    });
    end
}

/// A Twilio API key: SK and 32 hexadecimal digits.
pub fn twilio(bytes: &[u8], at: usize, found: &mut Vec<Span>) -> usize {
    let end = letters::run(bytes, at + 2, HEX);
    if bytes[at..].starts_with(b"SK")
        && end - at == 34
        && ends_word(bytes, end)
        && letters::starts_word(bytes, at)
    {
        found.push(Span::new(at, end, TWILIO));
    }
    end
}

/// Datadog's keys are 32 hexadecimal digits, as many harmless things are: only its name on the line tells.
pub fn datadog(bytes: &[u8], at: usize, found: &mut Vec<Span>) -> usize {
    let line = |byte: &u8| *byte == b'\n';
    let floor = at.saturating_sub(NEAR);
    // Mentions close by are looked around once, so a text of nothing else costs no more.
    let next = at + 40;
    let start = floor + bytes[floor..at].iter().rposition(line).map_or(0, |last| last + 1);
    let reach = bytes.len().min(next + NEAR);
    let end = at + bytes[at..reach].iter().position(line).unwrap_or(reach - at);
    each_run(bytes, start..end, ALNUM, |from, to| {
        let hex = letters::run(bytes, from, HEX) == to;
        let pinned = from > 0 && matches!(bytes[from - 1], b'@' | b'-' | b'/' | b':');
        if hex && !pinned && to - from == 32 && values::jumble(&bytes[from..to]) > 0.2 {
            found.push(Span::new(from, to, DATADOG));
        }
    });
    next
}

/// Calls `see` with every run of a class that begins within the range.
fn each_run(bytes: &[u8], range: std::ops::Range<usize>, class: u8, mut see: impl FnMut(usize, usize)) {
    // A run that goes on far beyond is none of those that are looked for.
    let bytes = &bytes[..bytes.len().min(range.end + NEAR)];
    let mut next = range.start;
    while next < range.end.min(bytes.len()) {
        let end = letters::run(bytes, next, class);
        let start = letters::past_escape(bytes, next);
        if end > start {
            see(start, end);
        }
        next = end + 1;
    }
}
