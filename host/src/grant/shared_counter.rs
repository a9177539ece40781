//! Counters that several processes share. A process reads the value, changes it and swaps it in, and repeats
//! this if another process was faster. Counters are values of the state, under owners whose names no layer
//! can have.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{Error, Result};
use crate::state::{Scope, State};

/// The owner of each layer's use of the model.
pub(super) const MODEL_USAGE: &str = "*llm";

/// The owner of each layer's number of captures and jobs in a session.
pub(super) const JOB_COUNTS: &str = "*jobs";

/// The owner of warnings that are logged once in a session.
pub(super) const WARNED: &str = "*said";

/// Maximum number of attempts. Every failed attempt means that another process succeeded.
const MAX_ATTEMPTS: usize = 100;

/// The place of one counter in the state.
#[derive(Clone, Copy)]
pub(super) struct SharedCounter<'a> {
    pub(super) state: &'a State,
    pub(super) scope: Scope<'a>,
    pub(super) owner: &'static str,
    pub(super) key: &'a str,
}

impl SharedCounter<'_> {
    /// Replaces the value by the result of `change`. If the value is missing or cannot be read, `change` gets
    /// the default.
    ///
    /// # Errors
    /// The error of `change`, and then the value is unchanged; `Unavailable` if the database cannot be used.
    pub(super) fn update<T>(&self, mut change: impl FnMut(T) -> Result<T>) -> Result<()>
    where
        T: Default + DeserializeOwned + Serialize,
    {
        for _ in 0..MAX_ATTEMPTS {
            let stored = self.state.get(self.scope, self.owner, self.key)?;
            let value =
                stored.as_deref().and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default();
            let new = serde_json::to_string(&change(value)?)
                .map_err(|error| Error::unavailable(format!("cannot serialize a counter: {error}")))?;
            if self.state.swap(self.scope, self.owner, self.key, stored.as_deref(), &new)? {
                return Ok(());
            }
        }
        Err(Error::unavailable(format!(
            "counter update failed after {MAX_ATTEMPTS} attempts: too much contention"
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;
    use crate::database::Database;
    use crate::dirs::scratch::Scratch;

    #[test]
    fn concurrent_updates_are_all_counted_and_the_limit_holds() {
        let scratch = Scratch::new();
        let file = scratch.path().join("interleaf.db");
        let increment = || {
            let state = State::new(Database::at(&file), Clock::System);
            let counter =
                SharedCounter { state: &state, scope: Scope::Project, owner: MODEL_USAGE, key: "layer" };
            let next = |count: u32| match count {
                20 => Err(Error::over_budget("twenty are enough")),
                count => Ok(count + 1),
            };
            (0..5).filter(|_| counter.update(next).is_ok()).count()
        };

        let updates: usize = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..8).map(|_| scope.spawn(increment)).collect();
            workers.into_iter().map(|worker| worker.join().expect("no worker panics")).sum()
        });

        assert_eq!(updates, 20);
    }
}
