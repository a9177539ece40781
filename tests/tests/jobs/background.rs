//! Jobs that the worker runs in the background after a hook.

use super::project::TestProject;
use serde_json::json;

#[test]
fn a_hook_answers_and_its_job_is_done_afterwards() {
    let project = TestProject::new();

    let ran = project.stop("one", "a busy 0 1500");

    assert_eq!((ran.code, ran.out(), ran.err()), (Some(0), String::new(), String::new()));
    assert_ne!(project.progress("a"), "done", "the hook did not wait for it");
    project.wait_until_finished();
    assert_eq!(project.memories(), ["The job that took its time is over"]);
    assert_eq!((project.progress("a"), project.job("a")["attempts"].clone()), ("done".into(), json!(1)));
}

#[test]
fn an_object_that_a_job_logs_is_one_line_of_the_log() {
    let project = TestProject::new();
    let _ = project.stop("one", "a say 0 this and that").success();
    project.wait_until_finished();

    let log = project.scratch.interleaf(&["log"]).success();

    assert!(log.contains("job say") && log.contains(r#"{"did":"this and that"}"#), "{log}");
    assert!(log.contains("session one"), "{log}");
}

#[test]
fn a_job_that_fails_temporarily_is_retried_by_the_same_worker() {
    let project = TestProject::new();
    let _ = project.stop("one", "a fail-once 0 The second attempt went well").success();

    project.wait_until_finished();

    assert_eq!(project.memories(), ["The second attempt went well"]);
    assert_eq!(project.job("a")["attempts"], 2);
    let doctor = project.scratch.interleaf(&["doctor"]).out();
    assert!(!doctor.contains("failed"), "it went well since: {doctor}");
    let log = project.scratch.interleaf(&["log"]).out();
    assert!(log.contains("job a failed (attempt 1 of 5)"), "{log}");
}

#[test]
fn a_job_that_spins_or_traps_does_not_stop_the_others() {
    let project = TestProject::with("[limits.deadline_ms]\nstop = 20000\njob = 1000\n");
    let lock = project.block_workers();
    for message in ["a spin 0", "b trap 0", "c write 0 The third job was done all the same"] {
        let _ = project.stop("one", message).success();
    }
    drop(lock);

    project.start_session("two");

    project.wait_until("the third is done", || project.progress("c") == "done");
    let error = |id: &str| project.job(id)["error"].as_str().unwrap_or_default().to_owned();
    assert!(error("a").contains("stopped at its deadline of 1000 ms"), "{}", error("a"));
    assert!(error("b").contains("trapped"), "{}", error("b"));
    assert_eq!(project.memories(), ["The third job was done all the same"]);
}

#[test]
fn a_job_that_resubmits_itself_is_stopped_at_the_session_limit() {
    let project = TestProject::with("[limits]\njobs = 7\n[limits.deadline_ms]\nstop = 20000\njob = 20000\n");
    let _ = project.stop("one", "a again 0").success();

    project.wait_until("it is refused", || project.job("a")["error"].is_string());

    let job = project.job("a");
    assert!(job["error"].as_str().is_some_and(|error| error.contains("the 7 captures and jobs")), "{job}");
    assert_eq!(project.progress("a"), "waiting", "for its next try, as any that fails");
}

#[test]
fn a_delayed_job_is_due_at_the_earlier_of_two_requested_times() {
    let project = TestProject::new();
    let due = || project.job("a")["due_at"].as_i64().expect("it waits");
    let _ = project.stop("one", "a write 900000 The words of the first order").success();
    let first = due();

    let _ = project.stop("one", "a write 1800000 The words of the second order").success();
    assert_eq!(due(), first, "a later time does not delay the job");
    let _ = project.stop("one", "a write 600000 The words of the third order").success();
    assert!(due() < first);
    assert_eq!(project.memories(), Vec::<String>::new());

    let _ = project.stop("one", "a write 0 The words of the last order").success();
    project.wait_until_finished();
    assert_eq!(project.memories(), ["The words of the last order"]);
}

#[test]
fn a_job_reads_the_transcript_of_its_own_session() {
    let project = TestProject::new();
    for (session, words) in [("one", "the ledger is slow"), ("two", "the docs are late")] {
        let line = json!({"type": "user", "message": {"role": "user", "content": words}});
        std::fs::write(project.transcript(session), format!("{line}\n")).expect("ours");
    }
    let lock = project.block_workers();
    let _ = project.stop("one", "a read 0").success();
    drop(lock);

    let _ = project.stop("two", "b read 0").success();
    project.wait_until_finished();

    let mut memories = project.memories();
    memories.sort();
    assert_eq!(
        memories,
        ["Session one began with: the ledger is slow", "Session two began with: the docs are late"]
    );
}

#[test]
fn a_disabled_worker_does_nothing() {
    let project = TestProject::new();
    let lock = project.block_workers();
    let _ = project.stop("one", "a write 0 The words of somebody").success();
    drop(lock);

    let mut worker = project.scratch.command(interleaf_tests::program::program());
    worker.arg("work").env("INTERLEAF_DISABLE", "1").env("CLAUDE_PROJECT_DIR", &project.scratch.project);
    assert!(worker.status().expect("it can be started").success());

    assert_eq!(project.progress("a"), "waiting");
}

#[test]
fn only_this_user_can_read_the_worker_lock_and_it_is_released() {
    use std::os::unix::fs::PermissionsExt;
    let project = TestProject::new();
    let _ = project.stop("one", "a write 0 The words of somebody").success();
    project.wait_until_finished();

    let doctor: serde_json::Value =
        serde_json::from_str(&project.scratch.interleaf(&["doctor", "--json"]).out()).expect("JSON");
    let store = std::path::PathBuf::from(doctor["store"].as_str().expect("a path"));
    let mode =
        std::fs::metadata(store.with_file_name("worker.lock")).expect("it is there").permissions().mode();

    assert_eq!(mode & 0o777, 0o600);
    let free = std::fs::File::open(store.with_file_name("worker.lock")).expect("ours");
    project.wait_until("the worker has ended", || free.try_lock().is_ok());
}
