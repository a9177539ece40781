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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;
    use crate::database::Database;
    use crate::dirs::scratch::Scratch;

    #[test]
    fn of_many_processes_at_once_none_is_forgotten_and_the_limit_holds() {
        let scratch = Scratch::new();
        let file = scratch.path().join("interleaf.db");
        let take = || {
            let state = State::new(Database::at(&file), Clock::System);
            let tally = Tally { state: &state, scope: Scope::Project, owner: MODEL, key: "layer" };
            let one_more = |known: u32| match known {
                20 => Err(Error::over_budget("twenty are enough")),
                known => Ok(known + 1),
            };
            (0..5).filter(|_| tally.change(one_more).is_ok()).count()
        };

        let taken: usize = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..8).map(|_| scope.spawn(take)).collect();
            workers.into_iter().map(|worker| worker.join().expect("no worker panics")).sum()
        });

        assert_eq!(taken, 20);
    }
}
