//! What a language model is to the host: one request, one completion. Which model answers, where it is reached and
//! what it costs is for the client that implements [`Model`]; how much of it a layer may have is decided in `grant/`.

use crate::error::Result;

/// Which of the person's models is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tier {
    /// For drafts: quick and cheap.
    Small,
    /// For judgement.
    Strong,
}

/// What is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// Which model.
    pub tier: Tier,
    /// The model's instructions.
    pub system: String,
    /// What it is to answer.
    pub prompt: String,
    /// The JSON Schema that the answer must match.
    pub schema: Option<String>,
    /// Most tokens of the answer.
    pub max_tokens: u32,
}

/// What was answered, and what it took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// The answer.
    pub text: String,
    /// Tokens that were sent.
    pub input_tokens: u32,
    /// Tokens that came back.
    pub output_tokens: u32,
}

/// A language model. Requests come from several threads at once.
pub trait Model: Send + Sync {
    /// Answers one request.
    ///
    /// # Errors
    /// `Unavailable` when no answer comes in time; `Invalid` when the model cannot take the request.
    fn complete(&self, request: &Request) -> Result<Completion>;
}

/// A function is a model: what the harness is given.
impl<F: Fn(&Request) -> Result<Completion> + Send + Sync> Model for F {
    fn complete(&self, request: &Request) -> Result<Completion> {
        self(request)
    }
}
