//! A project with two caps and the layer that writes what it is told.

use interleaf_tests::guests;
use interleaf_tests::run::Ran;
use interleaf_tests::scratch::Scratch;
use serde_json::{Value, json};

/// Of what is durable one too many is refused; of what is about a moment the weakest makes room.
pub const CAPS: [(&str, u64); 2] = [("decision", 4), ("blocker", 3)];

/// Nobody hurries, nobody else speaks, and all that is said is heard.
const CONFIG: &str = "[limits.deadline_ms]\nuser-prompt = 60000\n[layers.recall]\nenabled = false\n";

const ASKS: &str = "[layers.scribe.grants]\nmemory = \"write\"\n";

/// The project.
pub struct TestProject {
    pub scratch: Scratch,
}

impl TestProject {
    pub fn new() -> Self {
        let scratch = Scratch::new();
        let caps = CAPS.map(|(category, most)| format!("[categories.{category}]\nmax_kept = {most}\n"));
        let config = scratch.interleaf_home.join("config/config.toml");
        std::fs::write(config, format!("{CONFIG}{}", caps.concat())).expect("ours");
        scratch.offer("scribe", &guests::scribe(), ASKS);
        let _ = scratch.accept("scribe", &[]).success();
        Self { scratch }
    }

    /// Types a command of `interleaf memory`.
    pub fn memory(&self, arguments: &[&str]) -> Ran {
        self.scratch.interleaf(&[&["memory"], arguments].concat())
    }

    /// Has the layer do these operations, in a session of its own; what became of each.
    pub fn scribe(&self, session: u64, operations: &[Value]) -> Vec<Value> {
        let prompt = Value::from(operations.to_vec()).to_string();
        let fields = json!({ "session_id": format!("session-{session}"), "prompt": prompt });
        let reply = self.scratch.hook(self.scratch.event("UserPromptSubmit", fields)).success();
        let reply: Value = serde_json::from_str(&reply).unwrap_or_else(|error| panic!("{error}: {reply:?}"));
        let context = reply["hookSpecificOutput"]["additionalContext"].as_str().expect("a context");
        let line = context.lines().find_map(|line| line.strip_prefix("- [")).expect("a list of answers");
        let answers: Vec<Value> = serde_json::from_str(&format!("[{line}")).expect("JSON");
        assert_eq!(answers.len(), operations.len());
        answers
    }

    /// Every memory there is.
    pub fn exported(&self) -> Vec<Value> {
        let exported = self.memory(&["export"]).success();
        exported.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
    }
}
