//! Tests with the recorded sessions. The model answers like a good one, except for one fabrication and one
//! fact that must not be saved.

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

/// Returns the choices in a change's design.md as findings of the rules: the session itself does not mention
/// them.
fn by_rules(session: &str, script: &Value) -> Vec<Finding> {
    if session != "atlas-mono/s1" {
        return Vec::new();
    }
    let memories = script["draft"]["decision"]["memories"].as_array().unwrap().iter();
    let finds = memories.map(|it| Finding {
        title: it["title"].as_str().map(str::to_owned),
        origin: Origin::ToolOutput,
        ..finding(Category::Decision, it["text"].as_str().unwrap(), it["quotes"][0].as_str().unwrap(), 22_374)
    });
    finds.collect()
}

impl Played {
    fn memories(&self) -> Vec<&Value> {
        let draft = self.script["draft"].as_object().unwrap().values();
        draft.flat_map(|answer| answer["memories"].as_array().unwrap()).collect()
    }

    fn has_finding(&self, title: &Value) -> bool {
        self.drafted.findings.iter().any(|finding| finding.title.as_deref() == title.as_str())
    }
}

#[test]
fn every_fact_that_must_be_saved_becomes_a_finding() {
    let (mut must, mut saved) = (0, 0);

    for played in played() {
        let facts = played.expected.facts_to_save.iter();
        for (fact, _) in facts.filter(|(_, priority)| *priority == Priority::Must) {
            let says = |it: &&Value| {
                it["facts"].as_array().is_some_and(|facts| facts.iter().any(|id| id == fact.as_str()))
            };
            let is_saved =
                played.memories().into_iter().filter(says).any(|it| played.has_finding(&it["title"]));
            (must, saved) = (must + 1, saved + usize::from(is_saved));
            assert!(is_saved, "{}: {fact} in {:#?}", played.session, played.drafted);
        }
    }

    assert_eq!((must, saved), (18, 18));
}

#[test]
fn every_fabrication_and_every_fact_that_must_not_be_saved_is_refused() {
    for played in played() {
        for refused in played.script["refused"].as_array().unwrap() {
            assert!(!played.has_finding(&refused["title"]), "{}: {}", played.session, refused["title"]);
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
fn an_injected_memory_is_not_saved_again() {
    let played = played();
    let injected = played.iter().find(|played| played.session == "ledger-api/s2-injected").unwrap();

    let texts: Vec<&str> = injected.drafted.findings.iter().map(|finding| finding.text.as_str()).collect();

    assert!(texts.iter().all(|text| !text.contains("LEDGER_DB_URL")), "{texts:#?}");
    assert!(injected.drafted.refused.iter().any(|it| it.title == "make test fails without .env.test"));
    assert_eq!(texts.len(), 2, "{texts:#?}");
}

#[test]
fn a_session_of_small_talk_sends_no_request() {
    let model = FixedModel::new(json!([]));

    let drafted = drafted(&read("handbook/s3"), &[], &model);

    assert_eq!(drafted, Drafted::default());
    assert!(model.asked.borrow().is_empty());
}

#[test]
fn no_fabrication_is_saved_even_if_every_category_is_drafted() {
    let session = "handbook/s3";
    let zero: serde_json::Map<_, _> =
        crate::triage::TRIAGED_CATEGORIES.iter().map(|it| (it.as_str().to_owned(), json!(0.0))).collect();
    let settings = Settings::read(&json!({ "thresholds": zero }).to_string());
    let (talk, model) = (read(session), Scripted::of(session));

    let mut triaged = super::triaged(&talk, &settings);
    triaged.iter_mut().for_each(|it| it.triggered = true);
    let drafted = draft(&talk, &triaged, known_findings(&[]), "s", &settings, &model);

    assert_eq!(drafted.findings, []);
    assert_eq!(drafted.refused.len(), 2);
}

/// Checks the sizes that `prompts.rs` states: a quarter of the characters of all prompts and schemas, with
/// the maximum of known memories.
#[test]
fn prompts_of_the_recorded_sessions_stay_within_the_documented_sizes() {
    let settings = Settings::default();
    for session in sessions() {
        let (talk, model) =
            (read(&session), RecordingModel { script: Scripted::of(&session), asked: RefCell::default() });
        draft(
            &talk,
            &triaged(&talk, &settings),
            Known { memories: &FullMemories, ..known_findings(&[]) },
            "s",
            &settings,
            &model,
        );

        let tokens = |prompt: &Prompt| {
            let schema = prompt.schema.as_ref().map_or(0, String::len);
            (prompt.system.len() + prompt.prompt.chars().count() + schema) / 4
        };
        let asked = model.asked.borrow();
        assert!(asked.iter().all(|prompt| tokens(prompt) < 4_700 && prompt.max_tokens <= 2000), "{session}");
        assert!(asked.iter().map(tokens).sum::<usize>() < 27_500, "{session}");
    }
}

/// A project that returns the maximum number of memories, each longer than its maximum length in a prompt.
struct FullMemories;

impl crate::known_memory::MemoryLookup for FullMemories {
    fn known(&self, categories: &[Category], _: &[&str], limit: usize) -> Vec<KnownMemory> {
        let one = |at| KnownMemory {
            id: format!("id-{at}"),
            version: 1,
            category: categories[0],
            title: "a title of a common length, about forty".to_owned(),
            text: "words ".repeat(60),
        };
        (0..limit).map(one).collect()
    }
}

struct RecordingModel {
    script: Scripted,
    asked: RefCell<Vec<Prompt>>,
}

impl Model for RecordingModel {
    fn complete(&self, prompts: &[Prompt]) -> Vec<Result<String, String>> {
        self.asked.borrow_mut().extend_from_slice(prompts);
        self.script.complete(prompts)
    }
}
