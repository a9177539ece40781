//! Import and export of memories as a JSON list or JSON Lines. An import accepts this program's own exports
//! and any list of objects such as `{"text": …}`.
//!
//! An import is untrusted: the origin that an entry claims is replaced by *imported*, so it is shown with
//! that origin and may not carry privileged tags. The exception is an import that a person at a terminal
//! declares to be their own.

#[cfg(test)]
#[path = "import_export_tests.rs"]
mod tests;

mod entry_stream;
mod imported_entry;

use std::io::{Read, Write};
use std::thread;
use std::time::Duration;

use serde::Deserialize as _;
use serde_json::Value;

use self::entry_stream::no_memory;
use self::imported_entry::Entry;
use super::draft::Draft;
use super::near_duplicate::has_same_words;
use super::record::Memory;
use super::store::Transaction;
use super::write_rules::{self, may_carry};
use super::{Memories, WriteOutcome, WriteResult};
use crate::error::{Error, ErrorKind, Result};

/// Number of entries that are written in one transaction: some 60 ms, during which hooks wait.
const BATCH_ENTRIES: usize = 200;

/// Time after each transaction in which hooks that wait for the database get it.
const PAUSE: Duration = Duration::from_millis(2);

/// Maximum number of tags that are taken over: a memory has room for some that its user adds.
const MAX_TAGS: usize = 10;

/// Maximum number of characters of a tag: a heading can be a whole sentence.
const MAX_TAG_CHARS: usize = 40;

/// Trust in an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportTrust {
    /// Every entry gets the origin *imported*.
    Untrusted,
    /// A person at a terminal declares the entries to be their own: the entries keep their stated origins.
    Own,
}

/// What happens to an entry that says nearly the same as a memory, in other words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NearDuplicates {
    /// It is refused, with the memory's id: it may say something else.
    Refused,
    /// It is written beside the memory.
    Written,
}

/// The result of an import.
#[derive(Debug, Default)]
pub struct ImportReport {
    /// Number of entries that were written.
    pub written: u64,
    /// Number of entries that exist already, by id or in the same words.
    pub duplicates: u64,
    /// Number of entries that lost tags which an imported memory cannot carry.
    pub untagged: u64,
    /// Number of memories that were retired to make room.
    pub evicted: u64,
    /// Entries that were refused, by line or by position in the list, counted from 1.
    pub refused: Vec<(usize, Error)>,
    /// Why the import ended before the end of the input: `invalid` if the list is not valid JSON,
    /// `unavailable` if the input cannot be read or the store cannot be written.
    pub stopped_by: Option<Error>,
}

/// Returns tags that an import can take over, the first ones first.
pub fn fitting_tags(tags: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut fitting: Vec<String> = Vec::new();
    for tag in tags {
        let tag: String = tag.trim().chars().take(MAX_TAG_CHARS).collect();
        if !tag.is_empty() && !fitting.contains(&tag) && fitting.len() < MAX_TAGS {
            fitting.push(tag);
        }
    }
    fitting
}

impl Memories {
    /// Writes every entry of a JSON list or of JSON Lines. Times and categories are kept, and so are ids of
    /// the characters `a-z`, `0-9`, `_` and `-`; an entry with another id gets a new one, which its links and
    /// its history follow. Entries that cannot be written are reported, and the import continues. If it
    /// cannot go on, the report says why; what was written stays.
    pub fn import(
        &self,
        input: impl Read,
        trust: ImportTrust,
        near_duplicates: NearDuplicates,
    ) -> ImportReport {
        let (waiting, report) = (Vec::new(), ImportReport::default());
        let mut import = Import { memories: self, trust, near_duplicates, waiting, report };
        let read = entry_stream::for_each(input, &mut |position, entry| import.add(position, entry));
        // What was read before an error of the input is written.
        let written = import.write_waiting();
        let mut report = import.report;
        report.stopped_by = read.and(written).err();
        report.refused.sort_by_key(|(position, _)| *position);
        report
    }

    /// Writes every memory of any status as one line of JSON, and returns their number.
    ///
    /// # Errors
    /// `unavailable` if the store cannot be read or the output cannot be written.
    pub fn export(&self, mut output: impl Write) -> Result<u64> {
        let mut written = 0;
        self.store.for_each(&mut |memory| {
            let line = serde_json::to_string(&memory).map_err(unwritable)?;
            written += 1;
            writeln!(output, "{line}").map_err(unwritable)
        })?;
        output.flush().map_err(unwritable)?;
        Ok(written)
    }
}

/// An import while it runs.
struct Import<'a> {
    memories: &'a Memories,
    trust: ImportTrust,
    near_duplicates: NearDuplicates,
    waiting: Vec<Prepared>,
    report: ImportReport,
}

/// An entry that is ready to be written.
struct Prepared {
    position: usize,
    /// The id that the entry states.
    id: Option<String>,
    memory: Result<Memory>,
    is_untagged: bool,
}

