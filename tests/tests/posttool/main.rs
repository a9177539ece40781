//! The posttool layer: a failure shows known fixes and is queued, and nothing is lost, duplicated or leaked.

mod detect;
mod fixes;
mod promotion;
mod queue;
mod secrets;

use interleaf_tests::scratch::Scratch;
use serde_json::{Value, json};

/// Returns the event of a shell command that failed.
fn failure(scratch: &Scratch, session: &str, command: &str, error: &str) -> String {
    let fields = json!({
        "session_id": session, "tool_name": "Bash", "tool_input": { "command": command },
        "tool_use_id": "toolu_1", "error": error, "is_interrupt": false,
    });
    scratch.event("PostToolUseFailure", fields)
}

/// Creates a project with compiled layers, so that compilation does not count against deadlines.
fn prepared_project() -> Scratch {
    let scratch = Scratch::new();
    scratch.interleaf(&["compile"]).success();
    scratch
}

/// Returns the captures in the queue, oldest first.
fn queue(scratch: &Scratch) -> Vec<Value> {
    let listed = scratch.interleaf(&["queue", "list", "--json"]).success();
    listed.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}
