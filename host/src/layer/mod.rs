//! What a layer is before anything runs: its name, where it comes from, what it answers and what it may do.

mod digest;
mod event;
mod grants;
mod lock;
mod need;
mod roster;
mod source;

pub use digest::{digest, is_digest};
pub use event::{CONTRACT, EventName};
pub use grants::{Grants, MemoryGrant, ModelGrant, Power, Reach};
pub use lock::{Accepted, Lock, OnFailure};
pub use need::Need;
pub use roster::{Member, Roster};
pub use source::{Code, Layer};
