//! Whether something is said already, or was said until it was set aside: what was forgotten or archived does not come back
//! by being said again, in whatever words.

use super::super::kinds::Status;
use super::super::record::Memory;
use super::super::store::Transaction;
use super::super::{Memories, duplicates};
use crate::error::{Error, Result};

/// What was forgotten does not come back by being said again within this time, in milliseconds (seed 003: 24 hours).
pub(super) const FORGOTTEN: i64 = 24 * 3_600_000;

impl Memories {
    /// The active memory, other than `except`, that says what a new one says.
    ///
    /// # Errors
    /// As [`check_set_aside`](Self::check_set_aside), where there is none.
    pub(super) fn said_before(
        &self,
        step: &dyn Transaction,
        memory: &Memory,
        except: Option<&str>,
    ) -> Result<Option<String>> {
        let similar = self.similar(step, memory, except)?;
        let active = |other: &&Memory| other.status == Status::Active && duplicates::repeats(other, memory);
        match similar.iter().find(active) {
            Some(other) => Ok(Some(other.id.clone())),
            None => set_aside_among(&similar, memory).map_or(Ok(None), Err),
        }
    }

    /// That nothing, other than `except`, was set aside that says what an active memory is to say.
    ///
    /// # Errors
    /// `conflict` where one that was forgotten lately, or that is archived, does.
    pub(in super::super) fn check_set_aside(
        &self,
        step: &dyn Transaction,
        memory: &Memory,
        except: Option<&str>,
    ) -> Result<()> {
        set_aside_among(&self.similar(step, memory, except)?, memory).map_or(Ok(()), Err)
    }

    fn similar(&self, step: &dyn Transaction, memory: &Memory, except: Option<&str>) -> Result<Vec<Memory>> {
        if memory.status != Status::Active {
            return Ok(Vec::new());
        }
        let mut similar = step.similar(&memory.text, self.clock.now() - FORGOTTEN)?;
        similar.retain(|other| Some(other.id.as_str()) != except);
        Ok(similar)
    }
}

/// Another category, title or origin is no way round: what was forgotten is what it said.
fn set_aside_among(similar: &[Memory], memory: &Memory) -> Option<Error> {
    let away =
        |other: &&Memory| other.status != Status::Active && duplicates::same_text(&other.text, &memory.text);
    similar.iter().find(away).map(set_aside)
}

fn set_aside(other: &Memory) -> Error {
    let id = &other.id;
    match other.status {
        Status::Archived => Error::conflict(format!("memory `{id}`, which is archived, says the same"))
            .hint(format!("bring it back: interleaf memory unarchive {id}")),
        _ => Error::conflict(format!(
            "memory `{id}` says the same, and was forgotten within the last 24 hours"
        ))
        .hint(format!("if it holds after all: interleaf memory restore {id}")),
    }
}
