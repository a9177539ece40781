//! What is told of a limit.

use schemars::JsonSchema;
use serde::Deserialize;

use super::super::kinds::words;
use super::size::{Filled, List, Text};

/// A limit that cannot be changed from here.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Constraint {
    /// Where the limit comes from.
    pub kind: Option<ConstraintKind>,
    /// What cannot or must not be done.
    pub rule: Text,
    /// What it means for the work here.
    pub impact: Filled,
    /// What can be done all the same.
    pub workarounds: Option<List>,
    /// How much it hurts to run into it.
    pub severity: Option<Severity>,
    /// Whether it still holds.
    #[serde(default = "holds")]
    pub active: bool,
    /// Until when it holds: a day, a condition, or `none`.
    pub expires: Option<Text>,
}

const fn holds() -> bool {
    true
}

words! {
    /// Where a limit comes from.
    ConstraintKind, "kind of constraint" {
        /// Somebody set it: a vendor's quota, a platform's maximum.
        Limitation = "limitation",
        /// Something is missing.
        Gap = "gap",
        /// A rule, a law, a contract.
        Policy = "policy",
        /// The matter itself allows no more.
        Technical = "technical",
    }
}

words! {
    /// How much it hurts.
    Severity, "severity" {
        /// Work stops, or something is lost.
        High = "high",
        /// It costs time.
        Medium = "medium",
        /// It is good to know.
        Low = "low",
    }
}
