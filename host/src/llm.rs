//! The language model behind layers: one request, one completion.
//!
//! A request goes through [`configured_model`], which redacts it and reserves the tokens that it may take in
//! [`spend_cap`]; one client ([`claude_cli`], [`anthropic`], [`openai`]) sends it, and [`answer_schema`]
//! checks the answer and has it repaired once. [`http_client`] is shared by two clients; [`api_key`] reads
//! their keys. Clients do not know caps, secrets or layers; `grant/` decides what a layer may ask.

mod answer_schema;
mod anthropic;
mod api_key;
mod child_process;
mod claude_cli;
mod configured_model;
mod http_client;
mod model_client;
mod openai;
mod spend_cap;
mod token_count;

pub use configured_model::ConfiguredModel;
pub use spend_cap::{DailySpend, Spend, SpendCap};

use crate::error::Result;

/// One of the two configured models.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelTier {
    /// For drafts: quick and cheap.
    Small,
    /// For decisions that need judgment.
    Strong,
}

impl ModelTier {
    /// Both tiers.
    pub const ALL: [Self; 2] = [Self::Small, Self::Strong];

    /// Returns the tier's name in the configuration.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Small => "small",
            Self::Strong => "strong",
        }
    }
}

/// One request to a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompletionRequest {
    /// The model to ask.
    pub tier: ModelTier,
    /// The model's instructions.
    pub system: String,
    /// The prompt that it answers.
    pub prompt: String,
    /// The JSON Schema that the answer must match.
    pub schema: Option<String>,
    /// Maximum number of tokens in the answer.
    pub max_tokens: u32,
}

impl CompletionRequest {
    /// Estimates the number of tokens sent, without the model's own vocabulary.
    pub fn estimated_input_tokens(&self) -> u32 {
        let texts = [Some(&self.system), Some(&self.prompt), self.schema.as_ref()];
        token_count::estimate(texts.into_iter().flatten().map(String::as_str))
    }

    /// Estimates the maximum number of tokens for prompt and answer together.
    pub fn max_total_tokens(&self) -> u32 {
        self.estimated_input_tokens().saturating_add(self.max_tokens)
    }
}

/// An answer with its token counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// The answer.
    pub text: String,
    /// Tokens that were sent.
    pub input_tokens: u32,
    /// Tokens in the answer.
    pub output_tokens: u32,
}

/// A language model. Requests come from several threads at once.
pub trait Model: Send + Sync {
    /// Answers one request.
    ///
    /// # Errors
    /// `Unavailable` when no answer comes in time; `Invalid` when the model cannot take the request.
    fn complete(&self, request: &CompletionRequest) -> Result<Completion>;

    /// Answers one request on behalf of a session, so that a cap per session can count it.
    ///
    /// # Errors
    /// As [`Model::complete`]; `OverBudget` beyond the cap.
    fn complete_for_session(&self, session: &str, request: &CompletionRequest) -> Result<Completion> {
        let _ = session;
        self.complete(request)
    }
}

/// Makes a closure usable as a model, for the harness.
impl<F: Fn(&CompletionRequest) -> Result<Completion> + Send + Sync> Model for F {
    fn complete(&self, request: &CompletionRequest) -> Result<Completion> {
        self(request)
    }
}
