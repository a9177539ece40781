//! Writing memories: every way in which a record comes to be, changes, or goes. Each is one step of the store, within
//! which the rules see what is there; so they hold whatever other processes do at the same moment.

mod approve;
mod create;
mod lifecycle;
mod repetition;
mod room;
mod supersede;
#[cfg(test)]
mod tests;
mod update;
mod upkeep;

pub use approve::Rating;
pub use create::{WriteOutcome, WriteResult};
pub use room::Evicted;
pub(super) use update::not_active;
pub use upkeep::RetentionReport;
