//! The transcript that Claude Code keeps of a session: one JSON object a line, only ever appended to. It is read a page
//! at a time from a cursor, never from the start again, and handed out as entries: what was said and done, without what
//! the client and Interleaf themselves put into it, and with secrets taken out.
//!
//! What an entry means is not known here.

mod line;

use std::fs::File;
use std::io::{BufRead, BufReader, Seek, SeekFrom};
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
pub enum Kind {
    Text,
    ToolCall,
    ToolResult,
}

/// How a tool ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Ending {
    /// As it should, as far as the client can tell; also everything that is no tool's result.
    #[default]
    Fine,
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
    pub kind: Kind,
    /// The tool's name, of a call and, where its call is on the same page, of its result.
    pub tool: Option<String>,
    /// What connects a result with its call.
    pub call: Option<String>,
    /// What was said; a call's input as JSON; what a tool gave back.
    pub text: String,
    /// How a tool ended.
    pub ending: Ending,
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
    pub fn at(path: impl Into<String>, redactor: Redactor) -> Self {
        Self { source: Source::File(path.into()), redactor }
    }

    /// A transcript that is at hand: its lines.
    pub fn of(lines: impl Into<Arc<str>>) -> Self {
        Self { source: Source::Text(lines.into()), redactor: Redactor::BUILT_IN }
    }

    /// Its file, if it is in one.
    pub fn path(&self) -> Option<&str> {
        match &self.source {
            Source::File(path) => Some(path),
            Source::Text(_) => None,
        }
    }

    /// The entries from `cursor` on, at most `limit` of them and about `room` bytes of text. A line that is not written
    /// to its end yet is left for the next time; a line that is none of an entry is passed over.
    ///
    /// # Errors
    /// `NotFound` where there is no such file yet, `Unavailable` where it cannot be read.
    pub fn read(&self, cursor: u64, limit: usize, room: usize) -> Result<Page> {
        match &self.source {
            Source::File(path) => {
                let mut file = File::open(path).map_err(|error| unreadable(path, &error))?;
                file.seek(SeekFrom::Start(cursor)).map_err(|error| unreadable(path, &error))?;
                self.page(BufReader::new(file), cursor, limit, room).map_err(|error| unreadable(path, &error))
            }
            Source::Text(text) => {
                let rest = text.as_bytes().get(cursor as usize..).unwrap_or_default();
                self.page(rest, cursor, limit, room).map_err(Error::unavailable)
            }
        }
    }

    fn page(&self, mut lines: impl BufRead, cursor: u64, limit: usize, room: usize) -> std::io::Result<Page> {
        let mut page = Page { cursor, ..Page::default() };
        let (mut line, mut bytes) = (Vec::new(), 0);
        loop {
            line.clear();
            lines.read_until(b'\n', &mut line)?;
            if line.last() != Some(&b'\n') {
                return Ok(page);
            }
            let entries = line::entries(&line, page.cursor, &self.redactor);
            let more: usize = entries.iter().map(|entry| entry.text.len()).sum();
            let full = page.entries.len() + entries.len() > limit || bytes + more > room;
            if full && !page.entries.is_empty() {
                page.more = true;
                return Ok(page);
            }
            bytes += more;
            page.cursor += line.len() as u64;
            page.entries.extend(entries);
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
