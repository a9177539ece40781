//! What an exchange would do. The replica is read, so that a preview knows what the exchange itself would
//! find: what stands there, what this user may do, and whether the place can be reached.

use std::collections::BTreeSet;

use super::exchange::united;
use super::{Exchange, ExchangeReport};
use crate::error::Result;
use crate::memory::Entry;

/// Number of entries that are read at once, so that they fit into memory.
const PREVIEWED_AT_ONCE: usize = 10_000;

impl Exchange<'_> {
    /// Returns what the next exchange would do, and changes nothing here or there.
    ///
    /// # Errors
    /// As for [`Exchange::run`].
    pub fn preview(&mut self) -> Result<ExchangeReport> {
        let mut report = ExchangeReport::default();
        let wants_all = self.preview_incoming(&mut report)?;
        self.preview_outgoing(wants_all, &mut report)?;
        Ok(report)
    }

    /// Adds what would come in. Tells whether the replica would have everything sent again.
    fn preview_incoming(&mut self, report: &mut ExchangeReport) -> Result<bool> {
        let place = self.replica.place().to_owned();
        let (mut state, mut wants_all) = (self.records.get(&place)?.state, false);
        let mut entries = self.refused_before(&place)?;
        loop {
            let incoming = self.replica.read(&state)?;
            wants_all |= incoming.wants_all;
            entries.extend(incoming.entries);
            report.unreadable.extend(incoming.unreadable);
            report.applied.extend(self.memories.preview_entries(&united(std::mem::take(&mut entries))?)?);
            if !incoming.has_more {
                return Ok(wants_all);
            }
            state = incoming.state;
        }
    }

    /// Adds what would go out, and what would be withheld.
    fn preview_outgoing(&mut self, wants_all: bool, report: &mut ExchangeReport) -> Result<()> {
        let place = self.replica.place().to_owned();
        let mut sent = if wants_all { 0 } else { self.records.get(&place)?.sent };
        let page = self.replica.page().min(PREVIEWED_AT_ONCE);
        let withheld = self.records.withheld(&place)?;
        for ids in withheld.chunks(page) {
            self.preview_offer(self.memories.entries_of(ids)?, report)?;
        }
        let is_offered: BTreeSet<String> = withheld.into_iter().collect();
        loop {
            let logged = self.memories.entries_since(sent, page)?;
            let Some(last) = logged.last() else { return Ok(()) };
            sent = last.number;
            let entries = logged.into_iter().map(|logged| logged.entry);
            self.preview_offer(entries.filter(|entry| !is_offered.contains(&entry.id)).collect(), report)?;
        }
    }

    fn preview_offer(&mut self, entries: Vec<Entry>, report: &mut ExchangeReport) -> Result<()> {
        let written = self.replica.preview(&entries)?;
        report.add_offered(&entries, &written);
        Ok(())
    }
}
