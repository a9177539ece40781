//! What the layer stores in the session's state between flushes: how far the session was saved, what it left
//! behind, and the input of a flush that is running.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Maximum bytes of a transcript that the next flush reads again. In longer turns, failure and fix are both
/// in the part that was read.
const MAX_REREAD_BYTES: u64 = 2 << 20;

/// The state key of [`Progress`].
pub const PROGRESS_KEY: &str = "flushed";
/// The state key of [`BatchRecord`].
pub const BATCH_KEY: &str = "batch";
/// The state key of [`SessionRecord`].
pub const SESSION_KEY: &str = "kept";

/// How far a conversation was saved.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Progress {
    /// The number of flushes so far; part of the next one's id.
    pub count: u32,
    /// The cursor of the last turn that was read. The next flush reads it again, because what failed in it
    /// may have been fixed since.
    #[serde(rename = "turn")]
    pub last_turn: u64,
    /// The cursor after everything that was read.
    pub end: u64,
    /// When the last flush ran, in milliseconds since the Unix epoch.
    pub at: i64,
    /// Whether the session worked on an OpenSpec change.
    pub skilled: bool,
}

impl Progress {
    /// Returns where the next flush starts to read. A flush reads more than [`MAX_REREAD_BYTES`], so it
    /// always gets further than the last one.
    pub fn start(&self) -> u64 {
        if self.end.saturating_sub(self.last_turn) > MAX_REREAD_BYTES { self.end } else { self.last_turn }
    }
}

/// What a session has left behind, over its conversation and its subagents.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionRecord {
    /// The keys of its memories, not counting the summary.
    pub memories: Vec<String>,
    /// Those of them on the cheat sheet.
    #[serde(rename = "leading")]
    pub cheat_sheet: Vec<String>,
    /// The summary's memory id (empty if another session's summary says the same) and its content so far.
    pub summary: Option<(String, Value)>,
}

/// The input of a flush, fixed before it starts: an interrupted flush runs again on the same input.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct BatchRecord {
    /// The job that fixed it.
    pub job: String,
    /// The cursor at which its part of the transcript ends.
    pub end: u64,
    /// Whether the transcript holds more than one flush reads.
    pub more: bool,
    /// The ids of its captures.
    pub captures: Vec<String>,
}

/// Returns the state key for a conversation, or for a subagent in it.
pub fn key(name: &str, agent: Option<&str>) -> String {
    agent.map_or_else(|| name.to_owned(), |agent| format!("{name}/{agent}"))
}

/// Reads a stored value. An absent or broken value is the default.
pub fn read<T: Default + for<'a> Deserialize<'a>>(json: Option<&str>) -> T {
    json.and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_is_read_again_unless_it_is_very_long() {
        let progress = |last_turn, end| Progress { last_turn, end, ..Progress::default() };

        assert_eq!(progress(100, 9000).start(), 100);
        assert_eq!(progress(100, 9 << 20).start(), 9 << 20);
        assert_eq!(progress(9000, 100).start(), 9000, "of another file");
    }

    #[test]
    fn a_broken_value_is_the_default() {
        let known = Progress { count: 2, last_turn: 10, end: 20, at: 3, skilled: true };

        assert_eq!(read::<Progress>(serde_json::to_string(&known).ok().as_deref()), known);
        for broken in [None, Some(""), Some("[]"), Some("{\"count\": \"x\"}")] {
            assert_eq!(read::<Progress>(broken), Progress::default());
        }
    }

    #[test]
    fn values_of_an_earlier_version_are_read() {
        let progress: Progress = read(Some(r#"{"count":1,"turn":5,"end":9,"at":2,"skilled":false}"#));
        let session: SessionRecord = read(Some(r#"{"memories":["a"],"leading":["a"],"summary":null}"#));

        assert_eq!((progress.last_turn, session.cheat_sheet.len()), (5, 1));
    }
}
