//! Import and export of memories as a JSON list or JSON Lines. An import accepts this program's own exports
//! and any list of objects such as `{"text": …}`.
//!
//! An import is untrusted: the origin that an entry claims is replaced by *imported*, so it is shown with
//! that origin and may not carry privileged tags. The exception is an import that a person at a terminal
//! declares to be their own.

#[cfg(test)]
#[path = "import_export_tests.rs"]
mod tests;

use super::category::Category;
use super::draft::Draft;
use super::record::{Change, Memory, Origin, Source, Status};
use super::write_rules::{self, may_carry};
use super::{Memories, WriteOutcome, WriteResult, memory_id};
use crate::clock::Millis;
use crate::error::{Error, ErrorKind, Result};
use serde::Deserialize;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};

/// Maximum size of an input, in bytes: 10,000 memories of maximum length.
const MAX_INPUT_BYTES: u64 = 256 * 1024 * 1024;

/// Trust in an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportTrust {
    /// Every entry gets the origin *imported*.
    Untrusted,
    /// A person at a terminal declares the entries to be their own: the entries keep their stated origins.
    Own,
}

/// The result of an import.
#[derive(Debug, Default)]
pub struct ImportReport {
    /// Number of entries that were written.
    pub written: u64,
    /// Number of entries that exist already, by id or by text.
    pub duplicates: u64,
    /// Number of entries that lost tags which an imported memory cannot carry.
    pub untagged: u64,
    /// Number of memories that were retired to make room.
    pub evicted: u64,
    /// Entries that were refused, by line or by position in the list, counted from 1.
    pub refused: Vec<(usize, Error)>,
}

impl Memories {
    /// Writes every entry of a JSON list or of JSON Lines. Times and categories are kept, and so are ids of
    /// the characters `a-z`, `0-9`, `_` and `-`; an entry with another id gets a new one, which its links and
    /// its history follow. Entries that cannot be written are reported, and the import continues.
    ///
    /// # Errors
    /// `invalid` if the list is not valid JSON, `unavailable` if the input cannot be read or the store
    /// cannot be written.
    pub fn import(&self, input: impl Read, trust: ImportTrust) -> Result<ImportReport> {
        let mut input = BufReader::new(input.take(MAX_INPUT_BYTES));
        let mut report = ImportReport::default();
        if is_list(&mut input)? {
            let list: Vec<Value> = serde_json::from_reader(input).map_err(invalid_list)?;
            for (index, value) in list.into_iter().enumerate() {
                self.import_entry(index + 1, Entry::deserialize(value), trust, &mut report)?;
            }
        } else {
            for (index, line) in input.split(b'\n').enumerate() {
                let line = line.map_err(unreadable)?;
                if !line.trim_ascii().is_empty() {
                    self.import_entry(index + 1, serde_json::from_slice(&line), trust, &mut report)?;
                }
            }
        }
        Ok(report)
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

    /// Imports one entry. Only an unavailable store ends the import.
    fn import_entry(
        &self,
        position: usize,
        entry: serde_json::Result<Entry>,
        trust: ImportTrust,
        report: &mut ImportReport,
    ) -> Result<()> {
        let entry = entry.map_err(|error| Error::invalid(format!("not a memory: {error}")));
        match entry.and_then(|entry| self.write_entry(entry, trust)) {
            Ok((WriteResult { outcome: WriteOutcome::Duplicate, .. }, _)) => report.duplicates += 1,
            Ok((written, untagged)) => {
                report.written += 1;
                report.untagged += u64::from(untagged);
                report.evicted += written.evicted.len() as u64;
            }
            Err(error) if error.kind == ErrorKind::Unavailable => return Err(error),
            Err(error) => report.refused.push((position, error)),
        }
        Ok(())
    }

    /// Writes one entry, and tells whether it lost tags.
    fn write_entry(&self, entry: Entry, trust: ImportTrust) -> Result<(WriteResult, bool)> {
        let entry = entry.with_valid_ids();
        let mut draft = entry.draft(trust)?;
        if let Some(id) = &draft.id
            && self.store.get(id)?.is_some()
        {
            let known = WriteResult { id: id.clone(), outcome: WriteOutcome::Duplicate, evicted: Vec::new() };
            return Ok((known, false));
        }
        let untagged = remove_privileged_tags(&mut draft);
        let mut memory = entry.restore_lifecycle(trust, self.memory_from_draft(draft, "imported")?);
        write_rules::sanitize_import(&mut memory, &self.redactor);
        Ok((self.validate_and_insert(memory)?, untagged))
    }
}

fn remove_privileged_tags(draft: &mut Draft) -> bool {
    let before = draft.tags.len();
    let origin = draft.origin;
    draft.tags.retain(|tag| may_carry(origin, tag));
    draft.tags.len() < before
}

/// Tells whether the first character that is not white space opens a JSON list.
fn is_list(input: &mut impl BufRead) -> Result<bool> {
    loop {
        let buffer = input.fill_buf().map_err(unreadable)?;
        let spaces = buffer.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        match buffer.get(spaces) {
            Some(byte) => return Ok(*byte == b'['),
            None if buffer.is_empty() => return Ok(false),
            None => input.consume(spaces),
        }
    }
}

/// One entry of an import. Fields that are not named here are ignored.
#[derive(Deserialize)]
struct Entry {
    text: String,
    id: Option<String>,
    category: Option<String>,
    title: Option<String>,
    content: Option<Value>,
    tags: Option<Vec<String>>,
    related_files: Option<Vec<String>>,
    confidence: Option<f32>,
    importance: Option<f32>,
    origin: Option<String>,
    source: Option<Source>,
    created_at: Option<Time>,
    status: Option<Status>,
    status_since: Option<Millis>,
    status_reason: Option<String>,
    confirmed_at: Option<Millis>,
    #[serde(default)]
    supersedes: Vec<String>,
    superseded_by: Option<String>,
    #[serde(default)]
    changes: Vec<Change>,
    #[serde(default)]
    version: u64,
}

/// Milliseconds since the epoch, a date, or a date and time as in RFC 3339.
#[derive(Deserialize)]
#[serde(untagged)]
enum Time {
    Millis(Millis),
    Text(String),
}

impl Entry {
    /// Replaces ids that a memory cannot have, also in links and in the history. An empty id counts as none.
    fn with_valid_ids(mut self) -> Self {
        let is_given = |id: &String| !id.trim().is_empty();
        self.id = self.id.filter(is_given);
        self.supersedes.retain(is_given);
        self.superseded_by = self.superseded_by.filter(is_given);
        let ids = self.id.iter_mut().chain(&mut self.supersedes).chain(&mut self.superseded_by);
        for id in ids.filter(|id| !memory_id::is_id(id)) {
            let old = std::mem::replace(id, memory_id::of_import(id));
            for change in &mut self.changes {
                change.what = change.what.replace(&old, id);
            }
        }
        self
    }