impl Import<'_> {
    /// Adds an entry, and writes a full batch.
    fn add(&mut self, position: usize, entry: Result<Value>) -> Result<()> {
        match entry.and_then(|value| Entry::deserialize(value).map_err(no_memory)) {
            Ok(entry) => self.waiting.push(self.prepare(position, entry.with_valid_ids())),
            Err(error) => self.report.refused.push((position, error)),
        }
        if self.waiting.len() < BATCH_ENTRIES {
            return Ok(());
        }
        self.write_waiting()?;
        thread::sleep(PAUSE);
        Ok(())
    }

    /// Does all that needs no database, which hooks want meanwhile.
    fn prepare(&self, position: usize, entry: Entry) -> Prepared {
        let id = entry.id.clone();
        let mut is_untagged = false;
        let memory = entry.draft(self.trust).and_then(|mut draft| {
            is_untagged = remove_privileged_tags(&mut draft);
            let memory = self.memories.memory_from_draft(draft, "imported")?;
            let mut memory = entry.restore_lifecycle(self.trust, memory);
            write_rules::sanitize_import(&mut memory, &self.memories.redactor);
            write_rules::validate(memory, &self.memories.redactor)
        });
        Prepared { position, id, memory, is_untagged }
    }

    /// Writes the waiting entries in one transaction, or each in its own if one of them cannot be written.
    /// Only an unavailable store is an error.
    fn write_waiting(&mut self) -> Result<()> {
        let batch = std::mem::take(&mut self.waiting);
        if batch.is_empty() {
            return Ok(());
        }
        let together = self
            .memories
            .write(|tx| batch.iter().map(|entry| self.write_entry(tx, entry)).collect::<Result<Vec<_>>>());
        let written = match together {
            Ok(written) => written,
            Err(error) if error.kind == ErrorKind::Unavailable => return Err(error),
            Err(_) => batch.iter().map(|entry| self.write_alone(entry)).collect::<Result<_>>()?,
        };
        for (entry, written) in batch.iter().zip(written) {
            self.report.add(entry.position, entry.is_untagged, written);
        }
        Ok(())
    }

    fn write_alone(&self, entry: &Prepared) -> Result<Result<WriteResult>> {
        match self.memories.write(|tx| self.write_entry(tx, entry)) {
            Err(error) if error.kind != ErrorKind::Unavailable => Ok(Err(error)),
            written => written,
        }
    }

    /// Writes one entry. An entry that is refused before anything is written is no error here.
    fn write_entry(&self, tx: &dyn Transaction, prepared: &Prepared) -> Result<Result<WriteResult>> {
        if let Some(id) = &prepared.id
            && tx.get(id)?.is_some()
        {
            let known = WriteResult { id: id.clone(), outcome: WriteOutcome::Duplicate, evicted: Vec::new() };
            return Ok(Ok(known));
        }
        match &prepared.memory {
            Ok(memory) => self.write_memory(tx, memory),
            Err(refused) => Ok(Err(refused.clone())),
        }
    }

    fn write_memory(&self, tx: &dyn Transaction, memory: &Memory) -> Result<Result<WriteResult>> {
        let written = self.memories.insert_unless_duplicate(tx, memory.clone())?;
        let known = match written.outcome {
            WriteOutcome::Duplicate => tx.get(&written.id)?,
            _ => None,
        };
        match known.filter(|known| !has_same_words(&known.text, &memory.text)) {
            None => Ok(Ok(written)),
            Some(_) if self.near_duplicates == NearDuplicates::Written => {
                self.memories.insert(tx, memory.clone()).map(Ok)
            }
            Some(known) => Ok(Err(says_nearly_the_same(&known))),
        }
    }
}

/// Returns the error of a text that is kept out because a memory says nearly the same.
pub fn says_nearly_the_same(known: &Memory) -> Error {
    let Memory { id, title, version, .. } = known;
    Error::conflict(format!("not saved: memory {id} says nearly the same: {title}")).hint(format!(
        "to save it beside that memory, add --force; to correct that memory, run \
         interleaf memory update {id} --version {version} --reason WHY --text TEXT"
    ))
}

impl ImportReport {
    fn add(&mut self, position: usize, is_untagged: bool, written: Result<WriteResult>) {
        match written {
            Ok(WriteResult { outcome: WriteOutcome::Duplicate, .. }) => self.duplicates += 1,
            Ok(written) => {
                self.written += 1;
                self.untagged += u64::from(is_untagged);
                self.evicted += written.evicted.len() as u64;
            }
            Err(error) => self.refused.push((position, error)),
        }
    }
}

fn remove_privileged_tags(draft: &mut Draft) -> bool {
    let before = draft.tags.len();
    let origin = draft.origin;
    draft.tags.retain(|tag| may_carry(origin, tag));
    draft.tags.len() < before
}

fn unwritable(error: impl std::fmt::Display) -> Error {
    Error::unavailable(format!("cannot write the output: {error}"))
}
