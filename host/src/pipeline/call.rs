//! Claude Code's event in the words of the contract.

use crate::claude::{Event, Kind};
use crate::layer::EventName;
use crate::sandbox::Call;
use crate::sandbox::bindings::types::Common;
use crate::sandbox::bindings::{
    other_event, post_tool, pre_compact, pre_tool, session_end, session_start, stop, subagent_start,
    subagent_stop, tool_failure, user_prompt,
};

/// Which exported interface takes this event.
pub(super) fn name(event: &Event) -> EventName {
    match &event.kind {
        Kind::SessionStart { .. } => EventName::SessionStart,
        Kind::SubagentStart => EventName::SubagentStart,
        Kind::UserPrompt { .. } => EventName::UserPrompt,
        Kind::PreTool { .. } => EventName::PreTool,
        Kind::PostTool { .. } => EventName::PostTool,
        Kind::ToolFailure { .. } => EventName::ToolFailure,
        Kind::Stop { .. } => EventName::Stop,
        Kind::SubagentStop { .. } => EventName::SubagentStop,
        Kind::PreCompact { .. } => EventName::PreCompact,
        Kind::SessionEnd { .. } => EventName::SessionEnd,
        Kind::Other => EventName::OtherEvent,
    }
}

/// The call that brings the event into a layer.
pub(super) fn call(event: &Event) -> Call {
    let common = common(event);
    match event.kind.clone() {
        Kind::SessionStart { source, .. } => {
            Call::SessionStart(session_start::exports::interleaf::layer::session_start::Event {
                common,
                source,
            })
        }
        Kind::SubagentStart => {
            Call::SubagentStart(subagent_start::exports::interleaf::layer::subagent_start::Event { common })
        }
        Kind::UserPrompt { prompt } => {
            Call::UserPrompt(user_prompt::exports::interleaf::layer::user_prompt::Event { common, prompt })
        }
        Kind::PreTool { tool_name, tool_input, tool_use_id } => {
            use pre_tool::exports::interleaf::layer::pre_tool::Event;
            Call::PreTool(Event { common, tool_name, tool_input, tool_use_id })
        }
        Kind::PostTool { tool_name, tool_input, tool_use_id, tool_response, .. } => {
            use post_tool::exports::interleaf::layer::post_tool::Event;
            Call::PostTool(Event { common, tool_name, tool_input, tool_use_id, tool_response })
        }
        Kind::ToolFailure { tool_name, tool_input, tool_use_id, error, is_interrupt } => {
            use tool_failure::exports::interleaf::layer::tool_failure::Event;
            let interrupted = is_interrupt;
            Call::ToolFailure(Event { common, tool_name, tool_input, tool_use_id, error, interrupted })
        }
        Kind::Stop { stop_hook_active: continued, last_assistant_message: last_message } => {
            Call::Stop(stop::exports::interleaf::layer::stop::Event { common, continued, last_message })
        }
        Kind::SubagentStop { stop_hook_active: continued, last_assistant_message: last_message, .. } => {
            use subagent_stop::exports::interleaf::layer::subagent_stop::Event;
            Call::SubagentStop(Event { common, continued, last_message })
        }
        Kind::PreCompact { trigger, custom_instructions: instructions } => {
            use pre_compact::exports::interleaf::layer::pre_compact::Event;
            Call::PreCompact(Event { common, trigger, instructions })
        }
        Kind::SessionEnd { reason } => {
            Call::SessionEnd(session_end::exports::interleaf::layer::session_end::Event { common, reason })
        }
        Kind::Other => {
            let name = event.name.clone();
            Call::OtherEvent(other_event::exports::interleaf::layer::other_event::Event { common, name })
        }
    }
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
