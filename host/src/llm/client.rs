//! What a client is asked and what it says: one question to one model, and what came back, or why nothing did and what
//! that may have cost.

use std::time::Instant;

use serde_json::Value;

use crate::error::Error;

/// One question, as it is to be put.
pub(super) struct Question<'a> {
    /// The model's name.
    pub model: &'a str,
    pub system: &'a str,
    pub prompt: &'a str,
    /// An object's schema, for a server that can be held to one.
    pub schema: Option<&'a Value>,
    /// Most tokens of the answer.
    pub max_tokens: u32,
    /// When the answer must be there.
    pub deadline: Instant,
}

/// What came back.
#[derive(Debug)]
pub(super) struct Answer {
    pub text: String,
    pub usage: Usage,
}

/// What the other side says it took; none where it says nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Usage {
    pub input: Option<u32>,
    pub output: Option<u32>,
}

impl Usage {
    /// Reads counts from a JSON object, several fields of which are input.
    pub fn read(usage: &Value, input: &[&str], output: &str) -> Self {
        let count = |name: &str| usage[name].as_u64().map(|count| u32::try_from(count).unwrap_or(u32::MAX));
        let parts: Vec<u32> = input.iter().filter_map(|name| count(name)).collect();
        let sum = parts.iter().fold(0_u32, |sum, part| sum.saturating_add(*part));
        Self { input: Some(sum).filter(|_| !parts.is_empty()), output: count(output) }
    }
}

/// What a failed call may have cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cost {
    /// The model was not asked.
    Nothing,
    /// The model may have read the question; nothing is known of an answer.
    Prompt,
    /// There was an answer, and nobody can say how long it was.
    Unknown,
    /// There was an answer, which said what it took.
    Told(Usage),
}

/// Why there is no answer.
#[derive(Debug)]
pub(super) struct Failure {
    pub error: Error,
    pub cost: Cost,
    /// Whether it may be the schema that was refused.
    pub refused: bool,
}

impl Failure {
    pub fn new(error: Error, cost: Cost) -> Self {
        Self { error, cost, refused: false }
    }

    /// An answer that ends where the limit cut it off.
    pub fn truncated(model: &str, max_tokens: u32, usage: Usage) -> Self {
        let what = format!("the answer of {model} was cut off at {max_tokens} tokens");
        Self::new(Error::unavailable(what).hint("allow it more tokens, or ask for less"), Cost::Told(usage))
    }

    /// A model that did not want to answer.
    pub fn declined(model: &str, usage: Usage) -> Self {
        Self::new(Error::unavailable(format!("{model} declined to answer")), Cost::Told(usage))
    }
}

/// Somebody who can ask a model. Questions come from several threads at once.
pub(super) trait Client: Send + Sync {
    /// Puts one question.
    fn ask(&self, question: &Question) -> Result<Answer, Failure>;

    /// Whether it could be asked, as far as that can be told without asking: whether there is a key, or a program.
    fn ready(&self) -> Result<(), Error>;

    /// Tokens that it adds to a question of its own accord.
    fn adds(&self, schema: bool) -> u32;
}

/// Words of somebody else's for an error: one line, short, without what would move a terminal's cursor.
pub(super) fn tame(text: &str) -> String {
    const MOST: usize = 200;
    let mut words = String::new();
    for word in text
        .split(|letter: char| letter.is_whitespace() || letter.is_control())
        .filter(|word| !word.is_empty())
    {
        if words.chars().count() + word.chars().count() > MOST {
            words.push_str(" …");
            break;
        }
        words.push_str(if words.is_empty() { "" } else { " " });
        words.push_str(word);
    }
    words
}
