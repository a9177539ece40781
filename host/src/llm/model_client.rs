//! The interface of a model client: one request to one model, and its response or error with the tokens that
//! it cost.

use std::time::Instant;

use serde_json::Value;

use crate::error::Error;

/// One request, as a client sends it.
pub(super) struct ClientRequest<'a> {
    /// The model's name.
    pub model: &'a str,
    pub system: &'a str,
    pub prompt: &'a str,
    /// The JSON Schema of an object, for servers that enforce one.
    pub schema: Option<&'a Value>,
    /// Maximum number of tokens in the answer.
    pub max_tokens: u32,
    /// When the answer is due.
    pub deadline: Instant,
}

/// The response of a model.
#[derive(Debug)]
pub(super) struct ClientResponse {
    pub text: String,
    pub usage: Usage,
}

/// Token counts as the server reports them; absent if it reports none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Usage {
    pub input: Option<u32>,
    pub output: Option<u32>,
}

impl Usage {
    /// Reads the counts from a JSON object in which several fields count as input.
    pub fn read(usage: &Value, input: &[&str], output: &str) -> Self {
        let count = |name: &str| usage[name].as_u64().map(|count| u32::try_from(count).unwrap_or(u32::MAX));
        let parts: Vec<u32> = input.iter().filter_map(|name| count(name)).collect();
        let sum = parts.iter().fold(0_u32, |sum, part| sum.saturating_add(*part));
        Self { input: Some(sum).filter(|_| !parts.is_empty()), output: count(output) }
    }
}

/// What a failed call may have cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CallCost {
    /// The model was not called.
    Nothing,
    /// The model may have read the prompt; nothing is known of an answer.
    Prompt,
    /// There was an answer of unknown length.
    Unknown,
    /// There was an answer with token counts.
    Reported(Usage),
}

/// The reason why there is no answer.
#[derive(Debug)]
pub(super) struct ClientError {
    pub error: Error,
    pub cost: CallCost,
    /// Whether the server may have refused the schema.
    pub refused: bool,
    /// The beginning of an answer that was cut off.
    pub partial: Option<String>,
}

impl ClientError {
    pub fn new(error: Error, cost: CallCost) -> Self {
        Self { error, cost, refused: false, partial: None }
    }

    /// Returns the error for an answer that was cut off at its token limit. `partial` is what arrived.
    pub fn truncated(request: &ClientRequest, partial: &str, usage: Usage) -> Self {
        let what = format!("the answer of {} was cut off at {} tokens", request.model, request.max_tokens);
        let error = Error::unavailable(what).hint("allow it more tokens, or ask for less");
        let partial = Some(partial.to_owned()).filter(|partial| !partial.is_empty());
        Self { partial, ..Self::new(error, CallCost::Reported(usage)) }
    }

    /// Returns the error for a model that declined to answer.
    pub fn declined(model: &str, usage: Usage) -> Self {
        Self::new(Error::unavailable(format!("{model} declined to answer")), CallCost::Reported(usage))
    }
}

/// A client for one kind of server or program. Requests come from several threads at once.
pub(super) trait ModelClient: Send + Sync {
    /// Sends one request.
    fn ask(&self, request: &ClientRequest) -> Result<ClientResponse, ClientError>;

    /// Checks, without a call, that the key or the program exists.
    fn ready(&self) -> Result<(), Error>;

    /// Returns the tokens that the client adds to a request.
    fn overhead_tokens(&self, schema: bool) -> u32;
}

/// Prepares foreign text for an error message: one line, short, and without invisible characters.
pub(super) fn one_line(text: &str) -> String {
    const MAX_CHARS: usize = 200;
    let visible = text.replace(|c: char| interleaf_text::is_invisible(c) && !c.is_whitespace(), " ");
    let line = interleaf_text::collapse_whitespace(&visible);
    // A single word of this length may be a key, of which redaction would not recognize a half.
    match line.split(' ').next().is_some_and(|word| word.chars().count() >= MAX_CHARS) {
        true => "…".to_owned(),
        false => interleaf_text::truncate_at_word(&line, MAX_CHARS).into_owned(),
    }
}
