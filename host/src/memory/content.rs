//! The content of a memory: one type per category. The JSON Schema that validates every content is derived
//! from the type. `interleaf schema` prints the same schemas, with the doc comments of the fields as
//! descriptions.
//!
//! A memory may have no content; otherwise the content must be complete. This module does not depend on the
//! writer of a memory or on the record around the content.

mod content_check;
mod content_schema;
mod content_update;
#[cfg(test)]
mod tests;

use super::category::Category;
use super::word_enum::word_enum;
pub use content_check::check;
pub(super) use content_schema::json_schema;
pub use content_schema::{List, NonEmptyList, Text, required_fields, schema};
pub use content_update::{LifecycleEvent, after_event, after_restore, merge};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::Deserialize;

/// Maximum length of a text field. A longer text belongs in a file that the memory's related files name.
const MAX_TEXT_CHARS: usize = 2_000;

/// Maximum number of entries of a list field.
const MAX_LIST_ENTRIES: usize = 50;

/// Returns the schema of the content type of a category. A new category needs an arm here.
fn type_schema(category: Category) -> Schema {
    fn of<T: JsonSchema>() -> Schema {
        json_schema::<T>(SchemaSettings::draft2020_12())
    }
    match category {
        Category::SessionSummary => of::<SessionSummary>(),
        Category::Decision => of::<Decision>(),
        Category::Runbook => of::<Runbook>(),
        Category::Constraint => of::<Constraint>(),
        Category::TechDebt => of::<TechDebt>(),
        Category::Preference => of::<Preference>(),
        Category::Learning | Category::Context | Category::Blocker => of::<NoContent>(),
    }
}

/// The content of categories that consist of title and text alone.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NoContent {}

/// The summary of a session, from which another session can continue.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SessionSummary {
    /// Goal of the session.
    pub goal: Text,
    /// How the session ended.
    pub outcome: SessionOutcome,
    /// What was done, in order.
    pub completed: List,
    /// Work that was started and not finished.
    pub in_progress: Option<List>,
    /// Obstacles.
    pub blockers: Option<List>,
    /// Next steps; an empty list if nothing is left to do.
    pub next_actions: List,
    /// Files or parts of the project that were changed.
    pub key_changes: Option<List>,
}

word_enum! {
    /// How a session ended.
    SessionOutcome, "outcome of a session" {
        /// The goal was reached.
        Success = "success",
        /// The goal was reached in part.
        Partial = "partial",
        /// An obstacle stopped the work.
        Blocked = "blocked",
        /// The goal was given up.
        Abandoned = "abandoned",
    }
}

/// A choice and its reasons.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// Whether the decision is in force.
    #[serde(default)]
    pub status: DecisionStatus,
    /// Situation in which it was made.
    pub context: Option<Text>,
    /// What was decided.
    pub decision: Text,
    /// Options that were rejected.
    pub alternatives: Option<List<Alternative>>,
    /// Reasons for the decision.
    pub rationale: NonEmptyList,
    /// Consequences of the decision.
    pub consequences: Option<List>,
}

/// An option that was rejected.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Alternative {
    /// The option.
    pub option: Text,
    /// Why it was rejected.
    pub rejected_reason: Option<Text>,
}

word_enum! {
    /// Whether a decision is in force.
    #[derive(Default)]
    DecisionStatus, "status of a decision" {
        /// Not yet in force.
        Proposed = "proposed",
        /// In force.
        #[default]
        Accepted = "accepted",
        /// No longer in force, without a successor.
        Deprecated = "deprecated",
        /// Replaced by another decision.
        Superseded = "superseded",
    }
}

/// A recurring failure and its remedy.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Runbook {
    /// What fails: the command, the error.
    pub trigger: Text,
    /// How the failure shows.
    pub symptoms: Option<List>,
    /// What to do, in order.
    pub steps: NonEmptyList,
    /// How to check that it worked.
    pub verification: Text,
    /// Why it fails.
    pub root_cause: Option<Text>,
    /// Where it fails: a system, a version, a fresh clone.
    pub environment: Option<Text>,
}

/// A limit that the project cannot change.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Constraint {
    /// Source of the limit.
    pub kind: Option<ConstraintKind>,
    /// What cannot or must not be done.
    pub rule: Text,
    /// Consequences for the work on this project.
    pub impact: NonEmptyList,
    /// What can be done instead.
    pub workarounds: Option<List>,
    /// How serious a violation is.
    pub severity: Option<Severity>,
    /// Whether the limit still holds.
    #[serde(default = "is_active")]
    pub active: bool,
    /// Until when the limit holds: a day, a condition, or `none`.
    pub expires: Option<Text>,
}

const fn is_active() -> bool {
    true
}

word_enum! {
    /// Source of a limit.
    ConstraintKind, "kind of constraint" {
        /// A limit that another party sets: a vendor's quota, a platform's maximum.
        Limitation = "limitation",
        /// Something is missing.
        Gap = "gap",
        /// A rule, a law, a contract.
        Policy = "policy",
        /// A technical necessity.
        Technical = "technical",
    }
}

word_enum! {
    /// How serious a violation is.
    Severity, "severity" {
        /// Work stops, or something is lost.
        High = "high",
        /// It costs time.
        Medium = "medium",
        /// Good to know.
        Low = "low",
    }
}

/// Deferred work and the reason for it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TechDebt {
    /// State of the work.
    #[serde(default)]
    pub status: TechDebtStatus,
    /// How urgent the work is.
    pub priority: Option<Priority>,
    /// What has to be done.
    pub description: Text,
    /// Why it was deferred, or what it waits for.
    pub reason_deferred: Option<Text>,
    /// What it costs until it is done.
    pub impact: Option<List>,
    /// How it could be done.
    pub suggested_fix: Option<List>,
    /// How to check that it is done.
    pub acceptance_criteria: Option<List>,
}

word_enum! {
    /// State of deferred work.
    #[derive(Default)]
    TechDebtStatus, "status of a tech_debt" {
        /// Nobody works on it.
        #[default]
        Open = "open",
        /// Somebody works on it.
        InProgress = "in_progress",
        /// It is done.
        Resolved = "resolved",
        /// It will not be done.
        WontFix = "wont_fix",
    }
}

word_enum! {
    /// How urgent deferred work is.
    Priority, "priority" {
        /// Before anything else.
        Critical = "critical",
        /// Soon.
        High = "high",
        /// In turn.
        Medium = "medium",
        /// Some day.
        Low = "low",
    }
}

/// How things are to be done in this project.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Preference {
    /// Subject of the preference.
    pub topic: Text,
    /// What is preferred.
    pub value: Text,
    /// Reason for the preference.
    pub reason: Option<Text>,
    /// How binding the preference is.
    pub strength: Option<Strength>,
    /// Examples.
    pub examples: Option<Examples>,
}

/// Examples of a preference.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Examples {
    /// Do this.
    pub prefer: Option<List>,
    /// Avoid this.
    pub avoid: Option<List>,
}

word_enum! {
    /// How binding a preference is.
    Strength, "strength" {
        /// There is no choice.
        Strong = "strong",
        /// Unless there is a reason against it.
        Default = "default",
        /// A matter of taste.
        Soft = "soft",
    }
}
