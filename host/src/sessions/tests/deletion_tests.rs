//! Tests of what is left after something was deleted: a session, old turns, secrets, all of it.

use super::*;

#[test]
fn the_file_of_signatures_loses_what_the_record_loses_and_comes_back_with_the_next_reading() {
    let mut fixture = Fixture::new();
    complete(&mut fixture);
    fixture.take();
    fs::remove_file(fixture.signature_file()).expect("removed");
    fixture.take();
    assert_eq!(fixture.signatures().len(), 8);
    fixture.record.forget("0a1b2c3d").expect("forgotten");
    assert!(fixture.signatures().is_empty());

    fixture.take_as("1a1b2c3d");
    fixture.record.remove_older_than(Millis::MAX).expect("removed");
    assert!(fixture.signatures().is_empty());
    fixture.record.delete_all().expect("deleted");
    assert!(!fixture.signature_file().exists());
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
