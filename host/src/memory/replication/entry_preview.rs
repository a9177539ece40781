//! What applying entries would do, also to the number of memories that are quoted.

use std::collections::{BTreeMap, BTreeSet};

use super::apply::{AppliedEntries, BATCH_ENTRIES};
use super::trust::Trust;
use crate::error::{Error, Result};
use crate::memory::Memories;
use crate::memory::record::{Origin, Status};
use crate::memory::replica_entry::{Entry, EntryKind};
use crate::memory::store::Transaction;

impl Memories {
    /// Returns what applying these entries would do, and changes nothing.
    ///
    /// # Errors
    /// As for [`Memories::apply_entries`].
    pub fn preview_entries(&self, entries: &[Entry]) -> Result<AppliedEntries> {
        let mut applied = AppliedEntries::default();
        for batch in entries.chunks(BATCH_ENTRIES) {
            applied.extend(self.preview_batch(batch)?);
        }
        Ok(applied)
    }

    fn preview_batch(&self, batch: &[Entry]) -> Result<AppliedEntries> {
        let mut previewed = None;
        let undone = self.store.write(&mut |tx| {
            previewed = Some(self.applied_in(tx, batch)?);
            // The error undoes the transaction.
            Err(Error::conflict("only a preview"))
        });
        previewed.map_or_else(|| undone.map(|()| AppliedEntries::default()), Ok)
    }

    fn applied_in(&self, tx: &dyn Transaction, batch: &[Entry]) -> Result<AppliedEntries> {
        let (mut applied, mut quoted) = (AppliedEntries::default(), BTreeMap::new());
        let trust = Trust::read(tx)?;
        for entry in batch {
            let before = quoted_authors(tx, &trust, &entry.id)?;
            applied.add(entry, self.apply_one(tx, entry)?);
            for device in quoted_authors(tx, &trust, &entry.id)?.difference(&before) {
                *quoted.entry(device.clone()).or_insert(0) += 1;
            }
        }
        let authors = tx.authors()?.into_iter().map(|(author, _)| author);
        applied.quoted = authors
            .filter_map(|author| Some((quoted.get(&author.device).copied()?, author)))
            .map(|(count, author)| (author, count))
            .collect();
        Ok(applied)
    }
}

/// Returns the devices for whose words a memory is quoted; none if it is not.
fn quoted_authors(tx: &dyn Transaction, trust: &Trust, id: &str) -> Result<BTreeSet<String>> {
    let memory = tx.get(id)?;
    let is_quoted =
        memory.is_some_and(|memory| memory.origin == Origin::Shared && memory.status == Status::Active);
    let Some(Entry { kind: EntryKind::Live(live), .. }) = tx.entry(id)?.filter(|_| is_quoted) else {
        return Ok(BTreeSet::new());
    };
    let devices = live.stamps.fields.values().map(|stamp| &stamp.device).chain([&live.author.device]);
    Ok(devices.filter(|device| !trust.includes(device)).cloned().collect())
}
