//! The transcript that Claude Code keeps of a session: one JSON object on each line, only ever appended to.
//!
//! It is read page by page from a cursor and returned as entries: the text, tool calls and tool results of
//! the conversation, without text that the client or Interleaf added, and without secrets. This module does
//! not interpret entries.

mod entry;
mod line_author;
mod line_place;
mod page;
#[cfg(test)]
mod prompt_author_tests;
#[cfg(test)]
mod tests;
mod tool_reply;
mod unknown_fields;

use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::clock::Millis;
use crate::dirs::open_file;
use crate::error::{Error, Result};
use crate::redact::Redactor;
pub use line_place::Place;

pub use unknown_fields::{UnknownFields, unknown_fields};

/// The speaker of an entry. Results of tools are `Tool`, even though the client sends them as the user. So is
/// text in a prompt that the person did not type: what they pasted, and what has no certain author.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the cases of `role` in the contract")]
pub enum Role {
    User,
    Assistant,
    Tool,
}

/// The kind of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the cases of `kind` in the contract")]
pub enum EntryKind {
    Text,
    ToolCall,
    ToolResult,
}

/// How a tool ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ToolOutcome {
    /// It succeeded as far as the client can tell. Also the value of entries that are not tool results.
    #[default]
    Succeeded,
    /// It failed.
    Failed,
    /// A person stopped it or did not allow it.
    Interrupted,
}

/// One part of the conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The speaker.
    pub role: Role,
    /// The kind.
    pub kind: EntryKind,
    /// The tool's name: of a call, and of a result whose call is on the same page.
    pub tool: Option<String>,
    /// The id that connects a result with its call.
    pub call: Option<String>,
    /// The text; for a call its input as JSON, for a result the tool's output.
    pub text: String,
    /// How a tool ended.
    pub outcome: ToolOutcome,
    /// Whether its message also held text that is not the speaker's: elements of the client, pasted text,
    /// results of tools.
    pub is_mixed: bool,
    /// Whether it is certain who wrote it. It is not if a program sent the prompt, or if the line holds
    /// something that this version does not know.
    pub is_certain: bool,
    /// When it was written.
    pub at: Millis,
    /// Byte offset of its line in the transcript.
    pub cursor: u64,
    /// Whether it stands where a prompt does: text that begins a turn, whoever wrote it.
    pub is_prompt: bool,
    /// What names its line in every copy of the transcript: a digest of the line's id, otherwise of the line.
    pub line_key: i64,
    /// Where its line was written.
    pub place: Arc<Place>,
}

/// A part of a transcript.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Page {
    /// The entries in order.
    pub entries: Vec<Entry>,
    /// Byte offset of the next page.
    pub cursor: u64,
    /// Whether the next page already exists.
    pub more: bool,
}

/// A readable transcript.
#[derive(Debug, Clone)]
pub struct Transcript {
    source: Source,
    redactor: Redactor,
    /// A file that withholds the transcript while it exists.
    note: Option<PathBuf>,
}

#[derive(Debug, Clone)]
enum Source {
    File(String),
    Text(Arc<str>),
}

impl Transcript {
    /// Returns the transcript in a file, which need not exist yet.
    pub fn file(path: impl Into<String>, redactor: Redactor) -> Self {
        Self { source: Source::File(path.into()), redactor, note: None }
    }

    /// Withholds the transcript if this file exists when it is read.
    #[must_use]
    pub fn withheld_by(self, note: PathBuf) -> Self {
        Self { note: Some(note), ..self }
    }

    /// Returns a transcript with these lines.
    pub fn from_lines(lines: impl Into<Arc<str>>) -> Self {
        Self { source: Source::Text(lines.into()), redactor: Redactor::BUILT_IN, note: None }
    }

    /// Returns the path of a transcript in a file.
    pub fn path(&self) -> Option<&str> {
        match &self.source {
            Source::File(path) => Some(path),
            Source::Text(_) => None,
        }
    }

    /// Reads the page that begins at `cursor`: at most `max_entries` entries and about `max_bytes` bytes of
    /// text, but at least one line's entries.
    ///
    /// An incomplete last line is left for the next call. Lines without entries and lines of more than 8 MiB
    /// are skipped. A page ends after 4 MiB of the file, even without any entry. A cursor inside a line
    /// means the next line. A cursor beyond the end belongs to an earlier transcript that this one has
    /// replaced, and means the beginning.
    ///
    /// # Errors
    /// `NotFound` if the file does not exist yet or is withheld, `Unavailable` if it cannot be read.
    pub fn read(&self, cursor: u64, max_entries: usize, max_bytes: usize) -> Result<Page> {
        if self.note.as_ref().is_some_and(|note| note.exists()) {
            return Err(Error::not_found("Interleaf was switched off in this session"));
        }
        let limits = page::PageLimits { max_entries, max_bytes };
        match &self.source {
            Source::File(path) => {
                let file = open_file(Path::new(path)).map_err(|cause| cannot_read(path, &cause))?;
                page::read(file, cursor, limits, &self.redactor).map_err(|cause| cannot_read(path, &cause))
            }
            Source::Text(text) => page::read(Cursor::new(text.as_bytes()), cursor, limits, &self.redactor)
                .map_err(Error::unavailable),
        }
    }
}

fn cannot_read(path: &str, cause: &std::io::Error) -> Error {
    let message = format!("cannot read the transcript {path}: {cause}");
    match cause.kind() {
        std::io::ErrorKind::NotFound => Error::not_found(message),
        _ => Error::unavailable(message),
    }
}
