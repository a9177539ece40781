//! Lines as the client writes them, and as nobody should: what becomes an entry, what a page holds, how much is read.

mod pages;
mod recorded;
mod words;

use super::*;
use serde_json::{Value, json};

/// A page of all that there is.
fn all(transcript: &Transcript) -> Page {
    transcript.read(0, 10_000, 10 << 20).expect("it can be read")
}

fn entries(lines: &str) -> Vec<Entry> {
    all(&Transcript::from_lines(lines)).entries
}

/// A line of this type, whose message holds this, with more fields.
fn line(kind: &str, content: Value, more: Value) -> String {
    let mut line = json!({
        "type": kind, "timestamp": "2026-01-31T12:00:00.500Z", "message": {"role": kind, "content": content},
    });
    if let (Some(line), Value::Object(more)) = (line.as_object_mut(), more) {
        line.extend(more);
    }
    format!("{line}\n")
}

fn prompt(text: &str) -> String {
    line("user", json!(text), json!({}))
}

fn answer(text: &str) -> String {
    line("assistant", json!([{"type": "text", "text": text}]), json!({}))
}

fn call(id: &str, tool: &str, input: Value) -> String {
    line("assistant", json!([{"type": "tool_use", "id": id, "name": tool, "input": input}]), json!({}))
}

fn result(id: &str, text: &str, failed: bool, more: Value) -> String {
    line(
        "user",
        json!([{"type": "tool_result", "tool_use_id": id, "content": text, "is_error": failed}]),
        more,
    )
}

fn texts(entries: &[Entry]) -> Vec<&str> {
    entries.iter().map(|entry| entry.text.as_str()).collect()
}
