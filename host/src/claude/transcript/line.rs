//! One line of a transcript: which entries it holds, if any.
//!
//! Prompts and answers are in lines of the types `user` and `assistant`, and what a person typed while the assistant was
//! at work in an attachment of its own kind; everything else is the client's own bookkeeping, in which prompts and
//! injected context appear a second time. It is not taken apart any further.

use serde_json::Value;

use super::{Entry, EntryKind, Role, ToolOutcome, cut, said};
use crate::claude::wire::{self, Fields};
use crate::clock::Millis;
use crate::redact::Redactor;

/// Bytes of one text; of a longer one the middle is left out.
const LONGEST: usize = 16 << 10;

/// Entries and bytes of text of one line; what is beyond is left out, so that every line fits a page.
const MOST_ENTRIES: usize = 100;
const MOST_TEXT: usize = 256 << 10;

/// Characters of the name of a tool or a call.
const MOST_NAME: usize = 200;

/// Switches on a line of the client's own words: what a skill or a compaction puts in, what it says in place of an answer.
const NOT_SAID: [&str; 5] =
    ["isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "isSynthetic", "isApiErrorMessage"];

/// The model of answers that no model gave.
const NO_MODEL: &str = "<synthetic>";

/// The entries of a line that begins at `cursor`; none where it holds none, or cannot be understood.
pub(super) fn entries(line: &[u8], cursor: u64, redactor: &Redactor) -> Vec<Entry> {
    let line = wire::text(line);
    let Ok(line) = Fields::read(&line) else { return Vec::new() };
    if NOT_SAID.iter().any(|switch| line.json(switch) == Some("true")) {
        return Vec::new();
    }
    let role = match line.text("type").as_deref() {
        Some("user") if is_persons(&value(&line, "origin")) => Role::User,
        Some("assistant") => Role::Assistant,
        Some("attachment") => return queued(&line, cursor, redactor),
        _ => return Vec::new(),
    };
    let message = value(&line, "message");
    if message["model"] == NO_MODEL {
        return Vec::new();
    }
    // In a subagent's transcript it is the assistant that gives the orders.
    let role = if line.json("isSidechain") == Some("true") { Role::Assistant } else { role };
    Context { role, cursor, at: moment(&line), stopped: was_stopped(&line), redactor }
        .entries(&message["content"])
}

/// A prompt that came while the assistant was at work.
fn queued(line: &Fields<'_>, cursor: u64, redactor: &Redactor) -> Vec<Entry> {
    // Most attachments are large and none of them a prompt.
    if !line.json("attachment").is_some_and(|json| json.contains("queued_command")) {
        return Vec::new();
    }
    let attachment = value(line, "attachment");
    let typed = matches!(attachment["commandMode"].as_str(), None | Some("prompt" | "bash"));
    if attachment["type"] != "queued_command"
        || attachment["isMeta"] == true
        || !typed
        || !is_persons(&attachment["origin"])
    {
        return Vec::new();
    }
    Context { role: Role::User, cursor, at: moment(line), stopped: false, redactor }
        .entries(&attachment["prompt"])
}

/// Whether a prompt of this origin was given by a person: neither by a task in the background nor by another agent.
fn is_persons(origin: &Value) -> bool {
    matches!(origin["kind"].as_str(), None | Some("human" | "voice-call"))
}

/// Whether a person stopped the tool whose result this is, or it was not allowed to run.
fn was_stopped(line: &Fields<'_>) -> bool {
    line.json("toolDenialKind").is_some_and(|kind| kind != "null")
        || line
            .json("toolUseResult")
            .is_some_and(|json| json.contains("\"interrupted\":true") && is_interrupted(json))
}

fn is_interrupted(result: &str) -> bool {
    serde_json::from_str::<Value>(result).is_ok_and(|result| result["interrupted"] == true)
}

fn value(line: &Fields<'_>, name: &str) -> Value {
    line.json(name).and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default()
}

/// What all entries of a line share.
struct Context<'a> {
    role: Role,
    cursor: u64,
    at: Millis,
    stopped: bool,
    redactor: &'a Redactor,
}

impl Context<'_> {
    fn entries(&self, content: &Value) -> Vec<Entry> {
        match content {
            Value::String(text) => self.text(text).into_iter().collect(),
            Value::Array(blocks) => {
                let mut room = MOST_TEXT;
                let entries = blocks.iter().filter_map(|block| self.block(block)).take(MOST_ENTRIES);
                let fits =
                    |entry: &Entry| room.checked_sub(entry.text.len()).map(|left| room = left).is_some();
                entries.take_while(fits).collect()
            }
            _ => Vec::new(),
        }
    }

    fn block(&self, block: &Value) -> Option<Entry> {
        match block["type"].as_str()? {
            "text" => self.text(block["text"].as_str()?),
            "tool_use" => Some(self.call(block)),
            "tool_result" => Some(self.result(block)),
            _ => None,
        }
    }

    fn text(&self, text: &str) -> Option<Entry> {
        let said = match self.role {
            Role::User => said::person(text),
            _ => said::assistant(text),
        };
        let text = self.clean(&said);
        (!text.trim().is_empty()).then(|| self.entry(EntryKind::Text, text))
    }

    fn call(&self, block: &Value) -> Entry {
        let mut input = block["input"].clone();
        self.redactor.redact_json(&mut input);
        let call = self.entry(EntryKind::ToolCall, cut::json(input, LONGEST));
        Entry { tool: named(block, "name"), call: named(block, "id"), ..call }
    }

    fn result(&self, block: &Value) -> Entry {
        let text = words(&block["content"]);
        let outcome = match (self.stopped || said::is_refusal(&text), block["is_error"] == true) {
            (true, _) => ToolOutcome::Interrupted,
            (_, true) => ToolOutcome::Failed,
            _ => ToolOutcome::Succeeded,
        };
        let result = self.entry(EntryKind::ToolResult, self.clean(&said::tool(&text)));
        Entry { role: Role::Tool, call: named(block, "tool_use_id"), outcome, ..result }
    }

    fn clean(&self, text: &str) -> String {
        cut::middle(&self.redactor.redact(text), LONGEST)
    }

    fn entry(&self, kind: EntryKind, text: String) -> Entry {
        let (role, at, cursor) = (self.role, self.at, self.cursor);
        Entry { role, kind, tool: None, call: None, text, outcome: ToolOutcome::Succeeded, at, cursor }
    }
}

fn named(block: &Value, name: &str) -> Option<String> {
    block[name].as_str().map(|name| name.chars().take(MOST_NAME).collect())
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

fn moment(line: &Fields<'_>) -> Millis {
    let stamp = line.text("timestamp").and_then(|stamp| stamp.parse::<jiff::Timestamp>().ok());
    stamp.map_or(0, jiff::Timestamp::as_millisecond)
}
