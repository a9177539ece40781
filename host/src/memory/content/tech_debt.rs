//! What is told of work that was put off.

use schemars::JsonSchema;
use serde::Deserialize;

use super::super::kinds::words;
use super::size::{List, Text};

/// Work that was put off, and why.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TechDebt {
    /// How it stands.
    #[serde(default)]
    pub status: TechDebtStatus,
    /// How soon it is wanted.
    pub priority: Option<Priority>,
    /// What is to be done.
    pub description: Text,
    /// Why it was not done at once, or what it waits for.
    pub reason_deferred: Option<Text>,
    /// What it costs until then.
    pub impact: Option<List>,
    /// How it could be done.
    pub suggested_fix: Option<List>,
    /// How to see that it is done.
    pub acceptance_criteria: Option<List>,
}

words! {
    /// How put-off work stands.
    #[derive(Default)]
    TechDebtStatus, "status of a tech_debt" {
        /// Nobody is at it.
        #[default]
        Open = "open",
        /// Somebody is.
        InProgress = "in_progress",
        /// It is done.
        Resolved = "resolved",
        /// It will not be done.
        WontFix = "wont_fix",
    }
}

words! {
    /// How soon it is wanted.
    Priority, "priority" {
        /// Before anything else.
        Critical = "critical",
        /// Soon.
        High = "high",
        /// In its turn.
        Medium = "medium",
        /// Some day.
        Low = "low",
    }
}
