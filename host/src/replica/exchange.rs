//! An exchange with a replica: what is new there is applied to the store, and what is new in the store is
//! written there. It can break off at any point and be repeated.

use std::collections::{BTreeMap, BTreeSet};
use std::thread;
use std::time::Duration;

use super::{OutgoingChange, Replica, Written, travels};
use crate::error::{Error, ErrorKind, Result};
use crate::memory::{AppliedEntries, Author, Entry, EntryKind, Memories, Status};
use crate::state::ReplicaRecords;

/// Number of attempts if others change the replica at the same time.
const MAX_ATTEMPTS: u32 = 10;

/// The wait before the next attempt, times the number of the attempt, so that two devices do not stay in
/// step.
const RETRY_WAIT: Duration = Duration::from_millis(40);

/// An exchange between a store and a replica.
pub struct Exchange<'a> {
    /// The store.
    pub memories: &'a Memories,
    /// What is recorded of replicas.
    pub records: &'a ReplicaRecords,
    /// The replica.
    pub replica: &'a mut dyn Replica,
    /// Is told how far the exchange is.
    pub on_progress: &'a dyn Fn(Progress),
}

/// How far an exchange is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    /// Number of entries that were read.
    pub received: usize,
    /// Number of entries that were offered to the replica.
    pub offered: usize,
}

/// What an exchange did, or would do.
#[derive(Debug, Default)]
pub struct ExchangeReport {
    /// What came in.
    pub applied: AppliedEntries,
    /// What went out.
    pub sent: Vec<OutgoingChange>,
    /// What this user may not change there, by the id of the memory.
    pub withheld: BTreeMap<String, OutgoingChange>,
    /// Number of active memories that stay, because they are tentative or private.
    pub kept: usize,
    /// What could not be read in the replica: where it stands, and why.
    pub unreadable: Vec<(String, String)>,
    progress: Progress,
}

impl ExchangeReport {
    /// Adds what came of entries that were offered.
    pub(super) fn add_offered(&mut self, offered: &[Entry], written: &Written) {
        let mut known: BTreeSet<String> = self.sent.iter().map(|change| change.id.clone()).collect();
        let new = written.sent.iter().filter(|change| known.insert(change.id.clone()));
        self.sent.extend(new.cloned());
        offered.iter().for_each(|entry| drop(self.withheld.remove(&entry.id)));
        self.withheld.extend(written.withheld.iter().map(|change| (change.id.clone(), change.clone())));
        self.kept += offered.iter().filter(|entry| stays(entry)).count();
    }
}

/// Tells whether an entry is of an active memory that does not travel.
fn stays(entry: &Entry) -> bool {
    matches!(&entry.kind, EntryKind::Live(live) if live.memory.status == Status::Active) && !travels(entry)
}

