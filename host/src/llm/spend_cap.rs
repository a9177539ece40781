//! The cap on model calls: tokens per day (UTC) over all projects of this user, and per session within the
//! day, counted in one file in the user's data folder. A call reserves the most tokens that it can take and
//! settles afterwards with the tokens that it took. The reservation of a process that dies in between stays
//! spent.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::clock::{Clock, format_date};
use crate::dirs::{lock_file, read_file, write_atomically};
use crate::error::{Error, Result};

/// Maximum size of the count file in bytes: about twenty thousand sessions of one day.
const MAX_FILE_BYTES: u64 = 4 << 20;
/// Maximum length of a session id that is told apart, in characters. Claude Code's have 36.
const MAX_SESSION_CHARS: usize = 100;

/// Calls and tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Spend {
    /// Calls made, or about to be made.
    pub calls: u64,
    /// Tokens that were taken, or are reserved.
    pub tokens: u64,
}

/// What was spent on one day.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DailySpend {
    /// The day, as `2026-01-31`, in UTC.
    pub day: String,
    /// Of all sessions together.
    #[serde(flatten)]
    pub spent: Spend,
    /// Of each session.
    pub sessions: BTreeMap<String, Spend>,
}

/// The cap and its count.
#[derive(Debug, Clone)]
pub struct SpendCap {
    file: PathBuf,
    clock: Clock,
    /// Tokens of a day.
    pub daily: u64,
    /// Tokens of a session in a day.
    pub session: u64,
}

/// Tokens that one call may take.
#[derive(Debug)]
#[must_use = "what is not settled stays spent"]
pub(super) struct Reservation {
    day: String,
    session: String,
    tokens: u64,
}

impl SpendCap {
    /// The cap whose count lies in this user's data folder.
    pub fn new(data: &Path, clock: Clock, daily: u64, session: u64) -> Self {
        Self { file: data.join("spend.json"), clock, daily, session }
    }

    /// What was spent today so far.
    ///
    /// # Errors
    /// `Unavailable` when the file cannot be read.
    pub fn today(&self) -> Result<DailySpend> {
        let today = format_date(self.clock.now());
        let content = read_file(&self.file, MAX_FILE_BYTES).map_err(|error| self.unreadable(&error))?;
        let Some(content) = content else { return Ok(DailySpend { day: today, ..DailySpend::default() }) };
        let read: DailySpend = serde_json::from_slice(&content).map_err(|error| self.unreadable(&error))?;
        Ok(if read.day == today { read } else { DailySpend { day: today, ..DailySpend::default() } })
    }

    /// Reserves so many tokens.
    ///
    /// # Errors
    /// `OverBudget`, with the figures, where the day or the session does not allow it; `Unavailable` where it
    /// cannot be written down.
    pub(super) fn reserve(&self, session: &str, tokens: u64) -> Result<Reservation> {
        let session: String = session.chars().take(MAX_SESSION_CHARS).collect();
        let mut day = String::new();
        self.change(|today| {
            let of_session = today.sessions.entry(session.clone()).or_default();
            within(today.spent, tokens, self.daily, "the day, over all projects", "daily_tokens")?;
            within(*of_session, tokens, self.session, "this session", "session_tokens")?;
            for spent in [&mut today.spent, of_session] {
                *spent = Spend { calls: spent.calls + 1, tokens: spent.tokens.saturating_add(tokens) };
            }
            day.clone_from(&today.day);
            Ok(())
        })?;
        Ok(Reservation { day, session, tokens })
    }

    /// Counts what a call really took. Where that cannot be written down, or the day is over, the reservation
    /// stands.
    pub(super) fn settle(&self, reserved: Reservation, took: u64) {
        let corrected = |spent: &mut Spend| {
            spent.tokens = spent.tokens.saturating_sub(reserved.tokens).saturating_add(took);
        };
        let _ = self.change(|today| {
            if today.day == reserved.day {
                corrected(&mut today.spent);
                today.sessions.get_mut(&reserved.session).map(corrected);
            }
            Ok(())
        });
    }

    /// Changes the count, which nobody else does meanwhile.
    fn change(&self, change: impl FnOnce(&mut DailySpend) -> Result<()>) -> Result<()> {
        let _alone = lock_file(&self.file).map_err(|error| self.unwritable(&error))?;
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

/// Whether a call more is within the cap of this span.
fn within(spent: Spend, tokens: u64, cap: u64, span: &str, key: &str) -> Result<()> {
    if spent.tokens.saturating_add(tokens) <= cap {
        return Ok(());
    }
    let left = cap.saturating_sub(spent.tokens);
    Err(Error::over_budget(format!(
        "a model call of up to {tokens} tokens, where {left} of the {cap} tokens of {span} are left"
    ))
    .hint(format!("interleaf llm shows what was spent; `llm.{key}` in your config.toml is the cap")))
}

#[cfg(test)]
#[path = "spend_cap_tests.rs"]
mod tests;
