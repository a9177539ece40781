//! The values that the layer stores in the session's state between flushes: the position up to which the
//! session was saved, the session's memories, and the input of a running flush.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Maximum number of bytes of the last turn that the next flush reads again. A longer turn usually contains
/// both the failure and its fix in the part that was read.
const MAX_REREAD_BYTES: u64 = 2 << 20;

/// The state key of [`Progress`].
pub const PROGRESS_KEY: &str = "flushed";
/// The state key of [`InputRecord`].
pub const INPUT_KEY: &str = "batch";
/// The state key of [`SessionRecord`].
pub const SESSION_KEY: &str = "kept";

/// The position up to which a conversation was saved.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Progress {
    /// The number of flushes so far; part of the id of the next flush.
    pub count: u32,
    /// The cursor of the last turn that was read. The next flush reads it again, because a failure in it may
    /// have been fixed since.
    #[serde(rename = "turn")]
    pub last_turn: u64,
    /// The cursor after everything that was read.
    pub end: u64,
    /// Time of the last flush, in milliseconds since the Unix epoch.
    pub at: i64,
    /// Whether the session worked on an OpenSpec change.
    pub skilled: bool,
}

impl Progress {
    /// Returns the cursor at which the next flush starts to read. A flush reads more than
    /// [`MAX_REREAD_BYTES`], so it always gets further than the previous one.
    pub fn start(&self) -> u64 {
        if self.end.saturating_sub(self.last_turn) > MAX_REREAD_BYTES { self.end } else { self.last_turn }
    }
}

/// The memories of a session, including those of its subagents.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionRecord {
    /// The keys of its memories, not counting the summary.
    pub memories: Vec<String>,
    /// The keys of its memories on the cheat sheet.
    #[serde(rename = "leading")]
    pub cheat_sheet: Vec<String>,
    /// The id of the summary's memory (empty if another session's summary says the same) and its content so
    /// far.
    pub summary: Option<(String, Value)>,
}

/// The input of a flush, recorded before it starts and removed after everything is written. After an
/// interruption, the next flush of the conversation runs on the same input, whichever job runs it, because
/// another job may be due before the interrupted one is tried again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct InputRecord {
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

/// Reads a stored value. A missing or invalid value is the default.
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
        assert_eq!(progress(9000, 100).start(), 9000, "the cursor belongs to another file");
    }

    #[test]
    fn a_missing_or_invalid_value_is_the_default() {
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
