//! Finds, in the words of the contract.

use crate::bindings::interleaf::layer::memory::{Draft, Origin as Wire, Quote};
use crate::drafting::fields;
use crate::find::{Evidence, Find, Origin};
use crate::memories;
use crate::talk::UNWRITTEN;

/// Quotes that a draft carries.
const MOST_QUOTES: usize = 8;

/// A find as a draft of this key.
pub(super) fn draft(find: &Find, key: &str) -> Draft {
    Draft {
        category: memories::wire(find.category),
        title: find.title.clone(),
        text: find.text.clone(),
        content: Some(content(find)),
        tags: find.tags.clone(),
        related_files: find.files.clone(),
        confidence: find.confidence,
        importance: find.importance,
        origin: origin(find),
        key: Some(key.to_owned()),
        quotes: quotes(&find.evidence),
    }
}

/// Its content, whole or empty.
pub(super) fn content(find: &Find) -> String {
    fields::fitting(find.category, &find.content).to_string()
}

pub(super) const fn origin(find: &Find) -> Wire {
    match find.origin {
        Origin::Assistant => Wire::Assistant,
        Origin::ToolOutput => Wire::ToolOutput,
    }
}

/// What it rests on. What only the event has told stands in no transcript yet.
pub(super) fn quotes(evidence: &[Evidence]) -> Vec<Quote> {
    let written = evidence.iter().filter(|quote| quote.cursor != UNWRITTEN).take(MOST_QUOTES);
    written.map(|quote| Quote { text: quote.quote.clone(), cursor: quote.cursor }).collect()
}
