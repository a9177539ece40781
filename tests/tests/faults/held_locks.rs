//! Locks that another process holds and does not release: hooks end at their deadlines, commands say who is
//! in the way, and once the lock is gone everything works, the sessions of the meantime included.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use interleaf_tests::program::program;
use serde_json::json;

use super::stored_project::{RULE, StoredProject, lesson};

const HINT: &str = "if it stays locked, end the other `interleaf` process";

/// Time limit of a command that waits for a lock: it gives up after ten or twenty seconds.
const COMMAND_LIMIT: Duration = Duration::from_secs(45);

/// Takes a lock of the project's database with this statement.
fn lock(project: &StoredProject, statements: &str) -> rusqlite::Connection {
    let store = rusqlite::Connection::open(project.store()).expect("a database");
    store.execute_batch(statements).expect("the lock");
    store
}

#[test]
fn a_write_lock_that_is_never_released_leaves_reading_and_names_itself() {
    let project = StoredProject::new().with_deadlines();
    let store = lock(&project, "BEGIN IMMEDIATE");

    let [start, prompt] = project.session("locked");
    assert!(start.contains(RULE) && prompt.contains(RULE), "{start} {prompt}");
    let points = project.points();
    assert!(points.iter().any(|point| point.contains("locked by another process")), "{points:#?}");
    let refused = project.run(&["remember", "Deployments run from the tag, never from a branch"]);
    assert!(refused.code == Some(1) && refused.err().contains(HINT), "{refused:?}");
    assert!(refused.took < COMMAND_LIMIT, "{:?}", refused.took);
    assert_eq!(project.texts(), project.before);

    drop(store);
    project.assert_saved_later("locked");
}

#[test]
fn a_database_held_exclusively_silences_hooks_and_doctor_still_answers() {
    let project = StoredProject::new().with_deadlines();
    let store = lock(&project, "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");

    assert_eq!(project.session("locked"), [String::new(), String::new()]);
    assert_eq!(project.doctor()["memories"], json!(null));
    let refused = project.run(&["memory", "list"]);
    assert!(refused.code == Some(1) && refused.err().contains(HINT), "{refused:?}");
    assert!(refused.took < COMMAND_LIMIT, "{:?}", refused.took);

    drop(store);
    project.assert_saved_later("locked");
}

/// A worker of the project that was stopped as by Ctrl-Z, and is killed at the end.
struct StoppedWorker(Child);

impl StoppedWorker {
    /// Starts a worker, which waits for a job that is due soon, and stops it.
    fn of(project: &StoredProject) -> Self {
        let mut command = project.scratch.command(program());
        command.arg("work").env("CLAUDE_PROJECT_DIR", &project.scratch.project);
        let worker = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let worker = Self(worker.expect("it can be started"));
        std::thread::sleep(Duration::from_millis(300));
        let stopped = Command::new("kill").args(["-STOP", &worker.0.id().to_string()]).status();
        assert!(stopped.is_ok_and(|status| status.success()), "it can be stopped");
        // On a busy machine, the signal takes effect a little later.
        let stat = format!("/proc/{}/stat", worker.0.id());
        let is_stopped = || std::fs::read_to_string(&stat).expect("a process").contains(") T ");
        project.wait("the worker is stopped", is_stopped);
        worker
    }
}

impl Drop for StoppedWorker {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_stopped_worker_delays_no_hook_and_its_project_is_saved_once_it_is_killed() {
    let project = StoredProject::new().with_deadlines();
    // A job that is due soon keeps the worker waiting, so that it can be stopped.
    project.scratch.configure("[layers.save.settings]\ndebounce_seconds = 10\n");
    std::fs::write(project.transcript("first"), lesson()).expect("ours");
    project.hook("first", "Stop", json!({ "stop_hook_active": false, "last_assistant_message": "done" }));
    let worker = StoppedWorker::of(&project);

    let [start, prompt] = project.session("second");
    assert!(start.contains(RULE) && prompt.contains(RULE), "{start} {prompt}");

    drop(worker);
    project.hook("third", "SessionStart", json!({ "source": "startup" }));
    project.wait("the sessions are saved", || project.texts().len() > project.before.len());
    project.assert_nothing_lost();
}
