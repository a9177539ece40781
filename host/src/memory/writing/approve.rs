//! What a person says of a memory that is there: that it is true, or of what use it was.

use super::super::kinds::{Origin, Status};
use super::super::record::{Change, Memory};
use super::super::{Memories, identity};
use super::update::not_active;
use crate::error::Result;

/// By how much one rating moves the importance, and between which bounds: no rating hides a memory or makes it a rule.
const MOVE: f32 = 0.1;
const BOUNDS: (f32, f32) = (0.1, 1.0);

/// Of what use a memory was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rating {
    /// It helped.
    Up,
    /// It was in the way.
    Down,
}

impl Memories {
    /// Makes the memory its person's own: they say that it is true, so from now on it is told in their name and may be
    /// surer than 0.9. Whoever calls this has made sure that it is the person.
    ///
    /// # Errors
    /// `not-found`; `denied` where the memory is not active.
    pub fn confirm(&self, id: &str) -> Result<Memory> {
        let now = self.clock.now();
        self.amend(id, |memory| {
            let what = format!("confirmed by a person; its words came from {}", memory.origin);
            (Memory { origin: Origin::Person, confidence: 1.0, confirmed_at: Some(now), ..memory }, what)
        })
    }

    /// Weighs the memory a little more or less.
    ///
    /// # Errors
    /// As [`confirm`](Self::confirm).
    pub fn rate(&self, id: &str, rating: Rating) -> Result<Memory> {
        let (by, word) = if rating == Rating::Up { (MOVE, "up") } else { (-MOVE, "down") };
        self.amend(id, |memory| {
            let importance = (memory.importance + by).clamp(BOUNDS.0, BOUNDS.1);
            (Memory { importance, ..memory }, format!("rated {word}"))
        })
    }

    fn amend(&self, id: &str, amended: impl FnOnce(Memory) -> (Memory, String)) -> Result<Memory> {
        let id = self.get(id)?.id;
        self.write(|step| {
            let memory = step.get(&id)?.ok_or_else(|| identity::missing(&id))?;
            if memory.status != Status::Active {
                return Err(not_active(&memory));
            }
            let seen = memory.version;
            let (memory, what) = amended(memory);
            let memory =
                self.noted(Memory { version: seen + 1, ..memory }, Change { what, ..Change::default() });
            step.replace(&memory, seen)?;
            Ok(memory)
        })
    }
}
