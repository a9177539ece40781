//! Which entries are shown: those around what is looked for, all that the person said, and what the assistant told them at
//! the end of each turn.

use crate::talk::{Entry, Kind, Role, Talk};

/// How much is shown around what, at most.
pub(in crate::drafting) struct Around {
    /// Entries before and after each place.
    pub reach: usize,
    /// Of those, calls of tools and their results.
    pub tools: usize,
    /// Characters.
    pub room: usize,
}

/// The entries worth showing, with how far each is from what is looked for.
pub(super) fn ranked(talk: &Talk, cursors: &[u64], around: &Around) -> Vec<(usize, usize)> {
    let places = talk.entries.iter().enumerate().filter(|(_, entry)| cursors.contains(&entry.cursor));
    let places: Vec<usize> = places.map(|(at, _)| at).collect();
    let ranked = talk.entries.iter().enumerate().filter_map(|(at, entry)| {
        let after = places.partition_point(|place| *place < at);
        let nearest = places[after.saturating_sub(1)..(after + 1).min(places.len())].iter();
        let distance = nearest.map(|place| place.abs_diff(at)).min()?;
        let reach = if entry.kind == Kind::Text { around.reach } else { around.tools };
        (distance <= reach || is_said(entry) || is_outcome(talk, at)).then_some((distance, at))
    });
    ranked.collect()
}

fn is_said(entry: &Entry) -> bool {
    entry.role == Role::User && entry.kind == Kind::Text
}

/// Whether this is what the assistant said before it was the person's turn again.
fn is_outcome(talk: &Talk, at: usize) -> bool {
    let entry = &talk.entries[at];
    let next = talk.entries.get(at + 1);
    entry.role == Role::Assistant && entry.kind == Kind::Text && next.is_none_or(is_said)
}
