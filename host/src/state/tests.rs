//! Tests of state under many concurrent processes (here: threads, each with its own connection) and under
//! floods. The tests of jobs are in `job_tests.rs`.

use std::path::Path;
use std::thread;
use std::time::Duration;

use super::*;
use crate::dirs::scratch::Scratch;
use crate::error::ErrorKind;

pub(super) const NOW: Millis = 1_700_000_000_000;
pub(super) const DAY: Millis = 24 * HOUR;

/// The main conversation of this session.
fn main_conversation(session: &str) -> ConversationKey {
    ConversationKey { session: session.to_owned(), agent: String::new() }
}

pub(super) fn state() -> State {
    State::new(Database::in_memory().expect("opened"), Clock::Fixed(NOW))
}

/// Opens the same database at a later time.
pub(super) fn later(state: &State, by: Millis) -> State {
    State::new(state.database.clone(), Clock::Fixed(NOW + by))
}

/// Runs `work` concurrently on 16 connections to one file.
pub(super) fn run_concurrently<R: Send>(file: &Path, work: impl Fn(usize, State) -> R + Sync) -> Vec<R> {
    thread::scope(|scope| {
        let start = |number| {
            let work = &work;
            scope.spawn(move || work(number, State::new(Database::at(file), Clock::System)))
        };
        let workers: Vec<_> = (0..16).map(start).collect();
        workers.into_iter().map(|worker| worker.join().expect("no worker panics")).collect()
    })
}

