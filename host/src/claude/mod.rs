//! Claude Code, as far as it can be seen from outside: what it sends, what it accepts, where it is told to
//! call us.
//!
//! This folder is the only one that knows Claude Code's JSON and its file names. Inward it hands out
//! [`Event`] and takes [`Reply`]; it knows nothing of layers, memories or budgets. The facts come from the
//! recorded payloads in `tests/fixtures/events` and from runs of the real client; where they disagree with a
//! manual, the recording is right.

mod block;
pub mod event;
pub mod instructions;
mod members;
pub mod print;
pub mod reply;
pub mod sample;
pub mod settings;
pub mod transcript;
mod wire;
pub mod wt_memory_blocks;

pub use block::{MEMORY_ELEMENT, MEMORY_PREFACE};
pub use event::{CommonFields, Event, EventKind};
pub use reply::{Permission, Reply, utf16_len};
pub use transcript::Transcript;

/// Whether Claude Code runs this process: it sets `CLAUDECODE` for everything that it starts.
pub fn is_inside_session() -> bool {
    std::env::var_os("CLAUDECODE").is_some()
}
