//! What the record holds: the sessions, one session whole, and the episodes of a failure.

use rusqlite::{Connection, OptionalExtension};
use serde::Serialize;

use super::stored_text::unpack_column;
use super::{Record, RunOutcome};
use crate::clock::Millis;
use crate::error::{Error, Result};

/// Minimum length of the beginning of an id that names a session.
const MIN_PREFIX_CHARS: usize = 4;

/// Maximum number of episodes of one failure that are returned: the newest.
const MAX_EPISODES: usize = 20;

/// A session in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SessionSummary {
    /// The id, as Claude Code knows it.
    pub id: String,
    /// The branch that was checked out last.
    pub branch: Option<String>,
    /// When it began.
    pub first_at: Millis,
    /// When something was said or run last.
    pub last_at: Millis,
    /// The number of turns, without those of subagents.
    pub turns: u64,
    /// The first prompt that is still there.
    pub first_prompt: Option<String>,
    /// The number of commands whose text the size limit removed.
    pub removed_texts: u64,
    /// The number of turns that the size limit, or the age limit, removed.
    pub removed_turns: u64,
}

/// A session with all that is recorded of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RecordedSession {
    /// What a list says of it.
    #[serde(flatten)]
    pub summary: SessionSummary,
    /// Its turns in order, those of subagents among them.
    pub timeline: Vec<Turn>,
}

/// A prompt and what followed it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Turn {
    /// The number in the record, by which a hit of a search names it.
    pub number: i64,
    /// The subagent; empty in the session's own conversation.
    pub agent: String,
    /// The branch.
    pub branch: Option<String>,
    /// When the prompt was given.
    pub began_at: Millis,
    /// When something was said or run last.
    pub ended_at: Millis,
    /// The prompt; `None` for what came before any.
    pub prompt: Option<String>,
    /// The assistant's last message.
    pub closing: Option<String>,
    /// The command lines that were run.
    pub runs: Vec<RecordedRun>,
    /// The files that the assistant's tools changed.
    pub files: Vec<String>,
    /// The commits that were made.
    pub commits: Vec<CommitMade>,
}

/// A run of a command line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RecordedRun {
    /// When it was started.
    pub at: Millis,
    /// The program.
    pub program: String,
    /// The command in the form in which two runs are compared.
    pub command: String,
    /// The line as it was run; `None` if the size limit removed it.
    pub line: Option<String>,
    /// The folder, relative to the project's.
    pub folder: String,
    /// How it ended.
    pub outcome: RunOutcome,
    /// The exit status, if the client says it.
    pub exit_status: Option<i32>,
    /// The last error line, if it failed.
    pub error: Option<String>,
}

/// A commit that was made in a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CommitMade {
    /// The abbreviated hash.
    pub hash: String,
    /// The first line of its message.
    pub subject: String,
}

/// A failure that was seen before, and what passed after it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KnownEpisode {
    /// The session.
    pub session: String,
    /// When it failed.
    pub failed_at: Millis,
    /// When it passed.
    pub passed_at: Millis,
    /// The command that failed.
    pub failed: String,
    /// The command that passed.
    pub passed: String,
    /// The difference between the two, as what to do.
    pub difference: String,
    /// The last error line of the failure; `None` if the size limit removed it.
    pub error: Option<String>,
}

impl Record {
    /// Returns the sessions, the newest first.
    ///
    /// # Errors
    /// `Unavailable` if the record cannot be read.
    pub fn list(&self, limit: usize) -> Result<Vec<SessionSummary>> {
        let sql = format!("{SUMMARY} ORDER BY last_at DESC, number DESC LIMIT ?1");
        let summaries = self.database.read(|db| {
            let mut statement = db.prepare_cached(&sql)?;
            let mut rows = statement.query([i64::try_from(limit).unwrap_or(i64::MAX)])?;
            let mut summaries = Vec::new();
            while let Some(row) = rows.next()? {
                summaries.push(summary(row)?);
            }
            Ok(summaries)
        })?;
        Ok(summaries.unwrap_or_default())
    }

