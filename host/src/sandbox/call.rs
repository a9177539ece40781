//! A call: one event (or job) in the types of the contract, and the dispatch to the world that takes it.

use wasmtime::Store;
use wasmtime::component::InstancePre;

use super::bindings::{self, types};
use crate::layer::EventName;

macro_rules! events {
    ($($variant:ident $module:ident $world:ident $accessor:ident),* $(,)?) => {
        /// An event on its way into a layer.
        #[derive(Debug, Clone)]
        pub enum Invocation {
            $(
                #[doc = concat!("The event of the interface `", stringify!($module), "`.")]
                $variant(bindings::$module::exports::interleaf::layer::$module::Event),
            )*
            /// A job that an earlier event put off.
            Job(bindings::job::exports::interleaf::layer::job::Job),
        }

        impl Invocation {
            /// Which exported interface takes it.
            pub fn name(&self) -> EventName {
                match self {
                    $(Self::$variant(_) => EventName::$variant,)*
                    Self::Job(_) => EventName::Job,
                }
            }

            /// Instantiates the layer in `store` and calls it. The outer error is the sandbox's, the inner the
            /// layer's own.
            pub(super) fn make<T: Send>(
                &self,
                layer: InstancePre<T>,
                store: &mut Store<T>,
            ) -> wasmtime::Result<Result<types::Reply, types::Error>> {
                match self {
                    $(Self::$variant(event) => {
                        let world = bindings::$module::$world::new(layer)
                            .and_then(|world| world.instantiate(&mut *store))
                            .map_err(|error| in_export(error, self.name(), "handle"))?;
                        world.$accessor().call_handle(store, event)
                    })*
                    Self::Job(job) => {
                        let world = bindings::job::OnJobPre::new(layer)
                            .and_then(|world| world.instantiate(&mut *store))
                            .map_err(|error| in_export(error, self.name(), "run"))?;
                        Ok(world.interleaf_layer_job().call_run(store, job)?.map(|()| empty_reply()))
                    }
                }
            }
        }
    };
}

events! {
    SessionStart session_start OnSessionStartPre interleaf_layer_session_start,
    SubagentStart subagent_start OnSubagentStartPre interleaf_layer_subagent_start,
    UserPrompt user_prompt OnUserPromptPre interleaf_layer_user_prompt,
    PreTool pre_tool OnPreToolPre interleaf_layer_pre_tool,
    PostTool post_tool OnPostToolPre interleaf_layer_post_tool,
    ToolFailure tool_failure OnToolFailurePre interleaf_layer_tool_failure,
    Stop stop OnStopPre interleaf_layer_stop,
    SubagentStop subagent_stop OnSubagentStopPre interleaf_layer_subagent_stop,
    PreCompact pre_compact OnPreCompactPre interleaf_layer_pre_compact,
    SessionEnd session_end OnSessionEndPre interleaf_layer_session_end,
    OtherEvent other_event OnOtherEventPre interleaf_layer_other_event,
}

/// The reply that says nothing.
pub fn empty_reply() -> types::Reply {
    types::Reply { context: None, decisions: Vec::new(), notice: None }
}

/// The sandbox's error with the place where a type may be wrong. A trap stays a trap.
fn in_export(error: wasmtime::Error, event: EventName, function: &str) -> wasmtime::Error {
    error.context(format!("its export interleaf:layer/{event}, function {function}"))
}
