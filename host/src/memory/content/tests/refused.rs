//! What is wrong with a content is told by the field's name.

use serde_json::{Value, json};

use super::super::super::kinds::Category;
use super::super::{check, required, schema};
use super::full;
use crate::error::{Error, ErrorKind};

fn refused(category: Category, content: &Value) -> Error {
    let error = check(category, content).expect_err(&format!("{category}: {content}"));
    assert_eq!(error.kind, ErrorKind::Invalid);
    assert!(error.hint.clone().unwrap().contains(&format!("interleaf schema {category}")), "{error:?}");
    error
}

/// What is wrong with a full content of the category after this change.
fn wrong(category: Category, change: impl Fn(&mut Value)) -> String {
    let mut content = full().into_iter().find(|(other, _)| *other == category).unwrap().1;
    change(&mut content);
    refused(category, &content).message
}

#[test]
fn what_is_required_is_as_settled_and_missed_by_its_name() {
    let settled: [(Category, &[&str]); 9] = [
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
    for (category, fields) in settled {
        assert_eq!(required(category), fields, "{category}");
        for field in fields {
            let told = wrong(category, |content| drop(content.as_object_mut().unwrap().remove(*field)));
            assert_eq!(told, format!("a {category} needs the field `{field}`"));
        }
    }
}

#[test]
fn every_field_but_the_required_ones_may_be_left_out_and_none_may_be_null() {
    for (category, mut content) in full() {
        let needed = required(category);
        let optional: Vec<String> =
            content.as_object().unwrap().keys().filter(|name| !needed.contains(name)).cloned().collect();
        for field in &optional {
            let told = wrong(category, |content| content[field.as_str()] = Value::Null);
            assert!(told.starts_with(&format!("`{field}` of a {category} is null, not ")), "{told}");
        }
        content.as_object_mut().unwrap().retain(|name, _| !optional.contains(name));
        check(category, &content).unwrap();
    }
}

#[test]
fn an_unknown_field_is_named_with_those_that_are_known() {
    for (category, _) in full() {
        let told = wrong(category, |content| content["colour"] = json!("red"));
        let known: Vec<String> =
            schema(category)["properties"].as_object().unwrap().keys().cloned().collect();
        assert_eq!(told, format!("a {category} has no field `colour`; it knows: {}", known.join(", ")));
    }
    let told = refused(Category::Learning, &json!({"colour": "red"})).message;
    assert_eq!(told, "a learning has no field `colour`; it has no content beside its title and text");
    let told = wrong(Category::Decision, |content| content["alternatives"][1]["cost"] = json!("high"));
    assert_eq!(told, "a decision has no field `alternatives[1].cost`; it knows: option, rejected_reason");
    let told = wrong(Category::Preference, |content| content["examples"]["like"] = json!(["this"]));
    assert_eq!(told, "a preference has no field `examples.like`; it knows: avoid, prefer");
}

#[test]
fn a_word_that_is_none_of_its_field_is_answered_with_those_that_are() {
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
        let told = wrong(category, |content| content[field] = json!("holy"));
        assert_eq!(told, format!("`{field}` of a {category} is `holy`, not one of: {known}"));
    }
}

#[test]
fn another_type_is_told_with_its_place() {
    let decision = |change: &dyn Fn(&mut Value)| wrong(Category::Decision, change);
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
        wrong(Category::Constraint, |content| content["active"] = json!("yes")),
        "`active` of a constraint is a text, not true or false"
    );
    assert_eq!(
        refused(Category::Runbook, &json!(["a"])).message,
        "the content of a runbook is a list, not an object"
    );
}

#[test]
fn what_is_empty_too_long_or_too_many_is_told_with_its_size_in_characters() {
    let goal = |goal: String| wrong(Category::SessionSummary, |content| content["goal"] = json!(goal));
    assert_eq!(goal(String::new()), "`goal` of a session_summary is an empty text");
    assert_eq!(goal("한".repeat(2001)), "`goal` of a session_summary has 2001 characters; at most 2000");

    let steps = |steps: Vec<&str>| wrong(Category::Runbook, |content| content["steps"] = json!(steps));
    assert_eq!(steps(vec![]), "`steps` of a runbook is an empty list; at least 1 entry");
    assert_eq!(steps(vec!["a"; 51]), "`steps` of a runbook has 51 entries; at most 50");
    assert_eq!(steps(vec!["a", ""]), "`steps[1]` of a runbook is an empty text");

    let largest = json!({"trigger": "🚀".repeat(2000), "steps": vec!["한"; 50], "verification": "a"});
    check(Category::Runbook, &largest).unwrap();
}

#[test]
fn a_stranger_s_field_name_is_shown_tame_and_short() {
    let name = format!("\u{1b}[2J{}", "x".repeat(500));

    let told = wrong(Category::TechDebt, |content| content[&name] = json!(1));

    assert!(!told.contains('\u{1b}') && told.len() < 300, "{told}");
}
