//! Saving with a model: a changed fact supersedes its memory, a repeated one updates it, and an ended one
//! retires it.

use super::project::{Project, history};
use interleaf_tests::scripted_model::{ScriptedModel, line_number, prompt};
use interleaf_tests::stub_llm::{StubLlm, StubReply};
use interleaf_tests::transcript_builder::TranscriptBuilder;
use serde_json::{Value, json};

/// Plays the three sessions of a project with a model.
fn played(project: &str, model: &ScriptedModel) -> Project {
    let played = Project::new("", Some(&model.url()));
    for session in ["s1", "s2", "s3"] {
        played.recorded(&format!("{project}/{session}"));
    }
    assert!(model.request_count() > 0);
    played
}

#[test]
fn a_raised_limit_supersedes_the_old_one() {
    let project = played("ledger-api", &ScriptedModel::start("ledger-api"));

    let (old, new) = (project.one("constraint", "10 requests"), project.one("constraint", "20 requests"));
    assert_eq!((&old["status"], &new["status"]), (&json!("retired"), &json!("active")));
    assert_eq!(old["superseded_by"], new["id"], "{old:#}");
    assert_eq!(new["supersedes"], json!([old["id"]]), "{new:#}");
    assert_eq!(old["content"]["active"], json!(false), "{old:#}");
    let found = project.search("vendor limit requests a second");
    assert!(found.contains("20 requests") && !found.contains("10 requests"), "{found}");
    let start = project.start();
    assert!(!start.contains("10 requests"), "{start}");
}

#[test]
fn a_resolved_tech_debt_is_retired_with_its_reason() {
    let project = played("ledger-api", &ScriptedModel::start("ledger-api"));

    let debt = project.one("tech_debt", "Idempotency keys");

    assert_eq!(
        (&debt["status"], &debt["content"]["status"]),
        (&json!("retired"), &json!("resolved")),
        "{debt:#}"
    );
    assert!(
        history(&debt).iter().any(|what| what.contains("POST /entries has idempotency keys now")),
        "{debt:#}"
    );
    let start = project.start();
    assert!(!start.contains("put off until the v2 schema"), "{start}");
}

#[test]
fn a_rephrased_memory_updates_the_existing_one() {
    let project = played("atlas-mono", &ScriptedModel::start("atlas-mono"));

    let limits: Vec<Value> =
        project.memories().into_iter().filter(|memory| memory["category"] == "constraint").collect();

    let [limit] = &limits[..] else { panic!("one limit is one memory: {limits:#?}") };
    assert!(limit["text"].as_str().is_some_and(|text| text.contains("30 is above")), "{limit:#}");
    assert!(history(limit).iter().any(|what| what.contains("repeated in a session")), "{limit:#}");
    assert_eq!(limit["status"], "active");
}

#[test]
fn a_reversed_decision_has_one_successor_and_is_not_shown_again() {
    let model = StubLlm::answering(|request, _| StubReply::chat(&decided(prompt(request)).to_string()));
    let project = Project::new("", Some(&format!("{}/v1", model.url())));
    let conversation = |words: &str| TranscriptBuilder::new().user(words).assistant("I will.").lines();

    project.session(
        "one",
        &conversation("we decided to page with cursors instead of offsets, because pages shift"),
    );
    project.session(
        "two",
        &conversation("we decided to go back to offsets instead of cursors, because clients jump"),
    );

    let (old, new) =
        (project.one("decision", "Page with cursors"), project.one("decision", "Page with offsets"));
    assert_eq!(
        (&old["status"], &old["content"]["status"]),
        (&json!("retired"), &json!("superseded")),
        "{old:#}"
    );
    assert_eq!((&old["superseded_by"], &new["supersedes"]), (&new["id"], &json!([old["id"]])));
    let (found, start) = (project.search("page with offsets"), project.start());
    assert!(found.contains("offsets") && !found.contains("pages shift"), "{found}");
    assert!(!start.contains("pages shift"), "{start}");
    let last = project.flushes().pop().expect("a flush");
    assert_eq!(last["written"][0]["action"], "supersede", "{last:#}");
    assert_eq!(last["written"][0]["superseded"], old["id"], "{last:#}");
}

