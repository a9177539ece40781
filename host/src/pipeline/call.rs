//! Claude Code's event in the words of the contract.

use crate::claude::{Event, EventKind};
use crate::layer::EventName;
use crate::sandbox::Invocation;
use crate::sandbox::bindings::types::Common;
use crate::sandbox::bindings::{
    other_event, post_tool, pre_compact, pre_tool, session_end, session_start, stop, subagent_start,
    subagent_stop, tool_failure, user_prompt,
};

/// Which exported interface takes this event.
pub(super) fn name(event: &Event) -> EventName {
    match &event.kind {
        EventKind::SessionStart { .. } => EventName::SessionStart,
        EventKind::SubagentStart => EventName::SubagentStart,
        EventKind::UserPrompt { .. } => EventName::UserPrompt,
        EventKind::PreTool { .. } => EventName::PreTool,
        EventKind::PostTool { .. } => EventName::PostTool,
        EventKind::ToolFailure { .. } => EventName::ToolFailure,
        EventKind::Stop { .. } => EventName::Stop,
        EventKind::SubagentStop { .. } => EventName::SubagentStop,
        EventKind::PreCompact { .. } => EventName::PreCompact,
        EventKind::SessionEnd { .. } => EventName::SessionEnd,
        EventKind::Other => EventName::OtherEvent,
    }
}

/// The call that brings the event into a layer.
pub(super) fn call(event: &Event) -> Invocation {
    let common = common(event);
    match event.kind.clone() {
        EventKind::SessionStart { source, .. } => {
            Invocation::SessionStart(session_start::exports::interleaf::layer::session_start::Event {
                common,
                source,
            })
        }
        EventKind::SubagentStart => {
            Invocation::SubagentStart(subagent_start::exports::interleaf::layer::subagent_start::Event {
                common,
            })
        }
        EventKind::UserPrompt { prompt } => {
            Invocation::UserPrompt(user_prompt::exports::interleaf::layer::user_prompt::Event {
                common,
                prompt,
            })
        }
        EventKind::PreTool { tool_name, tool_input, tool_use_id } => {
            use pre_tool::exports::interleaf::layer::pre_tool::Event;
            Invocation::PreTool(Event { common, tool_name, tool_input, tool_use_id })
        }
        EventKind::PostTool { tool_name, tool_input, tool_use_id, tool_response, .. } => {
            use post_tool::exports::interleaf::layer::post_tool::Event;
            Invocation::PostTool(Event { common, tool_name, tool_input, tool_use_id, tool_response })
        }
        EventKind::ToolFailure { tool_name, tool_input, tool_use_id, error, is_interrupt } => {
            use tool_failure::exports::interleaf::layer::tool_failure::Event;
            let interrupted = is_interrupt;
            Invocation::ToolFailure(Event { common, tool_name, tool_input, tool_use_id, error, interrupted })
        }
        EventKind::Stop { stop_hook_active: continued, last_assistant_message: last_message } => {
            Invocation::Stop(stop::exports::interleaf::layer::stop::Event { common, continued, last_message })
        }
        EventKind::SubagentStop {
            stop_hook_active: continued, last_assistant_message: last_message, ..
        } => {
            use subagent_stop::exports::interleaf::layer::subagent_stop::Event;
            Invocation::SubagentStop(Event { common, continued, last_message })
        }
        EventKind::PreCompact { trigger, custom_instructions: instructions } => {
            use pre_compact::exports::interleaf::layer::pre_compact::Event;
            Invocation::PreCompact(Event { common, trigger, instructions })
        }
        EventKind::SessionEnd { reason } => {
            Invocation::SessionEnd(session_end::exports::interleaf::layer::session_end::Event {
                common,
                reason,
            })
        }
        EventKind::Other => {
            let name = event.name.clone();
            Invocation::OtherEvent(other_event::exports::interleaf::layer::other_event::Event {
                common,
                name,
            })
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
