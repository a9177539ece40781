//! Writes the calls of tools: runs of command lines, the commits that they made, and edits. A call whose
//! result has not come yet is written, too, so that a later reading can complete it.

use rusqlite::{Row, Transaction, params};

use super::shell_runs::{CallOfShell, RunColumns};
use super::stored_text::{pack, unpack_column};
use super::{RunOutcome, commit_lines, shell_runs};
use crate::claude::transcript::{Entry, ToolOutcome};
use crate::clock::Millis;
use crate::error::Result;

/// A call whose result is not known yet.
pub(super) struct PendingCall {
    pub place: CallPlace,
    pub kind: CallKind,
}

/// Where a call stands.
#[derive(Clone)]
pub(super) struct CallPlace {
    pub turn: i64,
    pub agent: String,
    pub key: i64,
    pub position: i64,
    pub at: Millis,
    /// The number of calls before it that only looked at something.
    pub looks: i64,
}

/// What a call does.
pub(super) enum CallKind {
    /// It runs a command line.
    Shell(CallOfShell),
    /// It changes a file, or may: then the path is empty.
    Edit { path: String },
}

/// Writes the calls of a session in one transaction.
pub(super) struct CallWriter<'a> {
    pub tx: &'a Transaction<'a>,
    pub session: i64,
}

impl CallWriter<'_> {
    /// Writes a call with its result. Returns whether anything changed.
    pub(super) fn complete(&self, call: &PendingCall, result: &Entry) -> Result<bool> {
        match &call.kind {
            CallKind::Edit { path } if result.outcome == ToolOutcome::Succeeded => {
                self.write_edit(&call.place, path, false)
            }
            CallKind::Edit { .. } => self.discard(&call.place),
            CallKind::Shell(line) => match shell_runs::read(line, &result.text, result.outcome) {
                None => self.discard(&call.place),
                Some(run) => {
                    self.write_commits(&call.place, line, result)?;
                    self.write_run(&call.place, &run, &line.line)
                }
            },
        }
    }

    /// Writes a call that waits for its result. Returns whether anything changed.
    pub(super) fn write_waiting(&self, call: &PendingCall) -> Result<bool> {
        match &call.kind {
            CallKind::Edit { path } => self.write_edit(&call.place, path, true),
            CallKind::Shell(line) => self.write_run(&call.place, &shell_runs::waiting(line), &line.line),
        }
    }

    /// Returns a call of an earlier reading that still waits for its result.
    pub(super) fn waiting(&self, key: i64) -> Result<Option<PendingCall>> {
        let sql = "SELECT turn, agent, position, at, looks, outcome, line, folder FROM runs
             WHERE session = ?1 AND key = ?2 AND outcome IN ('running', 'background')";
        let mut statement = self.tx.prepare_cached(sql)?;
        let mut rows = statement.query((self.session, key))?;
        match rows.next()? {
            None => self.waiting_edit(key),
            Some(row) => {
                let in_background = row.get::<_, RunOutcome>(5)? == RunOutcome::Background;
                let line = unpack_column(row, 6)?.unwrap_or_default();
                let kind = CallKind::Shell(CallOfShell { line, folder: row.get(7)?, in_background });
                Ok(Some(PendingCall { place: call_place(row, key)?, kind }))
            }
        }
    }

    fn waiting_edit(&self, key: i64) -> Result<Option<PendingCall>> {
        let sql = "SELECT turn, agent, position, at, looks, path FROM edits
             WHERE session = ?1 AND key = ?2 AND is_pending = 1";
        let mut statement = self.tx.prepare_cached(sql)?;
        let mut rows = statement.query((self.session, key))?;
        let Some(row) = rows.next()? else { return Ok(None) };
        let kind = CallKind::Edit { path: row.get(5)? };
        Ok(Some(PendingCall { place: call_place(row, key)?, kind }))
    }

    /// Writes a run, or completes the one that waited. A complete one stays as it is.
    fn write_run(&self, place: &CallPlace, run: &RunColumns, line: &str) -> Result<bool> {
        let sql =
            "INSERT INTO runs (session, turn, agent, key, position, at, looks, program, command, folder,
                 outcome, exit_status, signature, line, error)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
             ON CONFLICT DO UPDATE SET folder = ?10, outcome = ?11, exit_status = ?12, signature = ?13,
                 error = ?15
             WHERE outcome IN ('running', 'background') AND ?11 NOT IN ('running', 'background')";
        let CallPlace { turn, agent, key, position, at, looks } = place;
        let RunColumns { program, command, folder, outcome, exit_status, signature, error } = run;
        let (line, error) = (pack(line), error.as_deref().map(pack));
        let values = params![
            self.session,
            turn,
            agent,
            key,
            position,
            at,
            looks,
            program,
            command,
            folder,
            outcome,
            exit_status,
            signature,
            line,
            error,
        ];
        Ok(self.tx.prepare_cached(sql)?.execute(values)? > 0)
    }

    fn write_commits(&self, place: &CallPlace, call: &CallOfShell, result: &Entry) -> Result<()> {
        let sql = "INSERT INTO commits (session, turn, hash, subject, at) VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT DO NOTHING";
        for (hash, subject) in commit_lines::commits(&call.line, &result.text) {
            self.tx.prepare_cached(sql)?.execute((self.session, place.turn, hash, subject, result.at))?;
        }
        Ok(())
    }

    fn write_edit(&self, place: &CallPlace, path: &str, is_pending: bool) -> Result<bool> {
        let sql = "INSERT INTO edits (session, turn, agent, key, position, at, looks, path, is_pending)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
             ON CONFLICT DO UPDATE SET is_pending = 0 WHERE is_pending = 1 AND ?9 = 0";
        let CallPlace { turn, agent, key, position, at, looks } = place;
        let values = (self.session, turn, agent, key, position, at, looks, path, is_pending);
        Ok(self.tx.prepare_cached(sql)?.execute(values)? > 0)
    }

    /// Deletes a call that was written while it waited, and that changed or ran nothing.
    fn discard(&self, place: &CallPlace) -> Result<bool> {
        let runs =
            "DELETE FROM runs WHERE session = ?1 AND key = ?2 AND outcome IN ('running', 'background')";
        let edits = "DELETE FROM edits WHERE session = ?1 AND key = ?2 AND is_pending = 1";
        let mut deleted = 0;
        for sql in [runs, edits] {
            deleted += self.tx.prepare_cached(sql)?.execute((self.session, place.key))?;
        }
        Ok(deleted > 0)
    }
}

fn call_place(row: &Row<'_>, key: i64) -> Result<CallPlace> {
    let (turn, agent, position) = (row.get(0)?, row.get(1)?, row.get(2)?);
    Ok(CallPlace { turn, agent, key, position, at: row.get(3)?, looks: row.get(4)? })
}
