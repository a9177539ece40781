//! The words of an entry, as they are shown: whose they are, and no more of them than tells something.

use super::voice::{Voice, own_and_pasted};
use crate::talk::{Entry, Kind, Role};
use crate::triage::lines::is_the_clients;

/// Words of one entry, as they are shown.
#[derive(Debug, Clone)]
pub(in crate::drafting) struct Piece<'t> {
    pub voice: Voice,
    pub text: &'t str,
    pub cursor: u64,
    pub(super) entry: usize,
}

/// All of an entry.
pub(super) fn pieces_of(entry: &Entry, at: usize) -> Vec<Piece<'_>> {
    let parts = match (entry.role, entry.kind) {
        (Role::Tool, _) | (_, Kind::ToolResult) => vec![(Voice::Tool, entry.text.as_str())],
        (_, Kind::ToolCall) => vec![(Voice::Call, entry.text.as_str())],
        (Role::Assistant, _) => vec![(Voice::Assistant, entry.text.as_str())],
        (Role::User, _) if is_the_clients(&entry.text) => Vec::new(),
        (Role::User, _) => own_and_pasted(&entry.text),
    };
    let shortened = parts.into_iter().flat_map(|(voice, text)| {
        let (head, tail) = ends(text, voice.shown());
        [head, tail].into_iter().flatten().map(move |text| (voice, text))
    });
    shortened.map(|(voice, text)| Piece { voice, text, cursor: entry.cursor, entry: at }).collect()
}

/// The beginning and the end of a text; all of it where it is short.
fn ends(text: &str, (head, tail): (usize, usize)) -> (Option<&str>, Option<&str>) {
    let length = text.chars().count();
    if length <= head + tail {
        return (Some(text), None);
    }
    let byte = |at: usize| text.char_indices().nth(at).map_or(text.len(), |(byte, _)| byte);
    let tail = (tail > 0).then(|| &text[byte(length - tail)..]);
    (Some(&text[..byte(head)]), tail)
}
