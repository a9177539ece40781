//! The rules of the detector, as tables: what counts and what does not, in the shapes that Claude Code sends.

mod clean;
mod commands;
mod failures;
mod outputs;
mod seed;

use serde_json::json;

use crate::detect::{Finding, detect};
use crate::happening::Happening;
use crate::settings::Settings;

/// A shell command that failed.
fn failed(command: &str, error: &str) -> Finding {
    judged(&Happening::failed("Bash", &json!({ "command": command }).to_string(), error, false))
}

/// A shell command that ran through and printed this.
fn ran(command: &str, stdout: &str, stderr: &str) -> Finding {
    let response = json!({ "stdout": stdout, "stderr": stderr, "interrupted": false, "isImage": false });
    judged(&Happening::ran("Bash", &json!({ "command": command }).to_string(), &response.to_string()))
}

/// A subagent that answered.
fn told(answer: &str) -> Finding {
    let response = json!({ "status": "completed", "content": [{ "type": "text", "text": answer }] });
    judged(&Happening::ran("Agent", r#"{"description":"look into it"}"#, &response.to_string()))
}

fn judged(happening: &Happening) -> Finding {
    let commands = happening.command.as_deref().map(topics::commands).unwrap_or_default();
    detect(happening, &commands, &Settings::default())
}

fn category(finding: &Finding) -> &'static str {
    finding.category.map_or("none", |category| category.as_str())
}
