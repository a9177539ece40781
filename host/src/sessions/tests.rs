//! Tests of the record as a whole: what is taken, and that it is taken once.

mod deletion_tests;
mod recorded_transcript;

use std::fs;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::*;
use recorded_transcript::{Fixture, complete, missing_pytest};

#[test]
fn a_session_is_recorded_with_prompts_closing_messages_runs_files_and_commits() {
    let mut fixture = Fixture::new();
    complete(&mut fixture);

    assert_eq!(fixture.take(), Taken { turns: 2, is_cut_short: false });
    let session = fixture.shown();
    assert_eq!((session.summary.turns, session.summary.branch.as_deref()), (2, Some("main")));
    assert_eq!(session.summary.first_prompt.as_deref(), Some("The checkout tests fail, please look"));
    let [first, second] = session.timeline.as_slice() else { panic!("two turns: {session:?}") };
    assert_eq!(first.closing.as_deref(), Some("The tests pass with python3 and the cart is fixed."));
    assert_eq!(second.closing.as_deref(), Some("Which ones?"));
    let runs: Vec<_> = first.runs.iter().map(|run| (run.command.as_str(), run.outcome)).collect();
    assert_eq!(
        runs,
        [
            ("python -m pytest -q", RunOutcome::Failed),
            ("python3 -m pytest -q", RunOutcome::Passed),
            ("git commit -qam 'Fix the cart'", RunOutcome::Passed),
        ]
    );
    assert_eq!(first.runs[0].error.as_deref(), Some("/usr/bin/python: No module named pytest"));
    assert_eq!(first.runs[0].exit_status, Some(1));
    assert_eq!(first.files, ["src/cart.py"]);
    let commit = CommitMade { hash: "3f9a2b1".to_owned(), subject: "Fix the cart".to_owned() };
    assert_eq!(first.commits, [commit]);
    assert!(second.runs.is_empty() && second.files.is_empty());
}

#[test]
fn a_second_reading_adds_nothing_and_more_lines_continue_the_turn() {
    let mut fixture = Fixture::new();
    complete(&mut fixture);
    fixture.take();
    let before = fixture.shown();

    assert_eq!(fixture.take(), Taken::default());
    assert_eq!(fixture.shown(), before);

    fixture.run("t9", "ls invoices", "a.pdf", false).answer("These two.");
    assert_eq!(fixture.take().turns, 0);
    let after = fixture.shown();
    assert_eq!(after.timeline.len(), 2);
    assert_eq!(after.timeline[1].closing.as_deref(), Some("These two."));
    assert_eq!(after.timeline[1].runs.len(), 1);
}

#[test]
fn a_result_that_comes_in_a_later_reading_completes_its_call() {
    let mut fixture = Fixture::new();
    fixture.prompt("build").call("t1", "Bash", json!({"command": "cd api && make all"}));
    fixture.call("t2", "Write", json!({"file_path": "/srv/shop/new.py", "content": "x"}));
    fixture.take();
    let waiting = fixture.shown();
    assert_eq!(waiting.timeline[0].runs[0].outcome, RunOutcome::Running);
    assert!(waiting.timeline[0].files.is_empty());

    fixture.result("t1", "Exit code 2\nmake: *** No rule to make target 'all'.  Stop.", true);
    fixture.result("t2", "File created", false);
    fixture.take();
    let done = fixture.shown();
    let [run] = done.timeline[0].runs.as_slice() else { panic!("one run: {done:?}") };
    assert_eq!((run.outcome, run.exit_status, run.folder.as_str()), (RunOutcome::Failed, Some(2), "api"));
    assert_eq!(done.timeline[0].files, ["new.py"]);
}

#[test]
fn an_edit_that_failed_changed_no_file() {
    let mut fixture = Fixture::new();
    fixture.prompt("edit").call("t1", "Edit", json!({"file_path": "/srv/shop/a.py"}));
    fixture.take();
    fixture.result("t1", "String to replace not found", true);
    fixture.take();

    assert!(fixture.shown().timeline[0].files.is_empty());
}

