//! Memories that came to their end without a successor: a debt that was paid, a limit that is gone.

use super::Keeper;
use super::done::{Done, nothing};
use super::draft::quotes;
use super::resolve::present;
use crate::bindings::interleaf::layer::memory::{
    self, Draft, Intent, LifecycleEvent, Origin, Proposal, Resolved, Seen,
};
use crate::bindings::interleaf::layer::types::Error;
use crate::host;
use crate::memories;
use crate::standing::{Ended, Event};

/// Characters of a title.
const TITLE: usize = 120;

impl Keeper<'_> {
    /// Ends them, as far as they still say what the model was shown.
    ///
    /// # Errors
    /// As for [`Keeper::of`].
    pub fn end(&mut self, all: &[Ended]) -> Result<(), Error> {
        for ended in all {
            let resolved = match present(&ended.memory)? {
                Some(seen) => end(ended, seen)?,
                None => nothing(Some(&ended.memory.id), "it was changed or forgotten since"),
            };
            self.done.push(Done::end(ended, resolved));
        }
        Ok(())
    }
}

fn end(ended: &Ended, seen: Seen) -> Result<Resolved, Error> {
    let proposal = Proposal {
        draft: draft(ended),
        intent: Intent::Retire,
        event: Some(event(ended.event)),
        seen: Some(seen),
        reason: format!("{}: {}", ended.event.as_str(), ended.why),
    };
    match memory::resolve(&proposal) {
        Err(error @ Error::Unavailable(_)) => Err(error),
        Err(error) => {
            host::complain(&format!("a {} was not retired", ended.memory.category.as_str()), &error);
            Ok(nothing(Some(&ended.memory.id), &format!("the host refused it ({})", host::kind(&error))))
        }
        resolved => resolved,
    }
}

/// What the memory says from now on where its category does not go without a successor.
fn draft(ended: &Ended) -> Draft {
    let memory = &ended.memory;
    let title: String = format!("No longer so: {}", memory.title).chars().take(TITLE).collect();
    Draft {
        category: memories::wire(memory.category),
        title: Some(title),
        text: format!("No longer so: {}\nIt was: {}", ended.why, memory.text),
        content: None,
        tags: vec![ended.event.as_str().to_owned()],
        related_files: Vec::new(),
        confidence: 0.8,
        // The memory keeps its own, which is never less.
        importance: 0.0,
        origin: Origin::Assistant,
        key: Some(format!("ended/{}/{}", memory.id, memory.version)),
        quotes: quotes(&ended.evidence),
    }
}

const fn event(event: Event) -> LifecycleEvent {
    match event {
        Event::Resolved => LifecycleEvent::Resolved,
        Event::Removed => LifecycleEvent::Removed,
        Event::Reversed => LifecycleEvent::Reversed,
        Event::Superseded => LifecycleEvent::Superseded,
        Event::Deprecated => LifecycleEvent::Deprecated,
    }
}
