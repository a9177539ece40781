//! What was done about something, for the log.

use crate::bindings::interleaf::layer::memory::{Action, Resolved};
use crate::find::{Category, Evidence, Find};
use crate::standing::Ended;

/// What was done about a find or about the end of a memory.
pub struct Done {
    /// What.
    pub action: Action,
    /// The memory that stands for it now, or that ended.
    pub id: Option<String>,
    /// The one whose place it took.
    pub superseded: Option<String>,
    /// The principle behind it: nobody's words.
    pub because: String,
    /// Its kind.
    pub category: Category,
    /// How sure it was worth keeping; none for an end.
    pub score: Option<f32>,
    /// What it rests on.
    pub evidence: Vec<Evidence>,
}

impl Done {
    /// About a find.
    pub(super) fn about(find: &Find, resolved: Resolved) -> Self {
        let Resolved { action, id, superseded, because } = resolved;
        let (category, evidence) = (find.category, find.evidence.clone());
        Self { action, id, superseded, because, category, score: Some(find.score), evidence }
    }

    /// About the end of a memory.
    pub(super) fn end(ended: &Ended, resolved: Resolved) -> Self {
        let Resolved { action, id, superseded, because } = resolved;
        let (category, evidence) = (ended.memory.category, ended.evidence.clone());
        Self { action, id, superseded, because, category, score: None, evidence }
    }

    /// Whether a memory is another one by now.
    pub fn is_written(&self) -> bool {
        self.action != Action::Nothing
    }

    /// Its name, as the contract has it.
    pub const fn action(&self) -> &'static str {
        match self.action {
            Action::Create => "create",
            Action::Update => "update",
            Action::Retire => "retire",
            Action::Supersede => "supersede",
            Action::Nothing => "nothing",
        }
    }
}

/// Nothing, and why.
pub(super) fn nothing(id: Option<&str>, because: &str) -> Resolved {
    let id = id.map(str::to_owned);
    Resolved { action: Action::Nothing, id, superseded: None, because: because.to_owned() }
}
