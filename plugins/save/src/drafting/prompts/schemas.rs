//! What an answer looks like.

use serde_json::{Value, json};

use crate::drafting::fields;
use crate::find::Category;
use crate::standing::{Event, Intent};

/// The schema of an answer. Bounds are not in it, for not every client's schemas know them; they are kept when the answer is read.
pub(super) fn draft(category: Category) -> Value {
    let texts = json!({ "type": "array", "items": { "type": "string" } });
    let share = json!({ "type": "number" });
    let memory = json!({
        "type": "object",
        "properties": {
            "title": { "type": "string" }, "text": { "type": "string" }, "content": fields::asked(category),
            "tags": texts, "files": texts, "confidence": share, "importance": share,
            "origin": { "enum": ["assistant", "tool-output"] }, "quotes": texts, "about": about(),
        },
        "required": ["title", "text", "quotes"],
    });
    let wrong = json!({
        "type": "object",
        "properties": { "candidate": { "type": "integer" }, "why": { "type": "string" } },
        "required": ["candidate", "why"],
    });
    json!({
        "type": "object",
        "properties": {
            "memories": { "type": "array", "items": memory },
            "wrong": { "type": "array", "items": wrong }, "also": texts,
            "ended": { "type": "array", "items": ended() },
        },
        "required": ["memories"],
    })
}

fn about() -> Value {
    json!({
        "type": "object",
        "properties": {
            "known": { "type": "integer" }, "intent": { "enum": Intent::ALL.map(Intent::as_str) },
        },
        "required": ["known", "intent"],
    })
}

fn ended() -> Value {
    json!({
        "type": "object",
        "properties": {
            "known": { "type": "integer" }, "event": { "enum": Event::ALL.map(Event::as_str) },
            "why": { "type": "string" }, "quotes": { "type": "array", "items": { "type": "string" } },
        },
        "required": ["known", "event", "why", "quotes"],
    })
}

/// The schema of a judgement.
pub(super) fn verdicts() -> Value {
    let verdict = json!({
        "type": "object",
        "properties": {
            "index": { "type": "integer" }, "supported": { "type": "boolean" },
            "unsupported_claim": { "type": "string" },
        },
        "required": ["index", "supported"],
    });
    json!({
        "type": "object",
        "properties": { "verdicts": { "type": "array", "items": verdict } },
        "required": ["verdicts"],
    })
}
