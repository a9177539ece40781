//! A project with memories, and commands with and without a terminal.

use interleaf_tests::program::program;
use interleaf_tests::run::{ProcessOutput, run};
use interleaf_tests::scratch::{HANG_TIMEOUT, Scratch};
use serde_json::Value;
use std::path::PathBuf;

pub const RULE: &str = "The vendor API allows 10 requests a second, by design";

/// A second memory, for tests that need any other one.
pub const UNRELATED: &str = "The portal shows the retry count in its header";

/// A project in which commands are run.
pub struct TestProject(pub Scratch);

impl TestProject {
    pub fn new() -> Self {
        Self(Scratch::new())
    }

    /// Creates a project with this memory, and returns the memory's id.
    pub fn with_memory(text: &str) -> (Self, String) {
        let project = Self::new();
        let id = project.remember(text);
        (project, id)
    }

    pub fn remember(&self, text: &str) -> String {
        let written = json(&self.0.interleaf(&["remember", "-c", "learning", "--json", text]).success());
        written["id"].as_str().expect("an id").to_owned()
    }

    /// Runs `interleaf memory` without a terminal.
    pub fn memory(&self, arguments: &[&str]) -> ProcessOutput {
        self.0.interleaf(&[&["memory"], arguments].concat())
    }

    /// Runs `interleaf memory` at a terminal and types `answer`.
    pub fn at_terminal(&self, arguments: &str, answer: &str) -> ProcessOutput {
        self.0.at_a_terminal(&format!("memory {arguments}"), answer)
    }

    /// Runs `interleaf memory` at a terminal inside a session of Claude Code.
    pub fn at_terminal_in_claude_code(&self, arguments: &str) -> ProcessOutput {
        let line = format!("'{}' memory {arguments}", program().display());
        let mut script = self.0.command("script");
        run(script.args(["-qec", &line, "/dev/null"]).env("CLAUDECODE", "1"), b"y\n", HANG_TIMEOUT)
    }

    /// Returns the memory with this id.
    pub fn show(&self, id: &str) -> Value {
        json(&self.memory(&["show", id, "--json"]).success())
    }

    /// Returns the export of all memories.
    pub fn exported(&self) -> String {
        self.memory(&["export"]).success()
    }

    /// Returns the path of the database.
    pub fn store(&self) -> PathBuf {
        let doctor = json(&self.0.interleaf(&["doctor", "--json"]).out());
        PathBuf::from(doctor["store"].as_str().expect("a path"))
    }
}

pub fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

pub fn lines(text: &str) -> Vec<Value> {
    text.lines().map(json).collect()
}

/// Checks that a command refused, and returns its exit code and output.
#[track_caller]
pub fn refused(ran: ProcessOutput) -> (i32, String) {
    let code = ran.code.expect("it ended by itself");
    assert_ne!(code, 0, "{}", ran.out());
    (code, ran.out() + &ran.err())
}
