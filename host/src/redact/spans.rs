//! The positions of secrets in a text, and the replacement of the secrets.
//!
//! Detectors work on the same text independently of each other, so their findings may overlap. Overlaps are
//! merged before the replacement, so that no text is lost or replaced twice.

use super::ascii;
use super::rule_tables::Kind;

/// A range of the text to redact, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
    /// The kind of secret.
    pub kind: Kind,
}

impl Span {
    /// Creates a span.
    pub fn new(start: usize, end: usize, kind: Kind) -> Self {
        Self { start, end, kind }
    }

    /// Returns the same span in a text that begins `offset` bytes earlier.
    pub fn shifted(&self, offset: usize) -> Self {
        Self { start: self.start + offset, end: self.end + offset, kind: self.kind }
    }
}

/// Returns the spans in the order of the text, without overlaps. Merged spans get the more specific kind.
///
/// A marker of an earlier pass is not a secret: a span within a marker is dropped, and a span that overlaps a
/// marker in part is extended to cover it.
pub fn merge_overlaps(bytes: &[u8], mut spans: Vec<Span>) -> Vec<Span> {
    spans.retain(|span| span.start < span.end);
    if spans.is_empty() {
        return spans;
    }
    spans.extend(markers(bytes));
    let mut merged = merge(spans);
    merged.retain(|span| marker_len_at(bytes, span.start) != Some(span.end - span.start));
    merged
}

fn merge(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_unstable_by_key(|span| (span.start, span.end));
    let mut merged: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans {
        match merged.last_mut() {
            Some(last) if span.start < last.end => {
                last.end = last.end.max(span.end);
                last.kind = last.kind.min(span.kind);
            }
            _ => merged.push(span),
        }
    }
    merged
}

fn markers(bytes: &[u8]) -> impl Iterator<Item = Span> {
    memchr::memchr_iter(b'[', bytes)
        .filter_map(|at| Some(Span::new(at, at + marker_len_at(bytes, at)?, Kind::LEAST_SPECIFIC)))
}

/// Returns the text with each span replaced by the marker of its kind. The spans do not overlap.
pub fn replace(text: &str, spans: &[Span]) -> String {
    let mut redacted = String::with_capacity(text.len());
    let mut done = 0;
    for span in spans {
        let (start, end) =
            (text.floor_char_boundary(span.start).max(done), text.ceil_char_boundary(span.end));
        redacted.push_str(&text[done..start]);
        redacted.push_str(&span.kind.marker());
        done = end.max(start);
    }
    redacted.push_str(&text[done..]);
    redacted
}

/// Returns whether `at` lies within a marker: at its first word, or at the kind.
pub fn is_in_marker(bytes: &[u8], at: usize) -> bool {
    let follows = |opening: &str| {
        at.checked_sub(opening.len()).is_some_and(|start| marker_len_at(bytes, start).is_some())
    };
    follows("[") || follows("[SECRET:")
}

/// Returns the length of the marker that starts at `at`, if there is one.
pub fn marker_len_at(bytes: &[u8], at: usize) -> Option<usize> {
    let name = bytes.get(at..)?.strip_prefix(b"[SECRET:")?;
    let length = ascii::run_end(name, 0, ascii::LOWER | ascii::DASH);
    (name.get(length) == Some(&b']')).then_some(())?;
    Kind::from_name(std::str::from_utf8(&name[..length]).ok()?)?;
    Some(b"[SECRET:]".len() + length)
}
