//! The events that are measured, as Claude Code sends them.

use serde_json::{Value, json};

use super::corpus::Corpus;

/// Length of a long output in bytes.
const OUTPUT_BYTES: usize = 30_000;

/// An irreversible command about which this user has memories.
const COMMAND_WITH_MEMORY: &str = "git push --force origin main";

/// A command that the example layer asks about. It names the branch, so git is not run.
const ASKED_COMMAND: &str = "git push --force origin main";

/// A command that the example layer lets pass.
const PASSED_COMMAND: &str = "cargo test --workspace 2>&1 | tail -20";

/// The kinds of event that are measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// An event that no layer answers.
    NoLayer,
    /// A prompt that shares only two common words with memories.
    SilentPrompt,
    /// A prompt that a memory is about.
    MatchingPrompt,
    /// The start of a session.
    SessionStart,
    /// Before a command that no memory is about.
    ToolWithoutMatch,
    /// Before a command that a memory is about.
    ToolWithMatch,
    /// After a command with a long output, nothing of it worth learning.
    CleanOutput,
    /// After a command whose long output has a secret, and a failure worth learning.
    OutputWithSecret,
    /// The end of a turn: a job is submitted, and a worker started for it.
    Stop,
    /// Before a command about which a team's layer asks the person.
    Asked,
    /// Before a command that a team's layer lets pass.
    Passed,
}

impl Event {
    /// The events for the embedded layers.
    pub const EMBEDDED_LAYERS: [Event; 9] = [
        Event::NoLayer,
        Event::SilentPrompt,
        Event::MatchingPrompt,
        Event::SessionStart,
        Event::ToolWithoutMatch,
        Event::ToolWithMatch,
        Event::CleanOutput,
        Event::OutputWithSecret,
        Event::Stop,
    ];

    /// The events for a project's own layer.
    pub const TEAM_LAYER: [Event; 2] = [Event::Passed, Event::Asked];

    /// Returns its name in the table.
    pub fn name(self) -> &'static str {
        match self {
            Event::NoLayer => "event without a layer",
            Event::SilentPrompt => "prompt, silent",
            Event::MatchingPrompt => "prompt, match",
            Event::SessionStart => "session start",
            Event::ToolWithoutMatch => "pre-tool, silent",
            Event::ToolWithMatch => "pre-tool, match",
            Event::CleanOutput => "post-tool, 30 kB",
            Event::OutputWithSecret => "post-tool, secret",
            Event::Stop => "stop, worker started",
            Event::Asked => "force push, asked",
            Event::Passed => "command, silent",
        }
    }

    /// Returns the text of a prompt, in a project with this many memories.
    pub fn prompt(self, corpus: &Corpus, memories: usize) -> Option<String> {
        match self {
            Event::SilentPrompt => Some(corpus.silent_prompt()),
            Event::MatchingPrompt => Some(corpus.matching_prompt(memories)),
            _ => None,
        }
    }

    /// Returns the fields of this event beyond the common ones. `prompt` is for the events that have one.
    pub fn fields(self, corpus: &Corpus, prompt: Option<&str>) -> Value {
        let output = |secret: Option<&str>| output(corpus, secret);
        match self {
            Event::NoLayer => {
                json!({ "hook_event_name": "Notification", "message": "Claude is waiting for your input" })
            }
            Event::SessionStart => json!({ "hook_event_name": "SessionStart", "source": "startup" }),
            Event::SilentPrompt | Event::MatchingPrompt => {
                json!({ "hook_event_name": "UserPromptSubmit", "prompt": prompt.unwrap_or_default() })
            }
            Event::ToolWithoutMatch => before_command("ls -l src"),
            Event::ToolWithMatch => before_command(COMMAND_WITH_MEMORY),
            Event::CleanOutput => after_command("cat notes.txt", &output(None)),
            Event::OutputWithSecret => after_command(COMMAND_WITH_MEMORY, &output(Some(&secret()))),
            Event::Stop => json!({
                "hook_event_name": "Stop", "stop_hook_active": false,
                "last_assistant_message": "All is done.",
            }),
            Event::Asked => before_command(ASKED_COMMAND),
            Event::Passed => before_command(PASSED_COMMAND),
        }
    }
}

/// Returns the fields of an event before a command runs.
fn before_command(command: &str) -> Value {
    json!({
        "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_use_id": "toolu_bench",
        "tool_input": { "command": command, "description": "Run it" },
    })
}

/// Returns the fields of an event after a command has run.
fn after_command(command: &str, output: &str) -> Value {
    json!({
        "hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_use_id": "toolu_bench",
        "tool_input": { "command": command, "description": "Run it" },
        "tool_response": {
            "stdout": output, "stderr": "", "interrupted": false, "isImage": false, "noOutputExpected": false,
        },
    })
}

/// Returns lines of words; with a secret, a failure that contains it is in the middle.
fn output(corpus: &Corpus, secret: Option<&str>) -> String {
    let mut output = String::with_capacity(OUTPUT_BYTES + 200);
    for number in 0.. {
        let (middle, end) = (output.len() >= OUTPUT_BYTES / 2, output.len() >= OUTPUT_BYTES);
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

/// Returns an invented token, assembled from parts so that no scanner reports this file.
fn secret() -> String {
    ["gh", "p_", &"a1B2".repeat(9)].concat()
}
