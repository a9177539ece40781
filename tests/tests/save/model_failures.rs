//! What the model does not answer, answers in part, or answers wrongly.

use interleaf_tests::stub_llm::{StubLlm, StubReply, StubRequest};
use serde_json::{Value, json};

use super::lesson;
use super::project::Project;

/// What the rules do not find in [`lesson`].
const DRAFTED: &str = "The lockfile of npm breaks the CI.";

fn draft(title: &str, quotes: &[&str]) -> Value {
    json!({
        "title": title, "text": format!("{title} Keep pnpm."), "quotes": quotes, "strength": "stated",
        "tags": ["pnpm", "lockfile"], "cues": ["darf ich hier npm benutzen?"],
    })
}

/// Returns the answer of a model that drafts this constraint and supports every draft.
fn answer(request: &StubRequest, drafts: &Value) -> String {
    let prompt = request.text();
    let verdicts: Vec<Value> = (0..9).map(|at| json!({ "index": at, "supported": true })).collect();
    match () {
        () if prompt.contains("Task: verify") => json!({ "verdicts": verdicts }).to_string(),
        () if prompt.contains("Category: constraint") => json!({ "memories": drafts }).to_string(),
        () if prompt.contains("Category: session_summary") => {
            json!({ "memories": [], "also": ["constraint"] }).to_string()
        }
        () => json!({ "memories": [] }).to_string(),
    }
}

fn quotes() -> [&'static str; 1] {
    ["npm writes a lockfile of its own and CI rejects it"]
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

    let drafts = json!([draft(DRAFTED, &quotes())]);
    let model = StubLlm::answering(move |request, _| StubReply::chat(&answer(request, &drafts)));
    project.configure("", Some(&format!("{}/v1", model.url())));
    project.scratch.interleaf(&["jobs", "run", "--all"]).success();

    let ids = |memories: &[Value]| memories.iter().map(|memory| memory["id"].clone()).collect::<Vec<_>>();
    let all = ids(&project.memories());
    assert!(ids(&by_rules).iter().all(|id| all.contains(id)), "{:#?}", project.memories());
    let added = project.one("constraint", DRAFTED);
    assert_eq!(added["asked_as"], json!(["darf ich hier npm benutzen?"]), "{added:#}");
    project.scratch.interleaf(&["jobs", "run", "--all"]).success();
    assert_eq!(ids(&project.memories()), all);
}

#[test]
fn of_an_answer_that_is_cut_off_the_complete_drafts_are_kept() {
    let drafts = json!([draft(DRAFTED, &quotes()), draft("A second one.", &quotes())]);
    let model = StubLlm::answering(move |request, _| {
        let answer = answer(request, &drafts);
        match answer.find("A second one. Keep") {
            Some(at) => StubReply::chat_cut_off(&answer[..at]),
            None => StubReply::chat(&answer),
        }
    });
    let project = Project::new("", Some(&format!("{}/v1", model.url())));

    project.session("one", &lesson().lines());

    project.one("constraint", DRAFTED);
    assert_eq!(project.with_text("constraint", "A second one"), Vec::<Value>::new());
}

#[test]
fn a_wrong_quote_drops_alone() {
    let drafts = json!([draft(DRAFTED, &["npm is forbidden everywhere", quotes()[0]])]);
    let model = StubLlm::answering(move |request, _| StubReply::chat(&answer(request, &drafts)));
    let project = Project::new("", Some(&format!("{}/v1", model.url())));

    project.session("one", &lesson().lines());

    project.one("constraint", DRAFTED);
}

#[test]
fn the_turn_before_is_shown_as_saved_before() {
    let drafts = json!([]);
    let model = StubLlm::answering(move |request, _| StubReply::chat(&answer(request, &drafts)));
    let project = Project::new("debounce_seconds = 0", Some(&format!("{}/v1", model.url())));
    let first =
        lesson().user("shall the poller use a queue or a cron job?").assistant("I propose a queue. Agreed?");
    project.session("one", &first.lines());
    let before = model.requests().len();

    let then = first
        .user("yes, a queue, because we need retries: from now on no cron jobs here")
        .assistant("Noted.");
    project.session("one", &then.lines());

    let later: Vec<String> = model.requests().iter().skip(before).map(StubRequest::text).collect();
    let draft = later.iter().find(|text| text.contains("Task: draft")).expect("a draft was asked for");
    assert!(draft.contains("earlier-assistant") && draft.contains("I propose a queue. Agreed?"), "{draft}");
    assert!(!draft.contains("npm writes a lockfile"), "{draft}");
}
