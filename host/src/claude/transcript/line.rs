//! One line of a transcript: which entries it holds, if any.
//!
//! Prompts and answers are in lines of the types `user` and `assistant`; everything else is the client's own
//! bookkeeping, in which prompts and injected context appear a second time.

use serde_json::Value;

use super::{Ending, Entry, Kind, Role};
use crate::clock::Millis;
use crate::redact::Redactor;

/// Bytes of one text; of a longer one the middle is left out.
const LONGEST: usize = 16 << 10;

/// The entries of a line that begins at `cursor`; none where it holds none, or cannot be understood.
pub(super) fn entries(line: &[u8], cursor: u64, redactor: &Redactor) -> Vec<Entry> {
    let Ok(line) = serde_json::from_slice::<Value>(line) else { return Vec::new() };
    let role = match line["type"].as_str() {
        Some("user") => Role::User,
        Some("assistant") => Role::Assistant,
        _ => return Vec::new(),
    };
    // The client's own words: what a skill or a compaction puts in.
    if ["isMeta", "isCompactSummary", "isSynthetic"].iter().any(|flag| line[*flag] == true) {
        return Vec::new();
    }
    let context = Context { role, cursor, at: moment(&line), denied: line.get("toolDenialKind").is_some() };
    let content = &line["message"]["content"];
    let found: Vec<Entry> = match content {
        Value::String(text) => vec![context.text(text)],
        Value::Array(blocks) => blocks.iter().filter_map(|block| context.block(block)).collect(),
        _ => Vec::new(),
    };
    let redacted =
        found.into_iter().map(|entry| Entry { text: shortened(&redactor.text(&entry.text)), ..entry });
    redacted.filter(|entry| !entry.text.trim().is_empty() || entry.kind != Kind::Text).collect()
}

struct Context {
    role: Role,
    cursor: u64,
    at: Millis,
    denied: bool,
}

impl Context {
    fn text(&self, text: &str) -> Entry {
        self.entry(Kind::Text, text.to_owned())
    }

    fn entry(&self, kind: Kind, text: String) -> Entry {
        let (role, at, cursor) = (self.role, self.at, self.cursor);
        Entry { role, kind, tool: None, call: None, text, ending: Ending::Fine, at, cursor }
    }

    fn block(&self, block: &Value) -> Option<Entry> {
        let named = |name: &str| block[name].as_str().map(str::to_owned);
        match block["type"].as_str()? {
            "text" => Some(self.text(block["text"].as_str()?)),
            "tool_use" => {
                let call = self.entry(Kind::ToolCall, block["input"].to_string());
                Some(Entry { tool: named("name"), call: named("id"), ..call })
            }
            "tool_result" => {
                let result = self.entry(Kind::ToolResult, words(&block["content"]));
                Some(Entry {
                    role: Role::Tool,
                    call: named("tool_use_id"),
                    ending: self.ending(block),
                    ..result
                })
            }
            _ => None,
        }
    }

    fn ending(&self, block: &Value) -> Ending {
        match (self.denied, block["is_error"] == true) {
            (true, _) => Ending::Interrupted,
            (_, true) => Ending::Failed,
            _ => Ending::Fine,
        }
    }
}

/// The text of a result, which is one text or a list of blocks.
fn words(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => {
            blocks.iter().filter_map(|block| block["text"].as_str()).collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}

fn moment(line: &Value) -> Millis {
    let stamp = line["timestamp"].as_str().and_then(|stamp| stamp.parse::<jiff::Timestamp>().ok());
    stamp.map_or(0, jiff::Timestamp::as_millisecond)
}

fn shortened(text: &str) -> String {
    if text.len() <= LONGEST {
        return text.to_owned();
    }
    let (head, tail) =
        (text.floor_char_boundary(LONGEST / 2), text.ceil_char_boundary(text.len() - LONGEST / 2));
    format!("{}\n[…]\n{}", &text[..head], &text[tail..])
}
