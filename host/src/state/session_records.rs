//! The host's records of each session: the memories that its conversations were shown, the part of its
//! context budget that it has spent, and the number of failures of each layer.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension, Transaction, params};

use super::{HOST_OWNER, Scope, State, touch_session};
use crate::clock::Millis;
use crate::error::Result;

/// The key of the session's value that holds when its conversation was compacted last.
const COMPACTED_KEY: &str = "compacted-at";

/// Names one conversation with the model: the main one of a session, or the one of a subagent within it. Each
/// has its own context, so the host records separately which memories each was shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConversationKey {
    /// The session's id.
    pub session: String,
    /// The subagent's id; empty for the main conversation.
    pub agent: String,
}

/// How much of a memory a conversation was shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum ShownAs {
    /// A line with its title.
    Line,
    /// Its text.
    #[default]
    Whole,
}

/// The result of [`State::record_shown`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedShown {
    /// The memories that this conversation had not been shown, or only the title of what is now shown whole.
    pub new: HashMap<String, ShownAs>,
    /// Whether the text fits into the session's budget. If not, nothing was recorded.
    pub is_within_budget: bool,
}

impl State {
    /// Returns the ids of the memories that this conversation was shown, with how much it was shown of each.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be used.
    pub fn shown(&self, conversation: &ConversationKey) -> Result<HashMap<String, ShownAs>> {
        Ok(self.database.read(|db| select_shown(db, conversation))?.unwrap_or_default())
    }

    /// Lets every memory be shown to this conversation again: after a compaction the model no longer has
    /// them. Writes only if something was shown.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be used.
    pub fn clear_shown(&self, conversation: &ConversationKey) -> Result<()> {
        if self.shown(conversation)?.is_empty() {
            return Ok(());
        }
        self.database.write(|db| {
            let mut clear = db.prepare_cached("DELETE FROM shown WHERE session = ?1 AND agent = ?2")?;
            clear.execute([&conversation.session, &conversation.agent])?;
            Ok(())
        })
    }

    /// Records that the model lost what the session's main conversation said so far.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be used.
    pub fn record_compaction(&self, session: &str) -> Result<()> {
        self.set(Scope::Session(session), HOST_OWNER, COMPACTED_KEY, &self.clock.now().to_string())
    }

    /// Returns when the session's main conversation was compacted last, if it was.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be used.
    pub fn compacted_at(&self, session: &str) -> Result<Option<Millis>> {
        let at = self.get(Scope::Session(session), HOST_OWNER, COMPACTED_KEY)?;
        Ok(at.and_then(|at| at.parse().ok()))
    }

    /// Records in one transaction that these memories are shown and that the text that shows them is spent.
    /// Call it before the text is printed. Returns which of the memories are new to the conversation and
    /// whether the budget allows the text.
    ///
    /// `units` is the length of the text in UTF-16 units and `session_limit` the session's budget in the same
    /// units. Without a limit nothing is counted as spent (a session start, a warning).
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be used.
    pub fn record_shown(
        &self,
        conversation: &ConversationKey,
        memories: &[(String, ShownAs)],
        units: u64,
        session_limit: Option<u64>,
    ) -> Result<RecordedShown> {
        if memories.is_empty() && session_limit.is_none() {
            return Ok(RecordedShown { new: HashMap::new(), is_within_budget: true });
        }
        self.database.write(|db| {
            let new = select_new(db, conversation, memories)?;
            let spent = select_spent(db, &conversation.session)?;
            let is_within_budget = session_limit.is_none_or(|limit| spent.saturating_add(units) <= limit);
            if is_within_budget {
                touch_session(db, &conversation.session, self.clock.now())?;
                insert_shown(db, conversation, &new)?;
                add_spent(db, &conversation.session, session_limit.map_or(0, |_| units))?;
            }
            Ok(RecordedShown { new, is_within_budget })
        })
    }

    /// Returns how many UTF-16 units of its budget the session has spent.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be used.
    pub fn spent(&self, session: &str) -> Result<u64> {
        Ok(self.database.read(|db| select_spent(db, session))?.unwrap_or_default())
    }

    /// Returns how often this layer has failed in this session.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be used.
    pub fn failure_count(&self, session: &str, layer: &str) -> Result<u32> {
        let count = self.database.read(|db| {
            let mut count =
                db.prepare_cached("SELECT count FROM failures WHERE session = ?1 AND layer = ?2")?;
            Ok(count.query_row([session, layer], |row| row.get(0)).optional()?)
        })?;
        Ok(count.flatten().unwrap_or_default())
    }

    /// Counts a failure of this layer, and returns the new count.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be used.
    pub fn count_failure(&self, session: &str, layer: &str) -> Result<u32> {
        self.database.write(|db| {
            touch_session(db, session, self.clock.now())?;
            let mut count = db.prepare_cached(
                "INSERT INTO failures (session, layer, count) VALUES (?1, ?2, 1)
                 ON CONFLICT (session, layer) DO UPDATE SET count = count + 1 RETURNING count",
            )?;
            Ok(count.query_row(params![session, layer], |row| row.get(0))?)
        })
    }
}

fn select_shown(db: &Connection, conversation: &ConversationKey) -> Result<HashMap<String, ShownAs>> {
    let mut shown =
        db.prepare_cached("SELECT memory, as_line FROM shown WHERE session = ?1 AND agent = ?2")?;
    let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, shown_as(row.get(1)?)));
    let shown = shown.query_map([&conversation.session, &conversation.agent], read)?;
    Ok(shown.collect::<rusqlite::Result<_>>()?)
}

/// Returns the memories of which less was shown so far. Looks each one up, because a long session was shown
/// many more memories than one reply names.
fn select_new(
    db: &Connection,
    conversation: &ConversationKey,
    memories: &[(String, ShownAs)],
) -> Result<HashMap<String, ShownAs>> {
    let mut shown =
        db.prepare_cached("SELECT as_line FROM shown WHERE session = ?1 AND agent = ?2 AND memory = ?3")?;
    let mut new = HashMap::new();
    for (id, wanted) in memories {
        let key = [&conversation.session, &conversation.agent, id];
        let before = shown.query_row(key, |row| Ok(shown_as(row.get(0)?))).optional()?;
        if before.is_none_or(|before| before < *wanted) {
            new.insert(id.clone(), *wanted);
        }
    }
    Ok(new)
}

fn shown_as(is_line: bool) -> ShownAs {
    if is_line { ShownAs::Line } else { ShownAs::Whole }
}

fn insert_shown(
    db: &Transaction,
    conversation: &ConversationKey,
    memories: &HashMap<String, ShownAs>,
) -> Result<()> {
    let mut insert = db.prepare_cached(
        "INSERT INTO shown (session, agent, memory, as_line) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT DO UPDATE SET as_line = excluded.as_line",
    )?;
    for (id, shown_as) in memories {
        let is_line = *shown_as == ShownAs::Line;
        insert.execute(params![conversation.session, conversation.agent, id, is_line])?;
    }
    Ok(())
}

fn select_spent(db: &Connection, session: &str) -> Result<u64> {
    let mut spent = db.prepare_cached("SELECT units FROM sessions WHERE id = ?1")?;
    Ok(spent.query_row([session], |row| row.get(0)).optional()?.unwrap_or_default())
}

fn add_spent(db: &Transaction, session: &str, units: u64) -> Result<()> {
    if units > 0 {
        let mut add = db.prepare_cached("UPDATE sessions SET units = units + ?2 WHERE id = ?1")?;
        add.execute(params![session, units])?;
    }
    Ok(())
}
