//! What is told of a session.

use schemars::JsonSchema;
use serde::Deserialize;

use super::super::kinds::words;
use super::size::{List, Text};

/// A session in a few lines, for whoever goes on.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SessionSummary {
    /// What the session set out to do.
    pub goal: Text,
    /// How it ended.
    pub outcome: SessionOutcome,
    /// What was done, in order.
    pub completed: List,
    /// What was begun and is not done.
    pub in_progress: Option<List>,
    /// What stood in the way.
    pub blockers: Option<List>,
    /// What is to be done next; an empty list where nothing is left.
    pub next_actions: List,
    /// Files or parts of the project that were changed.
    pub key_changes: Option<List>,
}

words! {
    /// How a session ended.
    SessionOutcome, "outcome of a session" {
        /// The goal was reached.
        Success = "success",
        /// Some of it was.
        Partial = "partial",
        /// Something stood in the way.
        Blocked = "blocked",
        /// It was given up.
        Abandoned = "abandoned",
    }
}
