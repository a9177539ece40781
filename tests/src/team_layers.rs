//! A team's layers: adding them to a project and accepting them, as people do.

use crate::program::program;
use crate::run::{ProcessOutput, run};
use crate::scratch::{HANG_TIMEOUT, Scratch};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Duration;

/// What accepting may take before the kit calls it hanging: it compiles, and a component that brings a whole
/// language along takes the unoptimised program a minute, on a busy machine several.
const COMPILE_TIMEOUT: Duration = Duration::from_secs(600);

impl Scratch {
    /// Adds a component to the project, with the settings and grants that it requests as TOML.
    pub fn add_layer(&self, name: &str, wasm: &[u8], asks: &str) -> PathBuf {
        let file = self.project.join(".claude/layers").join(name).with_extension("wasm");
        std::fs::create_dir_all(file.parent().expect("a file lies in a folder"))
            .expect("the project is writable");
        std::fs::write(&file, wasm).expect("the project is writable");
        self.write(".claude/interleaf.toml", asks);
        file
    }

    /// Returns the layers of the project, as `interleaf layer list` prints them.
    pub fn layers(&self) -> Vec<Value> {
        let listed = self.interleaf(&["layer", "list", "--json"]).success();
        listed.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
    }

    /// Returns the approval status of the last listed layer with this name: `runs`, `new`, `changed`, `gone`.
    pub fn approval_status(&self, name: &str) -> Option<String> {
        let layers = self.layers();
        let layer = layers.iter().rev().find(|layer| layer["name"] == name)?;
        Some(layer["standing"].as_str().expect("a word").to_owned())
    }

    /// Returns the digest of a layer's file.
    pub fn digest(&self, name: &str) -> String {
        let layers = self.layers();
        let layer = layers.iter().rev().find(|layer| layer["name"] == name).expect("the layer is listed");
        format!("sha256:{}", layer["digest"].as_str().expect("a digest"))
    }

    /// Accepts the layer's current file, without a terminal.
    pub fn accept(&self, name: &str, more: &[&str]) -> ProcessOutput {
        let digest = self.digest(name);
        let mut accept = self.command(program());
        accept.args([&["layer", "accept", name, "--digest", &digest], more].concat());
        run(&mut accept, b"", COMPILE_TIMEOUT)
    }

    /// Runs `interleaf` with these arguments at a terminal and types `answer`.
    pub fn at_a_terminal(&self, arguments: &str, answer: &str) -> ProcessOutput {
        let line = format!("'{}' {arguments}", program().display());
        run(
            self.command("script").args(["-qec", &line, "/dev/null"]).env("NO_COLOR", "1"),
            answer.as_bytes(),
            HANG_TIMEOUT,
        )
    }

    /// Returns the hook's answer to a prompt in this session.
    pub fn prompt(&self, session: &str, prompt: &str) -> String {
        self.hook(self.event("UserPromptSubmit", json!({"session_id": session, "prompt": prompt}))).success()
    }

    /// Returns the hook's answer to a shell command that is about to run, as JSON; `null` for none.
    pub fn before_command(&self, session: &str, command: &str) -> Value {
        let fields = json!({
            "session_id": session, "tool_name": "Bash", "tool_input": {"command": command},
            "tool_use_id": "t1",
        });
        let reply = self.hook(self.event("PreToolUse", fields)).success();
        if reply.is_empty() { Value::Null } else { serde_json::from_str(&reply).expect("one JSON object") }
    }
}
