//! A request with queries for tests: where in it does a text occur?
//!
//! The client puts a hook's context in a message of role `system` or in reminder blocks of the user's
//! messages, depending on the model. So a test searches everywhere and uses the position only in messages.

use serde_json::Value;
use std::fmt;

/// One request to the Messages API.
#[derive(Debug, Clone)]
pub struct Request {
    /// The route of the script that answered it.
    pub route: &'static str,
    /// Its body.
    pub body: Value,
}

/// A text of a request with its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// `system` for the system prompt, else the message's role and its number: `user[0]`.
    pub place: String,
    /// The complete text of the block.
    pub text: String,
}

impl fmt::Display for Passage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {:?}", self.place, self.text)
    }
}

impl Request {
    /// Counts the occurrences of `text` in the system prompt and the messages.
    pub fn count(&self, text: &str) -> usize {
        self.passages().iter().map(|passage| passage.text.matches(text).count()).sum()
    }

    /// Tells whether `text` occurs in the system prompt or the messages.
    pub fn mentions(&self, text: &str) -> bool {
        self.count(text) > 0
    }

    /// Returns the blocks that contain `text`.
    pub fn passages_with(&self, text: &str) -> Vec<Passage> {
        self.passages().into_iter().filter(|passage| passage.text.contains(text)).collect()
    }

    /// Returns the texts of the system prompt and the messages, in order.
    pub fn passages(&self) -> Vec<Passage> {
        let mut passages = passages("system", &self.body["system"]);
        for (index, message) in self.messages().iter().enumerate() {
            let place = format!("{}[{index}]", message["role"].as_str().unwrap_or("?"));
            passages.extend(self::passages(&place, &message["content"]));
        }
        passages
    }

    /// Tells whether the request offers tools. Every step of a conversation does; a request for a title does
    /// not.
    pub fn has_tools(&self) -> bool {
        self.body["tools"].as_array().is_some_and(|tools| !tools.is_empty())
    }

    /// Returns the texts of the first message of role `user`.
    pub fn first_user_text(&self) -> String {
        joined(self.messages().iter().find(|message| message["role"] == "user"))
    }

    /// Returns the texts of the last message of role `user`.
    pub fn last_user_text(&self) -> String {
        joined(self.messages().iter().rfind(|message| message["role"] == "user"))
    }

    fn messages(&self) -> &[Value] {
        self.body["messages"].as_array().map_or(&[], Vec::as_slice)
    }
}

fn joined(message: Option<&Value>) -> String {
    let passages = message.map(|message| passages("", &message["content"])).unwrap_or_default();
    passages.into_iter().map(|passage| passage.text).collect::<Vec<_>>().join("\n")
}

/// Returns the texts of `content`, which is a string or blocks; a tool's result holds content again.
fn passages(place: &str, content: &Value) -> Vec<Passage> {
    match content {
        Value::String(text) => vec![Passage { place: place.to_owned(), text: text.clone() }],
        Value::Array(blocks) => blocks.iter().flat_map(|block| block_passages(place, block)).collect(),
        _ => Vec::new(),
    }
}

fn block_passages(place: &str, block: &Value) -> Vec<Passage> {
    match block["type"].as_str() {
        Some("tool_result") => passages(place, &block["content"]),
        Some("tool_use") => vec![Passage { place: place.to_owned(), text: block["input"].to_string() }],
        _ => passages(place, &block["text"]),
    }
}
