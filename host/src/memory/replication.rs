//! Memories that travel between stores: the time of each field's last write, and the merge.
//!
//! Two stores that exchange their entries in any order, any number of times, hold the same in the end. A field
//! has the value that was written last; histories are united; the end of a memory is an entry of its own. No
//! entry depends on the clocks of two devices agreeing, because a device's own writes are always later than
//! all that it has read.

mod apply;
mod authors;
mod entry;
mod fields;
mod stamp;
#[cfg(test)]
mod tests;
mod trust;

pub use apply::{AppliedEntries, is_private, may_travel};
pub use authors::Author;
pub(super) use entry::Log;
pub use entry::{Entry, EntryKind, Live, LoggedEntry};
pub use fields::Stamps;
pub(super) use fields::{STATUS, changed_fields};
pub use stamp::Stamp;
