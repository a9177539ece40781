//! A library for writing Interleaf layers in Rust.
//!
//! A layer is a WebAssembly component that answers events of Claude Code. This crate provides the layer's
//! side of the contract: typed [`events`], [replies](Reply), the host's functions ([`memory`],
//! [`project`], [`state`], …), typed [`settings`], and a [host for unit tests](testing). Authors need no WIT
//! file and no binding generator.
//!
//! ```
//! use interleaf_layer::prelude::*;
//!
//! struct AskBeforePush;
//! export_layer!(AskBeforePush: pre_tool);
//!
//! #[derive(serde::Deserialize)]
//! struct Bash {
//!     command: String,
//! }
//!
//! impl pre_tool::Handler for AskBeforePush {
//!     fn handle(event: pre_tool::Event) -> Result<Reply> {
//!         if event.tool_name == "Bash" && event.read_input::<Bash>()?.command.starts_with("git push") {
//!             return Ok(Reply::ask("this leaves the machine"));
//!         }
//!         Ok(Reply::silent())
//!     }
//! }
//! # let (tool_name, tool_input) = ("Bash".to_owned(), r#"{"command": "git push"}"#.to_owned());
//! # let event = pre_tool::Event { tool_name, tool_input, ..Default::default() };
//! # assert!(!<AskBeforePush as pre_tool::Handler>::handle(event).unwrap().is_silent());
//! ```
//!
//! Built with `cargo build --release --target wasm32-wasip2` as a `cdylib`, this is a complete layer. It
//! exports the events that [`export_layer!`] names and imports the host functions that it calls, and nothing
//! else.

#[allow(missing_docs, unsafe_code, dead_code, unused_imports, clippy::all)]
mod bindings;
mod clock;
mod error;
pub mod events;
pub mod jobs;
mod json;
pub mod llm;
pub mod log;
pub mod memory;
mod memory_types;
pub mod project;
mod reply;
pub mod sessions;
pub mod settings;
pub mod state;
#[cfg(not(target_arch = "wasm32"))]
pub mod testing;
pub mod transcript;

#[cfg(target_arch = "wasm32")]
use bindings::interleaf::layer as host;
#[cfg(not(target_arch = "wasm32"))]
use testing::functions as host;

pub use error::{Error, Result};
pub use events::{
    Common, job, other_event, post_tool, pre_compact, pre_tool, session_end, session_start, stop,
    subagent_start, subagent_stop, tool_failure, user_prompt,
};
pub use reply::{Content, Context, Decision, Item, Reply};

/// The items that most layers use.
///
/// ```
/// use interleaf_layer::prelude::*;
///
/// let reply: Result<Reply> = Ok(Reply::silent());
/// # assert!(reply.is_ok());
/// ```
pub mod prelude {
    pub use crate::log::Level;
    pub use crate::memory::{
        Category, Draft, Filter, Hit, Memory, Order, Origin, Patch, Quote, Status, WriteResult,
    };
    pub use crate::state::Scope;
    pub use crate::transcript::{Ending, Role};
    pub use crate::{
        Common, Content, Context, Decision, Error, Item, Reply, Result, export_layer, job, jobs, llm, log,
        memory, other_event, post_tool, pre_compact, pre_tool, project, session_end, session_start, sessions,
        settings, state, stop, subagent_start, subagent_stop, tool_failure, transcript, user_prompt,
    };
}

/// Exports a layer: takes the type and the events it answers. The type must implement the `Handler` of each
/// event.
///
/// The host finds out from a component's exports which events it answers, so name exactly those.
///
/// ```
/// use interleaf_layer::prelude::*;
///
/// struct Counter;
/// export_layer!(Counter: user_prompt, stop);
///
/// impl user_prompt::Handler for Counter {
///     fn handle(_: user_prompt::Event) -> Result<Reply> {
///         Ok(Reply::silent())
///     }
/// }
///
/// impl stop::Handler for Counter {
///     fn handle(_: stop::Event) -> Result<Reply> {
///         Ok(Reply::silent())
///     }
/// }
/// ```
///
/// In native builds, such as those for unit tests, the macro only checks that the handlers exist:
///
/// ```compile_fail
/// use interleaf_layer::prelude::*;
///
/// struct Counter;
/// export_layer!(Counter: user_prompt); // error: no handler for user_prompt
/// ```
#[macro_export]
macro_rules! export_layer {
    ($layer:ident: $($event:ident),+ $(,)?) => {
        #[cfg(target_arch = "wasm32")]
        #[allow(missing_docs, unsafe_code, clippy::all)]
        const _: () = {
            $($crate::events::$event::generated::export!(
                $layer with_types_in $crate::events::$event::generated
            );)+
        };
        #[cfg(not(target_arch = "wasm32"))]
        const _: () = {
            $(const fn $event<T: $crate::events::$event::Handler>() {}
            $event::<$layer>();)+
        };
    };
}

/// Returns the current time in milliseconds since the Unix epoch.
///
/// ```
/// assert!(interleaf_layer::now_ms() > 1_700_000_000_000);
/// ```
pub fn now_ms() -> i64 {
    i64::try_from(clock::since_epoch().as_millis()).unwrap_or(i64::MAX)
}
