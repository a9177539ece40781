//! What a model is told and shown. Two lines of each prompt are stable, for stand-ins of a model that answer from a
//! script: `Task: draft` or `Task: verify`, and `Category: decision`.
//!
//! Sizes, measured over the recorded sessions (four characters a token): instructions with their schema 1,310 to 1,460
//! tokens to draft and 460 to verify; what stands already up to 600; excerpts 180 to 2,100 tokens to draft, at most 2,500,
//! and 280 to 1,080 to verify, at most 1,750; answers 100 to 600. A session comes to 7,000 to 18,500 tokens that go out where
//! every prompt shows as much as it may of what stands, and 26,000 where all six categories are triggered.

mod lines;
mod schemas;
mod words;

use crate::find::{Category, Find};
use crate::standing::{Ended, Standing};

use super::excerpt::Excerpt;
use super::model::{Prompt, Tier};
use words::{DATA, DRAFT, VERIFY, wanted};

/// How long an answer may be: five drafts with their content fields.
const DRAFT_TOKENS: u32 = 1200;
/// Five verdicts with a sentence each.
const VERDICT_TOKENS: u32 = 600;

/// Texts that the assistant saved itself, the first of a session.
const MOST_SAVED: usize = 20;

/// What a category's drafts are made from.
pub(super) struct Material<'a> {
    pub category: Category,
    /// What belongs into it, where somebody said.
    pub description: Option<&'a str>,
    /// What the rules found.
    pub candidates: Vec<&'a Find>,
    /// What the assistant saved itself.
    pub saved: &'a [String],
    /// What stands already.
    pub known: &'a [Standing],
    pub excerpt: &'a Excerpt<'a>,
}

/// The request for one category's drafts.
pub(super) fn draft(material: &Material, tier: Tier) -> Prompt {
    let category = material.category;
    let candidates = material.candidates.iter().enumerate().map(|(at, find)| lines::candidate(at, find));
    let saved = material.saved.iter().take(MOST_SAVED).map(|text| lines::saved(text));
    let known = material.known.iter().enumerate().map(|(at, memory)| lines::known(at, memory));
    let data = [block("candidates", candidates), block("saved", saved), block("known", known)].join("\n\n");
    let described = material.description.map(|words| format!("\nDescription: {words}")).unwrap_or_default();
    Prompt {
        tier,
        system: format!("{DRAFT}\n\nThis time: {}{described}\n\n{DATA}", wanted(category)),
        prompt: format!("{}\n\n{data}\n\n{}", head("draft", category), material.excerpt.render()),
        schema: Some(schemas::draft(category).to_string()),
        max_tokens: DRAFT_TOKENS,
    }
}

/// The request to verify some drafts of one category, and which memories it says came to their end. One for all of them:
/// the excerpt is most of its price, and a judge who sees two drafts of one matter sees which of them was taken back. Not
/// one for all categories: if it fails, only one category is lost.
pub(super) fn verify(category: Category, drafts: &[Find], ended: &[Ended], excerpt: &Excerpt) -> Prompt {
    let finds = drafts.iter().enumerate().map(|(at, find)| lines::drafted(at, find));
    let ends = ended.iter().enumerate().map(|(at, end)| lines::ended(drafts.len() + at, end));
    let data = block("drafts", finds.chain(ends));
    Prompt {
        tier: Tier::Strong,
        system: format!("{VERIFY}\n\n{DATA}"),
        prompt: format!("{}\n\n{data}\n\n{}", head("verify", category), excerpt.render()),
        schema: Some(schemas::verdicts().to_string()),
        max_tokens: VERDICT_TOKENS,
    }
}

fn head(task: &str, category: Category) -> String {
    format!("Task: {task}\nCategory: {}", category.as_str())
}

fn block(name: &str, lines: impl Iterator<Item = String>) -> String {
    format!("<{name}>\n{}\n</{name}>", lines.collect::<Vec<_>>().join("\n"))
}
