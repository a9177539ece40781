//! Reading with models that give a fixed answer.

use std::cell::RefCell;

use serde_json::{Value, json};

use super::*;
use crate::finding::{Intent, Origin};
use crate::known_memory::NoMemories;
use crate::sample::{assistant, check, edited, failed, pasted, ran, talk, user};

mod hostile;
mod memories;

/// A model that gives one answer to every request to read, and one to every request to confirm.
pub(super) struct FixedModel {
    read: Result<String, String>,
    confirm: Result<String, String>,
    asked: RefCell<Vec<Request>>,
}

impl FixedModel {
    fn new(changes: Value) -> Self {
        Self::answering(json!({ "changes": changes, "summary": { "goal": "the goal" } }))
    }

    fn answering(answer: Value) -> Self {
        let verdicts: Vec<Value> = (0..9).map(|at| json!({ "index": at, "holds": true })).collect();
        let confirm = Ok(json!({ "verdicts": verdicts }).to_string());
        Self { read: Ok(answer.to_string()), confirm, asked: RefCell::default() }
    }

    fn prompts(&self, task: &str) -> Vec<String> {
        let line = format!("Task: {task}\n");
        let asked = self.asked.borrow();
        asked.iter().filter(|request| request.prompt.starts_with(&line)).map(|it| it.prompt.clone()).collect()
    }
}

impl Model for FixedModel {
    fn complete(&self, request: &Request) -> Result<String, String> {
        self.asked.borrow_mut().push(request.clone());
        if request.prompt.starts_with("Task: read\n") { self.read.clone() } else { self.confirm.clone() }
    }
}

pub(super) fn add(category: &str, text: &str, from: &[usize]) -> Value {
    json!({ "op": "add", "category": category, "text": text, "from": from, "cues": ["why?"] })
}

pub(super) fn reading_of(transcript: &Transcript, model: &FixedModel) -> Reading {
    read_with(transcript, &NoMemories, 0, model)
}

pub(super) fn read_with(
    transcript: &Transcript,
    memories: &dyn MemoryLookup,
    saved_until: u64,
    model: &FixedModel,
) -> Reading {
    let policies = CategoryPolicies::all_enabled();
    let known =
        Known { session_id: "s", memories, saved_until, policies: &policies, categories: &CATEGORIES };
    let reading = read(transcript, known, &Settings::default(), model);
    reading.findings.iter().for_each(|finding| check(transcript, finding));
    reading
}

fn session() -> Transcript {
    talk([user("from now on use tabs in the makefiles, please"), assistant("Tabs it is."), user("thanks")])
}

#[test]
fn a_session_takes_one_request() {
    let model = FixedModel::new(json!([add("preference", "Use tabs in the makefiles.", &[1])]));
    let reading = reading_of(&session(), &model);

    assert_eq!((model.prompts("read").len(), model.prompts("confirm").len()), (1, 0));
    let finding = &reading.findings[0];
    assert_eq!((finding.text.as_str(), finding.origin), ("Use tabs in the makefiles.", Origin::Assistant));
    assert_eq!((finding.cues.len(), finding.tags.clone()), (1, vec!["convention".to_owned()]));
    assert_eq!(finding.evidence[0].quote, "from now on use tabs in the makefiles, please");
    assert_eq!(reading.summary.expect("a summary").goal, "the goal");
    assert!(reading.is_answered);
}

#[test]
fn two_memories_of_one_line_have_two_keys() {
    let transcript = talk([
        user("from now on use tabs in the makefiles, and squash before you merge"),
        edited("Makefile"),
    ]);
    let changes = [
        add("preference", "Use tabs in the makefiles.", &[1]),
        add("preference", "Squash before you merge.", &[1]),
    ];
    let reading = reading_of(&transcript, &FixedModel::new(json!(changes)));

    let keys: Vec<&String> = reading.findings.iter().map(|finding| &finding.key).collect();
    assert_eq!(keys.len(), 2);
    assert_ne!(keys[0], keys[1]);
}

#[test]
fn a_session_without_words_and_deeds_takes_none() {
    for transcript in [
        talk([user("go on"), assistant("I have nothing to do.")]),
        talk([user("yes"), assistant(&"word ".repeat(500))]),
        Transcript::default(),
    ] {
        let model = FixedModel::new(json!([]));
        let reading = reading_of(&transcript, &model);

        assert_eq!(model.prompts("read").len(), 0, "{transcript:?}");
        assert!(!reading.is_answered && reading.failed.is_empty());
    }
}

#[test]
fn what_was_read_before_is_marked_and_no_reason_for_a_change() {
    let model = FixedModel::new(json!([add("preference", "Use tabs in the makefiles.", &[1])]));
    let transcript = talk([
        user("from now on use tabs in the makefiles"),
        assistant("Tabs it is."),
        user("and now write the readme please"),
    ]);
    let reading = read_with(&transcript, &NoMemories, 2_000, &model);

    assert!(model.prompts("read")[0].contains("1 user (earlier): from now on use tabs"));
    assert!(model.prompts("read")[0].contains("3 user: and now write"));
    assert_eq!(reading.refused[0].reason.rule, "all of it was said before the last save");
}

