//! Something worth keeping, before anybody decided whether it is kept.

use serde_json::Value;

use crate::standing::About;

/// The kinds of memories, under the names of the seeds. All but `Blocker` are looked for; those are only known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the words of the contract")]
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

/// Whose words a find is made of. Words of a tool never become anything else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// What the person or the assistant said.
    Assistant,
    /// What a tool gave back: a file's content, a command's output.
    ToolOutput,
}

/// The words that a find rests on. The host looks them up, and makes a find that quotes a tool a tool's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// Verbatim, but for white space.
    pub quote: String,
    /// Of the entry that they stand in.
    pub cursor: u64,
}

/// Something worth keeping.
#[derive(Debug, Clone, PartialEq)]
pub struct Find {
    /// What it is.
    pub category: Category,
    /// One line; made from the text where absent.
    pub title: Option<String>,
    /// What there is to know, for somebody who was not there.
    pub text: String,
    /// What the category's schema adds: a JSON object.
    pub content: Value,
    /// Words to find it by.
    pub tags: Vec<String>,
    /// Paths it is about.
    pub files: Vec<String>,
    /// How sure it is true, 0 to 1.
    pub confidence: f32,
    /// How much depends on it, 0 to 1.
    pub importance: f32,
    /// Whose words it is made of.
    pub origin: Origin,
    /// How sure it is worth keeping, 0 to 1: what is best first when not all is kept.
    pub score: f32,
    /// The memory that it is about, where somebody said.
    pub about: Option<About>,
    /// What it rests on.
    pub evidence: Vec<Evidence>,
    /// The same for the same find in a session, whoever looks: by it, it is written once.
    pub key: String,
}

impl Category {
    /// All of them.
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

    /// Its name, as the seeds write it.
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
