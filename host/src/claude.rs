//! Claude Code as seen from outside: the events it sends, the replies it accepts, the files it keeps.
//!
//! This folder is the only one that knows Claude Code's JSON, its file names and the text that it adds to
//! prompts. The other modules work with [`Event`], [`Reply`] and [`Transcript`]; this one does not know
//! layers, memories or budgets. The facts come from the recorded payloads in `tests/fixtures/events` and from
//! runs of the real client. Where they contradict the manual, the recording is right.

pub mod client_text;
mod elements;
pub mod event;
pub mod headless;
pub mod instructions;
pub mod legacy_blocks;
mod memory_block;
mod payload;
mod private_text;
pub mod reply;
mod reply_capabilities;
pub mod sample_event;
pub mod settings;
pub mod transcript;
pub mod transcript_files;

pub use event::{CommonFields, Event, EventKind};
pub use memory_block::{
    BRIEF_MEMORY_PREFACE, MEMORY_ELEMENT, MEMORY_PREFACE, SOME_TITLES_PREFACE, TEXT_PREFACE, TITLES_PREFACE,
};
pub(crate) use payload::decode as decode_json;
pub use reply::{Permission, Reply, utf16_len};
pub use reply_capabilities::{ContextOutput, ReplyCapabilities};
pub use transcript::Transcript;

/// Tells whether this process was started inside a session: Claude Code sets `CLAUDECODE` for everything that
/// it runs.
pub fn is_inside_session() -> bool {
    std::env::var_os("CLAUDECODE").is_some()
}

/// Maximum length of a session's id in a variable.
const MAX_SESSION_ID_BYTES: usize = 100;

/// Returns the id of the session inside which this process was started, as Claude Code names it.
pub fn session_id() -> Option<String> {
    let id = std::env::var("CLAUDE_CODE_SESSION_ID").ok().filter(|_| is_inside_session())?;
    let is_id = |id: &String| id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    Some(id).filter(|id| !id.is_empty() && id.len() <= MAX_SESSION_ID_BYTES).filter(is_id)
}
