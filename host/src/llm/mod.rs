//! What a language model is to the host: one request, one completion. How much of it a layer may have is decided in
//! `grant/`; which one the person chose, and what it may cost, here.
//!
//! The way of a request: [`chosen`] takes secrets out of it, [`cap`] reserves the most that it can take, a client
//! ([`claude`], [`anthropic`], [`openai`]) puts it to its server or program, and [`schema`] holds the answer against the
//! schema that was asked for and has it repaired once. [`http`] is what two clients share, [`key`] where keys come from.
//! The clients know nothing of caps, secrets and layers; nobody else knows what is spoken on the wire.

mod anthropic;
mod cap;
mod chosen;
mod claude;
mod client;
mod count;
mod http;
mod key;
mod openai;
mod schema;
mod selection;

pub use cap::{DailySpend, Spend, SpendCap};
pub use chosen::ConfiguredModel;
pub use key::KeySource;

use crate::error::Result;

/// Which of the person's models is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelTier {
    /// For drafts: quick and cheap.
    Small,
    /// For judgement.
    Strong,
}

impl ModelTier {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Small, Self::Strong];

    /// As it is written in the configuration.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Small => "small",
            Self::Strong => "strong",
        }
    }
}

/// What is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompletionRequest {
    /// Which model.
    pub tier: ModelTier,
    /// The model's instructions.
    pub system: String,
    /// What it is to answer.
    pub prompt: String,
    /// The JSON Schema that the answer must match.
    pub schema: Option<String>,
    /// Most tokens of the answer.
    pub max_tokens: u32,
}

impl CompletionRequest {
    /// Tokens that are sent, as far as they can be told without the model's own vocabulary.
    pub fn estimated_input_tokens(&self) -> u32 {
        let texts = [Some(&self.system), Some(&self.prompt), self.schema.as_ref()];
        count::tokens(texts.into_iter().flatten().map(String::as_str))
    }

    /// The most that it can take.
    pub fn max_total_tokens(&self) -> u32 {
        self.estimated_input_tokens().saturating_add(self.max_tokens)
    }
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
    fn complete(&self, request: &CompletionRequest) -> Result<Completion>;

    /// Answers one request of this session, which a cap may count.
    ///
    /// # Errors
    /// As [`Model::complete`]; `OverBudget` beyond the cap.
    fn complete_for_session(&self, session: &str, request: &CompletionRequest) -> Result<Completion> {
        let _ = session;
        self.complete(request)
    }
}

/// A function is a model: what the harness is given.
impl<F: Fn(&CompletionRequest) -> Result<Completion> + Send + Sync> Model for F {
    fn complete(&self, request: &CompletionRequest) -> Result<Completion> {
        self(request)
    }
}
