//! Many at once.

use super::project::TestProject;
use interleaf_tests::program::program;
use interleaf_tests::run::run;
use interleaf_tests::scratch::HANG;
use std::thread;

/// Two hooks of two sessions at the same time.
fn at_once(project: &TestProject, events: [String; 2]) {
    thread::scope(|scope| {
        let hook = |event: String| {
            let mut command = project.scratch.command(program());
            command.arg("hook").env("CLAUDECODE", "1");
            scope.spawn(move || run(&mut command, event.as_bytes(), HANG).success())
        };
        let hooks = events.map(hook);
        let _ = hooks.map(|hook| hook.join().expect("it succeeds"));
    });
}

#[test]
fn one_worker_is_at_work_at_a_time() {
    let project = TestProject::new();
    for round in 0..5 {
        let event = |session: &str| project.stopping(session, &format!("{session}{round} alone 0 100"));
        at_once(&project, [event("one"), event("two")]);
    }

    project.finished();

    assert_eq!(project.memories(), Vec::<String>::new(), "nobody was inside when another came");
    assert_eq!(project.jobs().iter().filter(|job| job["progress"] == "done").count(), 10);
}

#[test]
fn two_sessions_that_stop_at_once_twenty_times_lose_nothing_and_double_nothing() {
    let project = TestProject::new();
    let words = |session: &str, round: u32| super::killed::words(round * 2 + u32::from(session == "two"));
    for round in 0..20 {
        for session in ["one", "two"] {
            let event = project.noticing(session, &format!("{session}-{round}"), &words(session, round));
            let _ = project.scratch.hook(event).success();
        }
        at_once(&project, ["one", "two"].map(|session| project.stopping(session, "done")));
    }

    // What was captured while the last flush of its session ran is that flush's to do once more.
    project.finished();

    let mut expected: Vec<String> =
        (0..20).flat_map(|round| ["one", "two"].map(|session| words(session, round))).collect();
    let mut found = project.memories();
    expected.sort();
    found.sort();
    assert_eq!(found, expected);
    assert_eq!(project.waiting(), 0);
}
