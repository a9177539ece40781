//! Memories in and out: a JSON list or JSON Lines, of this program's own export or of anybody's who can write
//! `{"text": …}`.
//!
//! An import is read as a stranger's: whatever it says of itself, its entries are *imported*, so they are
//! shown with that origin and lead nothing, unless a person at a terminal vouches for them.

mod entry;
#[cfg(test)]
mod tests;

use super::rules::{self, may_carry};
use super::{Draft, Memories, WriteOutcome, WriteResult};
use crate::error::{Error, ErrorKind, Result};
use entry::Entry;
use serde::Deserialize;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};

/// How much is read of an input, in bytes: 10,000 memories of the longest kind.
const MOST_BYTES: u64 = 256 * 1024 * 1024;

/// Whose words an import is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportTrust {
    /// Nobody vouches: every entry is *imported*.
    Untrusted,
    /// A person at a terminal says that the entries are this user's own: origins stay as they are written.
    Own,
}

/// What became of an import.
#[derive(Debug, Default)]
pub struct ImportReport {
    /// How many were written.
    pub written: u64,
    /// How many were here already, by id or by what they say.
    pub duplicates: u64,
    /// How many lost the tags that an imported memory cannot carry.
    pub untagged: u64,
    /// How many were retired to make room, of what was here or what came.
    pub evicted: u64,
    /// What could not be written and why, by line, or by place in the list; both count from 1.
    pub refused: Vec<(usize, Error)>,
}

impl Memories {
    /// Writes every entry of a JSON list or of JSON Lines. Ids, times and categories are kept. An entry
    /// that cannot be written is refused and the rest goes on.
    ///
    /// # Errors
    /// `invalid` where the list is no JSON, `unavailable` where the input cannot be read or the store not
    /// be written.
    pub fn import(&self, input: impl Read, trust: ImportTrust) -> Result<ImportReport> {
        let mut input = BufReader::new(input.take(MOST_BYTES));
        let mut imported = ImportReport::default();
        if starts_a_list(&mut input)? {
            let list: Vec<Value> = serde_json::from_reader(input).map_err(no_list)?;
            for (place, value) in list.into_iter().enumerate() {
                self.take(place + 1, Entry::deserialize(value), trust, &mut imported)?;
            }
        } else {
            for (place, line) in input.split(b'\n').enumerate() {
                let line = line.map_err(unreadable)?;
                if !line.trim_ascii().is_empty() {
                    self.take(place + 1, serde_json::from_slice(&line), trust, &mut imported)?;
                }
            }
        }
        Ok(imported)
    }

    /// Writes every memory, whatever its status, as one line of JSON.
    ///
    /// # Errors
    /// `unavailable` where the store cannot be read or the output not be written.
    pub fn export(&self, mut output: impl Write) -> Result<u64> {
        let mut written = 0;
        self.store.each(&mut |memory| {
            let line = serde_json::to_string(&memory).map_err(unwritable)?;
            written += 1;
            writeln!(output, "{line}").map_err(unwritable)
        })?;
        output.flush().map_err(unwritable)?;
        Ok(written)
    }

    /// Takes one entry in. Only an error of the store ends the import.
    fn take(
        &self,
        place: usize,
        entry: serde_json::Result<Entry>,
        trust: ImportTrust,
        imported: &mut ImportReport,
    ) -> Result<()> {
        let entry = entry.map_err(|error| Error::invalid(format!("this is no memory ({error})")));
        match entry.and_then(|entry| self.keep_entry(entry, trust)) {
            Ok((WriteResult { outcome: WriteOutcome::Duplicate, .. }, _)) => imported.duplicates += 1,
            Ok((written, untagged)) => {
                imported.written += 1;
                imported.untagged += u64::from(untagged);
                imported.evicted += written.evicted.len() as u64;
            }
            Err(error) if error.kind == ErrorKind::Unavailable => return Err(error),
            Err(error) => imported.refused.push((place, error)),
        }
        Ok(())
    }

    fn keep_entry(&self, entry: Entry, trust: ImportTrust) -> Result<(WriteResult, bool)> {
        let mut draft = entry.draft(trust)?;
        if let Some(id) = &draft.id
            && self.store.get(id)?.is_some()
        {
            let known = WriteResult { id: id.clone(), outcome: WriteOutcome::Duplicate, evicted: Vec::new() };
            return Ok((known, false));
        }
        let untagged = lose_leading_tags(&mut draft);
        let mut memory = entry.life(trust, self.drafted(draft, "imported")?);
        rules::tame_life(&mut memory, &self.redactor);
        Ok((self.keep(memory)?, untagged))
    }
}

fn lose_leading_tags(draft: &mut Draft) -> bool {
    let before = draft.tags.len();
    let origin = draft.origin;
    draft.tags.retain(|tag| may_carry(origin, tag));
    draft.tags.len() < before
}

/// Whether the first thing in the input, after spaces, is the bracket of a list.
fn starts_a_list(input: &mut impl BufRead) -> Result<bool> {
    loop {
        let seen = input.fill_buf().map_err(unreadable)?;
        let spaces = seen.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        match seen.get(spaces) {
            Some(byte) => return Ok(*byte == b'['),
            None if seen.is_empty() => return Ok(false),
            None => input.consume(spaces),
        }
    }
}

fn no_list(error: serde_json::Error) -> Error {
    Error::invalid(format!("the list cannot be read ({error})"))
        .hint("give a JSON list, or one JSON object a line")
}

fn unreadable(error: std::io::Error) -> Error {
    Error::unavailable(format!("the input cannot be read ({error})"))
}

fn unwritable(error: impl std::fmt::Display) -> Error {
    Error::unavailable(format!("the output cannot be written ({error})"))
}
