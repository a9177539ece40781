//! A model, as the drafts see it: prompts in, texts out. Who answers, and what it costs, is the host's business.

/// Which of the person's models.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tier {
    /// For drafts.
    Small,
    /// For judgement.
    Strong,
}

/// A question to a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// To which.
    pub tier: Tier,
    /// What it is to do.
    pub system: String,
    /// What it is to do it with.
    pub prompt: String,
    /// The JSON Schema of its answer.
    pub schema: Option<String>,
    /// How long the answer may be.
    pub max_tokens: u32,
}

/// Whoever answers.
pub trait Model {
    /// Answers all prompts, side by side, in their order.
    fn complete(&self, prompts: &[Prompt]) -> Vec<Result<String, String>>;
}
