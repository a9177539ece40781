//! The contract in `wit/` as Rust types and traits, made by `bindgen!`.
//!
//! There is a world for each event, because a component exports only what it answers; they share the types and
//! the imported interfaces of the world `host`.

#![allow(missing_docs, clippy::all)]

/// The imported interfaces, which `grant/` implements.
pub mod host {
    wasmtime::component::bindgen!({
        path: "../wit",
        world: "interleaf:layer/host",
        // For who listens to a layer (grant/trace.rs).
        additional_derives: [serde::Serialize],
    });
}

pub use host::interleaf::layer::{jobs, llm, log, memory, project, settings, state, transcript, types};

macro_rules! world {
    ($module:ident, $world:literal) => {
        pub mod $module {
            wasmtime::component::bindgen!({
                path: "../wit",
                world: $world,
                with: {
                    "interleaf:layer/types": crate::sandbox::bindings::types,
                    "interleaf:layer/memory": crate::sandbox::bindings::memory,
                    "interleaf:layer/llm": crate::sandbox::bindings::llm,
                    "interleaf:layer/project": crate::sandbox::bindings::project,
                    "interleaf:layer/state": crate::sandbox::bindings::state,
                    "interleaf:layer/transcript": crate::sandbox::bindings::transcript,
                    "interleaf:layer/jobs": crate::sandbox::bindings::jobs,
                    "interleaf:layer/settings": crate::sandbox::bindings::settings,
                    "interleaf:layer/log": crate::sandbox::bindings::log,
                },
            });
        }
    };
}

world!(session_start, "interleaf:layer/on-session-start");
world!(subagent_start, "interleaf:layer/on-subagent-start");
world!(user_prompt, "interleaf:layer/on-user-prompt");
world!(pre_tool, "interleaf:layer/on-pre-tool");
world!(post_tool, "interleaf:layer/on-post-tool");
world!(tool_failure, "interleaf:layer/on-tool-failure");
world!(stop, "interleaf:layer/on-stop");
world!(subagent_stop, "interleaf:layer/on-subagent-stop");
world!(pre_compact, "interleaf:layer/on-pre-compact");
world!(session_end, "interleaf:layer/on-session-end");
world!(other_event, "interleaf:layer/on-other-event");
world!(job, "interleaf:layer/on-job");
