//! A part of a session's transcript: the host's entries in types of our own, so that rules, triage and
//! drafting can be tested without a host.

/// The speaker of an entry. `Tool` gives results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names of the contract")]
pub enum Role {
    User,
    Assistant,
    Tool,
}

/// The kind of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names of the contract")]
pub enum Kind {
    Text,
    ToolCall,
    ToolResult,
}

/// How a tool call ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names of the contract")]
pub enum Ending {
    #[default]
    Fine,
    Failed,
    Interrupted,
}

/// Something said or done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The speaker.
    pub role: Role,
    /// The kind.
    pub kind: Kind,
    /// The tool's name.
    pub tool: Option<String>,
    /// Connects a result with its call.
    pub call: Option<String>,
    /// Text; a call's input as JSON; a tool's result.
    pub text: String,
    /// How the tool call ended.
    pub ending: Ending,
    /// Milliseconds since the Unix epoch.
    pub at: i64,
    /// Where the entry begins in the transcript.
    pub cursor: u64,
}

/// The cursor of a final message that the transcript does not contain yet.
pub const UNWRITTEN_CURSOR: u64 = u64::MAX;

/// A part of a session, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Transcript {
    /// What was said and done.
    pub entries: Vec<Entry>,
}
