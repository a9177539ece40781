//! What a memory of a category holds, field by field: one type a category, from which the JSON Schema is made that
//! each content is checked against. What `interleaf schema` prints is what is checked.
//!
//! A memory may do without: an empty content is one of words only. Where there is any, it is whole. This module does
//! not know who writes, or when; it knows no record either, only its content.

mod check;
mod constraint;
mod decision;
mod lifecycle_event;
mod merge;
mod preference;
mod runbook;
mod schema;
mod session_summary;
mod size;
mod tech_debt;
#[cfg(test)]
mod tests;

pub use check::check;
pub use constraint::{Constraint, ConstraintKind, Severity};
pub use decision::{Alternative, Decision, DecisionStatus};
pub use lifecycle_event::{LifecycleEvent, status_after, status_restored};
pub use merge::merged;
pub use preference::{Examples, Preference, Strength};
pub use runbook::Runbook;
pub(super) use schema::made;
pub use schema::{required, schema};
pub use session_summary::{SessionOutcome, SessionSummary};
pub use size::{Filled, List, Text};
pub use tech_debt::{Priority, TechDebt, TechDebtStatus};
