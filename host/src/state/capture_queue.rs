//! The queue of captures: events that layers found worth learning from and that no flush has processed yet.
//!
//! A capture leaves the queue only after it was processed. So a process that is killed before then loses
//! nothing: its successor reads the capture again.

use rusqlite::{Transaction, params};

use super::State;
use crate::clock::Millis;
use crate::error::Result;

/// Maximum number of captures in the queue; a new capture then drops the oldest. No process handles more than
/// this at once.
const MAX_CAPTURES: usize = 200;

/// The name under which the table `losses` counts dropped captures.
const DROPPED_CAPTURES: &str = "captures";

/// The result of [`State::push_capture`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PushResult {
    /// The capture was queued.
    Queued,
    /// A capture with this id was already in the queue.
    AlreadyQueued,
    /// The capture was queued, and this many of the oldest ones were dropped.
    QueuedDroppingOldest(usize),
}

/// An event that a layer found worth learning from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capture {
    /// Unique in the project, so a second process that pushes it changes nothing; at most 200 bytes.
    pub id: String,
    /// The layer that pushed it.
    pub layer: String,
    /// The session of the event.
    pub session: String,
    /// When it was pushed.
    pub at: Millis,
    /// JSON text, at most 64 KiB.
    pub payload: String,
}

impl State {
    /// Queues a capture.
    ///
    /// # Errors
    /// `Invalid` for an id that is empty or too long, `OverBudget` for a payload that is too large,
    /// `Unavailable` if the database cannot be used.
    pub fn push_capture(&self, capture: &Capture) -> Result<PushResult> {
        let id = self.stored_key("the id of a capture", &capture.id)?;
        let payload = self.stored_value("a capture", &capture.payload)?;
        self.database.write(|db| {
            let mut push = db.prepare_cached(
                "INSERT OR IGNORE INTO captures (id, layer, session, payload, at)
                 VALUES (?1, ?2, ?3, ?4, ?5)",
            )?;
            if push.execute(params![id, capture.layer, capture.session, payload, capture.at])? == 0 {
                return Ok(PushResult::AlreadyQueued);
            }
            Ok(match drop_oldest(db)? {
                0 => PushResult::Queued,
                dropped => PushResult::QueuedDroppingOldest(dropped),
            })
        })
    }

    /// Returns the queued captures, oldest first.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be used.
    pub fn captures(&self, limit: usize) -> Result<Vec<Capture>> {
        let captures = self.database.read(|db| {
            let mut captures = db.prepare_cached(
                "SELECT id, layer, session, payload, at FROM captures ORDER BY seq LIMIT ?1",
            )?;
            let captures = captures.query_map([limit.min(MAX_CAPTURES)], |row| {
                let (id, layer, session) = (row.get(0)?, row.get(1)?, row.get(2)?);
                Ok(Capture { id, layer, session, payload: row.get(3)?, at: row.get(4)? })
            })?;
            Ok(captures.collect::<rusqlite::Result<_>>()?)
        })?;
        Ok(captures.unwrap_or_default())
    }

    /// Removes captures that were processed. Ignores ids that are not in the queue.
    ///
    /// # Errors
    /// As for [`State::push_capture`].
    pub fn remove_captures(&self, ids: &[String]) -> Result<()> {
        if ids.is_empty() {
            return Ok(());
        }
        self.database.write(|db| {
            let mut remove = db.prepare_cached("DELETE FROM captures WHERE id = ?1")?;
            for id in ids {
                remove.execute([self.stored_key("the id of a capture", id)?])?;
            }
            Ok(())
        })
    }

    /// Returns how many captures of this project have ever been dropped because the queue was full.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be used.
    pub fn dropped_captures(&self) -> Result<u64> {
        let dropped = self.database.read(|db| {
            let mut count =
                db.prepare_cached("SELECT coalesce(sum(count), 0) FROM losses WHERE name = ?1")?;
            Ok(count.query_row([DROPPED_CAPTURES], |row| row.get(0))?)
        })?;
        Ok(dropped.unwrap_or_default())
    }
}

/// Drops the oldest captures beyond the queue's capacity, adds their number to the count of losses, and
/// returns it.
fn drop_oldest(db: &Transaction) -> Result<usize> {
    let queued: usize =
        db.prepare_cached("SELECT count(*) FROM captures")?.query_row([], |row| row.get(0))?;
    let surplus = queued.saturating_sub(MAX_CAPTURES);
    if surplus > 0 {
        let oldest = "DELETE FROM captures WHERE seq IN (SELECT seq FROM captures ORDER BY seq LIMIT ?1)";
        db.execute(oldest, [surplus])?;
        let count = "INSERT INTO losses (name, count) VALUES (?1, ?2)
                     ON CONFLICT (name) DO UPDATE SET count = count + excluded.count";
        db.execute(count, params![DROPPED_CAPTURES, surplus])?;
    }
    Ok(surplus)
}
