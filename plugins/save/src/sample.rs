//! Transcripts for the tests: built by hand, and read from recorded sessions.

use crate::content_schema;
use crate::finding::{Finding, Origin};
use crate::transcript::{Ending, Entry, Kind, Role, Transcript};
use interleaf_text::client_text::is_client_message;
use interleaf_text::machine_text::split;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

pub(crate) fn entry(role: Role, kind: Kind, text: &str) -> Entry {
    let text = text.to_owned();
    Entry { role, kind, tool: None, call: None, text, ending: Ending::Fine, certain: true, at: 0, cursor: 0 }
}

pub(crate) fn user(text: &str) -> Vec<Entry> {
    vec![entry(Role::User, Kind::Text, text)]
}

/// Returns a prompt as the host reports it: without what the client added, and with what was pasted apart.
pub(crate) fn prompt(text: &str) -> Vec<Entry> {
    if is_client_message(text) {
        return Vec::new();
    }
    let split = split(text);
    let mut entries = [user(&split.typed), pasted(&split.pasted)].concat();
    entries.retain(|entry| !entry.text.is_empty());
    entries
}

/// Returns text that the person pasted, as the host reports it.
pub(crate) fn pasted(text: &str) -> Vec<Entry> {
    vec![entry(Role::Tool, Kind::Text, text)]
}

pub(crate) fn assistant(text: &str) -> Vec<Entry> {
    vec![entry(Role::Assistant, Kind::Text, text)]
}

/// Returns a tool call and its result.
pub(crate) fn tool(name: &str, input: &str, output: &str, ending: Ending) -> Vec<Entry> {
    let call = Entry { tool: Some(name.into()), ..entry(Role::Assistant, Kind::ToolCall, input) };
    let result = entry(Role::Tool, Kind::ToolResult, output);
    vec![call, Entry { tool: Some(name.into()), ending, ..result }]
}

pub(crate) fn ran(command: &str, output: &str) -> Vec<Entry> {
    tool("Bash", &serde_json::json!({ "command": command }).to_string(), output, Ending::Fine)
}

pub(crate) fn failed(command: &str, output: &str) -> Vec<Entry> {
    tool("Bash", &serde_json::json!({ "command": command }).to_string(), output, Ending::Failed)
}

pub(crate) fn edited(file: &str) -> Vec<Entry> {
    tool("Edit", &serde_json::json!({ "file_path": file }).to_string(), "updated", Ending::Fine)
}

/// Joins entries to a transcript. Each entry gets a cursor; calls and results get an id.
pub(crate) fn talk(parts: impl IntoIterator<Item = Vec<Entry>>) -> Transcript {
    let mut entries: Vec<Entry> = parts.into_iter().flatten().collect();
    for (at, entry) in entries.iter_mut().enumerate() {
        entry.cursor = at as u64 * 1000;
        entry.call = match entry.kind {
            Kind::Text => None,
            Kind::ToolCall => Some(format!("call-{at}")),
            Kind::ToolResult => Some(format!("call-{}", at - 1)),
        };
    }
    Transcript { entries }
}

/// Returns the folder of the recorded sessions.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/sessions")
}

/// Returns the names of all recorded sessions, as `scenario/session`.
pub(crate) fn sessions() -> Vec<String> {
    let folders = |path: PathBuf| {
        let entries = fs::read_dir(path).unwrap().map(|entry| entry.unwrap());
        let folders = entries.filter(|entry| entry.file_type().unwrap().is_dir());
        folders.map(|entry| entry.file_name().into_string().unwrap()).collect::<Vec<_>>()
    };
    let mut found: Vec<String> = folders(root())
        .iter()
        .flat_map(|scenario| {
            folders(root().join(scenario)).into_iter().map(move |it| format!("{scenario}/{it}"))
        })
        .collect();
    found.sort();
    found
}

/// Reads the transcript of a recorded session.
pub(crate) fn read(session: &str) -> Transcript {
    transcript(&fs::read_to_string(root().join(session).join("transcript.jsonl")).unwrap())
}

/// Parses the lines of a transcript.
fn transcript(text: &str) -> Transcript {
    let mut cursor = 0;
    let mut entries = Vec::new();
    for line in text.split_inclusive('\n') {
        entries.extend(line_entries(&serde_json::from_str(line).unwrap_or_default(), cursor));
        cursor += line.len() as u64;
    }
    Transcript { entries }
}

fn line_entries(line: &Value, cursor: u64) -> Vec<Entry> {
    let role = match line["type"].as_str() {
        Some("user") => Role::User,
        Some("assistant") => Role::Assistant,
        _ => return Vec::new(),
    };
    if ["isMeta", "isCompactSummary", "isSynthetic"].iter().any(|flag| line[*flag] == true) {
        return Vec::new();
    }
    let denied = line.get("toolDenialKind").is_some();
    let blocks = match &line["message"]["content"] {
        Value::String(text) => vec![serde_json::json!({"type": "text", "text": text})],
        content => content.as_array().cloned().unwrap_or_default(),
    };
    blocks.iter().flat_map(|block| block_entries(block, role, denied, cursor)).collect()
}

fn block_entries(block: &Value, role: Role, denied: bool, cursor: u64) -> Vec<Entry> {
    let field = |name: &str| block[name].as_str().map(str::to_owned);
    let entry = |role, kind, text| Entry { cursor, ..self::entry(role, kind, text) };
    let text = block["text"].as_str().unwrap_or_default();
    match block["type"].as_str().unwrap_or_default() {
        "text" if role == Role::User => {
            prompt(text).into_iter().map(|entry| Entry { cursor, ..entry }).collect()
        }
        "text" => vec![entry(role, Kind::Text, text)],
        "tool_use" => {
            let call = entry(role, Kind::ToolCall, &block["input"].to_string());
            vec![Entry { tool: field("name"), call: field("id"), ..call }]
        }
        "tool_result" => {
            let result = entry(Role::Tool, Kind::ToolResult, &words(&block["content"]));
            let ending = match (denied, block["is_error"] == true) {
                (true, _) => Ending::Interrupted,
                (_, true) => Ending::Failed,
                _ => Ending::Fine,
            };
            vec![Entry { call: field("tool_use_id"), ending, ..result }]
        }
        _ => Vec::new(),
    }
}

fn words(content: &Value) -> String {
    let blocks = content.as_array().into_iter().flatten().filter_map(|block| block["text"].as_str());
    content.as_str().map_or_else(|| blocks.collect::<Vec<_>>().join("\n"), str::to_owned)
}

/// Checks what the host checks: a quote stands in the entry at its cursor, and a finding of the assistant
/// quotes no tool.
pub(crate) fn check(talk: &Transcript, finding: &Finding) {
    let bare = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for quote in &finding.evidence {
        let standing = |tool: bool| {
            let at = talk.entries.iter().filter(|entry| entry.cursor == quote.cursor);
            at.filter(|entry| (entry.role == Role::Tool) == tool)
                .any(|entry| bare(&entry.text).contains(&bare(&quote.quote)))
        };
        let own = standing(false);
        assert!(own || standing(true), "{quote:?} does not stand there");
        assert!(own || finding.origin == Origin::ToolOutput, "{finding:?} quotes a tool");
    }
    assert!(finding.text.chars().count() <= 1_000 && !finding.text.trim().is_empty(), "{finding:?}");
    let told =
        finding.content.as_object().expect("an object").values().filter(|value| !value.is_null()).count();
    let kept = content_schema::fit(finding.category, &finding.content);
    assert_eq!(
        kept.as_object().map(serde_json::Map::len),
        Some(told),
        "the host would take {kept} of {finding:?}"
    );
}
