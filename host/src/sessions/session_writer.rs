//! Writes the entries of a page of a transcript into the tables: turns with their texts, and through
//! `call_writer` what the tools did.

use std::collections::{HashMap, HashSet};

use rusqlite::{Connection, OptionalExtension, Transaction};
use serde_json::Value;

use super::call_writer::{CallKind, CallPlace, CallWriter, PendingCall};
use super::shell_runs::CallOfShell;
use super::stored_text::{MAX_TEXT_BYTES, pack};
use crate::claude::transcript::{Entry, EntryKind, Role};
use crate::clock::Millis;
use crate::error::Result;
use crate::short_digest::short_digest;

/// Number of positions that each byte of the transcript has: more than a line has entries.
const POSITIONS_PER_BYTE: i64 = 128;

/// Maximum length of a stored command line, in bytes. The middle of a longer one is left out.
const MAX_LINE_BYTES: usize = 4 << 10;

/// The client's tool that runs a command line, and those that change the file that they name.
const SHELL_TOOL: &str = "Bash";
const EDITING_TOOLS: [&str; 4] = ["Edit", "Write", "MultiEdit", "NotebookEdit"];

/// The client's tools that change no file. What another tool does is not known, so it may have changed one.
const LOOKING_TOOLS: [&str; 20] = [
    "Read",
    "Grep",
    "Glob",
    "LS",
    "NotebookRead",
    "WebFetch",
    "WebSearch",
    "TodoWrite",
    "TodoRead",
    "TaskCreate",
    "TaskUpdate",
    "TaskList",
    "TaskGet",
    "BashOutput",
    "TaskOutput",
    "AskUserQuestion",
    "EnterPlanMode",
    "ExitPlanMode",
    "ToolSearch",
    "Skill",
];

/// What is known of a transcript between two pages.
#[derive(Default)]
pub(super) struct ReadingState {
    /// The turn in which each agent is.
    turns: HashMap<String, OpenTurn>,
    /// The calls that have no result yet, by key.
    calls: HashMap<i64, PendingCall>,
    /// The number of calls of each agent since its last run or edit that only looked at something.
    looks: HashMap<String, i64>,
}

/// The turn in which an agent is.
struct OpenTurn {
    number: i64,
    /// The prompt's line, and its text so far.
    prompt: Option<(u64, String)>,
    /// The last message, with its time.
    closing: Option<(Millis, String)>,
    ended_at: Millis,
    /// Whether it was stored before this reading met it, so that its texts may be newer.
    is_repeated: bool,
    is_changed: bool,
}

impl ReadingState {
    /// Returns what is known of a session that was read before.
    pub(super) fn resume(db: &Connection, session: i64) -> Result<Self> {
        let sql = "SELECT agent, number, ended_at FROM turns WHERE session = ? ORDER BY began_at, number";
        let mut statement = db.prepare_cached(sql)?;
        let mut rows = statement.query([session])?;
        let mut state = Self::default();
        while let Some(row) = rows.next()? {
            state.turns.insert(row.get(0)?, OpenTurn::stored(row.get(1)?, row.get(2)?, false));
        }
        Ok(state)
    }
}

impl OpenTurn {
    fn stored(number: i64, ended_at: Millis, is_repeated: bool) -> Self {
        Self { number, prompt: None, closing: None, ended_at, is_repeated, is_changed: false }
    }
}

/// Writes entries in one transaction.
pub(super) struct SessionWriter<'a> {
    tx: &'a Transaction<'a>,
    session: i64,
    /// The agent of the whole transcript; empty if its lines say.
    agent: &'a str,
    root: &'a str,
    state: &'a mut ReadingState,
    new_turns: usize,
    stale: HashSet<i64>,
    /// The line of the last entry, and the number of entries before on it.
    line: (u64, usize),
}

impl<'a> SessionWriter<'a> {
    pub(super) fn new(
        tx: &'a Transaction<'a>,
        session: i64,
        agent: &'a str,
        root: &'a str,
        state: &'a mut ReadingState,
    ) -> Self {
        Self { tx, session, agent, root, state, new_turns: 0, stale: HashSet::new(), line: (u64::MAX, 0) }
    }

