//! Hooks that need no `interleaf`: a line of shell in the project's settings. They prove that the stub and
//! the client work on their own, and record the events that the client really sends.

use crate::scratch::Scratch;
use serde_json::{Value, json};

/// Hooks to register in a project, each an event and a shell command.
#[derive(Default)]
pub struct Hooks(Vec<(&'static str, String)>);

impl Hooks {
    /// Returns an empty list.
    pub fn new() -> Hooks {
        Hooks::default()
    }

    /// Answers `event` with `text` as additional context.
    pub fn context(self, event: &'static str, text: &str) -> Hooks {
        let reply =
            json!({"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}).to_string();
        self.shell(event, format!("echo '{}'", reply.replace('\'', r"'\''")))
    }

    /// Records every event with these names for [`recorded`].
    pub fn record(self, scratch: &Scratch, events: &[&'static str]) -> Hooks {
        let file = scratch.root.join("events.jsonl").display().to_string();
        events.iter().fold(self, |hooks, event| hooks.shell(event, format!("cat >>'{file}'")))
    }

    /// Runs any shell command on `event`.
    pub fn shell(mut self, event: &'static str, command: String) -> Hooks {
        self.0.push((event, command));
        self
    }

    /// Writes the project's `.claude/settings.json`.
    pub fn write(self, scratch: &Scratch) {
        let mut hooks = serde_json::Map::new();
        for (event, command) in self.0 {
            let groups = hooks.entry(event).or_insert_with(|| json!([]));
            let groups = groups.as_array_mut().expect("written as a list above");
            groups.push(json!({"hooks": [{"type": "command", "command": command}]}));
        }
        scratch.write(".claude/settings.json", &json!({"hooks": hooks}).to_string());
    }
}

/// Returns the events that [`Hooks::record`] has recorded so far, in the order of their arrival.
pub fn recorded(scratch: &Scratch) -> Vec<Value> {
    let text = std::fs::read_to_string(scratch.root.join("events.jsonl")).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).expect("an event is one line of JSON")).collect()
}
