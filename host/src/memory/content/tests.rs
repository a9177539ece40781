use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::{LifecycleEvent, after_event, check, merge, required_fields, schema};
use crate::error::{Error, ErrorKind};
use crate::memory::Category;

/// Returns a content with every field for each category that has fields.
fn complete_contents() -> Vec<(Category, Value)> {
    vec![
        (
            Category::SessionSummary,
            json!({"goal": "동기화를 고친다 🚀", "outcome": "partial", "completed": ["paced"],
                "in_progress": ["tests"], "blockers": [], "next_actions": ["keys"],
                "key_changes": ["src/vendor.ts"]}),
        ),
        (
            Category::Decision,
            json!({"status": "accepted", "context": "429s", "decision": "pace requests",
                "alternatives": [{"option": "retry", "rejected_reason": "a storm"}, {"option": "wait"}],
                "rationale": ["재시도는 상황을 악화시킨다"], "consequences": ["slower"]}),
        ),
        (
            Category::Runbook,
            json!({"trigger": "make test fails", "symptoms": ["no .env"], "steps": ["copy it"],
                "verification": "it passes", "root_cause": "a fresh clone", "environment": "linux"}),
        ),
        (
            Category::Constraint,
            json!({"kind": "limitation", "rule": "ten a second", "impact": ["slow"], "workarounds": ["pace"],
                "severity": "high", "active": true, "expires": "none"}),
        ),
        (
            Category::TechDebt,
            json!({"status": "open", "priority": "low", "description": "keys", "reason_deferred": "v2",
                "impact": ["twice"], "suggested_fix": ["a column"], "acceptance_criteria": ["once"]}),
        ),
        (
            Category::Preference,
            json!({"topic": "패키지", "value": "pnpm 🎉", "reason": "CI", "strength": "strong",
                "examples": {"prefer": ["pnpm add"], "avoid": ["npm i"]}}),
        ),
    ]
}

