//! Lines as the client writes them, for the tests of this folder, and the transcripts that the real client
//! recorded.

use std::path::Path;

use serde_json::{Value, json};

use super::*;

/// Reads all entries of a transcript as one page.
pub(super) fn read_all(transcript: &Transcript) -> Page {
    transcript.read(0, 10_000, 10 << 20).expect("it can be read")
}

pub(super) fn entries(lines: &str) -> Vec<Entry> {
    read_all(&Transcript::from_lines(lines)).entries
}

/// Builds a line of this type with this message content and more fields.
pub(super) fn line(kind: &str, content: Value, more: Value) -> String {
    let mut line = json!({
        "type": kind, "timestamp": "2026-01-31T12:00:00.500Z", "message": {"role": kind, "content": content},
    });
    if let (Some(line), Value::Object(more)) = (line.as_object_mut(), more) {
        line.extend(more);
    }
    format!("{line}\n")
}

pub(super) fn prompt(text: &str) -> String {
    line("user", json!(text), json!({}))
}

pub(super) fn answer(text: &str) -> String {
    line("assistant", json!([{"type": "text", "text": text}]), json!({}))
}

pub(super) fn call(id: &str, tool: &str, input: Value) -> String {
    line("assistant", json!([{"type": "tool_use", "id": id, "name": tool, "input": input}]), json!({}))
}

pub(super) fn result(id: &str, text: &str, failed: bool, more: Value) -> String {
    line(
        "user",
        json!([{"type": "tool_result", "tool_use_id": id, "content": text, "is_error": failed}]),
        more,
    )
}

pub(super) fn texts(entries: &[Entry]) -> Vec<&str> {
    entries.iter().map(|entry| entry.text.as_str()).collect()
}

fn recorded(session: &str) -> Transcript {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/sessions");
    let file = folder.join(session).join("transcript.jsonl");
    Transcript::file(file.to_string_lossy(), Redactor::BUILT_IN)
}

const SESSIONS: [&str; 9] = [
    "ledger-api/s1",
    "ledger-api/s2",
    "ledger-api/s3",
    "handbook/s1",
    "handbook/s2",
    "handbook/s3",
    "atlas-mono/s1",
    "atlas-mono/s2",
    "atlas-mono/s3",
];

#[test]
fn every_recorded_prompt_occurs_once_and_no_client_text_does() {
    let mut prompts = 0;
    for session in SESSIONS {
        let entries = read_all(&recorded(session)).entries;
        let of_session: Vec<&Entry> = entries.iter().filter(|entry| entry.role == Role::User).collect();
        prompts += of_session.len();
        for entry in &of_session {
            assert!(!entry.text.contains("</") && !entry.text.starts_with("[Request"), "{}", entry.text);
            assert_eq!(
                of_session.iter().filter(|other| other.text == entry.text).count(),
                1,
                "{session}: {}",
                entry.text
            );
        }
        let results = entries.iter().filter(|entry| entry.kind == EntryKind::ToolResult);
        assert!(
            results.clone().count() > 0 && results.clone().all(|entry| entry.tool.is_some()),
            "{session}"
        );
    }
    assert_eq!(prompts, 37);
}

#[test]
fn a_recorded_interruption_is_one_outcome_and_no_text() {
    let entries = read_all(&recorded("ledger-api/s2")).entries;
    let count = |outcome| entries.iter().filter(|entry| entry.outcome == outcome).count();

    assert_eq!(count(ToolOutcome::Interrupted), 1);
    assert!(!texts(&entries).iter().any(|text| text.contains("[Request interrupted")));
}

#[test]
fn a_recorded_slash_command_is_the_typed_line() {
    let entries = read_all(&recorded("atlas-mono/s2")).entries;

    assert!(texts(&entries).contains(&"/opsx:explore add-webhook-retries poller"));
    assert!(!texts(&entries).iter().any(|text| text.starts_with("Think about add-webhook-retries")));
}
