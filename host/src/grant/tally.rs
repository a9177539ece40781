//! Counts that several processes share: read, changed and swapped, until nobody was faster. They lie among the values
//! of the state, under owners whose names no layer can bear.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{Error, Result};
use crate::state::{Scope, State};

/// The owner of what layers asked of the model, by layer.
pub(super) const MODEL: &str = "*llm";
/// The owner of how many captures and jobs a session saw, by layer.
pub(super) const JOBS: &str = "*jobs";
/// The owner of what was said once and need not be said again in a session.
pub(super) const SAID: &str = "*said";

/// Tries before giving up. Every failed one means that another process came through.
const ATTEMPTS: usize = 100;

/// Where a count is kept.
#[derive(Clone, Copy)]
pub(super) struct Tally<'a> {
    pub(super) state: &'a State,
    pub(super) scope: Scope<'a>,
    pub(super) owner: &'static str,
    pub(super) key: &'a str,
}

impl Tally<'_> {
    /// Replaces the count by what `next` makes of it; of nothing and of what cannot be read it is the default.
    ///
    /// # Errors
    /// What `next` says, and then nothing has changed; `Unavailable` when the database is.
    pub(super) fn change<T>(&self, mut next: impl FnMut(T) -> Result<T>) -> Result<()>
    where
        T: Default + DeserializeOwned + Serialize,
    {
        for _ in 0..ATTEMPTS {
            let held = self.state.get(self.scope, self.owner, self.key)?;
            let now = held.as_deref().and_then(|held| serde_json::from_str(held).ok()).unwrap_or_default();
            let new = serde_json::to_string(&next(now)?)
                .map_err(|error| Error::unavailable(format!("a count cannot be written: {error}")))?;
            if self.state.swap(self.scope, self.owner, self.key, held.as_deref(), &new)? {
                return Ok(());
            }
        }
        Err(Error::unavailable("too many others count at the same time"))
    }
}