    /// Writes one entry.
    pub(super) fn add(&mut self, entry: &Entry) -> Result<()> {
        let index = if self.line.0 == entry.cursor { self.line.1 + 1 } else { 0 };
        self.line = (entry.cursor, index);
        match entry.kind {
            EntryKind::Text if entry.is_prompt => self.add_prompt(entry),
            EntryKind::Text if entry.role == Role::Assistant => self.add_message(entry),
            EntryKind::Text => Ok(()),
            EntryKind::ToolCall => self.add_call(entry, index),
            EntryKind::ToolResult => self.add_result(entry, index),
        }
    }

    /// Writes the texts of the turns, and the calls that wait for a result. Returns the number of new turns.
    pub(super) fn finish(mut self) -> Result<usize> {
        let calls = std::mem::take(&mut self.state.calls);
        for call in calls.values() {
            if self.calls().write_waiting(call)? {
                self.stale.insert(call.place.turn);
            }
        }
        self.state.calls = calls;
        let mut turns = std::mem::take(&mut self.state.turns);
        for turn in turns.values_mut().filter(|turn| turn.is_changed) {
            self.write_texts(turn)?;
            turn.is_changed = false;
        }
        self.state.turns = turns;
        for turn in &self.stale {
            self.tx.prepare_cached("UPDATE turns SET is_stale = 1 WHERE number = ?")?.execute([turn])?;
        }
        Ok(self.new_turns)
    }

