//! What was said and done in a stretch of a session, as the rules see it: the host's entries in types of our own, so
//! that everything that thinks can be tested without a host.

/// Who said or did it; `Tool` gives results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words of the contract")]
pub enum Role {
    User,
    Assistant,
    Tool,
}

/// What an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words of the contract")]
pub enum Kind {
    Text,
    ToolCall,
    ToolResult,
}

/// How a tool ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words of the contract")]
pub enum Ending {
    #[default]
    Fine,
    Failed,
    Interrupted,
}

/// Something said or done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// By whom.
    pub role: Role,
    /// What it is.
    pub kind: Kind,
    /// The tool.
    pub tool: Option<String>,
    /// What connects a result with its call.
    pub call: Option<String>,
    /// What was said; a call's input as JSON; a tool's result.
    pub text: String,
    /// How a tool ended.
    pub ending: Ending,
    /// Milliseconds since the Unix epoch.
    pub at: i64,
    /// Where it begins in the transcript.
    pub cursor: u64,
}

/// The cursor of a final message that the transcript does not have yet.
pub const UNWRITTEN: u64 = u64::MAX;

/// A stretch of a session, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Talk {
    /// What was said and done.
    pub entries: Vec<Entry>,
}