    /// Converts the entry to a draft. An entry without a category is a learning.
    fn draft(&self, trust: ImportTrust) -> Result<Draft> {
        let category =
            self.category.as_deref().map_or(Ok(Category::Learning), |word| normalize_word(word).parse())?;
        let origin = match (trust, self.origin.as_deref()) {
            (ImportTrust::Untrusted, _) => Origin::Imported,
            (ImportTrust::Own, None) => Origin::Person,
            (ImportTrust::Own, Some(word)) => normalize_word(word).parse()?,
        };
        let default = Draft::new(category, self.text.as_str(), origin);
        Ok(Draft {
            title: self.title.clone(),
            content: self.content.clone().unwrap_or(Value::Null),
            tags: self.tags.clone().unwrap_or_default(),
            related_files: self.related_files.clone().unwrap_or_default(),
            confidence: self.confidence.unwrap_or(default.confidence),
            importance: self.importance.unwrap_or(default.importance),
            source: self.source.clone().unwrap_or_default(),
            id: self.id.clone(),
            created_at: self.created_at.as_ref().map(Time::millis).transpose()?,
            ..default
        })
    }

    /// Sets status, links and history as the entry states them. A retired memory is imported as retired, with
    /// a new grace period. Confirmation and history are taken over only if the entries are this user's own.
    fn restore_lifecycle(self, trust: ImportTrust, mut memory: Memory) -> Memory {
        memory.status = self.status.unwrap_or(Status::Active);
        memory.supersedes = self.supersedes;
        if memory.status != Status::Active {
            memory.status_reason = self.status_reason;
            memory.superseded_by = self.superseded_by;
        }
        if trust == ImportTrust::Own {
            memory.confirmed_at = self.confirmed_at;
            memory.status_since = self.status_since.unwrap_or(memory.status_since).min(memory.updated_at);
            memory.prepend_history(self.version, self.changes);
        }
        memory
    }
}

impl Time {
    fn millis(&self) -> Result<Millis> {
        match self {
            Self::Millis(millis) => Ok(*millis),
            Self::Text(text) => {
                let date_and_time =
                    if text.contains('T') { text.clone() } else { format!("{text}T00:00:00Z") };
                let time: Result<jiff::Timestamp, _> = date_and_time.parse();
                time.map(jiff::Timestamp::as_millisecond).map_err(|_| {
                    Error::invalid(format!("`{}` is not a date", text.escape_debug()))
                        .hint("write created_at as 2026-01-31, 2026-01-31T12:00:00Z or milliseconds")
                })
            }
        }
    }
}

/// Accepts the spelling of other programs, such as `Tech-Debt`.
fn normalize_word(word: &str) -> String {
    word.to_lowercase().replace(['-', ' '], "_")
}

fn invalid_list(error: serde_json::Error) -> Error {
    Error::invalid(format!("cannot parse the list: {error}"))
        .hint("give a JSON list, or one JSON object per line")
}

fn unreadable(error: std::io::Error) -> Error {
    Error::unavailable(format!("cannot read the input: {error}"))
}

fn unwritable(error: impl std::fmt::Display) -> Error {
    Error::unavailable(format!("cannot write the output: {error}"))
}
