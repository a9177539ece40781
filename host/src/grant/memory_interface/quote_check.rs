//! Looks the quotes of a draft up in the transcript, because a model may invent quotations, and a layer could
//! present a tool's text as the assistant's.

use interleaf_text::collapse_whitespace;

use super::super::{LayerHost, wit_error};
use crate::claude::transcript::{Entry, EntryKind, Role};
use crate::memory::Origin;
use crate::sandbox::bindings::memory::Quote;
use crate::sandbox::bindings::types::Error;

/// Maximum number of quotes in one draft.
const MAX_QUOTES: usize = 16;

/// Maximum length of a quote in an error, in characters.
const MAX_QUOTE_CHARS_IN_ERROR: usize = 80;

impl LayerHost {
    /// Returns the origin of a draft with these quotes: a tool if one of the quotes is from a tool, otherwise
    /// the claimed origin.
    pub(super) fn origin_of_quotes(&self, quotes: &[Quote], claimed: Origin) -> Result<Origin, Error> {
        if quotes.len() > MAX_QUOTES {
            let message = format!("the draft has {} quotes; at most {MAX_QUOTES} are allowed", quotes.len());
            return Err(Error::Invalid(message));
        }
        let mut origin = claimed;
        for quote in quotes {
            let entries = self.entries_at(quote.cursor)?;
            let entry = entries.iter().find(|entry| contains_quote(&entry.text, &quote.text));
            let entry = entry.ok_or_else(|| not_found(quote))?;
            if entry.role == Role::Tool || entry.kind == EntryKind::ToolResult {
                origin = Origin::ToolOutput;
            }
        }
        Ok(origin)
    }

    fn entries_at(&self, cursor: u64) -> Result<Vec<Entry>, Error> {
        let transcript = self.host.transcript.as_ref();
        let transcript =
            transcript.ok_or_else(|| Error::NotFound("there is no transcript to quote from".into()))?;
        // A page holds at least one line, which may contain several entries.
        let page = transcript.read(cursor, 1, 0).map_err(wit_error)?;
        Ok(page.entries.into_iter().filter(|entry| entry.cursor == cursor).collect())
    }
}

fn not_found(quote: &Quote) -> Error {
    let beginning: String = quote.text.chars().take(MAX_QUOTE_CHARS_IN_ERROR).collect();
    Error::Invalid(format!("the quote {beginning:?} is not in the transcript at {}", quote.cursor))
}

/// Tells whether the text contains the quote, regardless of the white space between the words. No text
/// contains an empty quote.
fn contains_quote(text: &str, quote: &str) -> bool {
    let quote = collapse_whitespace(quote);
    !quote.is_empty() && collapse_whitespace(text).contains(&quote)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_makes_no_difference_and_an_empty_quote_is_not_found() {
        assert!(contains_quote("no, never  use npm here", "never use\n npm"));
        assert!(!contains_quote("no, never use npm here", "always use npm"));
        assert!(!contains_quote("anything", " \n"));
    }
}
