//! What the hook decides before a tool call.

use crate::program::program;
use crate::run::run;
use crate::scratch::{HANG_TIMEOUT, Scratch};
use serde_json::{Value, json};

/// Returns the decision before a shell command, with these variables in the environment.
pub fn decision(scratch: &Scratch, command: &str, variables: &[(&str, &str)]) -> Option<String> {
    decision_on_call(scratch, "Bash", &json!({ "command": command }), variables)
}

/// Returns the decision before a call of this tool with this input.
pub fn decision_on_call(
    scratch: &Scratch,
    tool: &str,
    input: &Value,
    variables: &[(&str, &str)],
) -> Option<String> {
    let fields = json!({"tool_name": tool, "tool_input": input, "tool_use_id": "t"});
    decision_on(scratch, &scratch.event("PreToolUse", fields), variables)
}

/// Returns the decision on this event.
///
/// # Panics
/// If the hook does harm or prints anything but JSON.
pub fn decision_on(scratch: &Scratch, event: &str, variables: &[(&str, &str)]) -> Option<String> {
    let answer = answer(scratch, event, variables);
    let reply: Value =
        serde_json::from_str(Some(answer.as_str()).filter(|it| !it.is_empty())?).expect("JSON");
    Some(reply["hookSpecificOutput"]["permissionDecision"].as_str()?.to_owned())
}

/// Returns what the hook prints for this event.
///
/// # Panics
/// If it fails.
pub fn answer(scratch: &Scratch, event: &str, variables: &[(&str, &str)]) -> String {
    let mut hook = scratch.command(program());
    hook.arg("hook").env("CLAUDECODE", "1").env("CLAUDE_PROJECT_DIR", &scratch.project);
    hook.envs(variables.iter().copied());
    run(&mut hook, event.as_bytes(), HANG_TIMEOUT).success()
}
