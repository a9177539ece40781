//! What is told of how things are to be done.

use schemars::JsonSchema;
use serde::Deserialize;

use super::super::kinds::words;
use super::size::{List, Text};

/// How things are to be done here.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Preference {
    /// What it is about.
    pub topic: Text,
    /// What is wanted.
    pub value: Text,
    /// Why.
    pub reason: Option<Text>,
    /// Whether there is a choice.
    pub strength: Option<Strength>,
    /// What it looks like.
    pub examples: Option<Examples>,
}

/// How it is done well, and how it is not.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Examples {
    /// Like this.
    pub prefer: Option<List>,
    /// Not like this.
    pub avoid: Option<List>,
}

words! {
    /// Whether there is a choice.
    Strength, "strength" {
        /// There is none.
        Strong = "strong",
        /// Unless there is a reason against it.
        Default = "default",
        /// It is only liked better.
        Soft = "soft",
    }
}
