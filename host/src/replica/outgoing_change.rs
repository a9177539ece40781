//! What goes to a replica, as a person sees it.

use super::travels;
use crate::memory::{Entry, EntryKind};

/// A change that goes to a replica, or would go there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutgoingChange {
    /// The id of the memory.
    pub id: String,
    /// Its title; its id if the text is gone.
    pub title: String,
    /// What others see of it.
    pub kind: ChangeKind,
}

/// The kinds of changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    /// The memory is new or was changed.
    Written,
    /// It is no longer in use, or no longer travels.
    Retired,
    /// It is deleted for good.
    Purged,
}

impl OutgoingChange {
    /// Returns what others see if this entry arrives.
    pub fn of(entry: &Entry) -> Self {
        let kind = match &entry.kind {
            EntryKind::Purged(_) => ChangeKind::Purged,
            _ if travels(entry) => ChangeKind::Written,
            _ => ChangeKind::Retired,
        };
        let title = match &entry.kind {
            EntryKind::Live(live) => live.memory.title.clone(),
            EntryKind::Retired(_) | EntryKind::Purged(_) => entry.id.clone(),
        };
        Self { id: entry.id.clone(), title, kind }
    }
}

impl ChangeKind {
    /// Returns the word for it in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Written => "written",
            Self::Retired => "retired",
            Self::Purged => "purged",
        }
    }
}
