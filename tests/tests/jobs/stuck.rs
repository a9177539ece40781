//! Workers that give no sign of life, and transcripts that are no files: both are named, and neither keeps
//! the jobs of a project waiting.

use super::project::TestProject;
use std::fs::File;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, SystemTime};

impl TestProject {
    fn worker_lock(&self) -> PathBuf {
        let doctor: serde_json::Value =
            serde_json::from_str(&self.scratch.interleaf(&["doctor", "--json"]).out()).expect("JSON");
        PathBuf::from(doctor["store"].as_str().expect("a path")).with_file_name("worker.lock")
    }
}

#[test]
fn a_stopped_worker_is_named_and_replaced() {
    let project = TestProject::new();
    let _ = project.stop("s", "slow busy 0 8000").success();
    project.wait_until("the job runs", || project.progress("slow") == "running");
    let lock = project.worker_lock();
    let worker = std::fs::read_to_string(&lock).expect("the worker's process id");
    signal("STOP", &worker);
    // As if the worker had been stopped for minutes.
    let file = File::options().append(true).open(&lock).expect("ours");
    file.set_modified(SystemTime::now() - Duration::from_secs(300)).expect("ours");

    let hint = format!("the worker (process {worker}) has not moved for 5 min");
    assert!(project.scratch.interleaf(&["doctor"]).out().contains(&hint));
    assert!(project.scratch.interleaf(&["jobs"]).out().contains(&hint));
    let run = project.scratch.interleaf(&["jobs", "run", "--all"]);

    assert_eq!(run.code, Some(0), "{}{}", run.out(), run.err());
    assert_eq!(project.progress("slow"), "done");
    assert_eq!(project.memories(), ["The job that took its time is over"]);
}

#[test]
fn a_transcript_that_is_a_pipe_is_not_opened() {
    let project = TestProject::new();
    let made = Command::new("mkfifo").arg(project.transcript("s")).status();
    assert!(made.expect("mkfifo is part of every system").success());
    let _ = project.stop("s", "first read 0").success();

    project.wait_until("the job was tried", || project.job("first")["error"].is_string());

    let error = project.job("first")["error"].to_string();
    assert!(error.contains("not a regular file"), "{error}");
}

fn signal(name: &str, process: &str) {
    let sent = Command::new("kill").args([&format!("-{name}"), process]).status();
    assert!(sent.expect("kill is part of every system").success());
}
