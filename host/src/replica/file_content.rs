//! The text of a memory as the content of a file of claude-memory, and back.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

/// Maximum number of characters of a text within a content.
const MAX_CONTENT_CHARS: usize = 2_000;

/// Returns the content that a file shows: of a memory without one, its text in the fields that the format
/// requires.
pub(super) fn content(fields: &Map<String, Value>) -> Value {
    let is_there = |content: &&Value| content.as_object().is_some_and(|content| !content.is_empty());
    if let Some(content) = fields.get("content").filter(is_there) {
        return content.clone();
    }
    let text = |name: &str| fields.get(name).and_then(Value::as_str).unwrap_or_default();
    let (title, text) = (text("title"), interleaf_text::truncate(text("text"), MAX_CONTENT_CHARS));
    match fields.get("category").and_then(Value::as_str).unwrap_or_default() {
        "session_summary" => json!({
            "goal": title, "outcome": "partial", "completed": [text], "in_progress": [], "blockers": [],
            "next_actions": [], "key_changes": [],
        }),
        "decision" => json!({ "status": "accepted", "decision": title, "rationale": [text] }),
        "runbook" => json!({ "trigger": title, "steps": [text], "verification": "it works" }),
        "constraint" => {
            json!({
                "kind": "technical", "rule": text, "impact": [title], "severity": "medium", "active": true,
            })
        }
        "tech_debt" => json!({
            "status": "open", "priority": "medium", "description": text, "reason_deferred": "not stated",
        }),
        "preference" => json!({ "topic": title, "value": text, "strength": "default" }),
        _ => json!({ "text": text }),
    }
}

/// Returns the text of a content: its main fields first, as sentences.
pub(super) fn rendered(shown: &Map<String, Value>) -> String {
    let content = shown.get("content").and_then(Value::as_object);
    let order: &[(&str, &str)] = match shown.get("category").and_then(Value::as_str).unwrap_or_default() {
        "session_summary" => &[("goal", "Goal: "), ("completed", "Done: "), ("next_actions", "Next: ")],
        "decision" => &[("decision", ""), ("rationale", "Because: ")],
        "runbook" => &[("trigger", ""), ("root_cause", "Cause: "), ("steps", "What helps: ")],
        "constraint" => &[("rule", ""), ("workarounds", "Instead: ")],
        "tech_debt" => &[("description", ""), ("reason_deferred", "Put off because: ")],
        "preference" => &[("topic", ""), ("value", ""), ("reason", "Because: ")],
        _ => &[("text", "")],
    };
    let mut text = String::new();
    for (name, label) in order {
        let value = match content.and_then(|content| content.get(*name)) {
            Some(Value::String(value)) => value.trim().to_owned(),
            Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("; "),
            _ => continue,
        };
        if !value.is_empty() && !text.contains(&value) {
            // A note is its text, as it is.
            let is_sentence = order.len() == 1 || value.ends_with(['.', '!', '?', '。']);
            let stop = if is_sentence { "" } else { "." };
            let gap = if text.is_empty() { "" } else { " " };
            let _ = write!(text, "{gap}{label}{value}{stop}");
        }
    }
    match text.is_empty() {
        true => shown.get("title").and_then(Value::as_str).unwrap_or_default().to_owned(),
        false => text,
    }
}
