//! Where something was found, and the text without it.
//!
//! Finders work on the same text and know nothing of each other, so what they find may overlap. Overlaps are
//! merged before anything is replaced: then nothing between two finds is lost and nothing is replaced twice.

use super::kinds::Kind;
use super::letters;

/// A stretch of the text, in bytes, that must not stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
    /// What it is.
    pub kind: Kind,
}

impl Span {
    /// A stretch of a kind.
    pub fn new(start: usize, end: usize, kind: Kind) -> Self {
        Self { start, end, kind }
    }
}

/// Spans in the order of the text, none touching a byte of another; of merged ones the more telling kind stays.
///
/// What an earlier pass left is nobody's secret: a span within a mark is dropped, and one that cuts a mark takes
/// it whole.
pub fn settle(bytes: &[u8], mut spans: Vec<Span>) -> Vec<Span> {
    spans.retain(|span| span.start < span.end);
    if spans.is_empty() {
        return spans;
    }
    spans.extend(marks(bytes));
    let mut merged = merge(spans);
    merged.retain(|span| mark_at(bytes, span.start) != Some(span.end - span.start));
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

fn marks(bytes: &[u8]) -> impl Iterator<Item = Span> {
    let opening =
        |(at, &byte): (usize, &u8)| if byte == b'[' { Some((at, mark_at(bytes, at)?)) } else { None };
    bytes.iter().enumerate().filter_map(opening).map(|(at, length)| Span::new(at, at + length, Kind::LEAST))
}

/// The text with every span replaced by the mark of its kind. The spans are merged ones.
pub fn replace(text: &str, spans: &[Span]) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut done = 0;
    for span in spans {
        let (start, end) =
            (text.floor_char_boundary(span.start).max(done), text.ceil_char_boundary(span.end));
        clean.push_str(&text[done..start]);
        clean.push_str(&span.kind.mark());
        done = end.max(start);
    }
    clean.push_str(&text[done..]);
    clean
}

/// Whether what starts here is a part of a mark: its first word, or the kind in it.
pub fn is_in_mark(bytes: &[u8], at: usize) -> bool {
    let within =
        |opening: &str| at.checked_sub(opening.len()).is_some_and(|start| mark_at(bytes, start).is_some());
    within("[") || within("[SECRET:")
}

/// The length of the mark that starts here, if one does. What an earlier pass left is nobody's secret.
pub fn mark_at(bytes: &[u8], at: usize) -> Option<usize> {
    let name = bytes.get(at..)?.strip_prefix(b"[SECRET:")?;
    let length = letters::run(name, 0, letters::LOWER | letters::DASH);
    (name.get(length) == Some(&b']')).then_some(())?;
    Kind::named(std::str::from_utf8(&name[..length]).ok()?)?;
    Some(b"[SECRET:]".len() + length)
}
