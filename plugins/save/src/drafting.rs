//! Saving with a model: asks for drafts of each triggered category, from an excerpt around its evidence;
//! looks up what the drafts quote; has a second model verify what they claim. What remains are findings.
//!
//! A model's answer is trusted as little as the transcript: it may have followed a tool's words.

mod answer;
mod checks;
mod excerpt;
mod invented_numbers;
mod merge;
mod prompts;
mod provenance;
mod rounds;
pub mod schemas;
#[cfg(test)]
mod tests;

use crate::finding::{Finding, Retirement};
use crate::known_memory::MemoryLookup;
use crate::settings::{CategoryPolicies, Settings};
use crate::transcript::Transcript;
use crate::triage::Triaged;
/// A request to a model.
pub use interleaf_layer::llm::Request as Prompt;
use interleaf_layer::llm::Tier;
use interleaf_layer::memory::Category;
use rounds::Rounds;

/// The result of drafting.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Drafted {
    /// Findings to write, best first: those of the rules, in the model's words where both say the same, and
    /// the model's.
    pub findings: Vec<Finding>,
    /// Memories to retire.
    pub retirements: Vec<Retirement>,
    /// Drafts that are not written.
    pub refused: Vec<Refusal>,
    /// Categories for which the model gave no usable answer, and why. The rules' findings remain.
    pub failed: Vec<(Category, String)>,
}

/// What is known before the model is asked.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    /// What the rules found.
    pub findings: &'a [Finding],
    /// What the agent saved itself during the session. The model looks for what it missed.
    pub saved: &'a [String],
    /// The project's memories.
    pub memories: &'a dyn MemoryLookup,
    /// Which categories the person wants, and their descriptions.
    pub policies: &'a CategoryPolicies,
}

/// Drafts the triggered categories.
pub fn draft(
    transcript: &Transcript,
    triaged: &[Triaged],
    known: Known<'_>,
    session: &str,
    settings: &Settings,
    model: &dyn Model,
) -> Drafted {
    let enabled = triaged.iter().filter(|triaged| known.policies.is_enabled(triaged.category));
    let triaged: Vec<Triaged> = enabled.cloned().collect();
    let asked: Vec<&Triaged> = triaged.iter().filter(|it| it.triggered && settings.model).collect();
    if asked.is_empty() {
        return Drafted { findings: known.findings.to_vec(), ..Drafted::default() };
    }
    let mut rounds = Rounds::new(transcript, known, session, settings, model);
    let mut answers = rounds.ask(&asked);
    let also = rounds.also(&triaged, &asked, &answers);
    let also: Vec<&Triaged> = also.iter().collect();
    answers.extend(rounds.ask(&also));
    let pending = rounds.check(&[asked, also].concat(), answers);
    let verified = rounds.verify(pending);
    rounds.merge(verified)
}

/// A language model.
pub trait Model {
    /// Answers all prompts in their order.
    fn complete(&self, prompts: &[Prompt]) -> Vec<Result<String, String>>;
}

/// A draft that is not written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The draft's category.
    pub category: Category,
    /// The draft's title.
    pub title: String,
    /// The reason.
    pub reason: RefusalReason,
}

/// Why a draft is not written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusalReason {
    /// The rule. Contains nobody's words, so the log may show it.
    pub rule: &'static str,
    /// The words that broke the rule, from the session or a model.
    pub words: String,
}

impl RefusalReason {
    const fn new(rule: &'static str) -> Self {
        Self { rule, words: String::new() }
    }

    fn with_words(rule: &'static str, words: &str) -> Self {
        Self { rule, words: words.to_owned() }
    }
}

impl std::fmt::Display for RefusalReason {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.rule)?;
        match self.words.as_str() {
            "" => Ok(()),
            words => write!(formatter, ": {words}"),
        }
    }
}

/// Removes invisible characters, and cuts at a word. A model's answer can have any length; a
/// memory cannot.
fn clean(text: &str, max_chars: usize) -> String {
    let text = interleaf_text::strip_invisible(text.trim());
    interleaf_text::truncate_at_word(&text, max_chars).into_owned()
}

/// Like [`clean`], on one line.
fn one_line(text: &str, max_chars: usize) -> String {
    // Enough to fill the line, however much white space there is.
    let head: String = text.chars().take(4 * max_chars).collect();
    clean(&interleaf_text::collapse_whitespace(&head), max_chars)
}
