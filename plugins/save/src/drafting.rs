//! Finds memories with a model. It asks for drafts of each triggered category, from an excerpt around its
//! evidence; looks up the quotes of the drafts; and has a second model verify their claims. The drafts that
//! pass become findings.
//!
//! A model's answer is as untrusted as the transcript, because the model may have followed instructions in a
//! tool's output.

mod answer;
mod checks;
mod excerpt;
mod folded_words;
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
    /// Findings to write, best first: those of the rules, in the model's words if both say the same, and
    /// those of the model.
    pub findings: Vec<Finding>,
    /// Memories to retire.
    pub retirements: Vec<Retirement>,
    /// Refused drafts.
    pub refused: Vec<Refusal>,
    /// Categories for which the model gave no usable answer, with the reason. The rules' findings remain.
    pub failed: Vec<(Category, String)>,
}

/// Information that exists before the model is asked.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    /// The rules' findings.
    pub findings: &'a [Finding],
    /// Texts that the agent saved itself during the session. The model skips them.
    pub saved: &'a [String],
    /// The project's memories.
    pub memories: &'a dyn MemoryLookup,
    /// The cursor of the first entry that no flush has saved. What stands before it is the last turn that was
    /// saved: a "yes, do that" is understood only with what it answers.
    pub saved_until: u64,
    /// The enabled categories and their descriptions.
    pub policies: &'a CategoryPolicies,
}

/// Returns the categories that the model is asked about: enabled ones that triggered.
pub fn asked<'t>(triaged: &'t [Triaged], known: &Known<'_>, settings: &Settings) -> Vec<&'t Triaged> {
    let is_asked = |it: &&Triaged| it.triggered && settings.model && known.policies.is_enabled(it.category);
    triaged.iter().filter(is_asked).collect()
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
    let asked = asked(triaged, &known, settings);
    if asked.is_empty() {
        return Drafted { findings: known.findings.to_vec(), ..Drafted::default() };
    }
    let mut rounds = Rounds::new(transcript, known, session, settings, model);
    let mut answers = rounds.ask(&asked);
    let additional = rounds.additional_categories(triaged, &asked, &answers);
    let additional: Vec<&Triaged> = additional.iter().collect();
    answers.extend(rounds.ask(&additional));
    let pending = rounds.check(&[asked, additional].concat(), answers);
    let verified = rounds.verify(pending);
    rounds.merge(verified)
}

/// A language model.
pub trait Model {
    /// Returns one answer per prompt, in the order of the prompts.
    fn complete(&self, prompts: &[Prompt]) -> Vec<Result<String, String>>;
}

/// A refused draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The draft's category.
    pub category: Category,
    /// The draft's title.
    pub title: String,
    /// The reason.
    pub reason: RefusalReason,
}

/// The reason why a draft is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusalReason {
    /// The rule. It contains no words of the session, so the log may show it.
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

/// Removes invisible characters and truncates the text at a word, because a model's answer can have any
/// length.
fn clean(text: &str, max_chars: usize) -> String {
    let text = interleaf_text::strip_invisible(text.trim());
    interleaf_text::truncate_at_word(&text, max_chars).into_owned()
}

/// Like [`clean`], on one line.
fn one_line(text: &str, max_chars: usize) -> String {
    // Enough to fill the line even if most of it is white space.
    let head: String = text.chars().take(4 * max_chars).collect();
    clean(&interleaf_text::collapse_whitespace(&head), max_chars)
}
