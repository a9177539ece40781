//! The cap on model calls: tokens per day (UTC) over all projects of this user, and per session within the
//! day, counted in one file in the user's data folder. A call reserves the most tokens that it can take and
//! settles afterwards with the tokens that it took. The reservation of a process that dies in between stays
//! spent.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::ModelTier;
use crate::clock::{Clock, format_date};
use crate::dirs::{lock_file, read_file, write_atomically};
use crate::error::{Error, Result};

/// Maximum size of the count file in bytes: about twenty thousand sessions of one day.
const MAX_FILE_BYTES: u64 = 4 << 20;
/// Quarters of a cap that the small model may use. The rest is kept back for the strong one, because drafts
/// that nobody verifies are paid for and then thrown away.
const SMALL_QUARTERS: u64 = 3;
/// Number of characters by which session ids are distinguished. Claude Code's have 36.
const MAX_SESSION_CHARS: usize = 100;

/// Numbers of calls and tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Spend {
    /// Calls that were made or are in progress.
    pub calls: u64,
    /// Tokens that were used or are reserved.
    pub tokens: u64,
}

/// The spend of one day.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DailySpend {
    /// The day, as `2026-01-31`, in UTC.
    pub day: String,
    /// The spend of all sessions together.
    #[serde(flatten)]
    pub spent: Spend,
    /// The spend of each session.
    pub sessions: BTreeMap<String, Spend>,
}

/// The cap and the file with its count.
#[derive(Debug, Clone)]
pub struct SpendCap {
    file: PathBuf,
    clock: Clock,
    /// Maximum number of tokens per day.
    pub daily: u64,
    /// Maximum number of tokens per session and day.
    pub session: u64,
}

/// Tokens that are reserved for one call.
#[derive(Debug)]
#[must_use = "a reservation that is not settled stays spent"]
pub(super) struct Reservation {
    day: String,
    session: String,
    tokens: u64,
}

impl SpendCap {
    /// Returns the cap whose count is in this user's data folder.
    pub fn new(data: &Path, clock: Clock, daily: u64, session: u64) -> Self {
        Self { file: data.join("spend.json"), clock, daily, session }
    }

    /// Returns today's spend so far. If the clock was put back, the latest day that was counted goes on,
    /// so that a clock which goes back and forth does not start a new count each time.
    ///
    /// # Errors
    /// `Unavailable` if the file cannot be read.
    pub fn today(&self) -> Result<DailySpend> {
        let today = format_date(self.clock.now());
        let content = read_file(&self.file, MAX_FILE_BYTES).map_err(|error| self.unreadable(&error))?;
        let Some(content) = content else { return Ok(DailySpend { day: today, ..DailySpend::default() }) };
        let stored: DailySpend = serde_json::from_slice(&content).map_err(|error| self.unreadable(&error))?;
        // Days as `2026-01-31` sort by time.
        Ok(if stored.day >= today { stored } else { DailySpend { day: today, ..DailySpend::default() } })
    }

    /// Reserves this number of tokens for a call of this tier.
    ///
    /// # Errors
    /// `OverBudget`, with the figures, if the cap of the day or the session does not allow it; `Unavailable`
    /// if the file cannot be read or written.
    pub(super) fn reserve(&self, tier: ModelTier, session: &str, tokens: u64) -> Result<Reservation> {
        let is_small = tier == ModelTier::Small;
        let share = |cap: u64| if is_small { cap / 4 * SMALL_QUARTERS } else { cap };
        let who = if is_small { "for the small model " } else { "" };
        let session: String = session.chars().take(MAX_SESSION_CHARS).collect();
        let mut day = String::new();
        self.change(|today| {
            let of_session = today.sessions.entry(session.clone()).or_default();
            check_cap(
                today.spent,
                tokens,
                share(self.daily),
                &format!("{who}per day over all projects"),
                "daily_tokens",
            )?;
            check_cap(
                *of_session,
                tokens,
                share(self.session),
                &format!("{who}in this session"),
                "session_tokens",
            )?;
            for spent in [&mut today.spent, of_session] {
                *spent = Spend { calls: spent.calls + 1, tokens: spent.tokens.saturating_add(tokens) };
            }
            day.clone_from(&today.day);
            Ok(())
        })?;
        Ok(Reservation { day, session, tokens })
    }

    /// Replaces a reservation by the tokens that the call used. If the file cannot be written or the day is
    /// over, the reservation stays.
    pub(super) fn settle(&self, reserved: Reservation, used: u64) {
        let correct = |spent: &mut Spend| {
            spent.tokens = spent.tokens.saturating_sub(reserved.tokens).saturating_add(used);
        };
        let _ = self.change(|today| {
            if today.day == reserved.day {
                correct(&mut today.spent);
                today.sessions.get_mut(&reserved.session).map(correct);
            }
            Ok(())
        });
    }

    /// Changes the count under its lock.
    fn change(&self, change: impl FnOnce(&mut DailySpend) -> Result<()>) -> Result<()> {
        let _lock = lock_file(&self.file).map_err(|error| self.unwritable(&error))?;
        let mut today = self.today()?;
        change(&mut today)?;
        let json = serde_json::to_vec(&today).map_err(|error| self.unwritable(&error))?;
        write_atomically(&self.file, &json).map_err(|error| self.unwritable(&error))
    }

    fn unwritable(&self, error: &impl std::fmt::Display) -> Error {
        let what = format!("cannot write the spend count to {}: {error}", self.file.display());
        Error::unavailable(what)
            .hint("no model is called without a count; check the permissions of the folder")
    }

    fn unreadable(&self, error: &impl std::fmt::Display) -> Error {
        let what = format!("cannot read the spend count from {}: {error}", self.file.display());
        Error::unavailable(what).hint("remove the file to start today's count again")
    }
}

/// Checks that another call stays within a cap. `scope` and `key` name the cap in the error.
fn check_cap(spent: Spend, tokens: u64, cap: u64, scope: &str, key: &str) -> Result<()> {
    if spent.tokens.saturating_add(tokens) <= cap {
        return Ok(());
    }
    let left = cap.saturating_sub(spent.tokens);
    Err(Error::over_budget(format!(
        "a model call of up to {tokens} tokens exceeds the cap: {left} of the {cap} tokens {scope} are left"
    ))
    .hint(format!("interleaf llm shows the spend; `llm.{key}` in your config.toml sets the cap")))
}

#[cfg(test)]
#[path = "spend_cap_tests.rs"]
mod tests;
