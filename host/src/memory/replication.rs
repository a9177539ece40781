//! What a store gives to replicas and takes from them, and whose words count in it.
//!
//! Two stores that exchange their entries in any order, any number of times, hold the same in the end. A
//! field has the value that was written last; histories are united; the end of a memory is an entry of its
//! own. No entry depends on the clocks of two devices agreeing, because a device's own writes are always
//! later than all that it has read.

mod apply;
mod authors;
mod entry_preview;
#[cfg(test)]
mod tests;
mod trust;

pub use apply::{AppliedEntries, is_private, may_travel};
pub use authors::summed;
