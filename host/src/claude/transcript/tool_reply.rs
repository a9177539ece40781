//! What a person says to a tool call: the words typed while refusing it, and the answers to the agent's
//! questions. The client writes both into the call's result, with words of its own around them.
//!
//! An MCP server could print the same frame, so the words are the person's only if the call was one of a tool
//! of the client's; [`settle`] looks for it. The shapes are those of the clients 2.0.76 to 2.1.45, in public
//! transcripts.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};

use serde_json::Value;

use super::{Entry, EntryKind, Role};

/// How the result of a refused call begins.
const REFUSED: &str = "The user doesn't want to proceed with this tool use.";

/// What stands before the words of the person in it.
const WORDS_BEHIND: &str = "the user said:\n";

/// How the advice to the agent begins that some clients add behind the words.
const ADVICE: &str = "\n\nNote: The user's next message may contain a correction or preference.";

/// How the client's own text begins that stands there if the person chose to talk about a question.
const CLARIFICATION: &str = "The user wants to clarify these questions";

/// How the result of answered questions begins.
const ANSWERED: [&str; 2] = ["User has answered your questions", "Your questions have been answered"];

/// The tool with which the agent asks the person.
const QUESTION_TOOL: &str = "AskUserQuestion";

/// How the names of the tools of MCP servers begin.
const MCP_PREFIX: &str = "mcp__";

/// Bytes before a page in which the call is looked for. It usually stands on the line before.
const MAX_LOOK_BACK_BYTES: u64 = 256 << 10;

/// Returns the words that the person typed while refusing a call, from its result.
pub(super) fn refusal_words(result: &str) -> Option<&str> {
    let (_, words) = result.strip_prefix(REFUSED)?.split_once(WORDS_BEHIND)?;
    let words = words.split_once(ADVICE).map_or(words, |(words, _)| words).trim();
    (!words.is_empty() && !words.starts_with(CLARIFICATION)).then_some(words)
}

/// Returns the questions and answers of a result, in the order of the questions. `details` is the field
/// `toolUseResult`: in the result itself, quotation marks are not escaped.
pub(super) fn answers(result: &str, details: &Value) -> Vec<(String, String)> {
    if !ANSWERED.iter().any(|opening| result.starts_with(opening)) {
        return Vec::new();
    }
    let questions = details["questions"].as_array().into_iter().flatten();
    let questions = questions.filter_map(|question| question["question"].as_str());
    let answer = |question: &str| details["answers"][question].as_str().filter(|text| !text.is_empty());
    let pairs = questions.filter_map(|question| Some((question.to_owned(), answer(question)?.to_owned())));
    pairs.collect()
}

/// Makes the words of replies foreign text if their call is not known to be one of a tool of the client's.
/// `source` is the transcript, in which `cursor` is where the page begins.
pub(super) fn settle(entries: &mut [Entry], source: &mut (impl Read + Seek), cursor: u64) {
    let is_reply = |entry: &Entry| entry.kind == EntryKind::Text && entry.call.is_some();
    if !entries.iter().any(is_reply) {
        return;
    }
    let mut tools: HashMap<String, String> = HashMap::new();
    if cursor > 0 {
        tools_before(source, cursor, &mut tools);
    }
    let calls = entries.iter().filter(|entry| entry.kind == EntryKind::ToolCall);
    tools.extend(calls.filter_map(|entry| entry.call.clone().zip(entry.tool.clone())));
    for entry in entries.iter_mut().filter(|entry| is_reply(entry)) {
        let tool = entry.call.take().and_then(|call| tools.get(&call));
        let is_clients = match entry.tool.take().as_deref() {
            Some(needed) => tool.is_some_and(|tool| tool == needed),
            None => tool.is_some_and(|tool| !tool.starts_with(MCP_PREFIX)),
        };
        if !is_clients {
            entry.role = Role::Tool;
        }
    }
}

/// Returns the tool that must have been called for a text to be an answer to its question.
pub(super) fn question_tool() -> String {
    QUESTION_TOOL.to_owned()
}

/// Adds the ids and tools of the calls on the lines before a cursor.
fn tools_before(source: &mut (impl Read + Seek), cursor: u64, tools: &mut HashMap<String, String>) {
    let begin = cursor.saturating_sub(MAX_LOOK_BACK_BYTES);
    if source.seek(SeekFrom::Start(begin)).is_err() {
        return;
    }
    for line in BufReader::new(source.take(cursor - begin)).split(b'\n').map_while(Result::ok) {
        let line: Value = serde_json::from_slice(&line).unwrap_or_default();
        let blocks = line["message"]["content"].as_array().into_iter().flatten();
        let calls = blocks.filter(|block| line["type"] == "assistant" && block["type"] == "tool_use");
        let named = calls.filter_map(|call| Some((call["id"].as_str()?, call["name"].as_str()?)));
        tools.extend(named.map(|(id, name)| (id.to_owned(), name.to_owned())));
    }
}

#[cfg(test)]
#[path = "tool_reply_tests.rs"]
mod tests;
