//! Takes a session into the record: reads its transcript from where the last reading ended, page by page,
//! each in a transaction of its own.

use std::path::Path;
use std::time::Instant;

use rusqlite::{Connection, OptionalExtension, Transaction};

use super::session_writer::{ReadingState, SessionWriter};
use super::{Record, episode_finder, erasure, redaction_upgrade, turn_index};
use crate::claude::Transcript;
use crate::claude::transcript::Page;
use crate::error::{Error, ErrorKind, Result};

/// Maximum number of entries and bytes of text on a page of the transcript. A page is one transaction, which
/// takes some ten milliseconds.
const PAGE_ENTRIES: usize = 500;
const PAGE_BYTES: usize = 1 << 20;

/// Maximum length of the id of a session or a subagent, in bytes.
const MAX_ID_BYTES: usize = 200;

/// A transcript of a session, or of one of its subagents.
#[derive(Debug, Clone, Copy)]
pub struct TranscriptSource<'a> {
    /// The id of the session.
    pub session: &'a str,
    /// The id of the subagent; empty for the session's own transcript.
    pub agent: &'a str,
    /// The file.
    pub path: &'a Path,
}

/// What was taken.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Taken {
    /// The number of turns that were not known before.
    pub turns: usize,
    /// Whether there was no time to read to the end.
    pub is_cut_short: bool,
}

impl Record {
    /// Reads what is new in a transcript until its end or `until`. A session that a person had deleted is not
    /// read. May be killed at any time and repeated: nothing is stored twice.
    ///
    /// # Errors
    /// `Unavailable` if the transcript or the record cannot be used.
    pub fn take(&self, source: &TranscriptSource<'_>, until: Instant) -> Result<Taken> {
        check_id(source.session)?;
        let taken = self.take_pages(source, until)?;
        self.write_signatures()?;
        Ok(taken)
    }

    fn take_pages(&self, source: &TranscriptSource<'_>, until: Instant) -> Result<Taken> {
        let (mut cursor, mut state) = self.begin_reading(source)?;
        let mut taken = Taken::default();
        let transcript = Transcript::file(source.path.to_string_lossy(), self.redactor.clone());
        loop {
            if Instant::now() >= until {
                return Ok(Taken { is_cut_short: true, ..taken });
            }
            let page = match transcript.read(cursor, PAGE_ENTRIES, PAGE_BYTES) {
                Err(error) if error.kind == ErrorKind::NotFound => return Ok(taken),
                page => page?,
            };
            if page.cursor == cursor && page.entries.is_empty() {
                return Ok(taken);
            }
            let Some(turns) = self.write_page(source, &mut state, &page)? else { return Ok(taken) };
            taken.turns += turns;
            cursor = page.cursor;
            if !page.more {
                return Ok(taken);
            }
        }
    }

    /// Tells whether a transcript has nothing new.
    ///
    /// # Errors
    /// `Unavailable` if the record cannot be read.
    pub fn is_taken(&self, source: &TranscriptSource<'_>) -> Result<bool> {
        let Ok(file) = std::fs::metadata(source.path) else { return Ok(true) };
        let cursor = self.database.read(|db| read_cursor(db, source))?.flatten();
        Ok(cursor.is_some_and(|(_, cursor)| cursor == file.len()))
    }

    /// Returns where the reading goes on, and what is known there.
    fn begin_reading(&self, source: &TranscriptSource<'_>) -> Result<(u64, ReadingState)> {
        let length = std::fs::metadata(source.path).map_or(0, |file| file.len());
        let begin = self.database.read(|db| {
            let Some((session, cursor)) = read_cursor(db, source)? else { return Ok(None) };
            // A shorter file is another transcript, which is read from its beginning.
            let is_same = cursor <= length;
            is_same.then(|| Ok((cursor, ReadingState::resume(db, session)?))).transpose()
        })?;
        Ok(begin.flatten().unwrap_or_default())
    }

    /// Writes a page, and how far the transcript was read. Returns the number of new turns; `None` if the
    /// session may not be recorded.
    fn write_page(
        &self,
        source: &TranscriptSource<'_>,
        state: &mut ReadingState,
        page: &Page,
    ) -> Result<Option<usize>> {
        self.database.write(|tx| {
            if erasure::is_forgotten(tx, source.session)? {
                return Ok(None);
            }
            redaction_upgrade::note_version(tx, &self.redactor)?;
            let session = session_number(tx, source.session, page)?;
            let mut writer = SessionWriter::new(tx, session, source.agent, &self.root, state);
            for entry in &page.entries {
                writer.add(entry)?;
            }
            let turns = writer.finish()?;
            episode_finder::find(tx, session)?;
            turn_index::update(tx, session)?;
            self.write_cursor(tx, session, source, page.cursor)?;
            Ok(Some(turns))
        })
    }
}

impl Record {
    fn write_cursor(
        &self,
        tx: &Transaction,
        session: i64,
        source: &TranscriptSource<'_>,
        cursor: u64,
    ) -> Result<()> {
        let sql = "INSERT INTO transcripts (session, agent, path, cursor) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT DO UPDATE SET path = ?3, cursor = ?4";
        let path = self.redactor.redact(&source.path.to_string_lossy()).into_owned();
        let cursor = i64::try_from(cursor).unwrap_or(i64::MAX);
        tx.prepare_cached(sql)?.execute((session, source.agent, path, cursor))?;
        Ok(())
    }
}

fn check_id(session: &str) -> Result<()> {
    match session.len() {
        1..=MAX_ID_BYTES => Ok(()),
        bytes => Err(Error::invalid(format!(
            "the id of a session has {bytes} bytes; 1 to {MAX_ID_BYTES} are allowed"
        ))),
    }
}

/// Returns the number of the session, and how far the transcript was read.
fn read_cursor(db: &Connection, source: &TranscriptSource<'_>) -> Result<Option<(i64, u64)>> {
    let sql = "SELECT number, cursor FROM sessions JOIN transcripts ON session = number
         WHERE id = ?1 AND agent = ?2";
    let mut statement = db.prepare_cached(sql)?;
    let found = statement.query_row((source.session, source.agent), |row| {
        Ok((row.get(0)?, u64::try_from(row.get::<_, i64>(1)?).unwrap_or(0)))
    });
    Ok(found.optional()?)
}

/// Returns the number of a session, which is added if it is new, and extends its time by that of the page.
fn session_number(tx: &Transaction, id: &str, page: &Page) -> Result<i64> {
    let times = page.entries.iter().map(|entry| entry.at).filter(|at| *at > 0);
    let (first, last) = (times.clone().min(), times.max());
    let branch = page.entries.iter().rev().find_map(|entry| entry.place.branch.as_deref());
    let sql = "INSERT INTO sessions (id, branch, first_at, last_at)
         VALUES (?1, ?2, ifnull(?3, 0), ifnull(?4, 0))
         ON CONFLICT DO UPDATE SET branch = ifnull(?2, branch),
             first_at = CASE WHEN first_at = 0 THEN ifnull(?3, 0)
                 ELSE min(first_at, ifnull(?3, first_at)) END,
             last_at = max(last_at, ifnull(?4, last_at))
         RETURNING number";
    Ok(tx.prepare_cached(sql)?.query_row((id, branch, first, last), |row| row.get(0))?)
}
