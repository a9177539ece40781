//! A transcript file as a talk: what the host does, in short.

use serde_json::Value;

use crate::talk::{Ending, Entry, Kind, Role, Talk};

/// The talk of a transcript.
pub fn talk(lines: &str) -> Talk {
    let mut talk = Talk::default();
    let mut cursor = 0;
    for line in lines.split_inclusive('\n') {
        let value: Value = serde_json::from_str(line).unwrap_or_default();
        let role = match value["type"].as_str() {
            Some("user") => Some(Role::User),
            Some("assistant") => Some(Role::Assistant),
            _ => None,
        };
        let client = ["isMeta", "isCompactSummary", "isSynthetic"].iter().any(|flag| value[*flag] == true);
        if let Some(role) = role.filter(|_| !client) {
            let denied = value.get("toolDenialKind").is_some();
            let content = &value["message"]["content"];
            let text = [serde_json::json!({ "type": "text", "text": content })];
            let blocks = content.as_array().map_or(&text[..], Vec::as_slice);
            talk.entries.extend(blocks.iter().filter_map(|block| entry(block, role, cursor, denied)));
        }
        cursor += line.len() as u64;
    }
    talk
}

fn entry(block: &Value, role: Role, cursor: u64, denied: bool) -> Option<Entry> {
    let named = |name: &str| block[name].as_str().map(str::to_owned);
    let (role, kind, text) = match block["type"].as_str()? {
        "text" => (role, Kind::Text, named("text")?),
        "tool_use" => (role, Kind::ToolCall, block["input"].to_string()),
        "tool_result" => (Role::Tool, Kind::ToolResult, words(&block["content"])),
        _ => return None,
    };
    let ending = match (denied, block["is_error"] == true) {
        (true, _) => Ending::Interrupted,
        (_, true) => Ending::Failed,
        _ => Ending::Fine,
    };
    Some(Entry {
        role,
        kind,
        tool: named("name"),
        call: named("id").or(named("tool_use_id")),
        text,
        ending,
        at: 0,
        cursor,
    })
}

fn words(content: &Value) -> String {
    let blocks = content.as_array().into_iter().flatten().filter_map(|block| block["text"].as_str());
    content.as_str().map_or_else(|| blocks.collect::<Vec<_>>().join("\n"), str::to_owned)
}
