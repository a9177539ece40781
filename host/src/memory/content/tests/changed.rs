//! What becomes of a content by an update, and by what befalls the thing it tells of.

use serde_json::{Value, json};

use super::super::super::kinds::Category;
use super::super::{LifecycleEvent, check, merged, status_after};
use super::full;

#[test]
fn an_update_appends_to_lists_once_and_replaces_everything_else() {
    let old = json!({"status": "proposed", "context": "429s", "decision": "retry", "rationale": ["a", "b"],
        "alternatives": [{"option": "x"}]});
    let new = json!({"status": "accepted", "decision": "pace", "rationale": ["b", "c"],
        "alternatives": [{"option": "x"}, {"option": "y"}]});

    assert_eq!(
        merged(Category::Decision, &old, &new),
        json!({"status": "accepted", "context": "429s", "decision": "pace", "rationale": ["a", "b", "c"],
            "alternatives": [{"option": "x"}, {"option": "y"}]})
    );
    let old = json!({"topic": "a", "value": "b", "examples": {"prefer": ["x"]}});
    let new = json!({"examples": {"prefer": ["y"], "avoid": ["z"]}});
    assert_eq!(
        merged(Category::Preference, &old, &new),
        json!({"topic": "a", "value": "b", "examples": {"prefer": ["x", "y"], "avoid": ["z"]}})
    );
}

#[test]
fn an_update_of_words_only_leaves_the_content_and_the_first_content_is_taken() {
    for (category, content) in full() {
        for nothing in [json!({}), Value::Null] {
            assert_eq!(merged(category, &content, &nothing), content);
            assert_eq!(merged(category, &nothing, &content), content);
        }
    }
}

#[test]
fn a_list_that_grows_too_long_forgets_its_oldest_entries() {
    let list = |range: std::ops::Range<usize>| range.map(|at| at.to_string()).collect::<Vec<_>>();
    let of = |steps| json!({"trigger": "a", "verification": "b", "steps": steps});

    let merged = merged(Category::Runbook, &of(list(0..50)), &of(list(40..53)));

    assert_eq!(merged, of(list(3..53)));
    check(Category::Runbook, &merged).unwrap();
}

#[test]
fn a_content_from_before_there_were_schemas_gives_way_to_one_that_keeps_them() {
    let old = json!({"rule": "ten a second", "evil": 1});
    let new = json!({"rule": "ten a second", "impact": ["slow"]});

    assert_eq!(merged(Category::Constraint, &old, &new), new);
    assert_eq!(merged(Category::Constraint, &old, &json!({})), old);
}

#[test]
fn an_event_changes_the_one_field_that_tells_of_it() {
    use LifecycleEvent::{Deprecated, Removed, Resolved, Reversed, Superseded};
    let told = [
        (
            Category::Decision,
            "status",
            [None, Some("deprecated"), Some("deprecated"), Some("superseded"), Some("deprecated")],
        ),
        (Category::TechDebt, "status", [Some("resolved"), Some("resolved"), None, None, None]),
    ];
    for (category, field, expected) in told {
        let content = full().into_iter().find(|(other, _)| *other == category).unwrap().1;
        for (event, word) in [Resolved, Removed, Reversed, Superseded, Deprecated].into_iter().zip(expected) {
            let mut after = content.clone();
            after[field] = word.map_or(content[field].clone(), Value::from);
            assert_eq!(status_after(category, event, &content), after, "{category} {event}");
        }
    }
    for (category, content) in full() {
        for event in LifecycleEvent::ALL {
            let after = status_after(category, *event, &content);
            check(category, &after).unwrap();
            match category {
                Category::Constraint => assert_eq!(after["active"], false),
                Category::Decision | Category::TechDebt => {}
                _ => assert_eq!(after, content),
            }
            assert_eq!(status_after(category, *event, &json!({})), json!({}), "words only stay words only");
        }
    }
}
