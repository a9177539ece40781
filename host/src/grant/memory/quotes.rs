//! What a draft says it quotes, looked up in the transcript: a model invents quotations as easily as anything else, and
//! a layer could call a tool's words the assistant's.

use super::super::LayerHost;
use crate::claude::transcript::{Entry, EntryKind, Role};
use crate::memory::Origin;
use crate::sandbox::bindings::memory::Quote;
use crate::sandbox::bindings::types::Error;

/// Most quotes of one draft.
const MOST: usize = 16;

impl LayerHost {
    /// The origin of a draft with these quotes that claims this one.
    pub(super) fn quoted(&self, quotes: &[Quote], claimed: Origin) -> Result<Origin, Error> {
        if quotes.len() > MOST {
            return Err(Error::Invalid(format!("{} quotes in one draft; {MOST} are enough", quotes.len())));
        }
        let mut origin = claimed;
        for quote in quotes {
            let entries = self.entries_at(quote.cursor)?;
            let entry = entries.iter().find(|entry| stands_in(&quote.text, &entry.text));
            let entry = entry.ok_or_else(|| not_there(quote))?;
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
        // A page holds at least one line, which may be of several entries.
        let page = transcript.read(cursor, 1, 0).map_err(super::wire)?;
        Ok(page.entries.into_iter().filter(|entry| entry.cursor == cursor).collect())
    }
}

fn not_there(quote: &Quote) -> Error {
    let words: String = quote.text.chars().take(80).collect();
    Error::Invalid(format!("the quote {words:?} does not stand in the transcript at {}", quote.cursor))
}

/// Whether the words stand there one after another, whatever the white space between them.
fn stands_in(quote: &str, text: &str) -> bool {
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let quote = plain(quote);
    !quote.is_empty() && plain(text).contains(&quote)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_no_difference_and_nothing_is_no_quote() {
        assert!(stands_in("never use\n npm", "no, never  use npm here"));
        assert!(!stands_in("always use npm", "no, never use npm here"));
        assert!(!stands_in(" \n", "anything"));
    }
}
