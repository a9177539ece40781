//! Runs `interleaf-eval` on the recorded sessions.

#![allow(dead_code, reason = "each test program uses its own part")]

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use interleaf_tests::program::program;
use interleaf_tests::run::run;
use interleaf_tests::workspace::fixtures;
use serde_json::Value;

/// After this time an evaluation counts as hanging. All figures take a minute.
const TIMEOUT: Duration = Duration::from_secs(1800);

/// Runs `interleaf-eval` with these arguments and `--json`, and returns the lines that it printed.
pub fn eval(arguments: &[&str]) -> Vec<Value> {
    let report = eval_for_people(&[arguments, &["--json"]].concat());
    report.lines().map(|line| serde_json::from_str(line).expect("a line is an object")).collect()
}

/// Runs `interleaf-eval` with these arguments, and returns what it printed.
pub fn eval_for_people(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_interleaf-eval"));
    command.args(arguments).arg("--program").arg(program());
    run(&mut command, b"", TIMEOUT).success()
}

/// The folder of a recorded session, named `project/session`.
pub fn session(name: &str) -> String {
    path(&fixtures().join("sessions").join(name))
}

/// The file with what the first session of a session's project teaches.
pub fn memories(session: &str) -> String {
    let (project, _) = session.split_once('/').expect("a session is named with its project");
    path(&fixtures().join("memories").join(format!("{project}.jsonl")))
}

fn path(path: &Path) -> String {
    path.display().to_string()
}
