//! The size limit of a record. The text of the oldest commands goes first: command lines and error lines.
//! Then what the oldest turns did and the assistant's messages, and at last their prompts.

use std::time::Instant;

use rusqlite::{Connection, Transaction};

use super::{Record, erasure, turn_index};
use crate::error::Result;

/// Number of turns that one transaction shortens.
const BATCH_TURNS: i64 = 200;

/// The part of all turns that is shortened before the size is measured again, and the minimum number of them.
const PARTS: i64 = 20;
const MIN_SHORTENED: i64 = 50;

/// The share of the limit, in percent, down to which a record that exceeds it is reduced, so that not every
/// session exceeds it again.
const REDUCED_PERCENT: u64 = 90;

/// Maximum number of characters of a command whose line was removed.
const MAX_COMMAND_CHARS: usize = 80;

/// What the size limit removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Removed {
    /// The number of commands and messages whose text was removed.
    pub texts: u64,
    /// The number of turns that were removed.
    pub turns: u64,
}

/// What is removed, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    ToolTexts,
    Work,
    Turns,
}

impl Level {
    const ALL: [Self; 3] = [Self::ToolTexts, Self::Work, Self::Turns];

    /// Returns the condition of the turns that have something of this level.
    fn condition(self) -> &'static str {
        match self {
            Self::ToolTexts => "EXISTS (SELECT 1 FROM runs WHERE turn = turns.number AND line IS NOT NULL)",
            Self::Work => {
                "closing IS NOT NULL OR EXISTS (SELECT 1 FROM runs WHERE turn = turns.number)
                 OR EXISTS (SELECT 1 FROM edits WHERE turn = turns.number)"
            }
            Self::Turns => "1",
        }
    }
}

impl Record {
    /// Removes the oldest texts until the record has at most this size, or until there is no time left. A
    /// later call goes on.
    ///
    /// # Errors
    /// `Unavailable` if the record cannot be written.
    pub fn limit_size(&self, max_bytes: u64, until: Instant) -> Result<Removed> {
        let mut removed = Removed::default();
        if self.size_bytes() <= max_bytes || self.used_bytes()? <= max_bytes {
            return Ok(removed);
        }
        let target = max_bytes / 100 * REDUCED_PERCENT;
        'levels: for level in Level::ALL {
            while self.used_bytes()? > target {
                if Instant::now() >= until {
                    break 'levels;
                }
                if !self.shorten_oldest(level, &mut removed)? {
                    continue 'levels;
                }
                self.database.write(turn_index::compact)?;
            }
            break;
        }
        // What was removed left pages half empty.
        self.database.vacuum()?;
        self.write_signatures()?;
        Ok(removed)
    }

    /// Returns the size without the space that is free again, in bytes. Reads the whole file.
    ///
    /// # Errors
    /// `Unavailable` if the record cannot be read.
    pub fn used_bytes(&self) -> Result<u64> {
        let sql = "SELECT sum(pgsize - unused) FROM dbstat WHERE aggregate = TRUE";
        let used = self.database.read(|db| Ok(db.query_row(sql, [], |row| row.get::<_, Option<i64>>(0))?))?;
        Ok(used.flatten().unwrap_or_default().unsigned_abs())
    }

    /// Shortens the oldest turns that have something of a level. Returns whether there were any.
    fn shorten_oldest(&self, level: Level, removed: &mut Removed) -> Result<bool> {
        let (_, all) = self.counts()?;
        let mut left = (all.cast_signed() / PARTS).max(MIN_SHORTENED);
        let mut is_any = false;
        while left > 0 {
            let shortened = self.database.write(|tx| shorten_some(tx, level, left.min(BATCH_TURNS)))?;
            let Some((turns, texts)) = shortened else { break };
            removed.texts += texts;
            removed.turns += if level == Level::Turns { turns } else { 0 };
            (left, is_any) = (left - turns.cast_signed(), true);
        }
        Ok(is_any)
    }
}

/// Shortens some turns. Returns their number and that of the texts; `None` if there are none.
fn shorten_some(tx: &Transaction, level: Level, limit: i64) -> Result<Option<(u64, u64)>> {
    let (turns, mut texts) = (oldest(tx, level, limit)?, 0);
    let shorten_runs = format!(
        "UPDATE runs SET line = NULL, error = NULL, command = substr(command, 1, {MAX_COMMAND_CHARS})
         WHERE turn = ? AND line IS NOT NULL"
    );
    for turn in &turns {
        let of_turn = match level {
            Level::ToolTexts => tx.prepare_cached(&shorten_runs)?.execute([turn])?,
            Level::Work => {
                let closings = "UPDATE turns SET closing = NULL WHERE number = ? AND closing IS NOT NULL";
                erasure::delete_work(tx, *turn)?;
                tx.prepare_cached(closings)?.execute([turn])?
            }
            Level::Turns => {
                erasure::delete_turn(tx, *turn)?;
                continue;
            }
        };
        let count = "UPDATE sessions SET removed_texts = removed_texts + ?2
             WHERE number = (SELECT session FROM turns WHERE number = ?1)";
        tx.prepare_cached(count)?.execute((turn, of_turn as i64))?;
        turn_index::update_turn(tx, *turn, true)?;
        texts += of_turn as u64;
    }
    Ok((!turns.is_empty()).then_some((turns.len() as u64, texts)))
}

fn oldest(db: &Connection, level: Level, limit: i64) -> Result<Vec<i64>> {
    let sql =
        format!("SELECT number FROM turns WHERE {} ORDER BY began_at, number LIMIT ?1", level.condition());
    let mut statement = db.prepare_cached(&sql)?;
    let turns = statement.query_map([limit], |row| row.get(0))?;
    Ok(turns.collect::<rusqlite::Result<_>>()?)
}