#[test]
fn a_transcript_that_a_shorter_one_replaced_is_read_again_without_duplicates() {
    let mut fixture = Fixture::new();
    complete(&mut fixture);
    fixture.take();
    let before = fixture.shown();

    let text = fs::read_to_string(fixture.transcript()).expect("it is there");
    let shorter: Vec<&str> = text.lines().take(7).collect();
    fs::write(fixture.transcript(), shorter.join("\n") + "\n").expect("it can be written");
    assert_eq!(fixture.take().turns, 0);
    assert_eq!(fixture.shown(), before, "nothing is lost and nothing is there twice");

    fixture.prompt("One more thing").answer("Yes?");
    assert_eq!(fixture.take().turns, 1);
    assert_eq!(fixture.shown().timeline.len(), 3);
}

#[test]
fn a_reading_without_time_goes_on_later() {
    let mut fixture = Fixture::new();
    complete(&mut fixture);
    let path = fixture.transcript();
    let source = TranscriptSource { session: "0a1b2c3d", agent: "", path: &path };

    let taken = fixture.record.take(&source, Instant::now()).expect("no error");
    assert_eq!(taken, Taken { turns: 0, is_cut_short: true });
    assert!(!fixture.record.is_taken(&source).expect("readable"));
    assert_eq!(fixture.take().turns, 2);
    assert!(fixture.record.is_taken(&source).expect("readable"));
}

#[test]
fn the_turns_of_a_subagent_are_its_own() {
    let mut fixture = Fixture::new();
    fixture.prompt("Find the bug").call("t1", "Task", json!({"prompt": "look"}));
    let side = |fixture: &mut Fixture, kind: &str, content: Value| {
        fixture.line(kind, content, json!({"isSidechain": true, "agentId": "a7"}));
    };
    side(&mut fixture, "user", json!("look at the cart"));
    side(&mut fixture, "assistant", json!([{"type": "text", "text": "It is the rounding."}]));
    fixture.result("t1", "It is the rounding.", false).answer("The rounding is wrong.");
    fixture.take();

    let session = fixture.shown();
    assert_eq!(session.summary.turns, 1, "the person's turns are counted");
    let turns: Vec<_> =
        session.timeline.iter().map(|turn| (turn.agent.as_str(), turn.closing.as_deref())).collect();
    assert_eq!(turns, [("", Some("The rounding is wrong.")), ("a7", Some("It is the rounding."))]);
}

#[test]
fn an_episode_is_found_by_the_signature_of_its_failure() {
    let mut fixture = Fixture::new();
    complete(&mut fixture);
    fixture.take();

    let signature = missing_pytest();
    let episodes = fixture.record.episodes_for(signature).expect("readable");
    let [episode] = episodes.as_slice() else { panic!("one episode: {episodes:?}") };
    assert_eq!(
        (episode.failed.as_str(), episode.passed.as_str(), episode.difference.as_str()),
        ("python -m pytest -q", "python3 -m pytest -q", "python3")
    );
    assert_eq!(episode.session, "0a1b2c3d");
    assert!(fixture.record.episodes_for(signature ^ 1).expect("readable").is_empty());
}

#[test]
fn only_a_failure_of_an_episode_is_looked_up_in_the_database() {
    let mut fixture = Fixture::new();
    complete(&mut fixture);
    fixture.take();
    let (file, signatures) = (fixture.record.file().expect("a file").to_owned(), fixture.signature_file());
    assert_eq!(fixture.signatures(), missing_pytest().to_le_bytes());

    // A file that is no database shows whether it was opened.
    let fresh = || Record::at(&file, Redactor::BUILT_IN, Clock::Fixed(0));
    fs::write(&file, "no database").expect("written");
    assert!(fresh().episodes_for(missing_pytest() ^ 1).expect("not opened").is_empty());
    fresh().episodes_for(missing_pytest()).expect_err("a known failure is looked up");
    for damage in [None, Some("1234567")] {
        match damage {
            None => fs::remove_file(&signatures).expect("removed"),
            Some(content) => fs::write(&signatures, content).expect("written"),
        }
        fresh().episodes_for(missing_pytest() ^ 1).expect_err("without the file, the database decides");
    }
}

