//! The queue of captures: failures in recorded events are captured, each once, and none is lost.

use super::{failure, prepared_project, queue};
use interleaf_tests::program::program;
use interleaf_tests::recorded_events::recorded_events_in;
use interleaf_tests::scratch::SESSION;
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::Write;
use std::process::Stdio;
use std::time::Duration;

/// Number of concurrent threads, and of the events that each sends.
const WRITERS: usize = 8;
const EVENTS_PER_WRITER: usize = 5;

/// Number of hooks that are killed, at different moments.
const KILLED: u64 = 100;

fn error(number: usize) -> String {
    format!("Exit code 101\nerror[E0382]: borrow of moved value: `ledger{number}`\n --> src/main.rs:4:5")
}

fn ids(queue: &[Value]) -> BTreeSet<String> {
    queue.iter().map(|capture| capture["id"].as_str().expect("an id").to_owned()).collect()
}

#[test]
fn the_failures_among_the_recorded_events_are_queued() {
    let scratch = prepared_project();

    for event in recorded_events_in(&scratch.project) {
        if event.name.starts_with("PostToolUse") {
            scratch.hook(&event.bytes).success();
        }
    }

    let queue = queue(&scratch);
    let summaries: Vec<&str> = queue.iter().filter_map(|capture| capture["summary"].as_str()).collect();
    assert_eq!(summaries.len(), 3, "{summaries:?}");
    assert_eq!(summaries[0], "cat: /nonexistent: No such file or directory");
    // The rest names the folder of this run.
    assert!(summaries[1].starts_with("Read: File does not exist."), "{}", summaries[1]);
    assert_eq!(summaries[2], "mcp__elic__boom: boom failed");
    for capture in &queue {
        let capture = &capture["capture"];
        for field in ["id", "category", "severity", "summary", "observation", "excerpt", "tool"] {
            assert!(capture[field].as_str().is_some_and(|text| !text.is_empty()), "{field}: {capture}");
        }
        assert!(capture["score"].as_f64().is_some_and(|score| (0.6..=1.0).contains(&score)), "{capture}");
        assert!(capture["reasons"].as_array().is_some_and(|reasons| !reasons.is_empty()), "{capture}");
    }
}

#[test]
fn a_failure_is_queued_once_per_session_even_after_the_queue_is_cleared() {
    let scratch = prepared_project();
    let again = error(1).replace(":4:5", ":9:1");

    for text in [&error(1), &error(1), &again] {
        scratch.hook(failure(&scratch, SESSION, "cargo build", text)).success();
    }
    assert_eq!(queue(&scratch).len(), 1);

    scratch.interleaf(&["queue", "clear", "--yes"]).success();
    scratch.hook(failure(&scratch, SESSION, "cargo build", &error(1))).success();
    assert_eq!(queue(&scratch).len(), 0);

    scratch.hook(failure(&scratch, "another", "cargo build", &error(1))).success();
    assert_eq!(queue(&scratch).len(), 1);
}

#[test]
fn eight_concurrent_processes_lose_and_duplicate_no_capture() {
    let scratch = prepared_project();

    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let scratch = &scratch;
            scope.spawn(move || {
                for number in 0..EVENTS_PER_WRITER {
                    scratch
                        .hook(failure(
                            scratch,
                            SESSION,
                            "cargo build",
                            &error(writer * EVENTS_PER_WRITER + number),
                        ))
                        .success();
                    // One failure that all of them have.
                    scratch.hook(failure(scratch, SESSION, "cargo build", &error(1_000))).success();
                }
            });
        }
    });

    let queue = queue(&scratch);
    assert_eq!(
        (queue.len(), ids(&queue).len()),
        (WRITERS * EVENTS_PER_WRITER + 1, WRITERS * EVENTS_PER_WRITER + 1)
    );
}

#[test]
fn a_kill_at_any_moment_loses_no_acknowledged_capture() {
    let scratch = prepared_project();
    let started = std::time::Instant::now();
    scratch.hook(failure(&scratch, SESSION, "cargo build", &error(0))).success();
    let usual = started.elapsed();
    let mut acknowledged = vec![0];
    let step = usual * 2 / KILLED as u32;
    for number in 1..=KILLED {
        let mut hook = scratch.command(program());
        hook.arg("hook").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = hook.spawn().expect("the program starts");
        let event = failure(&scratch, SESSION, "cargo build", &error(number as usize));
        child.stdin.take().expect("it is piped").write_all(event.as_bytes()).expect("it reads");
        // Not in ascending order, so that consecutive delays differ much.
        std::thread::sleep(step * (number as u32 * 17 % KILLED as u32) + Duration::from_micros(100));
        let _ = child.kill();
        let ended = child.wait_with_output().expect("it ended");
        if ended.status.code() == Some(0) {
            acknowledged.push(number);
        }
    }

    let after = queue(&scratch);
    for number in acknowledged {
        let name = format!("`ledger{number}`");
        assert!(after.iter().any(|capture| capture.to_string().contains(&name)), "{name} was acknowledged");
    }
    assert_eq!(ids(&after).len(), after.len());
    scratch.hook(failure(&scratch, SESSION, "cargo build", &error(9_999))).success();
    assert_eq!(queue(&scratch).len(), after.len() + 1, "the store is usable");
}

#[test]
fn beyond_two_hundred_captures_the_oldest_is_dropped_and_reported() {
    let scratch = prepared_project();
    for number in 0..203 {
        // A session may leave 200 captures, so these are two sessions.
        let session = if number < 100 { "one" } else { "two" };
        scratch.hook(failure(&scratch, session, "cargo build", &error(number))).success();
    }

    let queue = queue(&scratch);

    assert_eq!(queue.len(), 200);
    assert!(queue[0].to_string().contains("ledger3"), "{}", queue[0]);
    assert!(scratch.interleaf(&["queue", "list"]).success().contains("3 older captures were dropped"));
    assert!(scratch.interleaf(&["doctor"]).out().contains("the queue of captures is full"));
}

#[test]
fn the_queue_is_listed_oldest_first_and_cleared_only_with_yes() {
    let scratch = prepared_project();
    assert!(scratch.interleaf(&["queue", "list"]).success().contains("The queue is empty"));
    for number in [1, 2] {
        scratch.hook(failure(&scratch, SESSION, "cargo build", &error(number))).success();
    }

    let listed = scratch.interleaf(&["queue", "list"]).success();
    let refused = scratch.interleaf(&["queue", "clear"]);

    let [first, second] = ["ledger1", "ledger2"].map(|name| listed.find(name));
    assert!(first.is_some() && first < second && listed.contains(" s ago"), "{listed}");
    assert!(refused.code == Some(2) && refused.err().contains("--yes"), "{}", refused.err());
    assert_eq!(queue(&scratch).len(), 2);
    scratch.interleaf(&["queue", "clear", "--yes"]).success();
    assert_eq!(queue(&scratch).len(), 0);
}
