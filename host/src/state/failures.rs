//! How often a layer has failed in a session, so that one that always fails costs its time a few times and not on every
//! event.

use rusqlite::{OptionalExtension, params};

use super::{State, touch_session};
use crate::error::Result;

impl State {
    /// How often this layer has failed in this session.
    ///
    /// # Errors
    /// `Unavailable` when the database is; likewise below.
    pub fn failure_count(&self, session: &str, layer: &str) -> Result<u32> {
        let count = self.database.read(|db| {
            let mut count =
                db.prepare_cached("SELECT count FROM failures WHERE session = ?1 AND layer = ?2")?;
            Ok(count.query_row([session, layer], |row| row.get(0)).optional()?)
        })?;
        Ok(count.flatten().unwrap_or_default())
    }

    /// Counts a failure, and tells how often that makes.
    ///
    /// # Errors
    /// As for [`State::failure_count`].
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
