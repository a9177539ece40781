//! Tests of the record as a whole: what is taken, that it is taken once, and what is left after deleting.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::*;
use crate::dirs::scratch::Scratch;

/// A transcript that a test writes, and the record that takes it.
struct Fixture {
    scratch: Scratch,
    record: Record,
    lines: u32,
}

impl Fixture {
    fn new() -> Self {
        let scratch = Scratch::new();
        let file = scratch.path().join("data/sessions.db");
        let record = Record::at(file, Redactor::BUILT_IN, Clock::Fixed(0)).with_root(Path::new("/srv/shop"));
        Self { scratch, record, lines: 0 }
    }

    fn transcript(&self) -> PathBuf {
        self.scratch.path().join("0a1b2c3d.jsonl")
    }

    fn line(&mut self, kind: &str, content: Value, more: Value) {
        self.lines += 1;
        let mut line = json!({
            "type": kind, "uuid": format!("line-{}", self.lines),
            "timestamp": format!("2026-03-01T10:{:02}:{:02}.000Z", self.lines / 60, self.lines % 60),
            "cwd": "/srv/shop", "gitBranch": "main", "isSidechain": false,
            "message": {"role": kind, "content": content},
        });
        if let (Some(line), Value::Object(more)) = (line.as_object_mut(), more) {
            line.extend(more);
        }
        self.append(&format!("{line}\n"));
    }

    fn append(&self, text: &str) {
        let file = OpenOptions::new().create(true).append(true).open(self.transcript());
        file.expect("it opens").write_all(text.as_bytes()).expect("it can be written");
    }

    fn prompt(&mut self, text: &str) -> &mut Self {
        self.line("user", json!(text), json!({}));
        self
    }

    fn answer(&mut self, text: &str) -> &mut Self {
        self.line("assistant", json!([{"type": "text", "text": text}]), json!({}));
        self
    }

    fn call(&mut self, id: &str, tool: &str, input: Value) -> &mut Self {
        let block = json!([{"type": "tool_use", "id": id, "name": tool, "input": input}]);
        self.line("assistant", block, json!({}));
        self
    }

    fn result(&mut self, id: &str, text: &str, failed: bool) -> &mut Self {
        let block = json!([{"type": "tool_result", "tool_use_id": id, "content": text, "is_error": failed}]);
        self.line("user", block, json!({}));
        self
    }

    fn run(&mut self, id: &str, command: &str, output: &str, failed: bool) -> &mut Self {
        self.call(id, "Bash", json!({"command": command})).result(id, output, failed)
    }

    fn edit(&mut self, id: &str, file: &str) -> &mut Self {
        self.call(id, "Edit", json!({"file_path": file, "old_string": "a", "new_string": "b"}));
        self.result(id, "The file has been updated", false)
    }

    fn take(&self) -> Taken {
        self.take_as("0a1b2c3d")
    }

    fn take_as(&self, session: &str) -> Taken {
        let path = self.transcript();
        let source = TranscriptSource { session, agent: "", path: &path };
        self.record.take(&source, Instant::now() + Duration::from_secs(600)).expect("it is taken")
    }

    fn shown(&self) -> RecordedSession {
        self.record.show("0a1b2c3d").expect("it is recorded")
    }

    fn search(&self, words: &str) -> Vec<SearchHit> {
        let query = SearchQuery { words: words.to_owned(), limit: 10, ..SearchQuery::default() };
        self.record.search(&query).expect("it is searched")
    }

    /// Tells whether the bytes occur in the database or its log.
    fn holds(&self, needle: &str) -> bool {
        let file = self.record.file().expect("a file").to_owned();
        let log = file.with_file_name("sessions.db-wal");
        [file, log]
            .iter()
            .filter_map(|file| fs::read(file).ok())
            .any(|bytes| bytes.windows(needle.len()).any(|window| window == needle.as_bytes()))
    }
}

