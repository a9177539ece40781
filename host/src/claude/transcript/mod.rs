//! The transcript that Claude Code keeps of a session: one JSON object a line, only ever appended to. It is read a page
//! at a time from a cursor, never from the start again, and handed out as entries: what was said and done, without what
//! the client and Interleaf themselves put into it, and with secrets taken out.
//!
//! What an entry means is not known here.

mod cut;
mod line;
mod lines;
mod page;
mod said;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::Cursor;
use std::sync::Arc;

use crate::clock::Millis;
use crate::error::{Error, Result};
use crate::redact::Redactor;

/// Who said or did it. The results of tools are `Tool`, whoever sends them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words of the contract")]
pub enum Role {
    User,
    Assistant,
    Tool,
}

/// What an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words of the contract")]
pub enum EntryKind {
    Text,
    ToolCall,
    ToolResult,
}

/// How a tool ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ToolOutcome {
    /// As it should, as far as the client can tell; also everything that is no tool's result.
    #[default]
    Succeeded,
    /// It failed.
    Failed,
    /// A person stopped it, or did not allow it.
    Interrupted,
}

/// Something said or done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// By whom.
    pub role: Role,
    /// What it is.
    pub kind: EntryKind,
    /// The tool's name: of a call and, where its call is on the same page, of its result.
    pub tool: Option<String>,
    /// What connects a result with its call.
    pub call: Option<String>,
    /// What was said; a call's input as JSON; what a tool gave back.
    pub text: String,
    /// How a tool ended.
    pub outcome: ToolOutcome,
    /// When.
    pub at: Millis,
    /// Where it begins: in bytes from the start of the transcript.
    pub cursor: u64,
}

/// A part of a transcript.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Page {
    /// The entries, in order.
    pub entries: Vec<Entry>,
    /// Where to read on, in bytes from the start.
    pub cursor: u64,
    /// Whether more is there already.
    pub more: bool,
}

/// A transcript that can be read.
#[derive(Debug, Clone)]
pub struct Transcript {
    source: Source,
    redactor: Redactor,
}

#[derive(Debug, Clone)]
enum Source {
    File(String),
    Text(Arc<str>),
}

impl Transcript {
    /// The transcript in this file, which need not exist yet.
    pub fn file(path: impl Into<String>, redactor: Redactor) -> Self {
        Self { source: Source::File(path.into()), redactor }
    }

    /// A transcript that is at hand: its lines.
    pub fn from_lines(lines: impl Into<Arc<str>>) -> Self {
        Self { source: Source::Text(lines.into()), redactor: Redactor::BUILT_IN }
    }

    /// Its file, if it is in one.
    pub fn path(&self) -> Option<&str> {
        match &self.source {
            Source::File(path) => Some(path),
            Source::Text(_) => None,
        }
    }

    /// The entries from `cursor` on, at most `limit` of them and about `room` bytes of text, but at least one line's. A
    /// line that is not written to its end yet is left for the next time; one that is none of an entry is passed over,
    /// and so is one of more than 8 MiB. A page ends after 4 MiB, whatever it has found by then.
    ///
    /// A cursor inside a line stands for the next one. A cursor beyond the end was for another transcript, which this
    /// one took the place of, and stands for the beginning.
    ///
    /// # Errors
    /// `NotFound` where there is no such file yet, `Unavailable` where it cannot be read.
    pub fn read(&self, cursor: u64, limit: usize, room: usize) -> Result<Page> {
        let size = page::Size { entries: limit, text: room };
        match &self.source {
            Source::File(path) => {
                let file = File::open(path).map_err(|error| unreadable(path, &error))?;
                page::read(file, cursor, size, &self.redactor).map_err(|error| unreadable(path, &error))
            }
            Source::Text(text) => page::read(Cursor::new(text.as_bytes()), cursor, size, &self.redactor)
                .map_err(Error::unavailable),
        }
    }
}

fn unreadable(path: &str, error: &std::io::Error) -> Error {
    let what = format!("the transcript {path}: {error}");
    match error.kind() {
        std::io::ErrorKind::NotFound => Error::not_found(what),
        _ => Error::unavailable(what),
    }
}
