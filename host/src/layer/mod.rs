//! What a layer is before anything runs: its name, where it comes from, what it answers and what it may do.

mod event;
mod grants;
mod roster;
mod source;

pub use event::{CONTRACT, EventName};
pub use grants::{Access, Grants, Power};
pub use roster::{Member, Roster};
pub use source::Layer;
