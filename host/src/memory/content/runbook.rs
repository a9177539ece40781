//! What is told of a failure and its cure.

use schemars::JsonSchema;
use serde::Deserialize;

use super::size::{Filled, List, Text};

/// A failure that can come back, and the cure that worked.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Runbook {
    /// What goes wrong: the command, the error.
    pub trigger: Text,
    /// What is seen of it.
    pub symptoms: Option<List>,
    /// What to do, in order.
    pub steps: Filled,
    /// How to see that it worked.
    pub verification: Text,
    /// Why it goes wrong.
    pub root_cause: Option<Text>,
    /// Where it happens: a system, a version, a fresh clone.
    pub environment: Option<Text>,
}
