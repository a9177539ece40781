//! Runs `interleaf-eval` on the recorded sessions.

#![allow(dead_code, reason = "each test program uses its own part")]

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use interleaf_tests::program::program;
use interleaf_tests::run::run;
use interleaf_tests::scratch::Scratch;
use interleaf_tests::workspace::fixtures;
use serde_json::Value;

/// After this time an evaluation counts as hanging. All figures take a minute.
const TIMEOUT: Duration = Duration::from_secs(1800);

/// The variables that say how the network is reached.
const NETWORK_VARIABLES: [&str; 5] =
    ["HF_ENDPOINT", "PIP_INDEX_URL", "https_proxy", "HTTPS_PROXY", "SSL_CERT_FILE"];

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
    let file = home.join("sentence.model");
    std::fs::create_dir_all(&home).expect("the target folder can be written");
    // Each test may run in a process of its own.
    let lock = std::fs::File::create(home.join("lock")).expect("the target folder can be written");
    lock.lock().expect("the tests can wait for each other");
    if !file.exists() {
        // The program ignores a folder of its own inside a repository, such as the target folder.
        let scratch = Scratch::new();
        let mut command = scratch.command(program());
        let network = std::env::vars().filter(|(name, _)| NETWORK_VARIABLES.contains(&name.as_str()));
        run(command.args(["model", "install"]).envs(network), b"", TIMEOUT).success();
        let new = home.join("new.model");
        std::fs::copy(scratch.interleaf_home.join("data/sentence.model"), &new).expect("it was installed");
        std::fs::rename(&new, &file).expect("the target folder can be written");
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
