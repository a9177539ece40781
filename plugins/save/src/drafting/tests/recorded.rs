//! The recorded sessions with a model that answers as a good one would, but for one fabrication and one thing
//! that must not be saved.

use std::cell::RefCell;

use interleaf_expectations::{Expectations, Priority};

use super::scripted::Scripted;
use super::*;
use crate::sample::{read, root, sessions};

struct Played {
    session: String,
    script: Value,
    expected: Expectations,
    drafted: Drafted,
}

fn played() -> Vec<Played> {
    let sessions = sessions().into_iter();
    let played = sessions.map(|session| {
        let (talk, model) = (read(&session), Scripted::of(&session));
        let known = by_rules(&session, &model.script);
        let expected = Expectations::read(&root().join(&session), &session).unwrap().unwrap();
        Played { drafted: drafted(&talk, &known, &model), expected, script: model.script, session }
    });
    played.collect()
}

/// What a change's design.md says was chosen, is found by rules: nobody speaks of it in the session.
fn by_rules(session: &str, script: &Value) -> Vec<Finding> {
    if session != "atlas-mono/s1" {
        return Vec::new();
    }
    let memories = script["draft"]["decision"]["memories"].as_array().unwrap().iter();
    let finds = memories.map(|it| Finding {
        title: it["title"].as_str().map(str::to_owned),
        origin: Origin::ToolOutput,
        ..find(Category::Decision, it["text"].as_str().unwrap(), it["quotes"][0].as_str().unwrap(), 22_374)
    });
    finds.collect()
}

impl Played {
    fn memories(&self) -> Vec<&Value> {
        let draft = self.script["draft"].as_object().unwrap().values();
        draft.flat_map(|answer| answer["memories"].as_array().unwrap()).collect()
    }

    fn found(&self, title: &Value) -> bool {
        self.drafted.findings.iter().any(|find| find.title.as_deref() == title.as_str())
    }
}

#[test]
fn every_fact_that_must_be_saved_comes_through() {
    let (mut must, mut there) = (0, 0);

    for played in played() {
        let facts = played.expected.facts_to_save.iter();
        for (fact, _) in facts.filter(|(_, priority)| *priority == Priority::Must) {
            let says = |it: &&Value| {
                it["facts"].as_array().is_some_and(|facts| facts.iter().any(|id| id == fact.as_str()))
            };
            let found = played.memories().into_iter().filter(says).any(|it| played.found(&it["title"]));
            (must, there) = (must + 1, there + usize::from(found));
            assert!(found, "{}: {fact} in {:#?}", played.session, played.drafted);
        }
    }

    assert_eq!((must, there), (18, 18));
}

#[test]
fn every_fabrication_and_everything_that_must_not_be_saved_is_refused() {
    for played in played() {
        for refused in played.script["refused"].as_array().unwrap() {
            assert!(!played.found(&refused["title"]), "{}: {}", played.session, refused["title"]);
        }
        for refusal in &played.drafted.refused {
            let mut planned = played.script["refused"].as_array().unwrap().iter();
            let planned =
                planned.find(|it| it["title"] == *refusal.title).unwrap_or_else(|| panic!("{refusal:?}"));
            let by = match planned["by"].as_str().unwrap() {
                "quotes" => "a quote is not in the excerpt",
                "numbers" => "a number that nobody said",
                _ => "does not support it",
            };
            assert!(refusal.reason.rule.contains(by), "{}: {refusal:?}", played.session);
        }
    }
}

#[test]
fn what_was_injected_is_not_saved_again() {
    let played = played();
    let injected = played.iter().find(|played| played.session == "ledger-api/s2-injected").unwrap();

    let texts: Vec<&str> = injected.drafted.findings.iter().map(|find| find.text.as_str()).collect();

    assert!(texts.iter().all(|text| !text.contains("LEDGER_DB_URL")), "{texts:#?}");
    assert!(injected.drafted.refused.iter().any(|it| it.title == "make test fails without .env.test"));
    assert_eq!(texts.len(), 2, "{texts:#?}");
}

#[test]
fn a_session_of_small_talk_costs_no_call() {
    let model = Same::new(json!([]));

    let drafted = drafted(&read("handbook/s3"), &[], &model);

    assert_eq!(drafted, Drafted::default());
    assert!(model.asked.borrow().is_empty());
}

#[test]
fn even_where_everything_is_asked_nothing_invented_is_saved() {
    let session = "handbook/s3";
    let zero: serde_json::Map<_, _> =
        crate::triage::TRIAGED_CATEGORIES.iter().map(|it| (it.as_str().to_owned(), json!(0.0))).collect();
    let settings = Settings::read(&json!({ "thresholds": zero }).to_string());
    let (talk, model) = (read(session), Scripted::of(session));

    let mut triaged = triage(&talk, &settings);
    triaged.iter_mut().for_each(|it| it.triggered = true);
    let drafted = draft(&talk, &triaged, of(&[]), "s", &settings, &model);

    assert_eq!(drafted.findings, []);
    assert_eq!(drafted.refused.len(), 2);
}

/// The sizes that `prompts.rs` names: characters / 4, what goes out, schemas included, with as much as is
/// shown of what stands.
#[test]
fn prompts_are_small_and_a_session_is_paid_from_half_a_days_cap() {
    let settings = Settings::default();
    for session in sessions() {
        let (talk, model) =
            (read(&session), Listening { script: Scripted::of(&session), asked: RefCell::default() });
        draft(&talk, &triage(&talk, &settings), Known { memories: &Full, ..of(&[]) }, "s", &settings, &model);

        let tokens = |prompt: &Prompt| {
            let schema = prompt.schema.as_ref().map_or(0, String::len);
            (prompt.system.len() + prompt.prompt.chars().count() + schema) / 4
        };
        let asked = model.asked.borrow();
        assert!(asked.iter().all(|prompt| tokens(prompt) < 4_500 && prompt.max_tokens <= 2000), "{session}");
        assert!(asked.iter().map(tokens).sum::<usize>() < 26_500, "{session}");
    }
}

/// As many memories as are shown, each longer than is shown of it.
struct Full;

impl crate::known_memory::MemoryLookup for Full {
    fn known(&self, categories: &[Category], _: &[&str], most: usize) -> Vec<KnownMemory> {
        let one = |at| KnownMemory {
            id: format!("id-{at}"),
            version: 1,
            category: categories[0],
            title: "a title of a common length, about forty".to_owned(),
            text: "words ".repeat(60),
        };
        (0..most).map(one).collect()
    }
}

struct Listening {
    script: Scripted,
    asked: RefCell<Vec<Prompt>>,
}

impl Model for Listening {
    fn complete(&self, prompts: &[Prompt]) -> Vec<Result<String, String>> {
        self.asked.borrow_mut().extend_from_slice(prompts);
        self.script.complete(prompts)
    }
}
