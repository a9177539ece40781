//! Finds the rest of a secret that is written in several parts: wrapped by a terminal, continued after a
//! backslash, or joined from strings.
//!
//! A detector sees only the first part, up to the break. What follows a break belongs to the secret if the
//! format of a token says that it is missing, or if it looks generated and the break is one that cuts words.

use super::ascii::{self, ALNUM, DOT, PAD, PLUS, WORD};
use super::placeholders;
use super::rule_tables::{HOME, Rule};
use super::spans::Span;
use super::value_shape;
use std::collections::HashSet;

/// Maximum number of bytes of one break: indentation, quotes, the frame of a table.
const MAX_BREAK_BYTES: usize = 96;
/// Maximum number of parts of a token.
const MAX_PARTS: usize = 64;
/// Minimum number of characters of a line that a terminal may have cut.
const MIN_WRAPPED_LINE: usize = 56;
/// Minimum number of characters of a part that is recognized by its look alone.
const MIN_PART: usize = 8;

/// Minimum number of characters of the part that completes a token.
const MIN_LAST_PART: usize = 4;

/// The characters of a generated secret.
const BODY: u8 = WORD | DOT | PLUS | PAD;

/// Returns the end of a token that is shorter at `end` than its format says, if the rest follows a break.
pub fn token_end(bytes: &[u8], rule: &Rule, body: usize, end: usize) -> Option<usize> {
    let (mut length, mut stop) = (end - body, end);
    for _ in 0..MAX_PARTS {
        if length >= rule.issued {
            break;
        }
        let Some(part) = after_break(bytes, stop) else { break };
        let part_end = rule.body_end(bytes, part.start);
        let text = &bytes[part.start..part_end];
        let is_complete = length + text.len() == rule.issued
            && text.len() >= MIN_LAST_PART
            && ascii::has_any(text, ascii::DIGIT | ascii::UPPER);
        let is_part = text.len() >= MIN_PART && is_generated(text);
        if !(is_complete || is_part) {
            break;
        }
        (length, stop) = (length + text.len(), part_end);
    }
    (stop > end && length >= rule.min && length <= rule.issued + rule.issued / 2).then_some(stop)
}

/// Extends each finding that ends where its line was cut over the parts on the next lines. A finding that
/// ends where another one was extended is left: the other one covers the rest, and the two are merged.
pub fn extend(bytes: &[u8], found: &mut [Span]) {
    let mut followed = HashSet::new();
    for span in found.iter_mut().filter(|span| span.kind != HOME && span.end > span.start) {
        while followed.insert(span.end)
            && let Some(end) = next_part_end(bytes, span)
        {
            span.end = end;
        }
    }
}

/// Returns the end of the part that follows a cut at the end of this span.
fn next_part_end(bytes: &[u8], span: &Span) -> Option<usize> {
    if !ascii::is(*bytes.get(span.end - 1)?, BODY) {
        return None;
    }
    let part = after_break(bytes, span.end)?;
    let end = ascii::run_end(bytes, part.start, BODY);
    let is_part = end - part.start >= MIN_PART && is_generated(&bytes[part.start..end]);
    let follows_last = ascii::skip_blanks(bytes, end);
    let is_alone = ascii::is_line_end(bytes, follows_last)
        || matches!(bytes.get(follows_last), Some(b'"' | b'\'' | b'`' | b'\\' | b'|'));
    let is_cut = match part.kind {
        Break::Joined | Break::Escaped => true,
        Break::Line => {
            let width = line_start_distance(bytes, span.end);
            width >= MIN_WRAPPED_LINE || bytes.get(end).is_some_and(|&byte| ascii::is_quote(byte))
        }
    };
    (is_part && is_alone && is_cut && !is_assigned(bytes, end)).then_some(end)
}

/// Returns whether the run is the name of another value.
fn is_assigned(bytes: &[u8], end: usize) -> bool {
    matches!(bytes.get(end), Some(b':' | b'(')) || bytes[..end].ends_with(b":")
}

fn is_generated(part: &[u8]) -> bool {
    let is_mixed = value_shape::mixing_ratio(part) >= 0.15 && ascii::has_any(part, ascii::DIGIT);
    (is_mixed || value_shape::has_random_case(part)) && !placeholders::is_placeholder(part)
}

/// The kinds of breaks within a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Break {
    /// The end of a line.
    Line,
    /// The end of a line after a backslash.
    Escaped,
    /// The end of a string and the beginning of the next one.
    Joined,
}

/// A part after a break.
struct Part {
    start: usize,
    kind: Break,
}

/// Returns the part after a break at `at`, if there is a break.
fn after_break(bytes: &[u8], at: usize) -> Option<Part> {
    let limit = bytes.len().min(at + MAX_BREAK_BYTES);
    let (mut next, mut lines, mut quotes, mut kind) = (at, 0, 0, Break::Line);
    while next < limit {
        match &bytes[next..limit] {
            [b'\n', ..] => (next, lines) = (next + 1, lines + 1),
            [b'\\', b'\n', ..] => (next, lines, kind) = (next + 2, lines + 1, Break::Escaped),
            [b'\\', b'r', b'\\', b'n', ..] => (next, lines) = (next + 4, lines + 1),
            [b'\\', b'n', ..] => (next, lines) = (next + 2, lines + 1),
            [b'\\', quote, ..] if ascii::is_quote(*quote) => next += 1,
            [quote, ..] if ascii::is_quote(*quote) => (next, quotes) = (next + 1, quotes + 1),
            [b'+' | b'.' | b'&', ..] if quotes == 1 => next += 1,
            [b'|', ..] if quotes == 0 => next += 1,
            [b' ' | b'\t' | b'\r' | b'\\', ..] => next += 1,
            _ => break,
        }
    }
    let is_break = match (lines, quotes) {
        (1, 0) => true,
        (0 | 1, 2) => {
            kind = Break::Joined;
            true
        }
        _ => false,
    };
    (is_break && ascii::is_at(bytes, next, ALNUM | WORD | PLUS)).then_some(Part { start: next, kind })
}

/// Returns the number of bytes between the beginning of the line and `at`.
fn line_start_distance(bytes: &[u8], at: usize) -> usize {
    let floor = at.saturating_sub(4 * MIN_WRAPPED_LINE);
    let line = &bytes[floor..at];
    line.len() - line.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1)
}
