//! What is told of a decision.

use schemars::JsonSchema;
use serde::Deserialize;

use super::super::kinds::words;
use super::size::{Filled, List, Text};

/// A choice and its reason: why this and not that.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// Whether it holds.
    #[serde(default)]
    pub status: DecisionStatus,
    /// The situation in which it was taken.
    pub context: Option<Text>,
    /// What was decided.
    pub decision: Text,
    /// What could have been chosen instead.
    pub alternatives: Option<List<Alternative>>,
    /// Why it was decided so.
    pub rationale: Filled,
    /// What follows from it.
    pub consequences: Option<List>,
}

/// Something that could have been chosen.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Alternative {
    /// What it was.
    pub option: Text,
    /// Why it was not chosen.
    pub rejected_reason: Option<Text>,
}

words! {
    /// Whether a decision holds.
    #[derive(Default)]
    DecisionStatus, "status of a decision" {
        /// Not yet.
        Proposed = "proposed",
        /// It does.
        #[default]
        Accepted = "accepted",
        /// No longer, and nothing took its place.
        Deprecated = "deprecated",
        /// Another one took its place.
        Superseded = "superseded",
    }
}
