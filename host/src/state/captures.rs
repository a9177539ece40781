//! The queue of things that layers noticed and nobody has looked at yet.
//!
//! A capture leaves the queue when it is settled, after it was dealt with: a process that is killed in between has
//! lost nothing, and its successor sees the capture again.

use rusqlite::{Transaction, params};

use super::State;
use crate::clock::Millis;
use crate::error::Result;

/// So many captures wait; a new one then pushes out the oldest. Nobody works through more than this at once.
const CAPACITY: usize = 200;
/// The name of dropped captures among the losses.
const DROPPED: &str = "captures";

/// Something noticed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capture {
    /// Known once, whatever process brings it; at most 200 bytes.
    pub id: String,
    /// The layer that noticed it.
    pub layer: String,
    /// The session it was noticed in.
    pub session: String,
    /// JSON text, at most 64 KiB.
    pub payload: String,
    /// When it was noticed.
    pub at: Millis,
}

/// What became of a capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PushResult {
    /// It waits.
    Queued,
    /// It waits already.
    AlreadyQueued,
    /// It waits, and so many older ones had to make room.
    QueuedDroppingOldest(usize),
}

impl State {
    /// Queues a capture.
    ///
    /// # Errors
    /// `Invalid` for an id that cannot be one, `OverBudget` for a payload that is too large, `Unavailable` when the
    /// database is.
    pub fn push_capture(&self, capture: &Capture) -> Result<PushResult> {
        let (id, payload) =
            (self.key("the id of a capture", &capture.id)?, self.value("a capture", &capture.payload)?);
        self.database.write(|db| {
            let mut push = db.prepare_cached(
                "INSERT OR IGNORE INTO captures (id, layer, session, payload, at) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?;
            if push.execute(params![id, capture.layer, capture.session, payload, capture.at])? == 0 {
                return Ok(PushResult::AlreadyQueued);
            }
            Ok(match make_room(db)? {
                0 => PushResult::Queued,
                dropped => PushResult::QueuedDroppingOldest(dropped),
            })
        })
    }

    /// The captures that wait, oldest first.
    ///
    /// # Errors
    /// `Unavailable` when the database is; likewise below.
    pub fn captures(&self, limit: usize) -> Result<Vec<Capture>> {
        let captures = self.database.read(|db| {
            let mut captures = db.prepare_cached(
                "SELECT id, layer, session, payload, at FROM captures ORDER BY seq LIMIT ?1",
            )?;
            let captures = captures.query_map([limit.min(CAPACITY)], |row| {
                let (id, layer, session) = (row.get(0)?, row.get(1)?, row.get(2)?);
                Ok(Capture { id, layer, session, payload: row.get(3)?, at: row.get(4)? })
            })?;
            Ok(captures.collect::<rusqlite::Result<_>>()?)
        })?;
        Ok(captures.unwrap_or_default())
    }

    /// Takes captures that were dealt with off the queue.
    ///
    /// # Errors
    /// As for [`State::captures`].
    pub fn remove_captures(&self, ids: &[String]) -> Result<()> {
        if ids.is_empty() {
            return Ok(());
        }
        self.database.write(|db| {
            let mut settle = db.prepare_cached("DELETE FROM captures WHERE id = ?1")?;
            for id in ids {
                settle.execute([self.key("the id of a capture", id)?])?;
            }
            Ok(())
        })
    }

    /// How many captures were dropped because the queue was full.
    ///
    /// # Errors
    /// As for [`State::captures`].
    pub fn dropped_captures(&self) -> Result<u64> {
        self.lost(DROPPED)
    }
}

fn make_room(db: &Transaction) -> Result<usize> {
    let waiting: usize =
        db.prepare_cached("SELECT count(*) FROM captures")?.query_row([], |row| row.get(0))?;
    let surplus = waiting.saturating_sub(CAPACITY);
    if surplus > 0 {
        let oldest = "DELETE FROM captures WHERE seq IN (SELECT seq FROM captures ORDER BY seq LIMIT ?1)";
        db.execute(oldest, [surplus])?;
        let lose = "INSERT INTO losses (name, count) VALUES (?1, ?2)
                    ON CONFLICT (name) DO UPDATE SET count = count + excluded.count";
        db.execute(lose, params![DROPPED, surplus])?;
    }
    Ok(surplus)
}
