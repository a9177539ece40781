//! Part of a session's transcript.

pub use interleaf_layer::transcript::{Ending, Entry, Kind, Role};

/// The cursor of a final message that the transcript does not contain yet.
pub const UNWRITTEN_CURSOR: u64 = u64::MAX;

/// Part of a session's transcript, in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Transcript {
    /// Messages, tool calls and tool results.
    pub entries: Vec<Entry>,
}
