//! The access that a grant gives and its absence denies. Every denial names the layer, the grant and the line
//! that requests it.

use interleaf::error::Error;
use interleaf::harness::{Harness, Outcome, event};
use interleaf::memory::{Category, Draft, Origin};
use interleaf_tests::guests;
use interleaf_tests::scratch::Scratch;
use interleaf_tests::transcript_builder::TranscriptBuilder;

const PNPM: &str = "Use pnpm, never npm, as the package manager";
const NPM: &str = "The package manager npm is broken on the build machine";

fn layer(grants: &str) -> Result<Harness, Error> {
    Harness::component("hostile", guests::hostile())?.grants(grants)
}

fn ask(harness: &Harness, prompt: &str) -> Result<Outcome, Error> {
    harness.send(&event::prompt(prompt))
}

/// Returns the text of the layer, without the heading.
fn layer_text(outcome: &Outcome) -> String {
    outcome.context().lines().filter_map(|line| line.strip_prefix("- layer says: ")).collect()
}

/// Returns the only line in the log.
fn logged(outcome: &Outcome) -> &str {
    assert_eq!(outcome.log.len(), 1, "{:?}", outcome.log);
    &outcome.log[0].message
}

/// Returns the layer in a project with a constraint and a preference.
fn with_two_memories(grants: &str) -> Result<Harness, Error> {
    let constraint = Draft::new(Category::Constraint, NPM.to_owned(), Origin::Person);
    layer(grants)?.draft(constraint)?.remember("preference", PNPM)
}

#[test]
fn without_a_grant_every_interface_is_denied() -> Result<(), Error> {
    for (prompt, line) in [
        ("find anything", "memory = \"read\""),
        ("note a learning", "memory = { read = false, write = [\"learning\"] }"),
        ("ask for the project", "project = true"),
        ("remember across events", "state = true"),
        ("ask for existing paths", "project = true"),
        ("ask for earlier sessions", "sessions = true"),
        ("ask for the transcript", "transcript = true"),
        ("capture one", "jobs = true"),
    ] {
        let outcome = ask(&layer("{}")?, prompt)?;
        let denied = "answered with an error: denied: layer hostile was not granted this";
        assert!(logged(&outcome).starts_with(denied), "{}", logged(&outcome));
        assert!(
            logged(&outcome).ends_with(&format!("; to ask for it, add to [layers.hostile.grants]: {line}")),
            "{}",
            logged(&outcome)
        );
    }
    let denied = layer_text(&ask(&layer("{}")?, "ask the model 1 100")?);
    assert!(denied.contains("add to [layers.hostile.grants]: llm = true"), "{denied}");
    Ok(())
}

