//! A part of a session's transcript.

pub use interleaf_layer::transcript::{Ending, Entry, Kind, Role};

/// The cursor of a final message that the transcript does not contain yet.
pub const UNWRITTEN_CURSOR: u64 = u64::MAX;

/// A part of a session, in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Transcript {
    /// What was said and done.
    pub entries: Vec<Entry>,
}
