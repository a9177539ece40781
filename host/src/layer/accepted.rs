//! A layer as a person accepted it, and the answer that they pinned for when it fails.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{EventName, Grants, Need};
use crate::clock::Millis;

/// What is answered before a tool runs in place of a gate that is missing, changed or failing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FailurePolicy {
    /// Nothing: the tool call goes its way.
    #[default]
    Pass,
    /// The person is asked.
    Ask,
    /// The tool call is refused.
    Deny,
}

impl FailurePolicy {
    /// The words of the configuration.
    pub const NAMES: &'static [&'static str] = &["pass", "ask", "deny"];

    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }

    /// What is pinned for a layer with these grants, if this is wanted: a gate asks unless something else is said, and
    /// what is no gate has no say over tools, and so none when it fails.
    pub fn for_layer(grants: &Grants, wanted: Option<Self>) -> Self {
        match grants.is_gate() {
            true => wanted.unwrap_or(Self::Ask),
            false => Self::Pass,
        }
    }

    /// What this word says.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Pass, Self::Ask, Self::Deny].into_iter().find(|known| known.as_str() == word)
    }
}

/// One layer as it was accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AcceptedLayer {
    /// Its name.
    pub name: String,
    /// SHA-256 of the component, in hexadecimal.
    pub digest: String,
    /// The file that was accepted.
    pub file: PathBuf,
    /// The events it answers.
    pub answers: Vec<EventName>,
    /// What it imports that has to be granted.
    pub needs: Vec<Need>,
    /// What it may do.
    pub grants: Grants,
    /// The answer pinned for when it fails.
    pub on_failure: FailurePolicy,
    /// When, in milliseconds since the Unix epoch.
    pub at: Millis,
}

impl AcceptedLayer {
    /// Whether an answer is pinned for it.
    pub fn has_failure_answer(&self) -> bool {
        self.on_failure != FailurePolicy::Pass && self.answers.contains(&EventName::PreTool)
    }
}
