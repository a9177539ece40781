//! The entries that one line of a transcript holds.
//!
//! Lines of the types `user` and `assistant` hold prompts, answers, tool calls and tool results. A prompt
//! that a person typed while the assistant was working is in an `attachment`. All other lines are the
//! client's bookkeeping, which repeats prompts and injected context; they hold no entries.

use std::sync::Arc;

use interleaf_text::truncate_middle;
use serde_json::Value;

use super::line_author::Author;
use super::line_place::{Place, PlaceReader};
use super::{Entry, EntryKind, Role, ToolOutcome, line_author, tool_reply};
use crate::claude::client_text::{PromptText, assistant_text, is_refusal, tool_text};
use crate::claude::payload::{self, Payload};
use crate::claude::private_text::without_private;
use crate::clock::Millis;
use crate::redact::Redactor;
use crate::short_digest::short_digest;

/// Maximum length of one entry's text in bytes. The middle of a longer text is left out.
const MAX_TEXT_BYTES: usize = 16 << 10;

/// Maximum number of entries of one line. Together with the next limit it makes every line fit on a page.
const MAX_ENTRIES: usize = 100;

/// Maximum length of the text of one line's entries in bytes.
const MAX_LINE_TEXT_BYTES: usize = 256 << 10;

/// Maximum length of the name of a tool or the id of a call, in characters.
const MAX_NAME_CHARS: usize = 200;

/// Lengths in bytes to which the strings of a JSON value are shortened, one after another, until the value
/// fits.
const SHORTER_STRINGS: [usize; 4] = [8 << 10, 2 << 10, 256, 32];

/// Flags of lines that the client wrote in somebody's name: text of a skill, a compaction summary, an API
/// error.
const CLIENT_FLAGS: [&str; 5] =
    ["isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "isSynthetic", "isApiErrorMessage"];

/// The model name in answers that the client made up.
const SYNTHETIC_MODEL: &str = "<synthetic>";

/// Returns the entries of the line that begins at `cursor`; none if it holds none or is malformed.
pub(super) fn entries(line: &[u8], cursor: u64, redactor: &Redactor, places: &mut PlaceReader) -> Vec<Entry> {
    let text = payload::decode(line);
    let Ok(line) = Payload::parse(&text) else { return Vec::new() };
    if CLIENT_FLAGS.iter().any(|flag| line.json(flag).is_some_and(|json| !line_author::is_off(json))) {
        return Vec::new();
    }
    let message = line.tree("message");
    let (role, is_certain) = match line.string("type").as_deref() {
        // The prompts in a subagent's transcript are the assistant's.
        Some("user" | "assistant") if line.json("isSidechain") == Some("true") => (Role::Assistant, true),
        Some("user") => of_author(line_author::of_prompt(&line, &message)),
        Some("assistant") => (Role::Assistant, true),
        Some("attachment") => return queued_prompt(&line, cursor, redactor, places),
        _ => return Vec::new(),
    };
    let is_prompt = line.string("type").as_deref() == Some("user");
    if message["model"] == SYNTHETIC_MODEL {
        return Vec::new();
    }
    let reader = EntryReader::new(role, &line, cursor, redactor, places);
    let note_author = if is_prompt { line_author::of_note(&line) } else { Author::Nobody };
    EntryReader { interrupted: was_interrupted(&line), is_prompt, is_certain, note_author, ..reader }
        .entries(&message["content"])
}

/// Returns the role of an author's text, and whether the author is certain.
fn of_author(author: Author) -> (Role, bool) {
    (author.role(), author != Author::Unsure)
}

/// Returns the prompt that a person typed while the assistant was working.
fn queued_prompt(
    line: &Payload<'_>,
    cursor: u64,
    redactor: &Redactor,
    places: &mut PlaceReader,
) -> Vec<Entry> {
    // Attachments are large and rarely prompts, so they are parsed only if this word occurs.
    if !line.json("attachment").is_some_and(|json| json.contains("queued_command")) {
        return Vec::new();
    }
    let attachment = line.tree("attachment");
    let is_meta = !matches!(attachment["isMeta"], Value::Null | Value::Bool(false));
    if attachment["type"] != "queued_command" || is_meta {
        return Vec::new();
    }
    let (role, is_certain) = of_author(line_author::of_queued(line, &attachment));
    let reader = EntryReader::new(role, line, cursor, redactor, places);
    EntryReader { is_prompt: true, is_certain, ..reader }.entries(&attachment["prompt"])
}

/// Tells whether the line holds the result of a tool that a person stopped or that was not allowed to run.
fn was_interrupted(line: &Payload<'_>) -> bool {
    let is_denied = line.json("toolDenialKind").is_some_and(|kind| kind != "null");
    let is_stopped = |json: &str| {
        json.contains("\"interrupted\":true")
            && serde_json::from_str::<Value>(json).is_ok_and(|result| result["interrupted"] == true)
    };
    is_denied || line.json("toolUseResult").is_some_and(is_stopped)
}

fn timestamp(line: &Payload<'_>) -> Millis {
    let timestamp = line.string("timestamp").and_then(|text| text.parse::<jiff::Timestamp>().ok());
    timestamp.map_or(0, jiff::Timestamp::as_millisecond)
}

/// Returns what names the line in every copy of the transcript. Lines of old clients have no id.
fn line_key(line: &Payload<'_>) -> i64 {
    match line.json("uuid").filter(|id| *id != "null") {
        Some(id) => short_digest(id.as_bytes()),
        None => {
            let fields = ["type", "timestamp", "message", "attachment"].iter();
            let fields: Vec<&str> = fields.filter_map(|name| line.json(name)).collect();
            short_digest(fields.join("\n").as_bytes())
        }
    }
}

/// Makes the entries of one line, which share these values.
struct EntryReader<'a> {
    role: Role,
    cursor: u64,
    at: Millis,
    interrupted: bool,
    /// Whether a block held text of somebody else than the speaker.
    is_mixed: bool,
    /// Whether its text stands where a prompt does.
    is_prompt: bool,
    /// Whether it is certain who wrote it.
    is_certain: bool,
    /// Who wrote the text beside a tool's result.
    note_author: Author,
    /// Whether the rest of the message is private.
    is_private: bool,
    /// What the client noted of a tool's result, if it holds answers to questions.
    details: Value,
    line_key: i64,
    place: Arc<Place>,
    redactor: &'a Redactor,
}

