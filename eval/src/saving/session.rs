//! Examples as sessions.

use interleaf_text::machine_text::split;
use save::finding::Finding;
use save::rules::find;
use save::session::Surroundings;
use save::transcript::{Ending, Entry, Kind, Role, Transcript};
use serde_json::json;

use super::example::Example;

/// A statement that the rules find.
pub struct Stated {
    /// The finding.
    pub finding: Finding,
    /// Whether it is an explicit act, which is saved; else it is a candidate.
    pub is_explicit: bool,
}

/// Returns what the rules find in a session of this message. A message of the assistant follows a change to a
/// file.
pub fn stated(example: &Example) -> Vec<Stated> {
    if !example.is_assistants() {
        return of_person(&example.text, example.before.as_deref());
    }
    let input = json!({ "file_path": "/home/me/shop/src/main.rs" }).to_string();
    found(vec![
        entry(Role::User, Kind::Text, "go on"),
        Entry { tool: Some("Edit".to_owned()), ..entry(Role::Assistant, Kind::ToolCall, &input) },
        entry(Role::Tool, Kind::ToolResult, "updated"),
        entry(Role::Assistant, Kind::Text, &example.text),
    ])
}

/// Returns what the rules find in a message of the person, after this one of the assistant.
pub fn of_person(text: &str, before: Option<&str>) -> Vec<Stated> {
    let mut entries = Vec::new();
    if let Some(before) = before {
        entries.push(entry(Role::User, Kind::Text, "what do you suggest?"));
        entries.push(entry(Role::Assistant, Kind::Text, before));
    }
    // As the host reports it: what was pasted is not the person's.
    let split = split(text);
    entries.push(entry(Role::User, Kind::Text, &split.typed));
    entries.push(entry(Role::Tool, Kind::Text, &split.pasted));
    entries.retain(|entry| !entry.text.is_empty());
    found(entries)
}

fn found(entries: Vec<Entry>) -> Vec<Stated> {
    let surroundings = Surroundings { session_id: "example", ..Surroundings::default() };
    let found = find(&Transcript { entries: numbered(entries) }, &surroundings);
    let explicit = found.explicit.into_iter().map(|finding| Stated { finding, is_explicit: true });
    let candidates = found.candidates.into_iter().map(|finding| Stated { finding, is_explicit: false });
    explicit.chain(candidates).collect()
}

/// Numbers entries. A result belongs to the call before it.
fn numbered(mut entries: Vec<Entry>) -> Vec<Entry> {
    let mut calls = 0;
    for (at, entry) in entries.iter_mut().enumerate() {
        entry.cursor = at as u64;
        calls += usize::from(entry.kind == Kind::ToolCall);
        entry.call = (entry.kind != Kind::Text).then(|| format!("call {calls}"));
    }
    entries
}

/// Returns an entry of a transcript.
fn entry(role: Role, kind: Kind, text: &str) -> Entry {
    let text = text.to_owned();
    Entry { role, kind, tool: None, call: None, text, ending: Ending::Fine, certain: true, at: 0, cursor: 0 }
}