#[test]
fn words_typed_while_refusing_a_call_replace_a_memory_too() {
    let model = StubLlm::answering(|request, _| StubReply::chat(&decided(prompt(request)).to_string()));
    let project = Project::new("", Some(&format!("{}/v1", model.url())));
    let first = TranscriptBuilder::new().user("we decided to page with cursors, because pages shift");
    project.session("one", &first.assistant("I will.").lines());

    let words = "no, we go back to offsets instead of cursors, because clients jump";
    let second = TranscriptBuilder::new().user("go on with the pages").refused("make pages", words);
    project.session("two", &second.assistant("Then I use offsets.").lines());

    let (old, new) =
        (project.one("decision", "Page with cursors"), project.one("decision", "Page with offsets"));
    assert_eq!((&old["status"], &old["superseded_by"]), (&json!("retired"), &new["id"]), "{old:#}");
    assert_eq!(new["origin"], "assistant", "the person's words, not a tool's: {new:#}");
}

#[test]
fn a_decision_dropped_without_a_replacement_stays_as_deprecated() {
    let model = StubLlm::answering(|request, _| StubReply::chat(&decided(prompt(request)).to_string()));
    let project = Project::new("", Some(&format!("{}/v1", model.url())));
    let conversation = |words: &str| TranscriptBuilder::new().user(words).assistant("I will.").lines();

    project.session(
        "one",
        &conversation("we decided to page with cursors instead of offsets, because pages shift"),
    );
    project.session(
        "two",
        &conversation("we decided to give up cursors because nobody pages, and nothing instead of them"),
    );

    let decision = project.one("decision", "Page with cursors");
    assert_eq!(
        (&decision["status"], &decision["content"]["status"]),
        (&json!("active"), &json!("deprecated"))
    );
    assert!(
        decision["title"].as_str().is_some_and(|title| title.starts_with("No longer so")),
        "{decision:#}"
    );
    assert!(decision["text"].as_str().is_some_and(|text| text.contains("nobody pages")), "{decision:#}");
}

/// Returns the answer of a good model to the sessions above.
fn decided(prompt: &str) -> Value {
    let line = |words: &str| line_number(prompt, words).unwrap_or_default();
    let change = |operation: &str, title: &str, why: &str, words: &str| {
        json!({
            "op": operation, "id": "m1", "category": "decision", "title": title,
            "text": format!("{title}, because {why}."), "why": why, "from": [line(words)],
        })
    };
    if prompt.contains("Task: confirm") {
        return json!({ "verdicts": [{ "index": 0, "holds": true }] });
    }
    let change = match () {
        () if prompt.contains("give up cursors") => change("retire", "", "nobody pages", "give up cursors"),
        () if prompt.contains("go back to offsets") => {
            change("replace", "Page with offsets", "clients jump", "go back to offsets")
        }
        () => change("add", "Page with cursors", "pages shift", "we decided to page with cursors"),
    };
    json!({ "changes": [change] })
}

#[test]
fn an_unconfirmed_change_changes_no_existing_memory() {
    let (model, doubting) = (ScriptedModel::start("ledger-api"), ScriptedModel::doubting("ledger-api"));
    let project = Project::new("", Some(&model.url()));
    project.recorded("ledger-api/s1");
    let before = project.memories();
    project.configure("", Some(&doubting.url()));

    project.recorded("ledger-api/s3");

    assert!(doubting.request_count() > 0);
    for memory in before {
        let now = project.memories().into_iter().find(|now| now["id"] == memory["id"]).expect("it is kept");
        assert_eq!((&now["status"], &now["text"]), (&memory["status"], &memory["text"]), "{now:#}");
    }
}