    fn agent_of<'e>(&self, entry: &'e Entry) -> &'e str
    where
        'a: 'e,
    {
        if self.agent.is_empty() { entry.place.agent.as_deref().unwrap_or_default() } else { self.agent }
    }

    fn add_prompt(&mut self, entry: &Entry) -> Result<()> {
        let agent = self.agent_of(entry).to_owned();
        let open = self.state.turns.get_mut(&agent);
        // The entries of one line are one prompt: what the person typed, and what they pasted.
        if let Some((line, text)) = open.and_then(|turn| turn.prompt.as_mut())
            && *line == entry.cursor
        {
            text.push_str("\n\n");
            text.push_str(&entry.text);
            return Ok(());
        }
        self.begin_turn(&agent, entry, Some(entry.text.clone()))
    }

    /// Begins a turn, whose texts are written when the page ends or the next turn begins.
    fn begin_turn(&mut self, agent: &str, entry: &Entry, prompt: Option<String>) -> Result<()> {
        if let Some(ended) = self.state.turns.remove(agent).filter(|turn| turn.is_changed) {
            self.write_texts(&ended)?;
        }
        let sql = "INSERT INTO turns (session, agent, key, branch, began_at, ended_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?5) ON CONFLICT DO NOTHING RETURNING number";
        let branch = entry.place.branch.as_deref();
        let new: Option<i64> = self
            .tx
            .prepare_cached(sql)?
            .query_row((self.session, agent, entry.line_key, branch, entry.at), |row| row.get(0))
            .optional()?;
        let mut turn = match new {
            Some(number) => OpenTurn::stored(number, entry.at, false),
            None => self.known_turn(agent, entry.line_key)?,
        };
        self.new_turns += usize::from(new.is_some());
        turn.is_changed = true;
        turn.prompt = prompt.map(|text| (entry.cursor, text));
        self.state.turns.insert(agent.to_owned(), turn);
        Ok(())
    }

    fn known_turn(&self, agent: &str, key: i64) -> Result<OpenTurn> {
        let sql = "SELECT number, ended_at FROM turns WHERE session = ?1 AND agent = ?2 AND key = ?3";
        let mut statement = self.tx.prepare_cached(sql)?;
        Ok(statement.query_row((self.session, agent, key), |row| {
            Ok(OpenTurn::stored(row.get(0)?, row.get(1)?, true))
        })?)
    }

    /// Returns the number of the turn in which an agent is. What comes before any prompt is a turn, too.
    fn turn_of(&mut self, agent: &str, entry: &Entry) -> Result<i64> {
        if !self.state.turns.contains_key(agent) {
            self.begin_turn(agent, entry, None)?;
        }
        let turn = self.state.turns.get_mut(agent);
        Ok(turn.map_or(0, |turn| {
            turn.ended_at = turn.ended_at.max(entry.at);
            turn.is_changed = true;
            turn.number
        }))
    }

    fn add_message(&mut self, entry: &Entry) -> Result<()> {
        let agent = self.agent_of(entry).to_owned();
        self.turn_of(&agent, entry)?;
        if let Some(turn) = self.state.turns.get_mut(&agent) {
            turn.closing = Some((entry.at, entry.text.clone()));
        }
        Ok(())
    }

    fn add_call(&mut self, entry: &Entry, index: usize) -> Result<()> {
        let agent = self.agent_of(entry).to_owned();
        let turn = self.turn_of(&agent, entry)?;
        let Some(kind) = self.call_kind(entry) else {
            *self.state.looks.entry(agent).or_default() += 1;
            return Ok(());
        };
        let key = call_key(entry.call.as_deref(), entry.line_key, index);
        let looks = self.state.looks.insert(agent.clone(), 0).unwrap_or_default();
        let position = position(entry.cursor, index);
        let place = CallPlace { turn, agent, key, position, at: entry.at, looks };
        self.state.calls.insert(key, PendingCall { place, kind });
        Ok(())
    }

    /// Returns what a call does; `None` if it only looks at something.
    fn call_kind(&self, entry: &Entry) -> Option<CallKind> {
        let tool = entry.tool.as_deref().unwrap_or_default();
        if LOOKING_TOOLS.contains(&tool) {
            return None;
        }
        let input: Value = serde_json::from_str(&entry.text).unwrap_or_default();
        let text = |name: &str| input[name].as_str().unwrap_or_default();
        if tool == SHELL_TOOL {
            let line = interleaf_text::truncate_middle(text("command"), MAX_LINE_BYTES).into_owned();
            let folder = self.below_root(entry.place.folder.as_deref().unwrap_or_default());
            let in_background = input["run_in_background"] == true;
            return Some(CallKind::Shell(CallOfShell { line, folder, in_background }));
        }
        let path = ["file_path", "notebook_path"].map(text).into_iter().find(|path| !path.is_empty());
        let path = path.filter(|_| EDITING_TOOLS.contains(&tool)).unwrap_or_default();
        Some(CallKind::Edit { path: self.below_root(path) })
    }

    /// Returns a path relative to the project's folder, if it is below it.
    fn below_root(&self, path: &str) -> String {
        let rest = path.strip_prefix(self.root).filter(|_| !self.root.is_empty());
        let inside = rest.filter(|rest| rest.is_empty() || rest.starts_with('/'));
        inside.map_or(path, |rest| rest.trim_start_matches('/')).to_owned()
    }

    fn add_result(&mut self, entry: &Entry, index: usize) -> Result<()> {
        let key = call_key(entry.call.as_deref(), entry.line_key, index);
        let writer = self.calls();
        let call = match self.state.calls.remove(&key) {
            Some(call) => Some(call),
            None => writer.waiting(key)?,
        };
        if let Some(call) = call
            && writer.complete(&call, entry)?
        {
            self.stale.insert(call.place.turn);
        }
        Ok(())
    }

    fn calls(&self) -> CallWriter<'a> {
        CallWriter { tx: self.tx, session: self.session }
    }

    /// Writes prompt and closing message. Those of a turn that was stored before stay, unless these are
    /// later.
    fn write_texts(&self, turn: &OpenTurn) -> Result<()> {
        let sql = "UPDATE turns SET prompt = ifnull(prompt, ?2), ended_at = max(ended_at, ?5), is_stale = 1,
                 closing = CASE WHEN ?3 IS NOT NULL AND (closing IS NULL OR NOT ?6 OR ?4 > ended_at)
                     THEN ?3 ELSE closing END
             WHERE number = ?1 AND NOT (?6 AND ended_at >= ?5 AND prompt IS NOT NULL
                 AND (closing IS NOT NULL OR ?3 IS NULL))";
        let shortened = |text: &str| pack(&interleaf_text::truncate_middle(text, MAX_TEXT_BYTES));
        let prompt = turn.prompt.as_ref().map(|(_, text)| shortened(text));
        let closing = turn.closing.as_ref().map(|(_, text)| shortened(text));
        let closing_at = turn.closing.as_ref().map(|(at, _)| at);
        let values = (turn.number, prompt, closing, closing_at, turn.ended_at, turn.is_repeated);
        self.tx.prepare_cached(sql)?.execute(values)?;
        Ok(())
    }
}

fn position(cursor: u64, index: usize) -> i64 {
    let byte = i64::try_from(cursor).unwrap_or(i64::MAX / POSITIONS_PER_BYTE - 1);
    byte * POSITIONS_PER_BYTE + index as i64
}

/// Returns the key of a tool call in its session.
fn call_key(call: Option<&str>, line_key: i64, index: usize) -> i64 {
    match call {
        Some(id) => short_digest(id.as_bytes()),
        None => short_digest(&[&line_key.to_le_bytes()[..], &index.to_le_bytes()].concat()),
    }
}
