//! Events of a tool: a command before it runs, and after it has said much.

use serde_json::{Value, json};

use super::corpus::Corpus;

/// How much a command says, in bytes.
const OUTPUT: usize = 30_000;

/// The command is about to run.
pub fn before(command: &str) -> Value {
    json!({
        "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_use_id": "toolu_bench",
        "tool_input": { "command": command, "description": "Run it" },
    })
}

/// The command has run.
pub fn after(command: &str, output: &str) -> Value {
    json!({
        "hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_use_id": "toolu_bench",
        "tool_input": { "command": command, "description": "Run it" },
        "tool_response": {
            "stdout": output, "stderr": "", "interrupted": false, "isImage": false, "noOutputExpected": false,
        },
    })
}

/// Lines of words, and in their midst a failure with a secret in it, if there is one.
pub fn output(corpus: &Corpus, secret: Option<&str>) -> String {
    let mut output = String::with_capacity(OUTPUT + 200);
    for number in 0.. {
        let (middle, end) = (output.len() >= OUTPUT / 2, output.len() >= OUTPUT);
        if let Some(secret) = secret.filter(|secret| middle && !output.contains(secret)) {
            output += &format!("error: failed to push: remote refused DEPLOY_TOKEN={secret} (exit code 1)\n");
        }
        if end {
            break;
        }
        output += &format!("{number:04} {}\n", corpus.subject(number));
    }
    output
}

/// A token that nobody has, put together so that no scanner stumbles over it.
pub fn secret() -> String {
    ["gh", "p_", &"a1B2".repeat(9)].concat()
}