#[test]
fn an_episode_spans_two_readings() {
    let mut fixture = Fixture::new();
    fixture.prompt("test");
    fixture.run("t1", "python -m pytest", "Exit code 1\n/usr/bin/python: No module named pytest", true);
    fixture.take();
    fixture.run("t2", "python3 -m pytest", "3 passed in 0.1s", false);
    fixture.take();

    let signature = missing_pytest();
    assert_eq!(fixture.record.episodes_for(signature).expect("readable").len(), 1);
}

#[test]
fn a_search_finds_turns_by_words_files_commands_and_failures() {
    let mut fixture = Fixture::new();
    complete(&mut fixture);
    fixture.take();

    let hit = &fixture.search("checkout tests")[0];
    assert_eq!((hit.found_in, hit.line.as_str()), (FoundIn::Prompt, "The checkout tests fail, please look"));
    assert_eq!(hit.session, "0a1b2c3d");
    let found = |query: SearchQuery| {
        fixture
            .record
            .search(&SearchQuery { limit: 10, ..query })
            .expect("searched")
            .into_iter()
            .map(|hit| hit.line)
            .collect::<Vec<_>>()
    };
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(found(SearchQuery { file: text("cart.py"), ..Default::default() }), ["src/cart.py"]);
    assert_eq!(found(SearchQuery { file: text("art.py"), ..Default::default() }), [""; 0]);
    assert_eq!(
        found(SearchQuery { command: text("git commit"), ..Default::default() }),
        ["git commit -qam 'Fix the cart'"]
    );
    assert_eq!(found(SearchQuery { command: text("git pytest"), ..Default::default() }), [""; 0]);
    assert_eq!(
        found(SearchQuery { failure: text("no module named pytest"), ..Default::default() }),
        ["/usr/bin/python: No module named pytest"]
    );
    let since = Some(crate::clock::parse_date_time("2026-03-02").expect("a day"));
    assert_eq!(found(SearchQuery { words: "checkout".to_owned(), since, ..Default::default() }), [""; 0]);
    let until = since;
    assert_eq!(found(SearchQuery { words: "checkout".to_owned(), until, ..Default::default() }).len(), 1);
    assert!(fixture.record.search(&SearchQuery { limit: 1, ..Default::default() }).is_err());
}

#[test]
fn turns_with_all_words_come_before_those_with_some() {
    let mut fixture = Fixture::new();
    fixture.prompt("the invoice has no total").answer("a");
    fixture.prompt("the total of the cart is wrong").answer("b");
    fixture.take();

    let lines: Vec<String> = fixture.search("wrong total cart").into_iter().map(|hit| hit.line).collect();
    assert_eq!(lines, ["the total of the cart is wrong", "the invoice has no total"]);
}

#[test]
fn the_index_has_a_turn_once_however_often_it_changed() {
    let mut fixture = Fixture::new();
    fixture.prompt("one").answer("zebra one");
    fixture.take();
    fixture.answer("zebra two");
    fixture.take();
    fixture.answer("the last word");
    fixture.take();

    assert!(fixture.search("zebra").is_empty());
    assert_eq!(fixture.search("last word").len(), 1);
}

#[test]
fn only_this_user_can_read_the_file() {
    use std::os::unix::fs::PermissionsExt;
    let mut fixture = Fixture::new();
    complete(&mut fixture);
    fixture.take();

    let mode =
        fs::metadata(fixture.record.file().expect("a file")).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn a_file_of_a_newer_schema_is_left_untouched_and_named() {
    let mut fixture = Fixture::new();
    complete(&mut fixture);
    fixture.take();
    fixture.record.database().checkpoint().expect("it is emptied");
    let file = fixture.record.file().expect("a file").to_owned();
    let newer = rusqlite::Connection::open(&file).expect("it opens");
    newer.pragma_update(None, "user_version", 99).expect("it is set");
    drop(newer);
    let before = fs::read(&file).expect("it is there");

    let record = Record::at(&file, Redactor::BUILT_IN, Clock::Fixed(0));
    let error = record.list(1).expect_err("it is too new");
    assert!(error.message.contains("schema version 99") && error.message.contains("sessions.db"), "{error}");
    let path = fixture.transcript();
    let source = TranscriptSource { session: "other", agent: "", path: &path };
    assert!(record.take(&source, Instant::now() + Duration::from_secs(60)).is_err());
    assert_eq!(fs::read(&file).expect("it is there"), before);
}
