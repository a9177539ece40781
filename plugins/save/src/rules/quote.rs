//! Words of a call as evidence: a call is kept as JSON, in which quotes and line breaks look different.

use crate::finding::Evidence;
use crate::transcript::Entry;

/// Bytes of a quotation.
const LONGEST: usize = 300;
const SHORTEST: usize = 4;

/// The longest part of a call's text that stands in its JSON as it is.
pub fn quotable(call: &Entry, text: &str) -> Option<Evidence> {
    let parts =
        text.split(['"', '\\', '\n', '\t', '\r']).map(str::trim).filter(|part| part.len() >= SHORTEST);
    let longest = parts.max_by_key(|part| part.len())?;
    let quote = &longest[..longest.floor_char_boundary(LONGEST)];
    call.text.contains(quote).then(|| Evidence { quote: quote.trim().to_owned(), cursor: call.cursor })
}
