//! What a grant gives, and what its lack denies: every denial names the layer, the grant and the line that
//! asks for it.

use interleaf::error::Error;
use interleaf::harness::{Harness, Outcome, event};
use interleaf::memory::{Category, Draft, Origin};
use interleaf_tests::guests;

const PNPM: &str = "Use pnpm, never npm, as the package manager";
const NPM: &str = "The package manager npm is broken on the build machine";

fn layer(grants: &str) -> Result<Harness, Error> {
    Harness::component("hostile", guests::hostile())?.grants(grants)
}

fn ask(harness: &Harness, prompt: &str) -> Result<Outcome, Error> {
    harness.send(&event::prompt(prompt))
}

/// What the layer said, without the heading.
fn said(outcome: &Outcome) -> String {
    outcome.context().lines().filter_map(|line| line.strip_prefix("- ")).collect()
}

/// The one line in the log.
fn recorded(outcome: &Outcome) -> &str {
    assert_eq!(outcome.log.len(), 1, "{:?}", outcome.log);
    &outcome.log[0].message
}

/// A constraint and a preference.
fn with_two_memories(grants: &str) -> Result<Harness, Error> {
    let constraint = Draft::new(Category::Constraint, NPM.to_owned(), Origin::Person);
    layer(grants)?.draft(constraint)?.remember("preference", PNPM)
}

#[test]
fn nothing_is_granted_that_was_not_given() -> Result<(), Error> {
    for (prompt, line) in [
        ("find anything", "memory = \"read\""),
        ("note a learning", "memory = { read = false, write = [\"learning\"] }"),
        ("ask for the project", "project = true"),
        ("remember across events", "state = true"),
        ("ask for the transcript", "transcript = true"),
        ("capture one", "jobs = true"),
    ] {
        let outcome = ask(&layer("{}")?, prompt)?;
        let denied = "answered with an error: denied: layer hostile was not granted this";
        assert!(recorded(&outcome).starts_with(denied), "{}", recorded(&outcome));
        assert!(
            recorded(&outcome).ends_with(&format!("; to ask for it, add to [layers.hostile.grants]: {line}")),
            "{}",
            recorded(&outcome)
        );
    }
    let denied = said(&ask(&layer("{}")?, "ask the model 1 100")?);
    assert!(denied.contains("add to [layers.hostile.grants]: llm = true"), "{denied}");
    Ok(())
}

#[test]
fn a_layer_finds_and_lists_only_the_categories_it_may_read() -> Result<(), Error> {
    let all = with_two_memories(r#"{"memory": "read"}"#)?;
    let preferences = with_two_memories(r#"{"memory": {"read": ["preference", "decision"]}}"#)?;

    for asked in ["find anything", "find preference and constraint"] {
        assert!(said(&ask(&all, asked)?).contains(PNPM) && said(&ask(&all, asked)?).contains(NPM));
        let found = said(&ask(&preferences, asked)?);
        assert!(found.contains(PNPM) && !found.contains(NPM), "{asked}: {found}");
    }
    Ok(())
}

#[test]
fn a_filter_for_nothing_but_what_it_may_not_read_is_denied() -> Result<(), Error> {
    let harness = with_two_memories(r#"{"memory": {"read": ["preference"]}}"#)?;

    let outcome = ask(&harness, "find constraint and decision")?;

    assert_eq!(
        recorded(&outcome),
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
    assert_eq!((said(&written), written.memories.len()), ("written".to_owned(), 1));

    let denied = ask(&harness, "note a decision")?;
    assert!(recorded(&denied).contains("memory = { read = false, write = [\"decision\", \"learning\"] }"));
    assert_eq!(denied.memories.len(), 1);

    let unread = ask(&layer(r#"{"memory": {"write": ["learning"]}}"#)?, "find anything")?;
    assert!(recorded(&unread).contains("memory = { read = true, write = [\"learning\"] }"));
    Ok(())
}

#[test]
fn a_layer_that_may_read_may_not_write() -> Result<(), Error> {
    let outcome = ask(&layer(r#"{"memory": "read"}"#)?, "note a learning")?;

    assert!(recorded(&outcome).ends_with("memory = { read = true, write = [\"learning\"] }"));
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

    assert_eq!(said(&ask(&harness, "remember across events")?), "event 1");
    assert_eq!(said(&ask(&harness, "remember across events")?), "event 2");
    Ok(())
}

#[test]
fn what_waits_already_does_not_count_towards_the_session_s_jobs() -> Result<(), Error> {
    let harness = layer(r#"{"jobs": true}"#)?.config("[limits]\njobs = 2\n")?;

    for (prompt, answer) in [("capture a", "queued"), ("capture a", "known"), ("capture b", "queued")] {
        assert_eq!(said(&ask(&harness, prompt)?), answer, "{prompt}");
    }
    assert!(
        recorded(&ask(&harness, "capture c")?)
            .contains("the 2 captures and jobs of this session are used up")
    );
    let elsewhere = harness.send(&event::in_session(&event::prompt("capture c"), "another"))?;
    assert_eq!(said(&elsewhere), "queued");
    Ok(())
}

#[test]
fn a_log_that_was_taken_away_drops_lines_without_a_word() -> Result<(), Error> {
    assert_eq!(recorded(&ask(&layer("{}")?, "say something")?), "something");

    let silent = ask(&layer(r#"{"log": false}"#)?, "say something")?;

    assert_eq!((said(&silent), silent.log.len()), ("said".to_owned(), 0));
    Ok(())
}

#[test]
fn lines_are_no_host_calls() -> Result<(), Error> {
    let harness = layer("{}")?.config("[limits]\nhost_calls = 0\nlog_lines = 1\n")?;

    assert_eq!(recorded(&ask(&harness, "say something")?), "something");
    Ok(())
}
