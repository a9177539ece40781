//! What a store gives to replicas and takes from them.
//!
//! Every entry that comes in passes the write rules. One that breaks a rule is refused and handed back, so
//! that nothing is lost. The words of devices that this user does not trust have the origin *shared*.

use super::authors::{AuthorCounts, summed};
use super::trust::Trust;
use crate::error::{Error, ErrorKind, Result};
use crate::memory::record::{Author, Memory, Origin, Status};
use crate::memory::replica_entry::{Entry, EntryKind, Live, LoggedEntry, STATUS, Stamp};
use crate::memory::store::Transaction;
use crate::memory::write_rules::{self, PRIVATE_TAG};
use crate::memory::{Memories, is_tentative, memory_id};

/// Number of entries that are applied in one transaction. Hooks wait meanwhile.
pub(super) const BATCH_ENTRIES: usize = 100;

/// What came of entries that came in.
#[derive(Debug, Default)]
pub struct AppliedEntries {
    /// Titles of memories that are new here.
    pub added: Vec<String>,
    /// Titles of memories that were changed.
    pub changed: Vec<String>,
    /// Titles of memories that were retired.
    pub retired: Vec<String>,
    /// Number of memories that were deleted for good.
    pub purged: usize,
    /// Entries that break a rule of this store, with the rule.
    pub refused: Vec<(Entry, Error)>,
    /// Entries that were taken, or said nothing new: what was refused earlier under their ids is void.
    pub taken: Vec<String>,
    /// Of a preview: the authors of whom more memories would be quoted, with their number.
    pub quoted: AuthorCounts,
}

/// What became of one entry.
pub(super) enum Effect {
    Nothing,
    Added(String),
    Changed(String),
    Retired(String),
    Purged,
}

impl Memories {
    /// Returns the entries of the change log after a number, in order.
    ///
    /// # Errors
    /// `unavailable` if the store cannot be read.
    pub fn entries_since(&self, number: i64, limit: usize) -> Result<Vec<LoggedEntry>> {
        self.store.entries_since(number, limit)
    }

    /// Returns the entries of these memories, as far as the store knows them.
    ///
    /// # Errors
    /// `unavailable` if the store cannot be read.
    pub fn entries_of(&self, ids: &[String]) -> Result<Vec<Entry>> {
        ids.iter().filter_map(|id| self.store.entry(id).transpose()).collect()
    }

    /// Applies entries of a replica. Entries that say nothing new change nothing, so it can be repeated.
    ///
    /// # Errors
    /// `unavailable` if the store cannot be written. What was applied stays.
    pub fn apply_entries(&self, entries: Vec<Entry>) -> Result<AppliedEntries> {
        let mut applied = AppliedEntries::default();
        for batch in entries.chunks(BATCH_ENTRIES) {
            let apply = |tx: &dyn Transaction| batch.iter().map(|entry| self.apply_one(tx, entry)).collect();
            let effects: Vec<Result<Effect>> = self.write(apply)?;
            for (entry, effect) in batch.iter().zip(effects) {
                applied.add(entry, effect);
            }
        }
        Ok(applied)
    }

    /// Applies one entry. What is refused before anything is written is no error of the transaction.
    pub(super) fn apply_one(&self, tx: &dyn Transaction, entry: &Entry) -> Result<Result<Effect>> {
        match self.prepare(tx, entry) {
            Ok(Some(change)) => change.write(tx).map(Ok),
            Ok(None) => Ok(Ok(Effect::Nothing)),
            Err(error) if error.kind == ErrorKind::Unavailable => Err(error),
            Err(refused) => Ok(Err(refused)),
        }
    }

    /// Returns the change that an entry makes, if any.
    fn prepare(&self, tx: &dyn Transaction, entry: &Entry) -> Result<Option<Change>> {
        if !memory_id::is_id(&entry.id) {
            return Err(Error::invalid(format!("`{}` is not the id of a memory", entry.id.escape_debug())));
        }
        self.authors_of(entry).iter().try_for_each(|author| tx.know_author(author))?;
        let trust = Trust::read(tx)?;
        let known = tx.entry(&entry.id)?;
        trust.check(entry, known.as_ref())?;
        let merged = match &known {
            Some(known) => known.merge(entry)?,
            None => entry.clone(),
        };
        if known.as_ref() == Some(&merged) {
            return Ok(None);
        }
        let known = match known.map(|known| known.kind) {
            Some(EntryKind::Live(live)) => Some(live),
            _ => None,
        };
        let kind = match (merged.kind, known) {
            (EntryKind::Purged(stamp), known) => {
                Kind::Purge { version: known.map(|known| known.memory.version), stamp }
            }
            (EntryKind::Live(live), known) => match self.checked(&trust, *live, known.as_deref())? {
                Some(kind) => kind,
                None => return Ok(None),
            },
            (EntryKind::Retired(stamp), Some(known)) => match retired(&known, &stamp) {
                Some(live) => put(&trust, live, Some(&known)),
                None => return Ok(None),
            },
            (EntryKind::Retired(stamp), None) => Kind::End(stamp),
        };
        Ok(Some(Change { id: entry.id.clone(), latest: entry.latest().clone(), kind }))
    }