impl Exchange<'_> {
    /// Exchanges everything that is new on both sides.
    ///
    /// # Errors
    /// `Unavailable` if the replica or the store cannot be reached; `Conflict` if others changed the replica
    /// during every attempt. What was applied and sent before stays, and the next exchange goes on.
    pub fn run(&mut self) -> Result<ExchangeReport> {
        let place = self.replica.place().to_owned();
        match self.attempts() {
            Ok(report) => {
                self.records.succeeded(&place)?;
                Ok(report)
            }
            Err(error) => {
                self.records.failed(&place, &error.to_string())?;
                Err(error)
            }
        }
    }

    fn attempts(&mut self) -> Result<ExchangeReport> {
        let (mut report, mut last) = (ExchangeReport::default(), None);
        for attempt in 1..=MAX_ATTEMPTS {
            self.take(&mut report)?;
            match self.send(&mut report) {
                Err(error) if error.kind == ErrorKind::Conflict => last = Some(error),
                sent => return sent.map(|()| report),
            }
            thread::sleep(RETRY_WAIT * attempt);
        }
        let last = last.map(|error| format!("; the last time: {}", error.message)).unwrap_or_default();
        let place = self.replica.place();
        Err(Error::conflict(format!("{place} was changed by others during every attempt{last}"))
            .hint("run interleaf sync again"))
    }

    /// Applies what is new in the replica.
    fn take(&mut self, report: &mut ExchangeReport) -> Result<()> {
        report.unreadable.clear();
        while self.take_page(report)? {}
        Ok(())
    }

    /// Applies a part of what is new in the replica. Tells whether there is more.
    fn take_page(&mut self, report: &mut ExchangeReport) -> Result<bool> {
        let place = self.replica.place().to_owned();
        let state = self.records.get(&place)?.state;
        let incoming = self.replica.read(&state)?;
        if incoming.wants_all {
            self.records.set_sent(&place, 0)?;
        }
        // Nobody needs to trust an author who has written nothing.
        let has_written =
            |author: &Author| incoming.entries.iter().any(|entry| entry.devices().contains(&&*author.device));
        if let Some(author) = self.replica.author().filter(has_written) {
            self.memories.add_author(&author)?;
        }
        report.progress.received += incoming.entries.len();
        (self.on_progress)(report.progress);
        // What was refused may be taken now: an author is trusted, or a rule has changed.
        let mut entries = self.refused_before(&place)?;
        entries.extend(incoming.entries);
        let mut applied = self.memories.apply_entries(united(entries)?)?;
        self.records.set_refused(&place, &std::mem::take(&mut applied.taken), &refused(&applied)?)?;
        self.records.set_state(&place, &incoming.state)?;
        // Each attempt tries again what was refused.
        report.applied.refused.clear();
        report.applied.extend(applied);
        report.unreadable.extend(incoming.unreadable);
        Ok(incoming.has_more)
    }

    /// Returns what was refused earlier, to try it again.
    pub(super) fn refused_before(&self, place: &str) -> Result<Vec<Entry>> {
        let texts = self.records.refused_entries(place)?;
        let values = texts.iter().filter_map(|text| serde_json::from_str(text).ok());
        Ok(values.filter_map(|value| Entry::from_json(value).ok()).collect())
    }

    /// Writes what is new in the store.
    fn send(&mut self, report: &mut ExchangeReport) -> Result<()> {
        self.offer_withheld(report)?;
        while self.send_page(report)? {}
        Ok(())
    }

    /// Offers again what was withheld: the account may have more rights, or somebody has made the change.
    fn offer_withheld(&mut self, report: &mut ExchangeReport) -> Result<()> {
        let withheld = self.records.withheld(self.replica.place())?;
        for ids in withheld.chunks(self.replica.page()) {
            let entries = self.memories.entries_of(ids)?;
            let written = self.offer(&entries, report)?;
            self.record_withheld(ids, &written)?;
        }
        Ok(())
    }

    /// Writes a part of what is new in the store. Tells whether there is more.
    fn send_page(&mut self, report: &mut ExchangeReport) -> Result<bool> {
        let (place, page) = (self.replica.place().to_owned(), self.replica.page());
        let sent = self.records.get(&place)?.sent;
        let logged = self.memories.entries_since(sent, page)?;
        let newest = logged.last().map_or(sent, |logged| logged.number);
        let has_more = logged.len() == page;
        let entries: Vec<Entry> = logged.into_iter().map(|logged| logged.entry).collect();
        let written = self.offer(&entries, report)?;
        let ids: Vec<String> = entries.into_iter().map(|entry| entry.id).collect();
        self.record_withheld(&ids, &written)?;
        self.records.set_sent(&place, newest)?;
        Ok(has_more)
    }

    fn offer(&mut self, entries: &[Entry], report: &mut ExchangeReport) -> Result<Written> {
        let written = self.replica.write(entries)?;
        report.progress.offered += entries.len();
        (self.on_progress)(report.progress);
        if let Some(state) = &written.state {
            self.records.set_state(self.replica.place(), state)?;
        }
        report.add_offered(entries, &written);
        Ok(written)
    }

    /// Records which of the offered memories are withheld, and that the others no longer are.
    fn record_withheld(&self, offered: &[String], written: &Written) -> Result<()> {
        let withheld: BTreeSet<String> = written.withheld.iter().map(|change| change.id.clone()).collect();
        let known: BTreeSet<String> = self.records.withheld(self.replica.place())?.into_iter().collect();
        let is_settled = |id: &&String| known.contains(*id) && !withheld.contains(*id);
        let settled: Vec<String> = offered.iter().filter(is_settled).cloned().collect();
        let new: Vec<String> = withheld.difference(&known).cloned().collect();
        self.records.set_withheld(self.replica.place(), &settled, &new)
    }
}

/// Merges the entries of each memory, which may stand in several places.
pub(super) fn united(entries: Vec<Entry>) -> Result<Vec<Entry>> {
    let mut united: BTreeMap<String, Entry> = BTreeMap::new();
    for entry in entries {
        let merged = match united.remove(&entry.id) {
            Some(known) => known.merge(&entry)?,
            None => entry,
        };
        united.insert(merged.id.clone(), merged);
    }
    Ok(united.into_values().collect())
}

/// Returns the refused entries as they are recorded: id, entry and reason.
fn refused(applied: &AppliedEntries) -> Result<Vec<(String, String, String)>> {
    let record =
        |(entry, why): &(Entry, Error)| Ok((entry.id.clone(), entry.to_json()?.to_string(), why.to_string()));
    applied.refused.iter().map(record).collect()
}