#[test]
fn a_change_must_be_said_in_the_lines_that_it_cites() {
    let transcript = talk([
        user("the vendor allows 10 requests a second, and we cannot change that"),
        assistant("I pace the client with `sleep 0.1`."),
    ]);
    let rule = |text: &str, from: &[usize]| {
        let reading = reading_of(&transcript, &FixedModel::new(json!([add("constraint", text, from)])));
        reading.refused.first().map(|refusal| refusal.reason.rule)
    };

    assert_eq!(rule("The vendor allows 10 requests a second.", &[1]), None);
    assert_eq!(rule("The vendor allows ten requests a second (`sleep 0.1`).", &[1]), None);
    assert_eq!(
        rule("The vendor allows 20 requests a second.", &[1]),
        Some("it contains a number that nobody said")
    );
    assert_eq!(
        rule("The vendor allows 10 requests a second; run `pace --all`.", &[1]),
        Some("it contains code that nobody said")
    );
    assert_eq!(
        rule("A circuit breaker guards payments against outages.", &[1]),
        Some("the lines that it cites do not say it")
    );
    assert_eq!(rule("The vendor allows 10 requests a second.", &[]), Some("it cites no line of the session"));
    assert_eq!(
        rule("The vendor allows 10 requests a second.", &[99]),
        Some("it cites no line of the session")
    );
}

#[test]
fn a_runbook_that_quotes_its_error_stays_the_assistants() {
    let error = "Error: .env.test not found, copy it from .env.example before you start the tests";
    let transcript = talk([
        user("run the tests please"),
        failed("make test", error),
        ran("cp .env.example .env.test", ""),
        ran("make test", "ok"),
        assistant("The tests need a .env.test; I copied it from .env.example."),
    ]);
    let change = json!({
        "op": "add", "category": "runbook", "title": "make test needs a .env.test",
        "text": format!("`make test` stops with \"{error}\". Copy .env.example to .env.test."),
        "from": [2, 3, 4, 6], "error": error, "fix": "cp .env.example .env.test",
    });
    let reading = reading_of(&transcript, &FixedModel::new(json!([change])));

    assert_eq!(reading.refused, []);
    assert_eq!(reading.findings[0].origin, Origin::Assistant);
    assert_eq!(reading.findings[0].content["symptoms"], json!([error]));
    assert_eq!(reading.findings[0].content["steps"], json!(["cp .env.example .env.test"]));
}

#[test]
fn every_category_has_the_content_that_the_host_asks_for() {
    let said = "we chose SQLite over Postgres because there is only one writer";
    for category in CATEGORIES {
        let change = json!({
            "op": "add", "category": category.as_str(),
            "text": "SQLite over Postgres, because there is one writer.",
            "from": [1],
        });
        let transcript = talk([user(said), edited("store.rs")]);
        let reading = reading_of(&transcript, &FixedModel::new(json!([change])));

        let content = crate::content_schema::fit(category, &reading.findings[0].content);
        assert!(content.as_object().is_some_and(|content| !content.is_empty()), "{category:?}");
    }
}

#[test]
fn an_answer_that_cannot_be_used_is_named_and_changes_nothing() {
    for answer in ["no idea", "[]", r#"{"memories": []}"#] {
        let model = FixedModel { read: Ok(answer.to_owned()), ..FixedModel::new(json!([])) };
        let reading = reading_of(&session(), &model);

        assert!(!reading.is_answered && reading.failed.len() == 1, "{answer}");
    }
    let model = FixedModel { read: Err("no network".to_owned()), ..FixedModel::new(json!([])) };
    assert_eq!(reading_of(&session(), &model).failed, ["no network"]);
}

#[test]
fn a_category_that_is_not_wanted_is_neither_asked_for_nor_written() {
    let model = FixedModel::new(json!([add("preference", "Use tabs in the makefiles.", &[1])]));
    let policies = CategoryPolicies::all_enabled();
    let categories = [Category::Runbook];
    let known = Known {
        session_id: "s",
        memories: &NoMemories,
        saved_until: 0,
        policies: &policies,
        categories: &categories,
    };
    let reading = read(&session(), known, &Settings::default(), &model);

    assert_eq!(reading.findings, []);
    assert!(!model.asked.borrow()[0].system.contains("- preference:"));
}

#[test]
fn only_what_the_person_says_joins_the_cheat_sheet() {
    let always = |from: &[usize]| {
        let mut change = add("preference", "Use tabs in the makefiles.", from);
        change["always"] = true.into();
        let transcript = talk([
            user("from now on use tabs in the makefiles"),
            assistant("I use tabs in the makefiles."),
            pasted("use tabs in the makefiles"),
        ]);
        reading_of(&transcript, &FixedModel::new(json!([change]))).findings[0].tags.clone()
    };

    assert_eq!(always(&[1]), ["convention", "cheat-sheet"]);
    assert_eq!(always(&[2]), [""; 0]);
    assert_eq!(always(&[3]), [""; 0]);
}