    /// Returns the devices that wrote an entry, with their names as far as its history states them.
    fn authors_of(&self, entry: &Entry) -> Vec<Author> {
        let changes = match &entry.kind {
            EntryKind::Live(live) => live.memory.changes.as_slice(),
            _ => &[],
        };
        let stated = |device: &str| {
            let mut authors = changes.iter().rev().filter_map(|change| change.author.as_ref());
            authors.find(|author| author.device == device).map(|author| self.clean_name(&author.name))
        };
        let author =
            |device: &str| Author { device: device.to_owned(), name: stated(device).unwrap_or_default() };
        entry.devices().into_iter().map(author).collect()
    }

    /// Checks a merged memory against the write rules. Returns `None` if it then says nothing new.
    fn checked(&self, trust: &Trust, live: Live, known: Option<&Live>) -> Result<Option<Kind>> {
        let mut memory = live.memory;
        write_rules::sanitize_import(&mut memory, &self.redactor);
        let memory = match known {
            None => write_rules::validate(memory, &self.redactor)?,
            Some(known) => write_rules::validate_change(&known.memory, memory, &self.redactor)?,
        };
        let author = Author { name: self.clean_name(&live.author.name), ..live.author };
        let live = Live { memory, author, ..live };
        Ok((known != Some(&live)).then(|| put(trust, live, known)))
    }
}

/// Returns a memory that was retired elsewhere. One that its user keeps private stays.
fn retired(known: &Live, stamp: &Stamp) -> Option<Live> {
    if known.memory.status != Status::Active || is_private(&known.memory) {
        return None;
    }
    let mut live = known.clone();
    live.memory.status = Status::Retired;
    live.memory.status_since = stamp.millis;
    live.memory.status_reason = Some("it was retired on another device".to_owned());
    live.stamps.fields.insert(STATUS.to_owned(), stamp.clone());
    Some(live)
}

/// Tells whether a memory stays in the store of its user.
pub fn is_private(memory: &Memory) -> bool {
    memory.tags.iter().any(|tag| write_rules::normalize_tag(tag) == PRIVATE_TAG)
}

/// Tells whether a memory goes to replicas: it is in use, certain and not private.
pub fn may_travel(memory: &Memory) -> bool {
    memory.status == Status::Active && !is_tentative(memory) && !is_private(memory)
}

/// Returns the write of a memory, with the origin that it has here.
fn put(trust: &Trust, live: Live, known: Option<&Live>) -> Kind {
    let (stated, origin) = (live.memory.origin, trust.origin_of(&live));
    let expected = known.map(|known| known.memory.version);
    let version = expected.unwrap_or_default() + 1;
    let was_active = known.is_some_and(|known| known.memory.status == Status::Active);
    let is_retired = was_active && live.memory.status != Status::Active;
    let live = Live { memory: Memory { version, origin, ..live.memory }, ..live };
    Kind::Put { live: Box::new(live), stated, expected, is_retired }
}

/// A change that an entry makes.
struct Change {
    id: String,
    /// The latest time of the entry.
    latest: Stamp,
    kind: Kind,
}

enum Kind {
    Put { live: Box<Live>, stated: Origin, expected: Option<u64>, is_retired: bool },
    End(Stamp),
    Purge { version: Option<u64>, stamp: Stamp },
}

impl Change {
    fn write(self, tx: &dyn Transaction) -> Result<Effect> {
        tx.observe(&self.latest)?;
        match self.kind {
            Kind::Put { live, stated, expected, is_retired } => {
                tx.put_merged(&live, stated, expected)?;
                let title = live.memory.title.clone();
                Ok(match expected {
                    _ if is_retired => Effect::Retired(title),
                    None => Effect::Added(title),
                    Some(_) => Effect::Changed(title),
                })
            }
            Kind::End(stamp) => tx.put_end(&self.id, None, &stamp, false).map(|()| Effect::Nothing),
            Kind::Purge { version, stamp } => {
                tx.put_end(&self.id, version, &stamp, true)?;
                Ok(if version.is_some() { Effect::Purged } else { Effect::Nothing })
            }
        }
    }
}

impl AppliedEntries {
    pub(super) fn add(&mut self, entry: &Entry, effect: Result<Effect>) {
        match effect {
            Ok(effect) => {
                self.taken.push(entry.id.clone());
                match effect {
                    Effect::Nothing => {}
                    Effect::Added(title) => self.added.push(title),
                    Effect::Changed(title) => self.changed.push(title),
                    Effect::Retired(title) => self.retired.push(title),
                    Effect::Purged => self.purged += 1,
                }
            }
            Err(error) => self.refused.push((entry.clone(), error)),
        }
    }

    /// Adds what came of more entries.
    pub fn extend(&mut self, more: Self) {
        self.added.extend(more.added);
        self.changed.extend(more.changed);
        self.retired.extend(more.retired);
        self.purged += more.purged;
        self.refused.extend(more.refused);
        self.taken.extend(more.taken);
        self.quoted = summed(std::mem::take(&mut self.quoted), more.quoted);
    }

    /// Tells whether nothing came in.
    pub fn is_empty(&self) -> bool {
        let titles = [&self.added, &self.changed, &self.retired];
        titles.iter().all(|titles| titles.is_empty()) && self.purged == 0 && self.refused.is_empty()
    }
}
