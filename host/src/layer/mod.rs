//! What a layer is before anything runs: its name, where it comes from, what it answers and what it may do.

mod accepted;
mod digest;
mod event;
mod grants;
mod lock;
mod need;
mod roster;
mod seen;
mod shelf;
mod source;
mod team;
mod trust;

pub use accepted::{Accepted, OnFailure};
pub use digest::{digest, is_digest};
pub use event::{CONTRACT, EventName};
pub use grants::{Grants, MemoryGrant, ModelGrant, Power, Reach};
pub use lock::Lock;
pub use need::Need;
pub use roster::{Member, Roster};
pub use seen::{LARGEST, Seen};
pub use shelf::{Offer, Places, Shelf, Whose, is_name};
pub use source::{Code, Layer};
pub use team::{Standing, Team};
pub use trust::Trust;
