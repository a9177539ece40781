//! The posttool layer: what a failure brings, what is queued of it, and that nothing is lost, doubled or
//! leaked.

mod detect;
mod fixes;
mod promotion;
mod queue;
mod secrets;

use interleaf_tests::scratch::Scratch;
use serde_json::{Value, json};

/// The event of a shell command that failed.
fn failure(scratch: &Scratch, session: &str, command: &str, error: &str) -> String {
    let fields = json!({
        "session_id": session, "tool_name": "Bash", "tool_input": { "command": command },
        "tool_use_id": "toolu_1", "error": error, "is_interrupt": false,
    });
    scratch.event("PostToolUseFailure", fields)
}

/// A world in which layers are compiled, so that no deadline is spent on it.
fn world() -> Scratch {
    let scratch = Scratch::new();
    scratch.interleaf(&["compile"]).success();
    scratch
}

/// What waits in the queue, oldest first.
fn queue(scratch: &Scratch) -> Vec<Value> {
    let listed = scratch.interleaf(&["queue", "list", "--json"]).success();
    listed.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}