#[test]
fn a_complete_content_and_an_empty_one_are_valid() {
    for (category, content) in complete_contents() {
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
fn the_types_parse_what_the_schemas_accept() {
    use serde_json::from_value;
    for (category, content) in complete_contents() {
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
fn every_schema_describes_each_field_and_forbids_null() {
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
fn contents_in_the_recorded_model_answers_are_complete_or_empty() {
    let sessions = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/sessions");
    let folders =
        |path: &Path| fs::read_dir(path).unwrap().flatten().map(|entry| entry.path()).collect::<Vec<_>>();
    let files = folders(&sessions).into_iter().filter(|path| path.is_dir()).flat_map(|path| folders(&path));
    let mut checked_contents = 0;
    for file in files.map(|session| session.join("drafts.json")).filter(|file| file.exists()) {
        let recorded: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        for (category, answer) in recorded["draft"].as_object().unwrap() {
            let category: Category = category.parse().unwrap();
            for memory in answer["memories"].as_array().unwrap() {
                let checked = check(category, &memory["content"]);
                checked.unwrap_or_else(|error| panic!("{}: {}: {error}", file.display(), memory["title"]));
                checked_contents +=
                    usize::from(memory["content"].as_object().is_some_and(|content| !content.is_empty()));
            }
        }
    }
    assert!(checked_contents > 20, "only {checked_contents} contents were checked");
}

fn refused(category: Category, content: &Value) -> Error {
    let error = check(category, content).expect_err(&format!("{category}: {content}"));
    assert_eq!(error.kind, ErrorKind::Invalid);
    assert!(error.hint.clone().unwrap().contains(&format!("interleaf schema {category}")), "{error:?}");
    error
}

/// Returns the error message for a complete content of the category after this change.
fn message_after(category: Category, change: impl Fn(&mut Value)) -> String {
    let mut content = complete_contents().into_iter().find(|(other, _)| *other == category).unwrap().1;
    change(&mut content);
    refused(category, &content).message
}

#[test]
fn each_required_field_is_named_when_it_is_missing() {
    let expected: [(Category, &[&str]); 9] = [
        (Category::SessionSummary, &["goal", "outcome", "completed", "next_actions"]),
        (Category::Decision, &["decision", "rationale"]),
        (Category::Runbook, &["trigger", "steps", "verification"]),
        (Category::Constraint, &["rule", "impact"]),
        (Category::TechDebt, &["description"]),
        (Category::Preference, &["topic", "value"]),
        (Category::Learning, &[]),
        (Category::Context, &[]),
        (Category::Blocker, &[]),
    ];
    for (category, fields) in expected {
        assert_eq!(required_fields(category), fields, "{category}");
        for field in fields {
            let message =
                message_after(category, |content| drop(content.as_object_mut().unwrap().remove(*field)));
            assert_eq!(message, format!("a {category} needs the field `{field}`"));
        }
    }
}

#[test]
fn optional_fields_may_be_left_out_but_not_null() {
    for (category, mut content) in complete_contents() {
        let needed = required_fields(category);
        let optional: Vec<String> =
            content.as_object().unwrap().keys().filter(|name| !needed.contains(name)).cloned().collect();
        for field in &optional {
            let message = message_after(category, |content| content[field.as_str()] = Value::Null);
            assert!(message.starts_with(&format!("`{field}` of a {category} is null, not ")), "{message}");
        }
        content.as_object_mut().unwrap().retain(|name, _| !optional.contains(name));
        check(category, &content).unwrap();
    }
}

#[test]
fn an_unknown_field_is_named_with_the_known_ones() {
    for (category, _) in complete_contents() {
        let message = message_after(category, |content| content["color"] = json!("red"));
        let known: Vec<String> =
            schema(category)["properties"].as_object().unwrap().keys().cloned().collect();
        assert_eq!(
            message,
            format!("a {category} has no field `color`; its fields are: {}", known.join(", "))
        );
    }
    let message = refused(Category::Learning, &json!({"color": "red"})).message;
    assert_eq!(message, "a learning has no field `color`; it has only a title and a text");
    let message =
        message_after(Category::Decision, |content| content["alternatives"][1]["cost"] = json!("high"));
    assert_eq!(
        message,
        "a decision has no field `alternatives[1].cost`; its fields are: option, rejected_reason"
    );
    let message =
        message_after(Category::Preference, |content| content["examples"]["like"] = json!(["this"]));
    assert_eq!(message, "a preference has no field `examples.like`; its fields are: avoid, prefer");
}

#[test]
fn an_unknown_word_is_named_with_the_known_ones() {
    let words = [
        (Category::SessionSummary, "outcome", "success, partial, blocked, abandoned"),
        (Category::Decision, "status", "proposed, accepted, deprecated, superseded"),
        (Category::Constraint, "kind", "limitation, gap, policy, technical"),
        (Category::Constraint, "severity", "high, medium, low"),
        (Category::TechDebt, "status", "open, in_progress, resolved, wont_fix"),
        (Category::TechDebt, "priority", "critical, high, medium, low"),
        (Category::Preference, "strength", "strong, default, soft"),
    ];
    for (category, field, known) in words {
        let message = message_after(category, |content| content[field] = json!("holy"));
        assert_eq!(message, format!("`{field}` of a {category} is `holy`, not one of: {known}"));
    }
}

#[test]
fn a_wrong_type_is_named_with_its_path() {
    let decision = |change: &dyn Fn(&mut Value)| message_after(Category::Decision, change);
    assert_eq!(
        decision(&|content| content["rationale"] = json!("one")),
        "`rationale` of a decision is a text, not a list"
    );
    assert_eq!(
        decision(&|content| content["alternatives"][1]["option"] = json!(["a"])),
        "`alternatives[1].option` of a decision is a list, not a text"
    );
    assert_eq!(
        decision(&|content| drop(content["alternatives"][1].as_object_mut().unwrap().remove("option"))),
        "a decision needs the field `alternatives[1].option`"
    );
    assert_eq!(
        message_after(Category::Constraint, |content| content["active"] = json!("yes")),
        "`active` of a constraint is a text, not true or false"
    );
    assert_eq!(
        refused(Category::Runbook, &json!(["a"])).message,
        "the content of a runbook is a list, not an object"
    );
}

#[test]
fn empty_and_oversized_fields_are_named_with_their_size() {
    let goal =
        |goal: String| message_after(Category::SessionSummary, |content| content["goal"] = json!(goal));
    assert_eq!(goal(String::new()), "`goal` of a session_summary is an empty text");
    assert_eq!(
        goal("한".repeat(2001)),
        "`goal` of a session_summary has 2001 characters; the maximum is 2000"
    );

    let steps =
        |steps: Vec<&str>| message_after(Category::Runbook, |content| content["steps"] = json!(steps));
    assert_eq!(steps(vec![]), "`steps` of a runbook is an empty list; it needs at least 1 entry");
    assert_eq!(steps(vec!["a"; 51]), "`steps` of a runbook has 51 entries; the maximum is 50");
    assert_eq!(steps(vec!["a", ""]), "`steps[1]` of a runbook is an empty text");

    let largest = json!({"trigger": "🚀".repeat(2000), "steps": vec!["한"; 50], "verification": "a"});
    check(Category::Runbook, &largest).unwrap();
}

#[test]
fn an_untrusted_field_name_is_shortened_and_safe_for_a_terminal() {
    let name = format!("\u{1b}[2J{}", "x".repeat(500));

    let message = message_after(Category::TechDebt, |content| content[&name] = json!(1));

    assert!(!message.contains('\u{1b}') && message.len() < 300, "{message}");
}

#[test]
fn an_update_appends_to_lists_once_and_replaces_everything_else() {
    let old = json!({"status": "proposed", "context": "429s", "decision": "retry", "rationale": ["a", "b"],
        "alternatives": [{"option": "x"}]});
    let new = json!({"status": "accepted", "decision": "pace", "rationale": ["b", "c"],
        "alternatives": [{"option": "x"}, {"option": "y"}]});

    assert_eq!(
        merge(Category::Decision, &old, &new),
        json!({"status": "accepted", "context": "429s", "decision": "pace", "rationale": ["a", "b", "c"],
            "alternatives": [{"option": "x"}, {"option": "y"}]})
    );
    let old = json!({"topic": "a", "value": "b", "examples": {"prefer": ["x"]}});
    let new = json!({"examples": {"prefer": ["y"], "avoid": ["z"]}});
    assert_eq!(
        merge(Category::Preference, &old, &new),
        json!({"topic": "a", "value": "b", "examples": {"prefer": ["x", "y"], "avoid": ["z"]}})
    );
}

#[test]
fn an_update_without_content_keeps_the_old_content_and_an_empty_content_takes_the_new_one() {
    for (category, content) in complete_contents() {
        for nothing in [json!({}), Value::Null] {
            assert_eq!(merge(category, &content, &nothing), content);
            assert_eq!(merge(category, &nothing, &content), content);
        }
    }
}

#[test]
fn a_list_that_grows_too_long_drops_its_oldest_entries() {
    let list = |range: std::ops::Range<usize>| range.map(|at| at.to_string()).collect::<Vec<_>>();
    let of = |steps| json!({"trigger": "a", "verification": "b", "steps": steps});

    let merged = merge(Category::Runbook, &of(list(0..50)), &of(list(40..53)));

    assert_eq!(merged, of(list(3..53)));
    check(Category::Runbook, &merged).unwrap();
}

#[test]
fn an_update_replaces_a_content_that_does_not_match_the_schema() {
    let old = json!({"rule": "ten a second", "evil": 1});
    let new = json!({"rule": "ten a second", "impact": ["slow"]});

    assert_eq!(merge(Category::Constraint, &old, &new), new);
    assert_eq!(merge(Category::Constraint, &old, &json!({})), old);
}

#[test]
fn an_event_changes_only_the_status_field() {
    use LifecycleEvent::{Deprecated, Removed, Resolved, Reversed, Superseded};
    let message = [
        (
            Category::Decision,
            "status",
            [None, Some("deprecated"), Some("deprecated"), Some("superseded"), Some("deprecated")],
        ),
        (Category::TechDebt, "status", [Some("resolved"), Some("resolved"), None, None, None]),
    ];
    for (category, field, expected) in message {
        let content = complete_contents().into_iter().find(|(other, _)| *other == category).unwrap().1;
        for (event, word) in [Resolved, Removed, Reversed, Superseded, Deprecated].into_iter().zip(expected) {
            let mut after = content.clone();
            after[field] = word.map_or(content[field].clone(), Value::from);
            assert_eq!(after_event(category, event, &content), after, "{category} {event}");
        }
    }
    for (category, content) in complete_contents() {
        for event in LifecycleEvent::ALL {
            let after = after_event(category, *event, &content);
            check(category, &after).unwrap();
            match category {
                Category::Constraint => assert_eq!(after["active"], false),
                Category::Decision | Category::TechDebt => {}
                _ => assert_eq!(after, content),
            }
            assert_eq!(after_event(category, *event, &json!({})), json!({}), "an empty content stays empty");
        }
    }
}
