//! Converts Claude Code's events to events of the contract. A table maps each event to its interface and
//! fields; a new event is one more row.

use crate::claude::{Event, EventKind};
use crate::layer::EventName;
use crate::sandbox::Invocation;
use crate::sandbox::bindings::events;
use crate::sandbox::bindings::types::Common;

/// Generates both functions from rows. Each row has the event and its fields, then the interface that takes
/// it and the fields of the interface.
macro_rules! contract_events {
    ($event:ident: $(
        $kind:ident { $($pattern:tt)* } =>
            $name:ident $interface:ident { $($field:ident $(: $value:expr)?),* }
    )*) => {
        /// Returns the name of the exported interface that takes this event.
        pub(super) fn name($event: &Event) -> EventName {
            match &$event.kind {
                $(EventKind::$kind { .. } => EventName::$name,)*
            }
        }

        /// Returns the invocation that passes this event to a layer.
        pub(super) fn invocation($event: &Event) -> Invocation {
            let common = common($event);
            match $event.kind.clone() {
                $(EventKind::$kind { $($pattern)* } => {
                    Invocation::$name(events::$interface::Event { common, $($field $(: $value)?),* })
                })*
            }
        }
    };
}

contract_events! { event:
    SessionStart { source, .. } => SessionStart session_start { source }
    SubagentStart {} => SubagentStart subagent_start {}
    UserPrompt { prompt } => UserPrompt user_prompt { prompt }
    PreTool { tool_name, tool_input, tool_use_id } => PreTool pre_tool { tool_name, tool_input, tool_use_id }
    PostTool { tool_name, tool_input, tool_use_id, tool_response, .. } =>
        PostTool post_tool { tool_name, tool_input, tool_use_id, tool_response }
    ToolFailure { tool_name, tool_input, tool_use_id, error, is_interrupt } =>
        ToolFailure tool_failure { tool_name, tool_input, tool_use_id, error, interrupted: is_interrupt }
    Stop { stop_hook_active, last_assistant_message } =>
        Stop stop { continued: stop_hook_active, last_message: last_assistant_message }
    SubagentStop { stop_hook_active, last_assistant_message, .. } =>
        SubagentStop subagent_stop { continued: stop_hook_active, last_message: last_assistant_message }
    PreCompact { trigger, custom_instructions } =>
        PreCompact pre_compact { trigger, instructions: custom_instructions }
    SessionEnd { reason } => SessionEnd session_end { reason }
    Other {} => OtherEvent other_event { name: event.name.clone() }
}

fn common(event: &Event) -> Common {
    let common = &event.common;
    Common {
        session_id: common.session_id.clone(),
        agent_id: common.agent_id.clone(),
        agent_type: common.agent_type.clone(),
        cwd: common.cwd.clone(),
        permission_mode: common.permission_mode.clone(),
        raw: event.raw.clone(),
    }
}