/// A session of two turns with everything that is recorded.
fn complete(fixture: &mut Fixture) {
    fixture.prompt("The checkout tests fail, please look").answer("I run them first.");
    fixture.run("t1", "python -m pytest -q", "Exit code 1\n/usr/bin/python: No module named pytest", true);
    fixture.run("t2", "python3 -m pytest -q", "12 passed in 0.5s", false);
    fixture.edit("t3", "/srv/shop/src/cart.py");
    fixture.run(
        "t4",
        "git commit -qam 'Fix the cart'",
        "[main 3f9a2b1] Fix the cart\n 1 file changed",
        false,
    );
    fixture.answer("The tests pass with python3 and the cart is fixed.");
    fixture.prompt("Thanks, now the invoices").answer("Which ones?");
}

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

    let signature = interleaf_shell::signature("python", "/usr/bin/python: No module named pytest");
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
fn an_episode_spans_two_readings() {
    let mut fixture = Fixture::new();
    fixture.prompt("test");
    fixture.run("t1", "python -m pytest", "Exit code 1\n/usr/bin/python: No module named pytest", true);
    fixture.take();
    fixture.run("t2", "python3 -m pytest", "3 passed in 0.1s", false);
    fixture.take();

    let signature = interleaf_shell::signature("python", "/usr/bin/python: No module named pytest");
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
fn a_secret_appears_nowhere_in_the_file() {
    let secret = format!("ghp_{}", "Zx9Kq2Lm7Vb4Nw8Rt1Yp3Sd6Fg5Hj0CaXwQe");
    let mut fixture = Fixture::new();
    fixture.prompt(&format!("use the token {secret}")).answer(&format!("I use {secret} now"));
    fixture.run(
        "t1",
        &format!("curl -H 'Authorization: Bearer {secret}' x.example"),
        &format!("Exit code 1\nerror: bad {secret}"),
        true,
    );
    fixture.edit("t2", &format!("/srv/shop/{secret}.txt"));
    fixture.take();

    let shown = serde_json::to_string(&fixture.shown()).expect("JSON");
    assert!(shown.contains("[SECRET:") && !shown.contains(&secret), "{shown}");
    assert!(!fixture.holds(&secret) && !fixture.holds(&secret.to_lowercase()));
}

#[test]
fn a_forgotten_session_is_nowhere_in_the_files_and_is_not_taken_again() {
    let mut fixture = Fixture::new();
    for n in 0..40 {
        fixture.prompt(&format!("zyzzyva number {n}")).answer("quokkasaurus");
        fixture.run(&format!("t{n}"), &format!("make wombatize-{n}"), "done", false);
    }
    fixture.take();
    assert!(fixture.holds("zyzzyva") && fixture.holds("wombatize"));

    assert!(fixture.record.forget("0a1b2c3d").expect("it is deleted"));
    for word in ["zyzzyva", "quokkasaurus", "quokkasauru", "wombat", "0a1b2c3d"] {
        assert!(!fixture.holds(word), "{word}");
    }
    assert!(fixture.search("zyzzyva").is_empty());
    assert_eq!(fixture.take(), Taken::default());
    assert_eq!(fixture.record.list(10).expect("readable"), []);
    assert!(fixture.record.is_forgotten("0a1b2c3d").expect("readable"));
    assert_eq!(fixture.take_as("another").turns, 40);
}

#[test]
fn a_session_that_was_never_recorded_can_be_kept_out() {
    let mut fixture = Fixture::new();
    complete(&mut fixture);

    assert!(!fixture.record.forget("0a1b2c3d").expect("it is noted"));
    assert_eq!(fixture.take(), Taken::default());
}

#[test]
fn new_rules_of_redaction_are_applied_to_what_is_there() {
    let mut fixture = Fixture::new();
    fixture.prompt("the project is called Nightingale").answer("Nightingale it is");
    fixture.run("t1", "make nightingale-all", "Exit code 1\nerror: Nightingale fails", true);
    fixture.edit("t2", "/srv/shop/Nightingale.md");
    fixture.run("t3", "make x", "Exit code 2\nerror: no mode", true);
    fixture.run("t4", "MODE=nightingale make x", "done", false);
    let content = json!("on a branch of it");
    fixture.line("user", content, json!({"gitBranch": "nightingale-2", "cwd": "/srv/nightingale"}));
    fixture.take();
    assert_eq!(fixture.record.counts().expect("readable"), (1, 2));

    let redactor = Redactor::new(&["(?i)nightingale".to_owned()]).expect("a pattern");
    let record = Record::at(fixture.record.file().expect("a file"), redactor, Clock::Fixed(0));
    assert!(!record.redact_again(Instant::now()).expect("no time is no error"));
    assert!(record.redact_again(Instant::now() + Duration::from_secs(600)).expect("it is redacted"));
    assert!(record.redact_again(Instant::now()).expect("nothing is left to do"));
    for spelling in ["Nightingale", "nightingale", "nightingal"] {
        assert!(!fixture.holds(spelling), "{spelling}");
    }
    assert!(fixture.search("nightingale").is_empty());
    assert_eq!(
        fixture.shown().summary.first_prompt.as_deref(),
        Some("the project is called [SECRET:custom]")
    );
}

#[test]
fn the_size_limit_takes_the_text_of_the_oldest_commands_first_and_prompts_last() {
    let mut fixture = Fixture::new();
    let noise = |n: u32| -> String {
        let digest = |i: u32| blake3::hash(format!("{n} {i}").as_bytes()).to_hex().to_string();
        (0..60).map(digest).collect()
    };
    for n in 0..300 {
        fixture.prompt(&format!("prompt number {n}")).answer(&format!("closing {n}"));
        fixture.run(&format!("t{n}"), &format!("./step --digest {}", noise(n)), "ok", false);
    }
    fixture.take();
    let before = fixture.record.used_bytes().expect("readable");

    let until = Instant::now() + Duration::from_secs(600);
    let removed = fixture.record.limit_size(before * 3 / 4, until).expect("it is reduced");
    assert!(fixture.record.used_bytes().expect("readable") <= before * 3 / 4);
    assert!(removed.texts > 0 && removed.turns == 0, "{removed:?}");
    let session = fixture.shown();
    assert_eq!(session.summary.removed_texts, removed.texts);
    let turns = &session.timeline;
    assert!(turns.iter().all(|turn| turn.prompt.is_some() && turn.closing.is_some()));
    let has_line = |turn: &Turn| turn.runs.iter().all(|run| run.line.is_some());
    assert!(!has_line(&turns[0]) && has_line(&turns[299]), "the oldest go first");

    let removed = fixture.record.limit_size(1, until).expect("it is reduced");
    assert_eq!(removed.turns, 300);
    assert_eq!(fixture.shown().summary.removed_turns, 300);
    assert_eq!(fixture.take().turns, 0, "what was removed is not read again");
}

#[test]
fn old_turns_are_deleted_with_their_words() {
    let mut fixture = Fixture::new();
    complete(&mut fixture);
    fixture.take();
    let second = fixture.shown().timeline[1].began_at;

    assert_eq!(fixture.record.remove_older_than(second).expect("deleted"), 1);
    let session = fixture.shown();
    assert_eq!((session.timeline.len(), session.summary.removed_turns), (1, 1));
    assert!(fixture.search("checkout").is_empty() && !fixture.holds("checkout"));
    assert_eq!(fixture.take().turns, 0);
    assert_eq!(fixture.record.remove_older_than(second).expect("nothing"), 0);
}

#[cfg(unix)]
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

#[test]
fn a_deleted_file_is_gone_with_what_lies_beside_it() {
    let mut fixture = Fixture::new();
    complete(&mut fixture);
    fixture.take();

    fixture.record.delete_all().expect("it is deleted");
    let left = fs::read_dir(fixture.scratch.path().join("data")).expect("the folder stays").count();
    assert_eq!(left, 0);
    fixture.record.delete_all().expect("there is nothing to delete");
}

#[test]
fn a_forgotten_session_stays_forgotten_when_the_record_is_deleted_and_begun_again() {
    let mut fixture = Fixture::new();
    complete(&mut fixture);
    fixture.take();
    assert!(fixture.record.forget("0a1b2c3d").expect("it is deleted"));

    fixture.record.delete_all().expect("it is deleted");
    fixture.take();

    assert_eq!(fixture.record.list(9).expect("it can be read"), []);
    assert!(fixture.record.is_forgotten("0a1b2c3d").expect("it can be read"));
}
