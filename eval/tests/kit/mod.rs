//! Runs `interleaf-eval` on the recorded sessions.

#![allow(dead_code, reason = "each test program uses its own part")]

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use interleaf_tests::program::program;
use interleaf_tests::run::run;
use interleaf_tests::scratch::ACCOUNT_HOME_VARIABLE;
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

/// Returns the file of the sentence model, which the program downloads once into the target folder.
pub fn sentence_model() -> String {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sentence-model");
    let file = home.join("data/sentence.model");
    std::fs::create_dir_all(&home).expect("the target folder can be written");
    // Each test may run in a process of its own.
    let lock = std::fs::File::create(home.join("lock")).expect("the target folder can be written");
    lock.lock().expect("the tests can wait for each other");
    if !file.exists() {
        let mut command = Command::new(program());
        // The rest of the environment may name a mirror or a proxy.
        command.args(["model", "install"]).current_dir(&home);
        command.env("INTERLEAF_HOME", &home).env("HOME", &home).env(ACCOUNT_HOME_VARIABLE, &home);
        run(&mut command, b"", TIMEOUT).success();
    }
    path(&file)
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
