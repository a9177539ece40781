//! What the model does not answer, answers in part, or answers wrongly.

use interleaf_tests::scripted_model::{line_number, prompt};
use interleaf_tests::stub_llm::{StubLlm, StubReply, StubRequest};
use serde_json::{Value, json};

use super::lesson;
use super::project::Project;

/// What the rules do not find in [`lesson`].
const READ: &str = "The lockfile of npm breaks CI.";

/// The words that say so.
const SAID: &str = "npm writes a lockfile of its own and CI rejects it";

/// Returns the answer of a model that adds constraints with these texts, all from the line that says so.
fn answer(request: &StubRequest, texts: &[&str]) -> String {
    let line = line_number(prompt(request), SAID).unwrap_or_default();
    let change = |text: &&str| {
        json!({
            "op": "add", "category": "constraint", "text": text, "from": [999, line],
            "cues": ["darf ich hier npm benutzen?"],
        })
    };
    json!({ "changes": texts.iter().map(change).collect::<Vec<_>>() }).to_string()
}

#[test]
fn a_flush_whose_model_is_away_saves_what_the_rules_found_and_asks_again() {
    let project = Project::new("", Some("http://127.0.0.1:9/v1"));
    project.end("one", &lesson().lines());
    // Whether the command fails is not the matter here.
    let _ = project.scratch.interleaf(&["jobs", "run", "--all"]);
    let by_rules = project.memories();
    assert!(!by_rules.is_empty());

    let waiting = project.scratch.interleaf(&["jobs", "--json"]).success();
    assert!(waiting.contains("the model could not be asked"), "{waiting}");

    let model = StubLlm::answering(move |request, _| StubReply::chat(&answer(request, &[READ])));
    project.configure("", Some(&format!("{}/v1", model.url())));
    project.scratch.interleaf(&["jobs", "run", "--all"]).success();

    let ids = |memories: &[Value]| memories.iter().map(|memory| memory["id"].clone()).collect::<Vec<_>>();
    let all = ids(&project.memories());
    assert!(ids(&by_rules).iter().all(|id| all.contains(id)), "{:#?}", project.memories());
    let added = project.one("constraint", READ);
    assert_eq!(added["asked_as"], json!(["darf ich hier npm benutzen?"]), "{added:#}");
    project.scratch.interleaf(&["jobs", "run", "--all"]).success();
    assert_eq!(ids(&project.memories()), all);
}

#[test]
fn of_an_answer_that_is_cut_off_the_complete_changes_are_kept() {
    let model = StubLlm::answering(move |request, _| {
        let answer = answer(request, &[READ, "CI rejects a second lockfile."]);
        match answer.find("a second lockfile") {
            Some(at) => StubReply::chat_cut_off(&answer[..at]),
            None => StubReply::chat(&answer),
        }
    });
    let project = Project::new("", Some(&format!("{}/v1", model.url())));

    project.session("one", &lesson().lines());

    project.one("constraint", READ);
    assert_eq!(project.with_text("constraint", "a second"), Vec::<Value>::new());
}

#[test]
fn an_explicit_act_is_saved_even_if_the_model_leaves_it_out() {
    let model = StubLlm::answering(move |request, _| StubReply::chat(&answer(request, &[])));
    let project = Project::new("", Some(&format!("{}/v1", model.url())));

    project.session("one", &lesson().lines());

    project.one("preference", "never use npm");
}

#[test]
fn the_turn_before_is_shown_as_saved_before() {
    let model = StubLlm::answering(move |request, _| StubReply::chat(&answer(request, &[])));
    let project = Project::new("debounce_seconds = 0", Some(&format!("{}/v1", model.url())));
    let first =
        lesson().user("shall the poller use a queue or a cron job?").assistant("I propose a queue. Agreed?");
    project.session("one", &first.lines());
    let before = model.requests().len();

    let then = first
        .user("yes, a queue, because we need retries: from now on no cron jobs here")
        .assistant("Noted.");
    project.session("one", &then.lines());

    let later: Vec<String> =
        model.requests().iter().skip(before).map(|request| prompt(request).to_owned()).collect();
    let read = later.iter().find(|text| text.contains("Task: read")).expect("the model was asked");
    assert!(read.contains(" assistant (earlier): I propose a queue. Agreed?"), "{read}");
    assert!(read.contains(" user: yes, a queue"), "{read}");
    let session = read.split_once("<session>").map_or("", |(_, session)| session);
    assert!(!session.contains(SAID), "{read}");
}
