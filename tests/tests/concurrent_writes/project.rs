//! A project with caps on two categories, and the layer that runs memory operations.

use interleaf_tests::guests;
use interleaf_tests::run::ProcessOutput;
use interleaf_tests::scratch::Scratch;
use serde_json::{Value, json};

/// Caps on a durable category, which refuses one too many, and a transient one, which archives its weakest.
pub const CAPS: [(&str, u64); 2] = [("decision", 4), ("blocker", 3)];

/// A long deadline, and no other layer that answers prompts.
const CONFIG: &str = "[limits.deadline_ms]\nuser-prompt = 60000\n[layers.recall]\nenabled = false\n";

const GRANTS: &str = "[layers.scribe.grants]\nmemory = \"write\"\n";

/// A project with the scribe layer.
pub struct TestProject {
    pub scratch: Scratch,
}

impl TestProject {
    pub fn new() -> Self {
        let scratch = Scratch::new();
        let caps = CAPS.map(|(category, most)| format!("[categories.{category}]\nmax_kept = {most}\n"));
        let config = scratch.interleaf_home.join("config/config.toml");
        std::fs::write(config, format!("{CONFIG}{}", caps.concat())).expect("ours");
        scratch.add_layer("scribe", &guests::scribe(), GRANTS);
        let _ = scratch.accept("scribe", &[]).success();
        Self { scratch }
    }

    /// Runs `interleaf memory`.
    pub fn memory(&self, arguments: &[&str]) -> ProcessOutput {
        self.scratch.interleaf(&[&["memory"], arguments].concat())
    }

    /// Has the layer run these operations in a session of its own, and returns their results.
    pub fn scribe(&self, session: u64, operations: &[Value]) -> Vec<Value> {
        let prompt = Value::from(operations.to_vec()).to_string();
        let fields = json!({ "session_id": format!("session-{session}"), "prompt": prompt });
        let reply = self.scratch.hook(self.scratch.event("UserPromptSubmit", fields)).success();
        let reply: Value = serde_json::from_str(&reply).unwrap_or_else(|error| panic!("{error}: {reply:?}"));
        let context = reply["hookSpecificOutput"]["additionalContext"].as_str().expect("a context");
        let line =
            context.lines().find_map(|line| line.strip_prefix("- layer says: [")).expect("a list of answers");
        let answers: Vec<Value> = serde_json::from_str(&format!("[{line}")).expect("JSON");
        assert_eq!(answers.len(), operations.len());
        answers
    }

    /// Returns all memories.
    pub fn exported(&self) -> Vec<Value> {
        let exported = self.memory(&["export"]).success();
        exported.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
    }
}
