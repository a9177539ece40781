//! A request as a test wants to look at it: where in it does this text stand?
//!
//! Where the client puts a hook's context depends on the model (a message of role `system`, or reminder
//! blocks inside the user's), so a test looks everywhere and asks for the place only to print it.

use serde_json::Value;
use std::fmt;

/// One request to the Messages API.
#[derive(Debug, Clone)]
pub struct Request {
    /// The route of the script that answered it.
    pub route: &'static str,
    /// Its whole body.
    pub body: Value,
}

/// A text of a request and the place where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// `system` for the system prompt, else the message's role and its number: `user[0]`.
    pub place: String,
    /// The whole text of the block.
    pub text: String,
}

impl fmt::Display for Passage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {:?}", self.place, self.text)
    }
}

impl Request {
    /// How often `text` stands in the system prompt and the messages.
    pub fn count(&self, text: &str) -> usize {
        self.passages().iter().map(|passage| passage.text.matches(text).count()).sum()
    }

    /// Whether `text` stands anywhere in the system prompt or the messages.
    pub fn mentions(&self, text: &str) -> bool {
        self.count(text) > 0
    }

    /// The blocks in which `text` stands.
    pub fn passages_with(&self, text: &str) -> Vec<Passage> {
        self.passages().into_iter().filter(|passage| passage.text.contains(text)).collect()
    }

    /// Every text of the system prompt and the messages, in order.
    pub fn passages(&self) -> Vec<Passage> {
        let mut passages = passages("system", &self.body["system"]);
        for (index, message) in self.messages().iter().enumerate() {
            let place = format!("{}[{index}]", message["role"].as_str().unwrap_or("?"));
            passages.extend(self::passages(&place, &message["content"]));
        }
        passages
    }

    /// Whether the request offers tools, as every step of a conversation does and a title does not.
    pub fn has_tools(&self) -> bool {
        self.body["tools"].as_array().is_some_and(|tools| !tools.is_empty())
    }

    /// All texts of the first message of role `user`.
    pub fn first_user_text(&self) -> String {
        joined(self.messages().iter().find(|message| message["role"] == "user"))
    }

    /// All texts of the last message of role `user`.
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

/// The texts of `content`, which is a string or blocks; a tool's result holds content again.
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
