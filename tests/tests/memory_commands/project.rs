//! A project with memories, and the ways to type at it.

use interleaf_tests::program::program;
use interleaf_tests::run::{Ran, run};
use interleaf_tests::scratch::{HANG, Scratch};
use serde_json::Value;
use std::path::PathBuf;

pub const RULE: &str = "The vendor API allows 10 requests a second, by design";

/// Where no test has to say more.
pub const NOTHING: &str = "The portal shows the retry count in its header";

/// The project.
pub struct TestProject(pub Scratch);

impl TestProject {
    pub fn new() -> Self {
        Self(Scratch::new())
    }

    /// One with this memory, and its id.
    pub fn knowing(text: &str) -> (Self, String) {
        let project = Self::new();
        let id = project.remember(text);
        (project, id)
    }

    pub fn remember(&self, text: &str) -> String {
        let written = json(&self.0.interleaf(&["remember", "--json", text]).success());
        written["id"].as_str().expect("an id").to_owned()
    }

    /// `interleaf memory` without a terminal.
    pub fn memory(&self, arguments: &[&str]) -> Ran {
        self.0.interleaf(&[&["memory"], arguments].concat())
    }

    /// The same at a terminal, where `answer` is typed.
    pub fn typed(&self, arguments: &str, answer: &str) -> Ran {
        self.0.at_a_terminal(&format!("memory {arguments}"), answer)
    }

    /// The same at a terminal within a session of Claude Code.
    pub fn typed_in_claude_code(&self, arguments: &str) -> Ran {
        let line = format!("'{}' memory {arguments}", program().display());
        let mut script = self.0.command("script");
        run(script.args(["-qec", &line, "/dev/null"]).env("CLAUDECODE", "1"), b"y\n", HANG)
    }

    /// The memory of this id.
    pub fn show(&self, id: &str) -> Value {
        json(&self.memory(&["show", id, "--json"]).success())
    }

    /// Everything there is.
    pub fn exported(&self) -> String {
        self.memory(&["export"]).success()
    }

    /// The database.
    pub fn store(&self) -> PathBuf {
        let doctor = json(&self.0.interleaf(&["doctor", "--json"]).success());
        PathBuf::from(doctor["store"].as_str().expect("a path"))
    }
}

pub fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

pub fn lines(text: &str) -> Vec<Value> {
    text.lines().map(json).collect()
}

/// What it said when it refused, and with which exit code.
#[track_caller]
pub fn refused(ran: Ran) -> (i32, String) {
    let code = ran.code.expect("it ended by itself");
    assert_ne!(code, 0, "{}", ran.out());
    (code, ran.out() + &ran.err())
}
