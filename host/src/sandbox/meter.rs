//! What a layer asks of the host: how many calls, how much each carries, and lines for the log.

use super::Limits;
use crate::error::{Error, Result};

/// Whether there is room for one more line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Room {
    /// There is.
    Left,
    /// There is none, for the first time.
    JustUsedUp,
    /// There was none before.
    None,
}

/// Counts host calls and what they carry. The host functions ask it first, so a layer that floods them gets a
/// typed error and not the machine.
#[derive(Debug)]
pub struct Meter {
    calls_left: u32,
    lines_left: Option<u32>,
    limits: Limits,
}

impl Meter {
    /// A full allowance.
    pub fn new(limits: Limits) -> Self {
        Self { calls_left: limits.host_calls, lines_left: Some(limits.log_lines), limits }
    }

    /// Counts one call that carries `bytes` into the host.
    ///
    /// # Errors
    /// `OverBudget` when the calls are used up or the call is too large.
    pub fn call(&mut self, bytes: usize) -> Result<()> {
        let calls = self.limits.host_calls;
        self.calls_left = self
            .calls_left
            .checked_sub(1)
            .ok_or_else(|| Error::over_budget(format!("the {calls} host calls of this event are used up")))?;
        self.carry(bytes)
    }

    /// Counts one line for the log.
    pub fn line(&mut self) -> Room {
        let Some(left) = self.lines_left else { return Room::None };
        self.lines_left = left.checked_sub(1);
        if self.lines_left.is_some() { Room::Left } else { Room::JustUsedUp }
    }

    /// Checks what a call carries back out.
    ///
    /// # Errors
    /// `OverBudget` when it is more than one call may carry.
    pub fn carry(&self, bytes: usize) -> Result<()> {
        let limit = self.limits.host_call_bytes;
        if bytes > limit {
            return Err(Error::over_budget(format!(
                "a host call of {bytes} bytes, where {limit} are allowed"
            )));
        }
        Ok(())
    }
}
