//! Builders for events as Claude Code writes them: for the harness, tests and `interleaf preview`.

use serde_json::{Value, json};

/// The session of all events that are built here, unless [`in_session`] sets another.
const SESSION: &str = "11111111-2222-4333-8444-555555555555";
/// The folder of all events that are built here, unless [`in_folder`] sets another.
const FOLDER: &str = "/home/dev/shop";

/// Builds the start of a session; `source` is `startup`, `resume`, `clear`, `compact` or `fork`.
pub fn session_start(source: &str) -> String {
    event("SessionStart", json!({ "source": source }))
}

/// Builds the start of a subagent.
pub fn subagent_start(agent: &str) -> String {
    in_subagent(&event("SubagentStart", json!({})), agent)
}

/// Builds a prompt.
pub fn prompt(prompt: &str) -> String {
    event("UserPromptSubmit", json!({ "prompt": prompt }))
}

/// Builds the announcement of a shell command.
pub fn command(command: &str) -> String {
    let input = json!({ "command": command });
    event("PreToolUse", json!({ "tool_name": "Bash", "tool_input": input, "tool_use_id": "toolu_1" }))
}

/// Builds the end of a turn with the assistant's last message.
pub fn stop(message: &str) -> String {
    event("Stop", json!({ "stop_hook_active": false, "last_assistant_message": message }))
}

/// Builds the end of a session.
pub fn session_end(reason: &str) -> String {
    event("SessionEnd", json!({ "reason": reason }))
}

/// Builds the failure of a shell command.
pub fn failure(command: &str, error: &str) -> String {
    let tool = json!({ "tool_name": "Bash", "tool_input": { "command": command }, "tool_use_id": "toolu_1" });
    event("PostToolUseFailure", merge(tool, json!({ "error": error, "is_interrupt": false })))
}

/// Moves an event to another session.
pub fn in_session(event: &str, session: &str) -> String {
    with_fields(event, json!({ "session_id": session }))
}

/// Moves an event to another folder.
pub fn in_folder(event: &str, folder: &str) -> String {
    with_fields(event, json!({ "cwd": folder }))
}

/// Moves an event into a subagent.
pub fn in_subagent(event: &str, agent: &str) -> String {
    with_fields(event, json!({ "agent_id": agent, "agent_type": "general-purpose" }))
}

/// Builds an event from its own fields and those that every event has.
pub fn event(name: &str, fields: Value) -> String {
    let common = json!({ "session_id": SESSION, "cwd": FOLDER, "hook_event_name": name });
    merge(common, fields).to_string()
}

fn with_fields(event: &str, fields: Value) -> String {
    merge(serde_json::from_str(event).unwrap_or_default(), fields).to_string()
}

fn merge(mut into: Value, fields: Value) -> Value {
    if let (Value::Object(into), Value::Object(fields)) = (&mut into, fields) {
        into.extend(fields);
    }
    into
}
