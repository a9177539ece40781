//! How far this session was saved: in its state, from one flush to the next.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How far a conversation was saved.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Progress {
    /// How many flushes there were: the name of the next one.
    pub count: u32,
    /// Where the last turn that was read begins. It is read again: what failed in it may be mended by now.
    pub turn: u64,
    /// How far was read.
    pub end: u64,
    /// When that was, in milliseconds since the Unix epoch.
    pub at: i64,
    /// Whether it worked on an OpenSpec change.
    pub skilled: bool,
}

/// Bytes of a transcript that are read again. What was tried and mended in longer turns has been told apart by then.
const MOST_AGAIN: u64 = 2 << 20;

impl Progress {
    /// Where the next flush begins to read. It always gets beyond where the last one ended: a flush reads more than this.
    pub fn from(&self) -> u64 {
        if self.end.saturating_sub(self.turn) > MOST_AGAIN { self.end } else { self.turn }
    }
}

/// What a session has left behind, over its conversation and its subagents.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Kept {
    /// The keys of the memories of single facts.
    pub memories: Vec<String>,
    /// Of these, those on the cheat sheet.
    pub leading: Vec<String>,
    /// The summary: the memory, empty where another session's says the same, and its content so far.
    pub summary: Option<(String, Value)>,
}

/// What a flush works on, fixed before it begins: one that was cut off is repeated on the very same.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Batch {
    /// The job that fixed it.
    pub job: String,
    /// Where its part of the transcript ends.
    pub end: u64,
    /// Whether more is there than one flush reads.
    pub more: bool,
    /// The captures.
    pub captures: Vec<String>,
}

/// Reads a value; what is absent or cannot be read is as at the beginning.
pub fn read<T: Default + for<'a> Deserialize<'a>>(json: Option<&str>) -> T {
    json.and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_is_read_again_unless_it_is_very_long() {
        let progress = |turn, end| Progress { turn, end, ..Progress::default() };

        assert_eq!(progress(100, 9000).from(), 100);
        assert_eq!(progress(100, 9 << 20).from(), 9 << 20);
        assert_eq!(progress(9000, 100).from(), 9000, "of another file");
    }

    #[test]
    fn what_cannot_be_read_is_the_beginning() {
        let known = Progress { count: 2, turn: 10, end: 20, at: 3, skilled: true };

        assert_eq!(read::<Progress>(serde_json::to_string(&known).ok().as_deref()), known);
        for broken in [None, Some(""), Some("[]"), Some("{\"count\": \"x\"}")] {
            assert_eq!(read::<Progress>(broken), Progress::default());
        }
    }
}
