//! Concurrent hooks and workers.

use super::project::TestProject;
use interleaf_tests::program::program;
use interleaf_tests::run::run;
use interleaf_tests::scratch::HANG_TIMEOUT;
use std::thread;

/// Runs the hooks of two sessions at the same time.
fn at_once(project: &TestProject, events: [String; 2]) {
    thread::scope(|scope| {
        let hook = |event: String| {
            let mut command = project.scratch.command(program());
            command.arg("hook").env("CLAUDECODE", "1");
            scope.spawn(move || run(&mut command, event.as_bytes(), HANG_TIMEOUT).success())
        };
        let hooks = events.map(hook);
        let _ = hooks.map(|hook| hook.join().expect("it succeeds"));
    });
}

#[test]
fn only_one_worker_runs_at_a_time() {
    let project = TestProject::new();
    for round in 0..5 {
        let event = |session: &str| project.stop_event(session, &format!("{session}{round} alone 0 100"));
        at_once(&project, [event("one"), event("two")]);
    }

    project.wait_until_finished();

    assert_eq!(project.memories(), Vec::<String>::new(), "nobody was inside when another came");
    assert_eq!(project.jobs().iter().filter(|job| job["progress"] == "done").count(), 10);
}

#[test]
fn two_sessions_that_stop_together_lose_and_duplicate_nothing() {
    let project = TestProject::new();
    let words = |session: &str, round: u32| super::killed::words(round * 2 + u32::from(session == "two"));
    for round in 0..20 {
        for session in ["one", "two"] {
            let event = project.capture_event(session, &format!("{session}-{round}"), &words(session, round));
            let _ = project.scratch.hook(event).success();
        }
        at_once(&project, ["one", "two"].map(|session| project.stop_event(session, "done")));
    }

    // Captures made while the last flush of their session ran are left to another run of that flush.
    project.wait_until_finished();

    let mut expected: Vec<String> =
        (0..20).flat_map(|round| ["one", "two"].map(|session| words(session, round))).collect();
    let mut found = project.memories();
    expected.sort();
    found.sort();
    assert_eq!(found, expected);
    assert_eq!(project.waiting_captures(), 0);
}
