//! The parts of an operation, and the contract's closed sets of words.

use serde_json::Value;

use crate::bindings::interleaf::layer::memory::{Category, Intent, Origin, ResolutionAction};
use crate::bindings::interleaf::layer::types::Error;

const CATEGORIES: [(&str, Category); 9] = [
    ("session_summary", Category::SessionSummary),
    ("decision", Category::Decision),
    ("runbook", Category::Runbook),
    ("constraint", Category::Constraint),
    ("tech_debt", Category::TechDebt),
    ("preference", Category::Preference),
    ("learning", Category::Learning),
    ("context", Category::Context),
    ("blocker", Category::Blocker),
];

const INTENTS: [(&str, Intent); 4] = [
    ("create", Intent::Create),
    ("update", Intent::Update),
    ("retire", Intent::Retire),
    ("supersede", Intent::Supersede),
];

const ORIGINS: [(&str, Origin); 2] = [("assistant", Origin::Assistant), ("tool_output", Origin::ToolOutput)];

pub(crate) fn optional(operation: &Value, part: &str) -> Option<String> {
    operation[part].as_str().map(str::to_owned)
}

pub(crate) fn text(operation: &Value, part: &str) -> Result<String, Error> {
    optional(operation, part).ok_or_else(|| Error::Invalid(format!("the operation has no {part}")))
}

pub(crate) fn share(operation: &Value, part: &str) -> Option<f32> {
    operation[part].as_f64().map(|share| share as f32)
}

pub(crate) fn category(operation: &Value) -> Result<Category, Error> {
    one_of(&CATEGORIES, operation, "category")
}

pub(crate) fn intent(operation: &Value) -> Result<Intent, Error> {
    one_of(&INTENTS, operation, "intent")
}

/// The assistant's where nothing else is said.
pub(crate) fn origin(operation: &Value) -> Result<Origin, Error> {
    if operation.get("origin").is_none() {
        Ok(Origin::Assistant)
    } else {
        one_of(&ORIGINS, operation, "origin")
    }
}

pub(crate) fn action(action: ResolutionAction) -> &'static str {
    match action {
        ResolutionAction::Created => "created",
        ResolutionAction::Updated => "updated",
        ResolutionAction::Retired => "retired",
        ResolutionAction::Superseded => "superseded",
        ResolutionAction::Skipped => "nothing",
    }
}

fn one_of<T: Copy>(words: &[(&str, T)], operation: &Value, part: &str) -> Result<T, Error> {
    let word = text(operation, part)?;
    let known = words.iter().find(|(known, _)| *known == word).map(|(_, value)| *value);
    known.ok_or_else(|| Error::Invalid(format!("there is no {part} {word}")))
}
