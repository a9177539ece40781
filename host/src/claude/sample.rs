//! Events as Claude Code writes them, made up: for the harness, and to see what a hook would answer.

use serde_json::{Value, json};

/// The session and folder of all events made here, unless [`in_session`] and [`in_folder`] say otherwise.
const SESSION: &str = "11111111-2222-4333-8444-555555555555";
const FOLDER: &str = "/home/dev/shop";

/// A session starts; `source` is `startup`, `resume`, `clear`, `compact` or `fork`.
pub fn session_start(source: &str) -> String {
    event("SessionStart", json!({ "source": source }))
}

/// A subagent starts.
pub fn subagent_start(agent: &str) -> String {
    in_subagent(&event("SubagentStart", json!({})), agent)
}

/// A prompt was entered.
pub fn prompt(prompt: &str) -> String {
    event("UserPromptSubmit", json!({ "prompt": prompt }))
}

/// A shell command is about to run.
pub fn command(command: &str) -> String {
    let input = json!({ "command": command });
    event("PreToolUse", json!({ "tool_name": "Bash", "tool_input": input, "tool_use_id": "toolu_1" }))
}

/// The assistant finished its turn with this message.
pub fn stop(message: &str) -> String {
    event("Stop", json!({ "stop_hook_active": false, "last_assistant_message": message }))
}

/// The session is over.
pub fn session_end(reason: &str) -> String {
    event("SessionEnd", json!({ "reason": reason }))
}

/// A shell command failed.
pub fn failure(command: &str, error: &str) -> String {
    let tool = json!({ "tool_name": "Bash", "tool_input": { "command": command }, "tool_use_id": "toolu_1" });
    event("PostToolUseFailure", merge(tool, json!({ "error": error, "is_interrupt": false })))
}

/// The same event in another session.
pub fn in_session(event: &str, session: &str) -> String {
    changed(event, json!({ "session_id": session }))
}

/// The same event in another folder.
pub fn in_folder(event: &str, folder: &str) -> String {
    changed(event, json!({ "cwd": folder }))
}

/// The same event inside a subagent.
pub fn in_subagent(event: &str, agent: &str) -> String {
    changed(event, json!({ "agent_id": agent, "agent_type": "general-purpose" }))
}

/// An event with the fields that every event has.
pub fn event(name: &str, fields: Value) -> String {
    let common = json!({ "session_id": SESSION, "cwd": FOLDER, "hook_event_name": name });
    merge(common, fields).to_string()
}

fn changed(event: &str, fields: Value) -> String {
    merge(serde_json::from_str(event).unwrap_or_default(), fields).to_string()
}

fn merge(mut into: Value, fields: Value) -> Value {
    if let (Value::Object(into), Value::Object(fields)) = (&mut into, fields) {
        into.extend(fields);
    }
    into
}
