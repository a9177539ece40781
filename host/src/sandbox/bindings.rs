//! The contract in `wit/` as Rust types and traits, and the call of an exported interface.
//!
//! A layer exports only the interfaces of the events that it answers. The host needs all of them, so the
//! world below has all imports that a layer may have and exports every event. It is never instantiated as a
//! whole. A new event is one line in that world and one row of the table below it.

use wasmtime::Store;
use wasmtime::component::InstancePre;

pub(super) use generated::AllEvents;
pub use generated::exports::interleaf::layer as events;
pub use generated::interleaf::layer::{
    jobs, llm, log, memory, project, sessions, settings, state, transcript, types,
};

use crate::layer::EventName;

#[allow(missing_docs, clippy::all)]
mod generated {
    wasmtime::component::bindgen!({
        path: "../wit",
        inline: "
            package interleaf:bindings;
            world all-events {
                include interleaf:layer/host@0.1.0;
                export interleaf:layer/session-start@0.1.0;
                export interleaf:layer/subagent-start@0.1.0;
                export interleaf:layer/user-prompt@0.1.0;
                export interleaf:layer/pre-tool@0.1.0;
                export interleaf:layer/post-tool@0.1.0;
                export interleaf:layer/tool-failure@0.1.0;
                export interleaf:layer/stop@0.1.0;
                export interleaf:layer/subagent-stop@0.1.0;
                export interleaf:layer/pre-compact@0.1.0;
                export interleaf:layer/session-end@0.1.0;
                export interleaf:layer/other-event@0.1.0;
                export interleaf:layer/job@0.1.0;
            }
        ",
        world: "interleaf:bindings/all-events",
        // For the trace of host calls (grant/call_trace.rs).
        additional_derives: [serde::Serialize],
    });
}

/// Generates the enum of all invocations from rows of variant and interface. `job` is not a row, because it
/// has another function and no reply.
macro_rules! invocations {
    ($($variant:ident $interface:ident),* $(,)?) => {
        /// One call of a layer: an event, or a job that an earlier event submitted.
        #[derive(Debug, Clone)]
        pub enum Invocation {
            $(
                #[doc = concat!("The event of the interface `", stringify!($interface), "`.")]
                $variant(events::$interface::Event),
            )*
            /// A job.
            Job(events::job::Job),
        }

        impl Invocation {
            /// Returns the name of the exported interface that takes the invocation.
            pub fn event(&self) -> EventName {
                match self {
                    $(Self::$variant(_) => EventName::$variant,)*
                    Self::Job(_) => EventName::Job,
                }
            }

            /// Instantiates the layer in `store` and calls it. The outer error is the sandbox's, the inner
            /// one is the layer's answer.
            pub(super) fn call<T: Send>(
                &self,
                layer: &InstancePre<T>,
                store: &mut Store<T>,
            ) -> wasmtime::Result<Result<types::Reply, types::Error>> {
                match self {
                    $(Self::$variant(event) => {
                        let guest = events::$interface::GuestIndices::new(layer)
                            .and_then(|export| {
                                let instance = layer.instantiate(&mut *store)?;
                                export.load(&mut *store, &instance)
                            })
                            .map_err(|error| in_export(error, self.event(), "handle"))?;
                        guest.call_handle(store, event)
                    })*
                    Self::Job(job) => {
                        let guest = events::job::GuestIndices::new(layer)
                            .and_then(|export| {
                                let instance = layer.instantiate(&mut *store)?;
                                export.load(&mut *store, &instance)
                            })
                            .map_err(|error| in_export(error, self.event(), "run"))?;
                        Ok(guest.call_run(store, job)?.map(|()| empty_reply()))
                    }
                }
            }
        }
    };
}

invocations! {
    SessionStart session_start,
    SubagentStart subagent_start,
    UserPrompt user_prompt,
    PreTool pre_tool,
    PostTool post_tool,
    ToolFailure tool_failure,
    Stop stop,
    SubagentStop subagent_stop,
    PreCompact pre_compact,
    SessionEnd session_end,
    OtherEvent other_event,
}

/// Returns a reply without context, decision or notice.
pub fn empty_reply() -> types::Reply {
    types::Reply { context: None, decisions: Vec::new(), notice: None }
}

/// Adds to wasmtime's error the name of the export whose type may be wrong. A trap stays a trap.
fn in_export(error: wasmtime::Error, event: EventName, function: &str) -> wasmtime::Error {
    error.context(format!("its export interleaf:layer/{event}, function {function}"))
}
