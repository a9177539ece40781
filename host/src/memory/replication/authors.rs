//! The authors of memories that came in from other devices: whom this user trusts, and what each may ask for.

use std::collections::BTreeMap;

use interleaf_text::{collapse_whitespace, strip_invisible, truncate};

use super::trust::Trust;
use crate::clock::Millis;
use crate::error::{Error, Result};
use crate::memory::record::{Author, Memory};
use crate::memory::replica_entry::{EntryKind, Live};
use crate::memory::store::Transaction;
use crate::memory::write_rules::{MAX_NAME_CHARS, PRIVATE_TAG, normalize_tag};
use crate::memory::{Memories, memory_id};

/// Number of memories whose origin is computed again in one transaction. Hooks wait meanwhile.
const BATCH_MEMORIES: usize = 200;

/// Number of memories, by author.
pub type AuthorCounts = Vec<(Author, u64)>;

impl Memories {
    /// Returns the known authors, and since when this user trusts each.
    ///
    /// # Errors
    /// `unavailable` if the store cannot be read.
    pub fn authors(&self) -> Result<Vec<(Author, Option<Millis>)>> {
        self.store.authors()
    }

    /// Returns the author of a memory, if it was first written on another device.
    ///
    /// # Errors
    /// `unavailable` if the store cannot be read.
    pub fn foreign_author(&self, id: &str) -> Result<Option<Author>> {
        let author = match self.store.entry(id)?.map(|entry| entry.kind) {
            Some(EntryKind::Live(live)) => live.author,
            _ => return Ok(None),
        };
        let own = self.store.device()?;
        Ok(Some(author).filter(|author| Some(&author.device) != own.as_ref()))
    }

    /// Returns the author of each change of a memory, in the order of its history; `None` of a change that
    /// was made on this device, or before authors were recorded.
    ///
    /// # Errors
    /// `unavailable` if the store cannot be read.
    pub fn change_authors(&self, memory: &Memory) -> Result<Vec<Option<Author>>> {
        let (own, known) = (self.store.device()?, self.authors()?);
        // The name under which the device is known now, as `memory trust` lists it.
        let current = |stated: &Author| {
            let mut authors = known.iter().map(|(author, _)| author);
            let named = authors.find(|author| author.device == stated.device && !author.name.is_empty());
            named.unwrap_or(stated).clone()
        };
        let authors = memory.changes.iter().map(|change| change.author.as_ref());
        let is_foreign = |author: &&Author| Some(&author.device) != own.as_ref();
        Ok(authors.map(|author| author.filter(is_foreign).map(current)).collect())
    }

    /// Returns the id of this store as a device.
    ///
    /// # Errors
    /// `unavailable` if the store cannot be read or written.
    pub fn device(&self) -> Result<String> {
        match self.store.device()? {
            Some(device) => Ok(device),
            // There is no database yet.
            None => self.write(|tx| tx.device()),
        }
    }

    /// Sets the name under which others see the memories of this device.
    ///
    /// # Errors
    /// `unavailable` if the store cannot be written.
    pub fn set_own_name(&self, name: &str) -> Result<()> {
        let name = self.clean_name(name);
        self.write(|tx| tx.write_author(&Author { device: tx.device()?, name }))
    }

    /// Returns a name on one line, without secrets and not too long to be shown.
    pub(super) fn clean_name(&self, name: &str) -> String {
        let line = collapse_whitespace(&strip_invisible(name));
        truncate(&self.redactor.redact(&line), MAX_NAME_CHARS).into_owned()
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
    /// As [`update`](Self::update); `denied` if it was written on another device.
    pub fn set_private(&self, id: &str, is_private: bool) -> Result<Memory> {
        if let Some(author) = self.foreign_author(&self.get(id)?.id)?.filter(|_| is_private) {
            let Author { name, device } = author;
            let author = if name.is_empty() { format!("device {device}") } else { name };
            return Err(Error::denied(format!("{author} wrote it, so it cannot be kept private here"))
                .hint(format!("to withdraw it: interleaf forget {id}")));
        }
        let now = self.clock.now();
        self.amend(id, |mut memory| {
            // Where it had gone, it was retired, which this has to overrule.
            memory.status_since = now;
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
    pub fn untrusted_counts(&self) -> Result<AuthorCounts> {
        let known = self.authors()?;
        let is_trusted =
            |device: &str| known.iter().any(|(author, since)| author.device == device && since.is_some());
        let counts = self.store.foreign_counts()?.into_iter();
        Ok(counts.filter(|(author, _)| !is_trusted(&author.device)).collect())
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

/// Adds the numbers of each author.
pub fn summed(counts: AuthorCounts, more: AuthorCounts) -> AuthorCounts {
    let mut sums: BTreeMap<String, (Author, u64)> = BTreeMap::new();
    for (author, count) in counts.into_iter().chain(more) {
        sums.entry(author.device.clone()).or_insert((author, 0)).1 += count;
    }
    sums.into_values().collect()
}