    /// Returns the number of sessions and of turns.
    ///
    /// # Errors
    /// As for [`Record::list`].
    pub fn counts(&self) -> Result<(u64, u64)> {
        let sql = "SELECT (SELECT count(*) FROM sessions), (SELECT count(*) FROM turns)";
        let counts = self.database.read(|db| {
            let count = |row: &rusqlite::Row<'_>, at| row.get::<_, i64>(at).map(i64::unsigned_abs);
            Ok(db.query_row(sql, [], |row| Ok((count(row, 0)?, count(row, 1)?)))?)
        })?;
        Ok(counts.unwrap_or_default())
    }

    /// Returns a session by its id, or by the beginning of one.
    ///
    /// # Errors
    /// `NotFound` if there is none, `Invalid` if there are several; as for [`Record::list`].
    pub fn show(&self, id: &str) -> Result<RecordedSession> {
        let id = self.session_id(id)?;
        let found = self.database.read(|db| {
            let mut statement = db.prepare_cached(&format!("{SUMMARY} WHERE id = ?1"))?;
            let mut rows = statement.query([&id])?;
            let Some(row) = rows.next()? else { return Ok(None) };
            let (summary, number) = (summary(row)?, row.get(0)?);
            Ok(Some(RecordedSession { summary, timeline: timeline(db, number)? }))
        })?;
        found.flatten().ok_or_else(|| unknown_session(&id))
    }

    /// Returns the id of the session that this beginning of an id names.
    ///
    /// # Errors
    /// As for [`Record::show`].
    pub fn session_id(&self, prefix: &str) -> Result<String> {
        if prefix.len() < MIN_PREFIX_CHARS {
            return Err(Error::invalid(format!("`{prefix}` is too short for the id of a session"))
                .hint(format!("give {MIN_PREFIX_CHARS} of its characters or more")));
        }
        let sql = "SELECT id FROM sessions WHERE substr(id, 1, ?2) = ?1 ORDER BY id = ?1 DESC LIMIT 2";
        let ids = self.database.read(|db| {
            let mut statement = db.prepare_cached(sql)?;
            let ids = statement.query_map((prefix, prefix.chars().count() as i64), |row| row.get(0))?;
            Ok(ids.collect::<rusqlite::Result<Vec<String>>>()?)
        })?;
        match ids.unwrap_or_default().as_slice() {
            [] => Err(unknown_session(prefix)),
            [id] => Ok(id.clone()),
            [id, ..] if id == prefix => Ok(id.clone()),
            [one, other, ..] => Err(Error::invalid(format!("several sessions begin with `{prefix}`"))
                .hint(format!("give more of the id: {one} or {other}"))),
        }
    }

    /// Returns what passed after failures with this signature, the newest first.
    ///
    /// # Errors
    /// As for [`Record::list`].
    pub fn episodes_for(&self, signature: u64) -> Result<Vec<KnownEpisode>> {
        if !self.may_hold(signature) {
            return Ok(Vec::new());
        }
        let sql = format!(
            "SELECT id, failed.at, passed.at, failed.command, passed.command, difference, failed.error
             FROM episodes
             JOIN sessions ON sessions.number = episodes.session
             JOIN runs failed ON failed.number = episodes.failed
             JOIN runs passed ON passed.number = episodes.passed
             WHERE episodes.signature = ?1 ORDER BY failed.at DESC LIMIT {MAX_EPISODES}"
        );
        let episodes = self.database.read(|db| {
            let mut statement = db.prepare_cached(&sql)?;
            let mut rows = statement.query([signature.cast_signed()])?;
            let mut episodes = Vec::new();
            while let Some(row) = rows.next()? {
                episodes.push(KnownEpisode {
                    session: row.get(0)?,
                    failed_at: row.get(1)?,
                    passed_at: row.get(2)?,
                    failed: row.get(3)?,
                    passed: row.get(4)?,
                    difference: row.get(5)?,
                    error: unpack_column(row, 6)?,
                });
            }
            Ok(episodes)
        })?;
        Ok(episodes.unwrap_or_default())
    }
}

/// Selects what [`summary`] reads.
const SUMMARY: &str = "SELECT number, id, branch, first_at, last_at,
         (SELECT count(*) FROM turns WHERE session = sessions.number AND agent = ''),
         (SELECT prompt FROM turns WHERE session = sessions.number AND agent = '' AND prompt IS NOT NULL
             ORDER BY began_at, number LIMIT 1),
         removed_texts, removed_turns
     FROM sessions";

