//! Memories that no hook shows, although they would fit: why, and what changes that.

use std::io::{Result as IoResult, Write};

use interleaf_text::for_terminal;
use serde::Serialize;

use super::output::Output;
use crate::error::Result;
use crate::memory::{
    Filter, Memories, Memory, Occasion, Order, Origin, Status, id_for_command, is_tentative,
};

/// Maximum number of memories that are named.
const MAX_NAMED: usize = 5;

/// A memory that no hook shows.
#[derive(Debug, Serialize)]
pub(super) struct HiddenMemory {
    pub memory: String,
    #[serde(skip)]
    title: String,
    /// Why: a clause about the memory.
    pub reason: String,
    /// The command that changes that.
    pub next_step: String,
}

impl HiddenMemory {
    /// Returns why no hook shows this memory, whatever the event; `None` if one may show it.
    pub fn of(memory: &Memory, memories: &Memories) -> Option<Self> {
        let (id, category) = (id_for_command(&memory.id), memory.category);
        let branch = memory.source.branch.as_deref().unwrap_or_default();
        let (reason, next_step) = match memory.status {
            Status::Retired => ("it is retired".to_owned(), format!("interleaf memory restore {id}")),
            Status::Archived => ("it is archived".to_owned(), format!("interleaf memory unarchive {id}")),
            _ if is_tentative(memory) => ("it is tentative".to_owned(), "interleaf review".to_owned()),
            _ if memories.branches().hide(memory) => (
                format!("its branch {branch} was deleted without being merged"),
                format!("interleaf memory confirm {id}"),
            ),
            _ if !memories.policy().of(category).enabled => {
                (format!("the category {category} is switched off"), "interleaf config".to_owned())
            }
            _ => return None,
        };
        Some(Self::new(memory, reason, next_step))
    }

    /// Like [`of`](Self::of); also why the start of a session does not show it among the rules.
    fn at_start(memory: &Memory, memories: &Memories) -> Option<Self> {
        let id = id_for_command(&memory.id);
        let next_step = match memory.origin {
            Origin::Shared => "interleaf memory trust".to_owned(),
            _ => format!("interleaf memory confirm {id}"),
        };
        let is_no_rule = memory.category.is_durable() && memory.origin.is_untrusted();
        let reason = match memory.origin {
            Origin::Shared => "it is of an author whom you do not trust".to_owned(),
            origin => format!("its origin is {origin}"),
        };
        let no_rule = || Self::new(memory, format!("{reason}, so it is no rule"), next_step);
        Self::of(memory, memories).or_else(|| is_no_rule.then(no_rule))
    }

    fn new(memory: &Memory, reason: String, next_step: String) -> Self {
        Self { memory: memory.id.clone(), title: memory.title.clone(), reason, next_step }
    }

    fn print(&self, out: &mut Output) -> IoResult<()> {
        let (id, title) = (out.bold(&for_terminal(&self.memory)), for_terminal(&self.title));
        let reason = for_terminal(&self.reason);
        writeln!(out, "\n  {id}  {title}\n  not shown, because {reason}: {}", self.next_step)
    }
}

/// Returns the memories that fit a text at this occasion, and that no hook shows.
pub(super) fn fitting(occasion: Occasion, text: &str, memories: &Memories) -> Result<Vec<HiddenMemory>> {
    let found = memories.search_at(occasion, text, &Filter::default(), usize::MAX)?;
    let hidden = found.hits.iter().filter_map(|hit| HiddenMemory::of(&hit.memory, memories));
    Ok(hidden.take(MAX_NAMED).collect())
}

/// Returns the newest memories that the start of a session leaves out.
pub(super) fn at_start(memories: &Memories) -> Result<Vec<HiddenMemory>> {
    let listed = memories.list(&Filter::default(), Order::Newest, usize::MAX)?;
    let hidden = listed.iter().filter_map(|memory| HiddenMemory::at_start(memory, memories));
    Ok(hidden.take(MAX_NAMED).collect())
}

/// Names the memories, each with its reason and the next step.
pub(super) fn print(hidden: &[HiddenMemory], out: &mut Output) -> IoResult<()> {
    hidden.iter().try_for_each(|memory| memory.print(out))
}
