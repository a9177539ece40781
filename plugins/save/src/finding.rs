//! A finding: something worth saving that rules or a model found, before it is written.

use serde_json::Value;

use crate::known_memory::Target;

/// The categories of memories. The layer looks for all but `Blocker`, which it only knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names of the contract")]
pub enum Category {
    SessionSummary,
    Decision,
    Runbook,
    Constraint,
    TechDebt,
    Preference,
    Learning,
    Context,
    Blocker,
}

/// Where the words of a finding come from. A tool's words stay a tool's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The person or the assistant.
    Assistant,
    /// A tool: the content of a file, the output of a command.
    ToolOutput,
}

/// A quote that supports a finding. The host looks it up; a finding that quotes a tool gets the tool's
/// origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// Verbatim, except for white space.
    pub quote: String,
    /// The cursor of the quoted entry.
    pub cursor: u64,
}

/// Something worth saving.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The category.
    pub category: Category,
    /// One line; derived from the text if absent.
    pub title: Option<String>,
    /// The text, for readers who did not see the session.
    pub text: String,
    /// Structured content by the category's schema: a JSON object.
    pub content: Value,
    /// Tags.
    pub tags: Vec<String>,
    /// Related files.
    pub files: Vec<String>,
    /// How likely it is true, 0 to 1.
    pub confidence: f32,
    /// How much depends on it, 0 to 1.
    pub importance: f32,
    /// Where its words come from.
    pub origin: Origin,
    /// How likely it is worth saving, 0 to 1. Sorts findings when not all can be saved.
    pub score: f32,
    /// The known memory it is about, if a model named one.
    pub about: Option<Target>,
    /// The quotes that support it.
    pub evidence: Vec<Evidence>,
    /// Identifies the finding within a session, so that a repeated flush writes it once.
    pub key: String,
}

impl Category {
    /// All categories.
    pub const ALL: [Self; 9] = [
        Self::SessionSummary,
        Self::Decision,
        Self::Runbook,
        Self::Constraint,
        Self::TechDebt,
        Self::Preference,
        Self::Learning,
        Self::Context,
        Self::Blocker,
    ];

    /// The name, as in the configuration.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SessionSummary => "session_summary",
            Self::Decision => "decision",
            Self::Runbook => "runbook",
            Self::Constraint => "constraint",
            Self::TechDebt => "tech_debt",
            Self::Preference => "preference",
            Self::Learning => "learning",
            Self::Context => "context",
            Self::Blocker => "blocker",
        }
    }
}