impl<'a> EntryReader<'a> {
    fn new(
        role: Role,
        line: &Payload<'_>,
        cursor: u64,
        redactor: &'a Redactor,
        places: &mut PlaceReader,
    ) -> Self {
        let (at, line_key, place) = (timestamp(line), line_key(line), places.read(line, redactor));
        let (interrupted, is_mixed, is_prompt, is_certain, is_private) = (false, false, false, true, false);
        // Of a large result only the answers to questions are of use, and parsing costs time.
        let has_answers = |json: &&str| json.contains("\"answers\"");
        let details = line.json("toolUseResult").filter(has_answers);
        let details = details.and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default();
        Self {
            role,
            cursor,
            at,
            interrupted,
            is_mixed,
            is_prompt,
            is_certain,
            note_author: Author::Nobody,
            is_private,
            details,
            line_key,
            place,
            redactor,
        }
    }

    fn entries(mut self, content: &Value) -> Vec<Entry> {
        let mut entries = match content {
            Value::String(text) => self.text(text),
            Value::Array(blocks) => {
                let mut room = MAX_LINE_TEXT_BYTES;
                let entries = self.blocks(blocks);
                let fits =
                    |entry: &Entry| room.checked_sub(entry.text.len()).map(|left| room = left).is_some();
                entries.into_iter().take(MAX_ENTRIES).take_while(fits).collect()
            }
            _ => Vec::new(),
        };
        entries.iter_mut().for_each(|entry| entry.is_mixed = self.is_mixed);
        entries
    }

    /// Reads the blocks of a message. In a prompt, the texts of all blocks are one text: an element or a
    /// fence may begin in one block and end in another.
    fn blocks(&mut self, blocks: &[Value]) -> Vec<Entry> {
        if self.role == Role::Assistant {
            return blocks.iter().flat_map(|block| self.block(block)).collect();
        }
        let is_text = |block: &&Value| block["type"] == "text";
        let texts: Vec<&str> =
            blocks.iter().filter(is_text).filter_map(|block| block["text"].as_str()).collect();
        let others = blocks.iter().filter(|block| !is_text(block));
        let mut entries: Vec<Entry> = others.flat_map(|block| self.block(block)).collect();
        if entries.iter().any(|entry| entry.kind == EntryKind::ToolResult) {
            (self.role, self.is_certain) = of_author(self.note_author);
        }
        if !texts.is_empty() {
            entries.extend(self.text(&texts.join("\n\n")));
        }
        entries
    }

    fn block(&mut self, block: &Value) -> Vec<Entry> {
        match block["type"].as_str().unwrap_or_default() {
            "text" => self.text(block["text"].as_str().unwrap_or_default()),
            "tool_use" => vec![self.tool_call(block)],
            "tool_result" => {
                let mut entries = vec![self.tool_result(block)];
                entries.extend(self.replies(block));
                entries
            }
            _ => Vec::new(),
        }
    }

    fn text(&mut self, text: &str) -> Vec<Entry> {
        if self.is_private {
            return Vec::new();
        }
        let (text, is_open) = without_private(text);
        self.is_private = is_open;
        let prompt = match self.role {
            Role::Assistant => {
                return self.text_entry(self.role, &assistant_text(&text)).into_iter().collect();
            }
            Role::User => PromptText::read(&text),
            Role::Tool => PromptText::of_nobody_known(&text),
        };
        self.prompt_entries(&prompt)
    }

