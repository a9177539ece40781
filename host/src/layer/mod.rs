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

pub use accepted::{AcceptedLayer, FailurePolicy};
pub use digest::{digest, is_digest};
pub use event::{CONTRACT_VERSION, EventName};
pub use grants::{CategorySet, Grants, MemoryGrant, ModelGrant, Power};
pub use lock::LayerApprovals;
pub use need::Need;
pub use roster::{Member, Roster};
pub use seen::{DigestCache, MAX_COMPONENT_BYTES};
pub use shelf::{FileScope, LayerCandidate, LayerFiles, LayerFolders, is_layer_name};
pub use source::{Code, Layer};
pub use team::{ApprovalStatus, FileLayers};
pub use trust::ApprovalStore;