fn summary(row: &rusqlite::Row<'_>) -> Result<SessionSummary> {
    let count = |index: usize| row.get::<_, i64>(index).map(i64::unsigned_abs);
    Ok(SessionSummary {
        id: row.get(1)?,
        branch: row.get(2)?,
        first_at: row.get(3)?,
        last_at: row.get(4)?,
        turns: count(5)?,
        first_prompt: unpack_column(row, 6)?,
        removed_texts: count(7)?,
        removed_turns: count(8)?,
    })
}

fn unknown_session(id: &str) -> Error {
    Error::not_found(format!("no recorded session has the id `{id}`")).hint("interleaf sessions lists them")
}

fn timeline(db: &Connection, session: i64) -> Result<Vec<Turn>> {
    let sql = "SELECT number, agent, branch, began_at, ended_at, prompt, closing FROM turns
         WHERE session = ? ORDER BY began_at, number";
    let mut statement = db.prepare_cached(sql)?;
    let mut rows = statement.query([session])?;
    let mut turns = Vec::new();
    while let Some(row) = rows.next()? {
        turns.push(turn(db, row)?);
    }
    Ok(turns)
}

/// Returns a turn of the columns that [`timeline`] selects.
fn turn(db: &Connection, row: &rusqlite::Row<'_>) -> Result<Turn> {
    let number: i64 = row.get(0)?;
    Ok(Turn {
        number,
        agent: row.get(1)?,
        branch: row.get(2)?,
        began_at: row.get(3)?,
        ended_at: row.get(4)?,
        prompt: unpack_column(row, 5)?,
        closing: unpack_column(row, 6)?,
        runs: runs(db, number)?,
        files: files(db, number)?,
        commits: commits(db, number)?,
    })
}

/// Returns the turn of this number, without knowing its session.
pub(super) fn turn_of_number(db: &Connection, number: i64) -> Result<Option<(Turn, String)>> {
    let sql = "SELECT turns.number, agent, turns.branch, began_at, ended_at, prompt, closing, id
         FROM turns JOIN sessions ON sessions.number = turns.session WHERE turns.number = ?";
    let mut statement = db.prepare_cached(sql)?;
    let mut rows = statement.query([number])?;
    rows.next()?.map(|row| Ok((turn(db, row)?, row.get(7)?))).transpose()
}

fn runs(db: &Connection, turn: i64) -> Result<Vec<RecordedRun>> {
    let sql = "SELECT at, program, command, line, folder, outcome, exit_status, error FROM runs
         WHERE turn = ? ORDER BY at, position";
    let mut statement = db.prepare_cached(sql)?;
    let mut rows = statement.query([turn])?;
    let mut runs = Vec::new();
    while let Some(row) = rows.next()? {
        runs.push(RecordedRun {
            at: row.get(0)?,
            program: row.get(1)?,
            command: row.get(2)?,
            line: unpack_column(row, 3)?,
            folder: row.get(4)?,
            outcome: row.get(5)?,
            exit_status: row.get(6)?,
            error: unpack_column(row, 7)?,
        });
    }
    Ok(runs)
}

fn files(db: &Connection, turn: i64) -> Result<Vec<String>> {
    let sql = "SELECT path FROM edits WHERE turn = ? AND is_pending = 0 AND path <> ''
         GROUP BY path ORDER BY min(position)";
    let mut statement = db.prepare_cached(sql)?;
    let files = statement.query_map([turn], |row| row.get(0))?;
    Ok(files.collect::<rusqlite::Result<_>>()?)
}

fn commits(db: &Connection, turn: i64) -> Result<Vec<CommitMade>> {
    let sql = "SELECT hash, subject FROM commits WHERE turn = ? ORDER BY at";
    let mut statement = db.prepare_cached(sql)?;
    let commits =
        statement.query_map([turn], |row| Ok(CommitMade { hash: row.get(0)?, subject: row.get(1)? }))?;
    Ok(commits.collect::<rusqlite::Result<_>>()?)
}

/// Returns the number of a session; `None` if it is not recorded.
pub(super) fn number_of(db: &Connection, id: &str) -> Result<Option<i64>> {
    let mut statement = db.prepare_cached("SELECT number FROM sessions WHERE id = ?")?;
    Ok(statement.query_row([id], |row| row.get(0)).optional()?)
}