    fn prompt_entries(&mut self, prompt: &PromptText) -> Vec<Entry> {
        self.is_mixed |= prompt.is_mixed;
        let own = self.text_entry(Role::User, &prompt.own);
        own.into_iter().chain(self.text_entry(Role::Tool, &prompt.foreign)).collect()
    }

    fn text_entry(&self, role: Role, text: &str) -> Option<Entry> {
        let text = self.clean(text);
        let entry = |text| Entry { role, is_prompt: self.is_prompt, ..self.entry(EntryKind::Text, text) };
        (!text.trim().is_empty()).then(|| entry(text))
    }

    fn tool_call(&self, block: &Value) -> Entry {
        let mut input = block["input"].clone();
        self.redactor.redact_json(&mut input);
        let call = self.entry(EntryKind::ToolCall, shortened_json(input, MAX_TEXT_BYTES));
        Entry { tool: name(block, "name"), call: name(block, "id"), ..call }
    }

    fn tool_result(&self, block: &Value) -> Entry {
        let text = result_text(&block["content"]);
        let outcome = match (self.interrupted || is_refusal(&text), block["is_error"] == true) {
            (true, _) => ToolOutcome::Interrupted,
            (_, true) => ToolOutcome::Failed,
            _ => ToolOutcome::Succeeded,
        };
        let result = self.entry(EntryKind::ToolResult, self.clean(&tool_text(&text)));
        Entry { role: Role::Tool, call: name(block, "tool_use_id"), outcome, ..result }
    }

    /// Returns what the person said to the call, as texts that name it. Whether they are the person's shows
    /// only where the call is known ([`tool_reply::settle`]).
    fn replies(&mut self, block: &Value) -> Vec<Entry> {
        let result = result_text(&block["content"]);
        let (mut entries, mut tool) = (Vec::new(), None);
        if block["is_error"] == true {
            let words = tool_reply::refusal_words(&result).unwrap_or_default();
            entries.extend(self.reply(words));
        } else {
            tool = Some(tool_reply::question_tool());
            for (question, answer) in tool_reply::answers(&result, &self.details) {
                let question = self.text_entry(Role::Assistant, &question);
                entries.extend(question.map(|question| Entry { is_prompt: false, ..question }));
                entries.extend(self.reply(&answer));
            }
        }
        let call = name(block, "tool_use_id");
        entries.iter_mut().for_each(|entry| (entry.call, entry.tool) = (call.clone(), tool.clone()));
        entries
    }

    /// Returns the words of a reply: what the person typed, and what they pasted.
    fn reply(&mut self, words: &str) -> Vec<Entry> {
        let prompt = PromptText::read(&without_private(words).0);
        let entries = self.prompt_entries(&prompt);
        entries.into_iter().map(|entry| Entry { is_prompt: entry.role == Role::User, ..entry }).collect()
    }

    /// Redacts first, because truncating could cut a secret in half and so hide it from the redactor.
    fn clean(&self, text: &str) -> String {
        truncate_middle(&self.redactor.redact(text), MAX_TEXT_BYTES).into_owned()
    }

    fn entry(&self, kind: EntryKind, text: String) -> Entry {
        let (role, at, cursor) = (self.role, self.at, self.cursor);
        let (outcome, is_mixed, is_prompt) = (ToolOutcome::Succeeded, false, false);
        let (tool, call, line_key, place) = (None, None, self.line_key, Arc::clone(&self.place));
        let is_certain = self.is_certain;
        Entry {
            role,
            kind,
            tool,
            call,
            text,
            outcome,
            is_mixed,
            is_certain,
            at,
            cursor,
            is_prompt,
            line_key,
            place,
        }
    }
}

fn name(block: &Value, field: &str) -> Option<String> {
    block[field].as_str().map(|name| name.chars().take(MAX_NAME_CHARS).collect())
}

/// Returns the text of a tool result, whose content is a string or a list of blocks.
fn result_text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => {
            blocks.iter().filter_map(|block| block["text"].as_str()).collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}

/// Serializes a value in at most `max_bytes` bytes. The middle of long strings is left out, so the result
/// stays JSON.
fn shortened_json(mut value: Value, max_bytes: usize) -> String {
    let complete = value.to_string();
    if complete.len() <= max_bytes {
        return complete;
    }
    for max_string_bytes in SHORTER_STRINGS {
        truncate_strings(&mut value, max_string_bytes);
        let json = value.to_string();
        if json.len() <= max_bytes {
            return json;
        }
    }
    // The value consists of thousands of small parts, none of which says much.
    "{}".to_owned()
}

fn truncate_strings(value: &mut Value, max_bytes: usize) {
    match value {
        Value::String(text) => *text = truncate_middle(text, max_bytes).into_owned(),
        Value::Array(values) => values.iter_mut().for_each(|value| truncate_strings(value, max_bytes)),
        Value::Object(fields) => fields.values_mut().for_each(|value| truncate_strings(value, max_bytes)),
        _ => {}
    }
}

#[cfg(test)]
#[path = "entry_tests.rs"]
mod tests;
