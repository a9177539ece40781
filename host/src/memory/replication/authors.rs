//! The authors of memories that came in from other devices: whom this user trusts, and what each may ask for.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::entry::{EntryKind, Live};
use super::trust::Trust;
use crate::clock::Millis;
use crate::error::Result;
use crate::memory::record::Memory;
use crate::memory::store::Transaction;
use crate::memory::write_rules::{PRIVATE_TAG, normalize_tag};
use crate::memory::{Memories, Status, memory_id};

/// Number of memories whose origin is computed again in one transaction. Hooks wait meanwhile.
const BATCH_MEMORIES: usize = 200;

/// Who wrote a memory first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Author {
    /// The device.
    pub device: String,
    /// The name of its user, as they state it.
    pub name: String,
}

impl Memories {
    /// Returns the known authors, and since when this user trusts each.
    ///
    /// # Errors
    /// `unavailable` if the store cannot be read.
    pub fn authors(&self) -> Result<Vec<(Author, Option<Millis>)>> {
        self.store.authors()
    }

    /// Returns the id of this store as a device.
    ///
    /// # Errors
    /// `unavailable` if the store cannot be read or written.
    pub fn device(&self) -> Result<String> {
        self.write(|tx| tx.device())
    }

    /// Sets the name under which others see the memories of this device.
    ///
    /// # Errors
    /// `unavailable` if the store cannot be written.
    pub fn set_own_name(&self, name: &str) -> Result<()> {
        let name = self.redactor.redact(name).into_owned();
        self.write(|tx| tx.write_author(&Author { device: tx.device()?, name }))
    }

    /// Makes an author known, so that a person can trust them.
    ///
    /// # Errors
    /// `unavailable` if the store cannot be written.
    pub fn add_author(&self, author: &Author) -> Result<()> {
        self.write(|tx| tx.write_author(author))
    }

    /// Trusts these devices: their words have the origin that they state, and count as rules.
    ///
    /// # Errors
    /// `unavailable` if the store cannot be written.
    pub fn trust(&self, devices: &[String]) -> Result<()> {
        self.set_trust(devices, Some(self.clock.now()))
    }

    /// No longer trusts these devices: their words have the origin *shared* again.
    ///
    /// # Errors
    /// `unavailable` if the store cannot be written.
    pub fn distrust(&self, devices: &[String]) -> Result<()> {
        self.set_trust(devices, None)
    }

    fn set_trust(&self, devices: &[String], since: Option<Millis>) -> Result<()> {
        self.write(|tx| devices.iter().try_for_each(|device| tx.set_trust(device, since)))?;
        let mut ids = Vec::new();
        self.store.for_each(&mut |memory| {
            ids.push(memory.id);
            Ok(())
        })?;
        for batch in ids.chunks(BATCH_MEMORIES) {
            self.write(|tx| {
                let trust = Trust::read(tx)?;
                batch.iter().try_for_each(|id| update_origin(tx, &trust, id))
            })?;
        }
        Ok(())
    }

    /// Keeps a memory in this store, or lets it travel again. Where it is already, it is retired.
    ///
    /// # Errors
    /// As [`update`](Self::update).
    pub fn set_private(&self, id: &str, is_private: bool) -> Result<Memory> {
        self.amend(id, |mut memory| {
            memory.tags.retain(|tag| normalize_tag(tag) != PRIVATE_TAG);
            let what = if is_private { "made private" } else { "no longer private" };
            memory.tags.extend(is_private.then(|| PRIVATE_TAG.to_owned()));
            memory.tags.sort();
            (memory, what.to_owned())
        })
    }

    /// Deletes a memory with its history for good, here and in all replicas.
    ///
    /// # Errors
    /// `not-found` if there is no such memory.
    pub fn purge(&self, id: &str) -> Result<()> {
        let now = self.clock.now();
        self.write(|tx| {
            let memory = tx.get(id)?.ok_or_else(|| memory_id::unknown(id))?;
            let stamp = tx.next_stamp(now)?;
            tx.put_end(&memory.id, Some(memory.version), &stamp, true)
        })
    }

    /// Returns the number of memories of other devices whose words do not count yet, by author.
    ///
    /// # Errors
    /// `unavailable` if the store cannot be read.
    pub fn untrusted_counts(&self) -> Result<Vec<(Author, usize)>> {
        let (authors, own) = (self.authors()?, self.device()?);
        let is_trusted = |device: &str| {
            device == own || authors.iter().any(|(author, since)| author.device == device && since.is_some())
        };
        let mut counts = BTreeMap::new();
        for logged in self.entries_since(0, usize::MAX)? {
            let EntryKind::Live(live) = logged.entry.kind else { continue };
            let Live { memory, author, .. } = *live;
            if memory.status == Status::Active && !is_trusted(&author.device) {
                *counts.entry(author).or_insert(0) += 1;
            }
        }
        Ok(counts.into_iter().collect())
    }
}

/// Computes the origin of a memory again.
fn update_origin(tx: &dyn Transaction, trust: &Trust, id: &str) -> Result<()> {
    let (Some(entry), Some(memory)) = (tx.entry(id)?, tx.get(id)?) else { return Ok(()) };
    let EntryKind::Live(live) = entry.kind else { return Ok(()) };
    let (stated, origin) = (live.memory.origin, trust.origin_of(&live));
    if origin == memory.origin {
        return Ok(());
    }
    let expected = memory.version;
    let live = Live { memory: Memory { origin, version: expected + 1, ..memory }, ..*live };
    tx.put_merged(&live, stated, Some(expected))
}
