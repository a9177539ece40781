//! The replica on a Postgres server, read and written in pages, in the order in which entries were written.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Incoming, OutgoingChange, Replica, Written, as_others_see, travels};
use crate::error::{Error, Result};
use crate::memory::{Entry, EntryKind, Memory};
use crate::team_server::{EntryTable, Role, StoredEntry, TeamServer};

/// The number of entries that are read or written in one transaction.
const PAGE: usize = 1000;

/// The entries of a project on a server.
pub struct Postgres {
    table: EntryTable,
    place: String,
    state: State,
}

/// Where reading goes on: the number of the last entry that was read, and what the account could do then.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct State {
    number: i64,
    role: Option<Role>,
}

impl State {
    fn parse(text: &str) -> Self {
        let (number, role) = text.split_once(' ').unwrap_or((text, ""));
        Self { number: number.parse().unwrap_or_default(), role: Role::parse(role) }
    }

    fn to_text(self) -> String {
        format!("{} {}", self.number, self.role.map_or("", Role::as_str))
    }
}

impl Postgres {
    /// Returns the replica of a project.
    pub fn new(server: TeamServer, project: String) -> Self {
        let place = format!("{}, project {project}", server.name());
        Self { table: EntryTable::new(server, project), place, state: State::default() }
    }

    fn may_add(&self) -> bool {
        self.state.role != Some(Role::Read)
    }
}

impl Replica for Postgres {
    fn place(&self) -> &str {
        &self.place
    }

    fn page(&self) -> usize {
        PAGE
    }

    fn check(&mut self) -> Result<()> {
        self.table.page(0, 0).map(drop)
    }

    fn read(&mut self, state: &str) -> Result<Incoming> {
        let known = State::parse(state);
        let mut page = self.table.page(known.number, PAGE)?;
        // The server was restored from a backup, and what was written since is not there any more.
        let has_lost = page.newest < known.number;
        if has_lost {
            page = self.table.page(0, PAGE)?;
        }
        let may_write_more = known.role.is_some_and(|role| role != page.role);
        self.state = State { number: page.last, role: Some(page.role) };
        let mut incoming = Incoming {
            has_more: page.entries.len() == PAGE,
            wants_all: has_lost || may_write_more,
            state: self.state.to_text(),
            ..Incoming::default()
        };
        for stored in page.entries {
            match entry_of(&stored) {
                Ok(entry) => incoming.entries.push(entry),
                Err(error) => incoming.unreadable.push((format!("entry {}", stored.id), error.to_string())),
            }
        }
        Ok(incoming)
    }

    fn write(&mut self, entries: &[Entry]) -> Result<Written> {
        let (mut written, may_add) = (Written::default(), self.may_add());
        let merge = |known: Vec<StoredEntry>| merged(entries, known, may_add, &mut written);
        let (before, after) = self.table.change(&ids(entries), merge)?;
        // What this device has just written, it need not read again.
        if before == self.state.number && before != after {
            self.state.number = after;
            written.state = Some(self.state.to_text());
        }
        Ok(written)
    }

    fn preview(&mut self, entries: &[Entry]) -> Result<Written> {
        let mut written = Written::default();
        let known = self.table.known(&ids(entries))?;
        merged(entries, known, self.may_add(), &mut written)?;
        Ok(written)
    }
}

fn ids(entries: &[Entry]) -> Vec<String> {
    entries.iter().map(|entry| entry.id.clone()).collect()
}

/// Reads an entry, which must be about the memory under whose id it stands: the server checks who may write
/// there.
fn entry_of(stored: &StoredEntry) -> Result<Entry> {
    let entry = Entry::from_json(stored.body.clone())?;
    match entry.id == stored.id {
        true => Ok(entry),
        false => Err(Error::denied(format!("it is about another memory, {}", entry.id.escape_debug()))),
    }
}

/// Merges entries with what stands on the server, and returns what changes there.
fn merged(
    entries: &[Entry],
    known: Vec<StoredEntry>,
    may_add: bool,
    written: &mut Written,
) -> Result<Vec<(String, Value)>> {
    let known: BTreeMap<String, StoredEntry> =
        known.into_iter().map(|stored| (stored.id.clone(), stored)).collect();
    let mut changes = Vec::new();
    for entry in entries {
        let Some(stored) = known.get(&entry.id) else {
            match (travels(entry), may_add) {
                (true, true) => {
                    written.sent.push(OutgoingChange::of(entry));
                    changes.push((entry.id.clone(), entry.to_json()?));
                }
                (true, false) => written.withheld.push(OutgoingChange::of(entry)),
                (false, _) => {}
            }
            continue;
        };
        // What cannot be read stays as it is.
        let Ok(theirs) = entry_of(stored) else { continue };
        let merged = theirs.merge(&as_others_see(entry))?;
        if merged == theirs {
            continue;
        }
        if stored.is_mine_to_change {
            written.sent.push(OutgoingChange::of(entry));
            changes.push((entry.id.clone(), merged.to_json()?));
        } else if !differs_in_history_only(&theirs, &merged) {
            written.withheld.push(OutgoingChange::of(entry));
        }
    }
    Ok(changes)
}

/// Tells whether somebody else has made the same change, so that only the entry in the history is missing.
fn differs_in_history_only(theirs: &Entry, merged: &Entry) -> bool {
    let (EntryKind::Live(theirs), EntryKind::Live(merged)) = (&theirs.kind, &merged.kind) else {
        return false;
    };
    let history = (theirs.memory.changes.clone(), theirs.memory.updated_at);
    let memory = Memory { changes: history.0, updated_at: history.1, ..merged.memory.clone() };
    theirs.stamps == merged.stamps && theirs.memory == memory
}
