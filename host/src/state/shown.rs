//! What a context was shown, and what its session has spent of its budget.

use std::collections::HashSet;

use rusqlite::{Connection, OptionalExtension, Transaction, params};

use super::{State, touch_session};
use crate::error::Result;

/// One reader of what is shown: the main conversation of a session, or one of its subagents.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConversationKey {
    /// The session's id.
    pub session: String,
    /// The subagent's id; empty for the main conversation.
    pub agent: String,
}

/// What may be printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedShown {
    /// The memories that this context had not been shown.
    pub fresh: HashSet<String>,
    /// Whether the session's budget allows it. If not, nothing was marked.
    pub allowed: bool,
}

impl State {
    /// The ids of the memories that this context was shown.
    ///
    /// # Errors
    /// `Unavailable` when the database is; likewise below.
    pub fn shown(&self, conversation: &ConversationKey) -> Result<HashSet<String>> {
        Ok(self.database.read(|db| shown(db, conversation))?.unwrap_or_default())
    }

    /// Lets everything be shown to this context again: after a compaction the model no longer has it. Writes only if
    /// something was shown.
    ///
    /// # Errors
    /// As for [`State::shown`].
    pub fn clear_shown(&self, conversation: &ConversationKey) -> Result<()> {
        if self.shown(conversation)?.is_empty() {
            return Ok(());
        }
        self.database.write(|db| {
            let mut forget = db.prepare_cached("DELETE FROM shown WHERE session = ?1 AND agent = ?2")?;
            forget.execute([&conversation.session, &conversation.agent])?;
            Ok(())
        })
    }

    /// Before these memories are printed, in a text of `units` UTF-16 units: tells which of them are new to the
    /// context and whether the session may spend as much, and marks them as shown and spent, in one transaction.
    /// `session_limit` is the session's budget in the same units; without it nothing is counted (a session start, a
    /// warning).
    ///
    /// # Errors
    /// As for [`State::shown`].
    pub fn record_shown(
        &self,
        conversation: &ConversationKey,
        ids: &[String],
        units: u64,
        session_limit: Option<u64>,
    ) -> Result<RecordedShown> {
        if ids.is_empty() && session_limit.is_none() {
            return Ok(RecordedShown { fresh: HashSet::new(), allowed: true });
        }
        self.database.write(|db| {
            let fresh = fresh(db, conversation, ids)?;
            let spent = spent(db, &conversation.session)?;
            let allowed = session_limit.is_none_or(|limit| spent.saturating_add(units) <= limit);
            if allowed {
                touch_session(db, &conversation.session, self.clock.now())?;
                mark(db, conversation, &fresh)?;
                spend(db, &conversation.session, session_limit.map_or(0, |_| units))?;
            }
            Ok(RecordedShown { fresh, allowed })
        })
    }

    /// UTF-16 units that the session has spent.
    ///
    /// # Errors
    /// As for [`State::shown`].
    pub fn spent(&self, session: &str) -> Result<u64> {
        Ok(self.database.read(|db| spent(db, session))?.unwrap_or_default())
    }
}

fn shown(db: &Connection, conversation: &ConversationKey) -> Result<HashSet<String>> {
    let mut shown = db.prepare_cached("SELECT memory FROM shown WHERE session = ?1 AND agent = ?2")?;
    let ids = shown.query_map([&conversation.session, &conversation.agent], |row| row.get(0))?;
    Ok(ids.collect::<rusqlite::Result<_>>()?)
}

/// Looks each id up: a long session was shown many more than are printed at once.
fn fresh(db: &Connection, conversation: &ConversationKey, ids: &[String]) -> Result<HashSet<String>> {
    let mut known =
        db.prepare_cached("SELECT 1 FROM shown WHERE session = ?1 AND agent = ?2 AND memory = ?3")?;
    let mut fresh = HashSet::new();
    for id in ids {
        if !known.exists([&conversation.session, &conversation.agent, id])? {
            fresh.insert(id.clone());
        }
    }
    Ok(fresh)
}

fn mark(db: &Transaction, conversation: &ConversationKey, ids: &HashSet<String>) -> Result<()> {
    let mut mark = db.prepare_cached("INSERT INTO shown (session, agent, memory) VALUES (?1, ?2, ?3)")?;
    for id in ids {
        mark.execute([&conversation.session, &conversation.agent, id])?;
    }
    Ok(())
}

fn spent(db: &Connection, session: &str) -> Result<u64> {
    let mut spent = db.prepare_cached("SELECT units FROM sessions WHERE id = ?1")?;
    Ok(spent.query_row([session], |row| row.get(0)).optional()?.unwrap_or_default())
}

fn spend(db: &Transaction, session: &str, units: u64) -> Result<()> {
    if units > 0 {
        let mut spend = db.prepare_cached("UPDATE sessions SET units = units + ?2 WHERE id = ?1")?;
        spend.execute(params![session, units])?;
    }
    Ok(())
}
