//! The sessions that saw a fact, and its memory.

use interleaf_classifier::stable_hash;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Maximum number of sessions that are remembered one by one. Beyond it, only their number is.
const MAX_SESSIONS: usize = 1_000;

/// The sessions that saw a fact, stored in the project's state under the fact's key.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Sightings {
    /// The memory; empty until it is written.
    pub(super) memory: String,
    /// The content of the memory, from the first session that saw the fact, which is the memory's source.
    pub(super) content: Option<Value>,
    /// Hashes of the ids of the sessions, so that a flush that is repeated does not count twice.
    sessions: Vec<u32>,
    /// The number of sessions that are not in the list any more.
    earlier: usize,
}

impl Sightings {
    /// Adds a session. Returns false if it is known.
    pub(super) fn add(&mut self, session: &str) -> bool {
        let hash = stable_hash(session) as u32;
        if self.sessions.contains(&hash) {
            return false;
        }
        if self.sessions.len() == MAX_SESSIONS {
            self.sessions.remove(0);
            self.earlier += 1;
        }
        self.sessions.push(hash);
        true
    }

    /// Returns the number of sessions.
    pub(super) fn count(&self) -> usize {
        self.earlier + self.sessions.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_counts_once() {
        let mut sightings = Sightings::default();
        assert!(sightings.add("a") && sightings.add("b") && !sightings.add("a"));
        assert_eq!(sightings.count(), 2);
        let stored = serde_json::to_string(&sightings).expect("it is JSON");
        assert_eq!(serde_json::from_str::<Sightings>(&stored).expect("it is read"), sightings);
    }

    #[test]
    fn the_number_outlives_the_list() {
        let mut sightings = Sightings::default();
        for session in 0..MAX_SESSIONS + 5 {
            assert!(sightings.add(&session.to_string()));
        }
        assert_eq!((sightings.count(), sightings.sessions.len()), (MAX_SESSIONS + 5, MAX_SESSIONS));
    }
}
