//! The text of a summary, made from its content, and the merge of the summaries of a session's parts into one
//! of the whole session.

use serde_json::{Map, Value};

use crate::finding::Finding;
use crate::reading::Told;

/// Fields that collect the entries of all parts.
const COLLECTED_FIELDS: [&str; 2] = ["completed", "key_changes"];
/// Fields that come from the latest part that has them.
const LATEST_FIELDS: [&str; 4] = ["outcome", "in_progress", "blockers", "next_actions"];

/// Maximum number of entries of a collected field. The oldest are dropped.
const MAX_ENTRIES: usize = 20;

/// Returns the summary with the goal, what came of it and what was left open in a model's words. What the
/// record knows stays: commits, checks and files.
pub fn with_told(mut summary: Finding, told: Option<&Told>) -> Finding {
    let Some(told) = told else { return summary };
    let known = summary.content["completed"].as_array().cloned().unwrap_or_default();
    let done = told.done.iter().map(|text| Value::from(text.as_str())).chain(known);
    summary.content["completed"] = done.collect();
    summary.content["goal"] = told.goal.as_str().into();
    summary.content["next_actions"] = told.open.iter().map(String::as_str).collect();
    summary.text = render(&summary.content);
    summary
}

/// Returns the latest summary with the entries of the earlier one added. The goal is that of the first part.
pub fn merge(earlier: Option<&Value>, mut latest: Finding) -> Finding {
    let (Some(earlier), Some(now)) = (earlier.and_then(Value::as_object), latest.content.as_object()) else {
        return latest;
    };
    let mut content = Map::clone(now);
    if let Some(goal) = earlier.get("goal").filter(|goal| goal.as_str().is_some_and(|goal| !goal.is_empty()))
    {
        content.insert("goal".to_owned(), goal.clone());
    }
    for field in COLLECTED_FIELDS {
        content.insert(field.to_owned(), union(earlier.get(field), now.get(field)));
    }
    for field in LATEST_FIELDS.iter().filter(|field| !now.contains_key(**field)) {
        content.extend(earlier.get(*field).map(|value| ((*field).to_owned(), value.clone())));
    }
    latest.content = Value::Object(content);
    latest.text = render(&latest.content);
    latest
}

/// Returns the entries of both lists, each once.
fn union(earlier: Option<&Value>, now: Option<&Value>) -> Value {
    let mut entries: Vec<Value> = Vec::new();
    for entry in [earlier, now].into_iter().flatten().filter_map(Value::as_array).flatten() {
        if !entries.contains(entry) {
            entries.push(entry.clone());
        }
    }
    Value::Array(entries.split_off(entries.len().saturating_sub(MAX_ENTRIES)))
}

/// What stands before a commit among what was done.
pub const COMMIT: &str = "commit ";

/// Tells whether a commit is among what was done.
pub fn names_commit(content: &Value) -> bool {
    let done = content["completed"].as_array().into_iter().flatten().filter_map(Value::as_str);
    done.into_iter().any(|done| done.starts_with(COMMIT))
}

/// Maximum length of a summary, in characters.
const MAX_TEXT_CHARS: usize = 600;

/// The parts of a summary, in the order in which they are told.
const PARTS: [(&str, &str); 5] = [
    ("Done", "completed"),
    ("In progress", "in_progress"),
    ("Blocked by", "blockers"),
    ("Next", "next_actions"),
    ("Files", "key_changes"),
];

/// Renders the content as text. Of a long one, the last parts are left out.
pub fn render(content: &Value) -> String {
    let goal = content["goal"].as_str().map(|goal| format!("Goal: {goal}"));
    let parts = PARTS.iter().filter_map(|(name, field)| {
        let entries: Vec<&str> = content[*field].as_array()?.iter().filter_map(Value::as_str).collect();
        (!entries.is_empty()).then(|| format!("{name}: {}", entries.join("; ")))
    });
    let mut parts: Vec<String> = goal.into_iter().chain(parts).collect();
    while parts.join("\n").chars().count() > MAX_TEXT_CHARS && parts.len() > 2 {
        parts.pop();
    }
    interleaf_text::truncate_at_word(&parts.join("\n"), MAX_TEXT_CHARS).into_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::finding::Origin;
    use interleaf_layer::memory::Category;

    fn summary(content: Value) -> Finding {
        Finding {
            category: Category::SessionSummary,
            title: None,
            text: "as it was".to_owned(),
            content,
            tags: Vec::new(),
            files: Vec::new(),
            confidence: 0.8,
            importance: 0.5,
            origin: Origin::Assistant,
            score: 1.0,
            cues: Vec::new(),
            about: None,
            evidence: Vec::new(),
            key: "summary".to_owned(),
        }
    }

    #[test]
    fn summaries_of_two_parts_become_one() {
        let earlier =
            json!({"goal": "webhooks", "completed": ["a"], "next_actions": ["b"], "outcome": "partial"});
        let latest = summary(json!({"goal": "go on", "completed": ["a", "b"], "outcome": "success"}));

        let merged = merge(Some(&earlier), latest);

        assert_eq!(
            merged.content,
            json!({"goal": "webhooks", "completed": ["a", "b"], "key_changes": [], "next_actions": ["b"],
                "outcome": "success"})
        );
        assert_eq!(merged.text, "Goal: webhooks\nDone: a; b\nNext: b");
    }

    #[test]
    fn the_first_summary_is_unchanged() {
        let first = summary(json!({"goal": "webhooks"}));

        assert_eq!(merge(None, first.clone()), first);
    }
}
