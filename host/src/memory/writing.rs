//! Writing memories: every way to create, change, supersede, retire or delete a record. Each is one
//! transaction of the store, in which the rules see the stored memories, so that the rules hold even if other
//! processes write at the same time.

mod capacity;
mod create;
mod retention;
mod status_transitions;
mod supersede;
mod update;

use super::record::{Change, Memory};
use super::store::{Transaction, version_conflict};
use super::{Memories, memory_id};
use crate::error::{Error, Result};
pub use capacity::Evicted;
pub use create::{WriteOutcome, WriteResult};
pub use retention::RetentionReport;
pub use update::Rating;
pub(super) use update::not_active;

impl Memories {
    /// Runs `work` as one transaction of the store.
    pub(super) fn write<T>(&self, work: impl FnOnce(&dyn Transaction) -> Result<T>) -> Result<T> {
        let mut work = Some(work);
        let mut result = None;
        self.store.write(&mut |tx| {
            if let Some(work) = work.take() {
                result = Some(work(tx)?);
            }
            Ok(())
        })?;
        result.ok_or_else(|| Error::unavailable("the store did not run the transaction"))
    }

    /// Returns a memory within a transaction. If a version is given, the memory must have it.
    pub(super) fn get_at_version(
        &self,
        tx: &dyn Transaction,
        id: &str,
        version: Option<u64>,
    ) -> Result<Memory> {
        let memory = tx.get(id)?.ok_or_else(|| memory_id::unknown(id))?;
        match version {
            Some(version) if version != memory.version => {
                Err(version_conflict(&memory.id, memory.version, version))
            }
            _ => Ok(memory),
        }
    }

    /// Adds an entry of this device to the history of a memory, and sets its time of change to now.
    pub(super) fn with_change(
        &self,
        tx: &dyn Transaction,
        mut memory: Memory,
        change: Change,
    ) -> Result<Memory> {
        let (at, author) = (self.clock.now(), Some(tx.own_author()?));
        memory.updated_at = at;
        memory.push_change(Change { at, by: self.actor.to_string(), author, ..change });
        Ok(memory)
    }
}
