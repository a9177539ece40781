//! `interleaf jobs`: listing jobs, running them in the foreground, and retrying failed ones.

use super::project::{TestProject, spawn_silent};
use interleaf_tests::program::program;
use serde_json::json;

#[test]
fn a_failing_job_is_retried_then_given_up_and_reported() {
    let project = TestProject::new();
    let lock = project.block_workers();
    let _ = project.stop("one", "a fail 0 the moon is in the wrong house").success();
    drop(lock);

    let first = project.scratch.interleaf(&["jobs", "run"]);
    assert_eq!(first.code, Some(1));
    assert!(first.out().contains("the moon is in the wrong house; will be retried"), "{}", first.out());
    assert!(first.err().contains("1 of 1 job failed"), "{}", first.err());
    let listed = project.scratch.interleaf(&["jobs"]).success();
    assert!(listed.contains("waiting") && listed.contains("attempt 2 of 5"), "{listed}");
    assert!(listed.contains("unavailable: the moon is in the wrong house"), "{listed}");
    let early = project.scratch.interleaf(&["jobs", "run"]).success();
    assert!(early.contains("No jobs are due") || early.contains("1 of 1"), "{early}");

    for _ in 2..=5 {
        assert_eq!(project.scratch.interleaf(&["jobs", "run", "--all"]).code, Some(1));
    }

    let listed = project.scratch.interleaf(&["jobs"]).success();
    assert!(listed.contains("failed ") && listed.contains("after 5 attempts"), "{listed}");
    let doctor = project.scratch.interleaf(&["doctor"]).out();
    assert!(doctor.contains("job a was given up after 5 attempts"), "{doctor}");
    assert!(doctor.contains("1 job failed for good; interleaf jobs"), "{doctor}");
    assert_eq!(project.scratch.interleaf(&["jobs", "run", "--all"]).success().trim(), "No jobs are waiting.");
}

#[test]
fn a_job_that_was_given_up_can_be_retried() {
    let project = TestProject::new();
    let lock = project.block_workers();
    let _ = project.stop("one", "a/1 fail-once 0 It went well in the end").success();
    drop(lock);
    assert_eq!(project.scratch.interleaf(&["jobs", "run"]).code, Some(1));

    let output = project.scratch.interleaf(&["jobs", "retry", "a"]).success();
    assert!(output.starts_with("a/1 is due now"), "{output}");
    assert_eq!(
        (project.job("a/1")["attempts"].clone(), project.progress("a/1")),
        (json!(0), "waiting".into())
    );

    let unknown = project.scratch.interleaf(&["jobs", "retry", "b"]);
    assert_eq!(unknown.code, Some(1));
    assert!(unknown.err().contains("no job has the id b"), "{}", unknown.err());
}

#[test]
fn jobs_run_all_runs_delayed_jobs_at_once() {
    let project = TestProject::new();
    let _ = project.stop("one", "a write 900000 The first of two things to know").success();
    let _ = project.stop("two", "b write 900000 Another matter altogether").success();
    assert!(project.scratch.interleaf(&["jobs", "run"]).success().starts_with("No jobs are due"));

    let output = project.scratch.interleaf(&["jobs", "run", "--all"]).success();

    assert_eq!(output.trim(), "Finished 2 jobs.");
    assert_eq!(project.memories().len(), 2);
    let listed = project.scratch.interleaf(&["jobs"]).success();
    assert_eq!(listed.matches("done ").count(), 2, "{listed}");
}

#[test]
fn jobs_run_waits_for_a_running_worker() {
    let project = TestProject::new();
    let lock = project.block_workers();
    let _ = project.stop("one", "a alone 0 1000").success();
    let _ = project.stop("one", "b alone 0 100").success();
    drop(lock);
    let mut worker = project.spawn_worker();
    project.wait_until("it is at work", || project.progress("a") == "running");

    let mut here = spawn_silent(project.scratch.command(program()).args(["jobs", "run"]));

    assert!(here.wait().expect("it ends").success() && worker.wait().expect("it ends").success());
    project.wait_until_finished();
    assert_eq!(project.memories(), Vec::<String>::new(), "nobody was at work at the same time");
}

#[test]
fn an_empty_list_of_jobs_is_reported() {
    let project = TestProject::new();

    assert_eq!(
        project.scratch.interleaf(&["jobs"]).success().trim(),
        "No jobs are waiting, and none finished in the last day."
    );
    assert_eq!(project.scratch.interleaf(&["jobs", "run"]).success().trim(), "No jobs are waiting.");
}