#[test]
fn a_layer_is_told_which_paths_of_the_project_exist_and_nothing_of_others() -> Result<(), Error> {
    let root = Scratch::new();
    std::fs::write(root.root.join("here.txt"), "x").expect("ours");
    std::fs::create_dir(root.root.join("project")).expect("ours");
    std::fs::write(root.root.join("project/here.txt"), "x").expect("ours");
    std::fs::write(root.root.join("outside.txt"), "x").expect("ours");
    let layer = layer(r#"{"project": true}"#)?.project_root(root.root.join("project"));

    assert_eq!(layer_text(&ask(&layer, "ask for existing paths")?), "found here.txt");
    Ok(())
}

#[test]
fn a_layer_with_the_grant_asks_the_record_of_other_sessions() -> Result<(), Error> {
    let scratch = Scratch::new();
    let transcript = scratch.root.join("earlier.jsonl");
    let talk = TranscriptBuilder::new()
        .user("run the check")
        .failure("python check.py", "SyntaxError: invalid syntax")
        .command("python3 check.py", "fine");
    std::fs::write(&transcript, talk.lines()).expect("ours");
    let granted =
        |session: &str| layer(r#"{"sessions": true}"#)?.recorded_session(&scratch.root, session, &transcript);

    let without = layer(r#"{"sessions": true}"#)?;
    assert_eq!(layer_text(&ask(&without, "ask for earlier sessions")?), "0 hits;", "nothing is recorded");
    assert_eq!(layer_text(&ask(&granted("earlier")?, "ask for earlier sessions")?), "1 hits; python3");
    Ok(())
}

#[test]
fn a_layer_finds_and_lists_only_the_categories_it_may_read() -> Result<(), Error> {
    let all = with_two_memories(r#"{"memory": "read"}"#)?;
    let preferences = with_two_memories(r#"{"memory": {"read": ["preference", "decision"]}}"#)?;

    for prompt in ["find anything", "find preference and constraint"] {
        assert!(
            layer_text(&ask(&all, prompt)?).contains(PNPM) && layer_text(&ask(&all, prompt)?).contains(NPM)
        );
        let found = layer_text(&ask(&preferences, prompt)?);
        assert!(found.contains(PNPM) && !found.contains(NPM), "{prompt}: {found}");
    }
    Ok(())
}

#[test]
fn a_filter_with_only_unreadable_categories_is_denied() -> Result<(), Error> {
    let harness = with_two_memories(r#"{"memory": {"read": ["preference"]}}"#)?;

    let outcome = ask(&harness, "find constraint and decision")?;

    assert_eq!(
        logged(&outcome),
        "answered with an error: denied: layer hostile was not granted this (to read constraint, decision); \
         to ask for it, add to [layers.hostile.grants]: memory = { read = [\"decision\", \"constraint\", \
         \"preference\"], write = false }"
    );
    Ok(())
}

#[test]
fn a_layer_writes_only_the_categories_it_may_write_and_need_not_read_them() -> Result<(), Error> {
    let harness = layer(r#"{"memory": {"write": ["learning"]}}"#)?;

    let written = ask(&harness, "note a learning")?;
    assert_eq!((layer_text(&written), written.memories.len()), ("written".to_owned(), 1));

    let denied = ask(&harness, "note a decision")?;
    assert!(logged(&denied).contains("memory = { read = false, write = [\"decision\", \"learning\"] }"));
    assert_eq!(denied.memories.len(), 1);

    let unread = ask(&layer(r#"{"memory": {"write": ["learning"]}}"#)?, "find anything")?;
    assert!(logged(&unread).contains("memory = { read = true, write = [\"learning\"] }"));
    Ok(())
}

#[test]
fn a_layer_that_may_read_may_not_write() -> Result<(), Error> {
    let outcome = ask(&layer(r#"{"memory": "read"}"#)?, "note a learning")?;

    assert!(logged(&outcome).ends_with("memory = { read = true, write = [\"learning\"] }"));
    assert!(outcome.memories.is_empty());
    Ok(())
}

#[test]
fn a_memory_is_retired_only_where_its_category_may_be_written() -> Result<(), Error> {
    for (grants, left) in
        [(r#"{"memory": {"write": ["learning"]}}"#, 1), (r#"{"memory": {"write": ["preference"]}}"#, 0)]
    {
        let harness = layer(grants)?.remember("preference", PNPM)?;
        let id = ask(&harness, "behave")?.memories[0].id.clone();

        let outcome = ask(&harness, &format!("retire {id}"))?;

        assert_eq!(outcome.memories.len(), left, "{grants}");
    }
    Ok(())
}

#[test]
fn state_lasts_from_one_event_to_the_next() -> Result<(), Error> {
    let harness = layer(r#"{"state": true}"#)?;

    assert_eq!(layer_text(&ask(&harness, "remember across events")?), "event 1");
    assert_eq!(layer_text(&ask(&harness, "remember across events")?), "event 2");
    Ok(())
}

#[test]
fn a_capture_that_already_waits_does_not_count_against_the_session_limit() -> Result<(), Error> {
    let harness = layer(r#"{"jobs": true}"#)?.config("[limits]\njobs = 2\n")?;

    for (prompt, answer) in [("capture a", "queued"), ("capture a", "known"), ("capture b", "queued")] {
        assert_eq!(layer_text(&ask(&harness, prompt)?), answer, "{prompt}");
    }
    assert!(
        logged(&ask(&harness, "capture c")?).contains("the 2 captures and jobs of this session are used up")
    );
    let elsewhere = harness.send(&event::in_session(&event::prompt("capture c"), "another"))?;
    assert_eq!(layer_text(&elsewhere), "queued");
    Ok(())
}

#[test]
fn without_the_log_grant_lines_are_dropped_silently() -> Result<(), Error> {
    assert_eq!(logged(&ask(&layer("{}")?, "say something")?), "something");

    let silent = ask(&layer(r#"{"log": false}"#)?, "say something")?;

    assert_eq!((layer_text(&silent), silent.log.len()), ("said".to_owned(), 0));
    Ok(())
}

#[test]
fn log_lines_do_not_count_as_host_calls() -> Result<(), Error> {
    let harness = layer("{}")?.config("[limits]\nhost_calls = 0\nlog_lines = 1\n")?;

    assert_eq!(logged(&ask(&harness, "say something")?), "something");
    Ok(())
}
