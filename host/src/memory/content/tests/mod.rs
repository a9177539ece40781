//! What a content may be, field by field, for every category.

mod changed;
mod refused;

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::super::kinds::Category;
use super::{check, schema};

/// Every category with fields, with a content in which each field stands.
fn full() -> Vec<(Category, Value)> {
    vec![
        (
            Category::SessionSummary,
            json!({"goal": "동기화를 고친다 🚀", "outcome": "partial", "completed": ["paced"], "in_progress": ["tests"],
                "blockers": [], "next_actions": ["keys"], "key_changes": ["src/vendor.ts"]}),
        ),
        (
            Category::Decision,
            json!({"status": "accepted", "context": "429s", "decision": "pace requests",
                "alternatives": [{"option": "retry", "rejected_reason": "a storm"}, {"option": "wait"}],
                "rationale": ["재시도는 상황을 악화시킨다"], "consequences": ["slower"]}),
        ),
        (
            Category::Runbook,
            json!({"trigger": "make test fails", "symptoms": ["no .env"], "steps": ["copy it"], "verification": "it passes",
                "root_cause": "a fresh clone", "environment": "linux"}),
        ),
        (
            Category::Constraint,
            json!({"kind": "limitation", "rule": "ten a second", "impact": ["slow"], "workarounds": ["pace"],
                "severity": "high", "active": true, "expires": "none"}),
        ),
        (
            Category::TechDebt,
            json!({"status": "open", "priority": "low", "description": "keys", "reason_deferred": "v2", "impact": ["twice"],
                "suggested_fix": ["a column"], "acceptance_criteria": ["once"]}),
        ),
        (
            Category::Preference,
            json!({"topic": "패키지", "value": "pnpm 🎉", "reason": "CI", "strength": "strong",
                "examples": {"prefer": ["pnpm add"], "avoid": ["npm i"]}}),
        ),
    ]
}

#[test]
fn a_full_content_passes_and_an_empty_one_is_a_memory_of_words_only() {
    for (category, content) in full() {
        check(category, &content).unwrap();
        let known = schema(category)["properties"].as_object().unwrap().len();
        assert_eq!(content.as_object().unwrap().len(), known, "{category}: not every field is tried");
    }
    for category in Category::ALL {
        check(*category, &json!({})).unwrap();
        check(*category, &Value::Null).unwrap();
    }
}

#[test]
fn the_types_read_what_the_schemas_let_through() {
    use serde_json::from_value;
    for (category, content) in full() {
        let read = match category {
            Category::SessionSummary => from_value::<super::SessionSummary>(content).map(drop),
            Category::Decision => from_value::<super::Decision>(content).map(drop),
            Category::Runbook => from_value::<super::Runbook>(content).map(drop),
            Category::Constraint => from_value::<super::Constraint>(content).map(drop),
            Category::TechDebt => from_value::<super::TechDebt>(content).map(drop),
            _ => from_value::<super::Preference>(content).map(drop),
        };
        read.unwrap_or_else(|error| panic!("{category}: {error}"));
    }
}

#[test]
fn every_schema_says_what_each_field_is_and_lets_no_null_in() {
    for category in Category::ALL {
        let schema = schema(*category);
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
        assert_eq!((&schema["title"], &schema["type"]), (&json!(category), &json!("object")));
        assert!(schema["description"].is_string() && schema.get("$id").is_none());
        assert!(!schema.to_string().contains("null"), "{schema}");
        for (name, field) in schema["properties"].as_object().into_iter().flatten() {
            assert!(
                field["description"].as_str().is_some_and(|text| text.ends_with('.')),
                "{category}.{name}"
            );
        }
    }
    assert_eq!(schema(Category::Decision)["properties"]["status"]["default"], "accepted");
    assert_eq!(schema(Category::TechDebt)["properties"]["status"]["default"], "open");
    assert_eq!(schema(Category::Constraint)["properties"]["active"]["default"], true);
}

#[test]
fn what_models_answered_in_the_recordings_is_whole_or_empty() {
    let sessions = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/sessions");
    let folders =
        |path: &Path| fs::read_dir(path).unwrap().flatten().map(|entry| entry.path()).collect::<Vec<_>>();
    let files = folders(&sessions).into_iter().filter(|path| path.is_dir()).flat_map(|path| folders(&path));
    let mut seen = 0;
    for file in files.map(|session| session.join("drafts.json")).filter(|file| file.exists()) {
        let recorded: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        for (category, answer) in recorded["draft"].as_object().unwrap() {
            let category: Category = category.parse().unwrap();
            for memory in answer["memories"].as_array().unwrap() {
                let checked = check(category, &memory["content"]);
                checked.unwrap_or_else(|error| panic!("{}: {}: {error}", file.display(), memory["title"]));
                seen += usize::from(memory["content"].as_object().is_some_and(|content| !content.is_empty()));
            }
        }
    }
    assert!(seen > 20, "only {seen} contents were looked at");
}
