//! The recorded sessions as talks. The host has a reader of its own, which also takes secrets out; this one is enough
//! for the fixtures.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::talk::{Ending, Entry, Kind, Role, Talk};

/// Where the recorded sessions are.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/sessions")
}

/// All of them, as `scenario/session`.
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

/// What was said and done in one.
pub(crate) fn read(session: &str) -> Talk {
    transcript(&fs::read_to_string(root().join(session).join("transcript.jsonl")).unwrap())
}

/// What was said and done, by the lines of a transcript.
pub(crate) fn transcript(text: &str) -> Talk {
    let mut cursor = 0;
    let mut entries = Vec::new();
    for line in text.split_inclusive('\n') {
        entries.extend(line_entries(&serde_json::from_str(line).unwrap_or_default(), cursor));
        cursor += line.len() as u64;
    }
    Talk { entries }
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
    blocks.iter().filter_map(|block| block_entry(block, role, denied, cursor)).collect()
}

fn block_entry(block: &Value, role: Role, denied: bool, cursor: u64) -> Option<Entry> {
    let said = |name: &str| block[name].as_str().map(str::to_owned);
    let entry = |role, kind, text| Entry { cursor, ..super::entry(role, kind, text) };
    match block["type"].as_str()? {
        "text" => Some(entry(role, Kind::Text, block["text"].as_str()?)),
        "tool_use" => {
            let call = entry(role, Kind::ToolCall, &block["input"].to_string());
            Some(Entry { tool: said("name"), call: said("id"), ..call })
        }
        "tool_result" => {
            let result = entry(Role::Tool, Kind::ToolResult, &words(&block["content"]));
            let ending = match (denied, block["is_error"] == true) {
                (true, _) => Ending::Interrupted,
                (_, true) => Ending::Failed,
                _ => Ending::Fine,
            };
            Some(Entry { call: said("tool_use_id"), ending, ..result })
        }
        _ => None,
    }
}

fn words(content: &Value) -> String {
    let blocks = content.as_array().into_iter().flatten().filter_map(|block| block["text"].as_str());
    content.as_str().map_or_else(|| blocks.collect::<Vec<_>>().join("\n"), str::to_owned)
}
