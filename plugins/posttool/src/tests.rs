//! Tests of the detector as tables: which tool runs count and which do not, in the JSON shapes that Claude
//! Code sends.

mod failures;
mod outputs;
mod scores;
mod successes;

use serde_json::json;

use crate::detector::{Finding, detect};
use crate::settings::Settings;
use crate::tool_run::ToolRun;

/// Returns the finding for a shell command that failed.
fn failed(command: &str, error: &str) -> Finding {
    finding(&ToolRun::from_failure("Bash", &json!({ "command": command }).to_string(), error, false))
}

/// Returns the finding for a shell command that succeeded with this output.
fn succeeded(command: &str, stdout: &str, stderr: &str) -> Finding {
    let response = json!({ "stdout": stdout, "stderr": stderr, "interrupted": false, "isImage": false });
    finding(&ToolRun::from_response(
        "Bash",
        &json!({ "command": command }).to_string(),
        &response.to_string(),
    ))
}

/// Returns the finding for the answer of a subagent.
fn subagent_answered(answer: &str) -> Finding {
    let response = json!({ "status": "completed", "content": [{ "type": "text", "text": answer }] });
    finding(&ToolRun::from_response("Agent", r#"{"description":"look into it"}"#, &response.to_string()))
}

fn finding(run: &ToolRun) -> Finding {
    let commands = run.command.as_deref().map(interleaf_shell::commands).unwrap_or_default();
    detect(run, &commands, &Settings::default())
}

fn category(finding: &Finding) -> &'static str {
    finding.category.map_or("none", |category| category.as_str())
}