fn ids(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn whole(names: &[&str]) -> Vec<(String, ShownAs)> {
    names.iter().map(|name| ((*name).to_owned(), ShownAs::Whole)).collect()
}

fn capture(id: &str, payload: &str) -> Capture {
    Capture { id: id.into(), layer: "posttool".into(), session: "s".into(), payload: payload.into(), at: NOW }
}

pub(super) fn job(id: &str) -> Job {
    Job {
        layer: "save".into(),
        id: id.into(),
        kind: "draft".into(),
        payload: "{}".into(),
        at: NOW,
        session: "s".into(),
        agent: String::new(),
        transcript: Some("/t.jsonl".into()),
    }
}

#[test]
fn reading_creates_nothing() {
    let scratch = Scratch::new();
    let file = scratch.path().join("projects/x/interleaf.db");
    let state = State::new(Database::at(&file), Clock::System);

    assert_eq!(state.get(Scope::Project, "recall", "k").expect("no file is no error"), None);
    assert!(state.keys(Scope::Session("s"), "recall", "").expect("no file").is_empty());
    assert!(state.shown(&main_conversation("s")).expect("no file").is_empty());
    assert!(state.captures(5).expect("no file").is_empty() && state.jobs().expect("no file").is_empty());
    assert_eq!(state.claim("w", Duration::from_secs(1)).expect("no file"), None);
    assert_eq!((state.spent("s").expect("no file"), state.dropped_captures().expect("no file")), (0, 0));
    state.remove(Scope::Project, "recall", "k").expect("nothing to remove");
    state.clear_shown(&main_conversation("s")).expect("nothing to delete");
    state.remove_captures(&[]).expect("nothing to remove");
    state.record_shown(&main_conversation("s"), &[], 100, None).expect("nothing to mark");
    assert_eq!(state.delete_old_sessions().expect("nothing to delete"), 0);

    assert!(!scratch.path().join("projects").exists());
}

#[test]
fn a_value_is_visible_to_its_owner_in_its_scope_only() {
    let state = state();
    let rows = [
        (Scope::Project, "recall"),
        (Scope::Project, "save"),
        (Scope::Session("s"), "recall"),
        (Scope::Session("t"), "recall"),
    ];
    for (number, (scope, owner)) in rows.into_iter().enumerate() {
        state.set(scope, owner, "key", &number.to_string()).expect("set");
    }
    for (number, (scope, owner)) in rows.into_iter().enumerate() {
        assert_eq!(state.get(scope, owner, "key").expect("get"), Some(number.to_string()));
    }

    state.set(Scope::Project, "save", "key", "new").expect("set again");
    state.remove(Scope::Project, "recall", "key").expect("removed");

    assert_eq!(state.get(Scope::Project, "recall", "key").expect("get"), None);
    assert_eq!(state.get(Scope::Project, "save", "key").expect("get").as_deref(), Some("new"));
    assert_eq!(
        state.get(Scope::Session(""), "save", "key").expect_err("no session").kind,
        ErrorKind::Invalid
    );
}

#[test]
fn keys_are_found_by_their_prefix() {
    let state = state();
    for key in ["b%x", "a/2", "a/1", "A/3", "ä/4"] {
        state.set(Scope::Project, "save", key, "").expect("set");
    }
    let keys = |prefix| state.keys(Scope::Project, "save", prefix).expect("read");
    assert_eq!(keys("a/"), ["a/1", "a/2"]);
    assert_eq!((keys("b%"), keys("ä"), keys("%")), (ids(&["b%x"]), ids(&["ä/4"]), vec![]));
    assert_eq!(keys("").len(), 5);
}

#[test]
fn a_swap_needs_the_expected_value() {
    let state = state();
    let swap = |expected, new| state.swap(Scope::Project, "save", "k", expected, new).expect("swap");

    assert!(!swap(Some("1"), "2"), "there is none");
    assert!(swap(None, "1"));
    assert!(!swap(None, "2"), "there is one");
    assert!(swap(Some("1"), "2"));
    assert_eq!(state.get(Scope::Project, "save", "k").expect("get").as_deref(), Some("2"));
}

#[test]
fn concurrent_processes_that_swap_lose_no_update() {
    let scratch = Scratch::new();
    run_concurrently(&scratch.path().join("i.db"), |_, state| {
        let (scope, owner, key) = (Scope::Session("s"), "posttool", "count");
        for _ in 0..25 {
            loop {
                let now = state.get(scope, owner, key).expect("get");
                let next = now.as_deref().map_or(0, |count| count.parse::<u32>().expect("a number")) + 1;
                if state.swap(scope, owner, key, now.as_deref(), &next.to_string()).expect("swap") {
                    break;
                }
            }
        }
    });
    let state = State::new(Database::at(scratch.path().join("i.db")), Clock::System);
    assert_eq!(state.get(Scope::Session("s"), "posttool", "count").expect("get").as_deref(), Some("400"));
}

#[test]
fn keys_values_and_owners_have_size_limits() {
    let state = state();
    let set =
        |key: &str, value: &str| state.set(Scope::Project, "save", key, value).map_err(|error| error.kind);
    let large = "x".repeat(64 << 10);

    assert_eq!((set("", ""), set(&"k".repeat(201), "")), (Err(ErrorKind::Invalid), Err(ErrorKind::Invalid)));
    assert_eq!(set("k", &format!("{large}x")), Err(ErrorKind::OverBudget));
    for number in 0..15 {
        set(&number.to_string(), &large).expect("15 fit into a mebibyte with their keys");
    }
    assert_eq!(set("one more", &large), Err(ErrorKind::OverBudget));
    assert_eq!(set("0", &large), Ok(()), "it replaces a value of the same size");
    assert_eq!(set("small", "x"), Ok(()));
    state.remove(Scope::Project, "save", "3").expect("removed");
    assert_eq!(set("one more", &large), Ok(()));
    state.set(Scope::Session("s"), "save", "k", &large).expect("a session has a limit of its own");
}

#[test]
fn a_million_empty_values_do_not_fit() {
    let state = state();
    let set = |number: i32| state.set(Scope::Project, "save", &format!("{number:05}"), "");
    assert_eq!((0..9_000).find(|number| set(*number).is_err()), Some((1 << 20) / (1024 + 5)));
}

#[test]
fn secrets_are_never_written() {
    let state = state();
    let secret = "password = \"hunter2-hunter2-Xy7\"";
    let json = serde_json::json!({ "command": secret, "n": 1 }).to_string();

    state.set(Scope::Project, "save", "k", secret).expect("set");
    assert!(
        state
            .swap(Scope::Project, "save", "k", Some(secret), secret)
            .expect("the stored value is the expected one")
    );
    state.push_capture(&capture("c", &json)).expect("pushed");
    state.submit(&Job { payload: json, ..job("j") }, Duration::ZERO).expect("submitted");
    let claimed = state.claim("w", Duration::from_secs(1)).expect("read").expect("due");
    let payloads = [state.captures(1).expect("read")[0].payload.clone(), claimed.job.payload.clone()];
    state.fail(&claimed, secret, None).expect("reported");

    for payload in payloads {
        assert!(!payload.contains("hunter2") && payload.contains("[SECRET:"), "{payload}");
        let value: Value = serde_json::from_str(&payload).expect("it still is JSON");
        assert_eq!(value["n"], 1);
    }
    let value = state.get(Scope::Project, "save", "k").expect("get").expect("set");
    let error = state.jobs().expect("read")[0].error.clone().expect("it failed");
    assert!(!value.contains("hunter2") && !error.contains("hunter2"), "{value} {error}");
}

#[test]
fn the_user_s_own_patterns_are_redacted_too() {
    let redactor = Redactor::new(&["proj-[0-9]+".to_owned()]).expect("a pattern");
    let state = state().with_redactor(redactor);
    state.set(Scope::Project, "save", "about proj-12", "{\"a\": [\"proj-34\"]}").expect("set");

    assert_eq!(state.keys(Scope::Project, "save", ""), Ok(ids(&["about [SECRET:custom]"])));
    let value = state.get(Scope::Project, "save", "about proj-12").expect("the same key").expect("set");
    assert_eq!(value, "{\"a\":[\"[SECRET:custom]\"]}");
}

#[test]
fn a_conversation_is_shown_a_memory_once_until_it_is_cleared() {
    let state = state();
    let agent = ConversationKey { agent: "a1".to_owned(), ..main_conversation("s") };
    let new_ids = |conversation: &ConversationKey, names: &[&str]| {
        let mut new_ids: Vec<_> = state
            .record_shown(conversation, &whole(names), 10, None)
            .expect("marked")
            .new
            .into_keys()
            .collect();
        new_ids.sort();
        new_ids
    };

    assert_eq!(new_ids(&main_conversation("s"), &["m1", "m2", "m1"]), ["m1", "m2"]);
    assert_eq!(new_ids(&main_conversation("s"), &["m2", "m3"]), ["m3"]);
    assert_eq!(new_ids(&agent, &["m1"]), ["m1"]);

    state.clear_shown(&main_conversation("s")).expect("cleared");

    assert_eq!(new_ids(&main_conversation("s"), &["m1"]), ["m1"]);
    assert_eq!(new_ids(&agent, &["m1"]), Vec::<String>::new());
}

#[test]
fn a_memory_whose_line_was_shown_may_still_be_shown_whole() {
    let state = state();
    let record = |shown_as| {
        let memories = [("m".to_owned(), shown_as)];
        state.record_shown(&main_conversation("s"), &memories, 10, None).expect("marked").new.len()
    };

    assert_eq!([ShownAs::Line, ShownAs::Line, ShownAs::Whole].map(record), [1, 0, 1]);
    assert_eq!([ShownAs::Line, ShownAs::Whole].map(record), [0, 0]);
    let shown = state.shown(&main_conversation("s")).expect("read");
    assert_eq!(shown, [("m".to_owned(), ShownAs::Whole)].into());
}

#[test]
fn a_session_cannot_spend_more_than_its_budget() {
    let state = state();
    let record = |name: &str, units, limit| {
        let recorded =
            state.record_shown(&main_conversation("s"), &whole(&[name]), units, limit).expect("answered");
        (recorded.is_within_budget, recorded.new.len())
    };

    assert_eq!(record("m1", 60, Some(100)), (true, 1));
    assert_eq!(record("m2", 41, Some(100)), (false, 1));
    assert_eq!(record("m2", 500, None), (true, 1), "it was not recorded, and an exempt text is not counted");
    assert_eq!(record("m3", 40, Some(100)), (true, 1));
    assert_eq!((record("m4", 1, Some(100)), state.spent("s").expect("read")), ((false, 1), 100));
    assert_eq!(state.spent("another").expect("read"), 0);
}

#[test]
fn only_one_of_many_concurrent_hooks_shows_a_memory() {
    let scratch = Scratch::new();
    let recorded = run_concurrently(&scratch.path().join("i.db"), |_, state| {
        state.record_shown(&main_conversation("s"), &whole(&["m1", "m2"]), 10, Some(80)).expect("answered")
    });

    assert_eq!(recorded.iter().filter(|recorded| recorded.is_within_budget).count(), 8);
    assert_eq!(
        recorded
            .iter()
            .filter(|recorded| recorded.is_within_budget)
            .map(|recorded| recorded.new.len())
            .sum::<usize>(),
        2
    );
}

#[test]
fn captures_stay_queued_in_order_until_they_are_removed() {
    let state = state();
    let push = |id| state.push_capture(&capture(id, "{}")).expect("pushed");

    assert_eq!(
        [push("a"), push("b"), push("a"), push("c")],
        [PushResult::Queued, PushResult::Queued, PushResult::AlreadyQueued, PushResult::Queued]
    );
    let queued =
        || state.captures(9).expect("read").into_iter().map(|capture| capture.id).collect::<Vec<_>>();
    assert_eq!(
        (queued(), state.captures(1).expect("read")),
        (ids(&["a", "b", "c"]), vec![capture("a", "{}")])
    );

    state.remove_captures(&ids(&["a", "c", "unknown"])).expect("removed");

    assert_eq!((queued(), push("a")), (ids(&["b"]), PushResult::Queued));
}

#[test]
fn a_full_queue_drops_and_counts_the_oldest_captures() {
    let state = state();
    for number in 0..200 {
        assert_eq!(
            state.push_capture(&capture(&number.to_string(), "{}")).expect("pushed"),
            PushResult::Queued
        );
    }
    assert_eq!(state.push_capture(&capture("a", "{}")).expect("pushed"), PushResult::QueuedDroppingOldest(1));
    assert_eq!(state.push_capture(&capture("b", "{}")).expect("pushed"), PushResult::QueuedDroppingOldest(1));

    let queued = state.captures(1000).expect("read");
    assert_eq!((queued.len(), queued[0].id.as_str()), (200, "2"));
    assert_eq!(state.dropped_captures().expect("read"), 2);
    let large = capture("c", &"x".repeat((64 << 10) + 1));
    assert_eq!(state.push_capture(&large).expect_err("too large").kind, ErrorKind::OverBudget);
}

#[test]
fn captures_of_concurrent_processes_are_all_stored_once() {
    let scratch = Scratch::new();
    let pushed = run_concurrently(&scratch.path().join("i.db"), |number, state| {
        let ids = (0..10).map(|count| format!("{}-{count}", number / 2));
        ids.filter(|id| state.push_capture(&capture(id, "{}")).expect("pushed") == PushResult::Queued).count()
    });

    assert_eq!(pushed.into_iter().sum::<usize>(), 80);
    let state = State::new(Database::at(scratch.path().join("i.db")), Clock::System);
    assert_eq!(state.captures(200).expect("read").len(), 80);
}

#[test]
fn old_sessions_are_deleted_and_the_project_s_state_is_not() {
    let state = state();
    let fill = |state: &State, session| {
        state.set(Scope::Session(session), "save", "k", "v").expect("set");
        state.record_shown(&main_conversation(session), &whole(&["m"]), 5, Some(100)).expect("marked");
    };
    fill(&state, "old");
    fill(&state, "resumed");
    state.set(Scope::Project, "save", "k", "v").expect("set");
    state.submit(&job("a"), Duration::ZERO).expect("submitted");
    let claimed = state.claim("w", Duration::from_secs(1)).expect("read").expect("due");
    state.finish(&claimed).expect("done");
    fill(&later(&state, 20 * DAY), "resumed");
    fill(&later(&state, 20 * DAY), "young");
    assert_eq!(later(&state, 29 * DAY).delete_old_sessions(), Ok(0));

    assert_eq!(later(&state, 31 * DAY).delete_old_sessions(), Ok(1));

    let value = |scope| state.get(scope, "save", "k").expect("get");
    assert_eq!((value(Scope::Session("old")), value(Scope::Project)), (None, Some("v".into())));
    let shown = |session| state.shown(&main_conversation(session)).expect("read").len();
    assert_eq!(["old", "resumed", "young"].map(shown), [0, 1, 1]);
    assert_eq!((state.spent("old"), state.spent("resumed")), (Ok(0), Ok(10)));
    assert_eq!(state.jobs(), Ok(vec![]));
    assert_eq!(later(&state, 31 * DAY).delete_old_sessions(), Ok(0));
}

#[test]
fn failures_are_counted_for_each_session_and_layer() -> Result<()> {
    let state = state();

    assert_eq!(state.failure_count("s", "gate")?, 0);
    assert_eq!((state.count_failure("s", "gate")?, state.count_failure("s", "gate")?), (1, 2));
    assert_eq!((state.failure_count("s", "gate")?, state.failure_count("s", "other")?), (2, 0));
    assert_eq!(state.failure_count("t", "gate")?, 0);
    Ok(())
}
