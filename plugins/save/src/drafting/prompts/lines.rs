//! What is shown as data: one JSON object a line.

use serde_json::json;

use crate::drafting::cut::one_line;
use crate::drafting::escape;
use crate::find::Find;
use crate::standing::{Ended, Intent, Standing};

/// Characters of a known memory: enough to tell it from its neighbours.
const LONGEST: usize = 200;

/// What the rules found.
pub(super) fn candidate(at: usize, find: &Find) -> String {
    escape::line(&json!({ "candidate": at, "title": find.title, "text": find.text }))
}

/// What the assistant saved itself.
pub(super) fn saved(text: &str) -> String {
    escape::line(&json!({ "saved": text }))
}

/// A memory that stands. Its id is nobody's to know who only reads it.
pub(super) fn known(at: usize, memory: &Standing) -> String {
    let (category, text) = (memory.category.as_str(), one_line(&memory.text, LONGEST));
    escape::line(&json!({ "known": at, "category": category, "title": memory.title, "text": text }))
}

/// A draft, to be verified.
pub(super) fn drafted(at: usize, find: &Find) -> String {
    let (title, text, content) = (&find.title, &find.text, &find.content);
    let mut line =
        json!({ "index": at, "title": title, "text": text, "content": content, "tags": find.tags });
    if let Some(about) = find.about.as_ref().filter(|about| about.intent == Intent::Supersede) {
        line["in_place_of"] = earlier(&about.memory);
    }
    escape::line(&line)
}

/// The end of a memory, to be verified.
pub(super) fn ended(at: usize, ended: &Ended) -> String {
    let (event, memory) = (ended.event.as_str(), earlier(&ended.memory));
    escape::line(&json!({ "index": at, "ended": memory, "event": event, "why": ended.why }))
}

fn earlier(memory: &Standing) -> serde_json::Value {
    json!({ "title": memory.title, "text": one_line(&memory.text, LONGEST) })
}
