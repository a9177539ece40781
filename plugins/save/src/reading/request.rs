//! Builds the prompts for drafting and verifying. Two lines of each prompt have a fixed form, so that a
//! scripted model in a test can recognize it: `Task: draft` or `Task: verify`, and `Category: decision`.
//!
//! Sizes measured over the recorded sessions, at four characters per token: instructions and schema 1,530 to
//! 1,660 tokens to draft and 440 to verify; known memories up to 600; excerpts 180 to 2,100 to draft (at most
//! 2,500) and 280 to 1,080 to verify (at most 1,750); answers 100 to 600. A flush sends 9,800 to 21,700
//! tokens, and 26,800 if all six categories trigger.

use serde_json::json;

use super::excerpt::{Excerpt, escape};
use super::{Prompt, Tier, one_line, schemas};
use crate::finding::{Finding, Intent, Retirement};
use crate::known_memory::KnownMemory;
use interleaf_classifier::words::sections;
use interleaf_layer::memory::Category;

/// Maximum number of tokens of a drafting answer: five drafts with their content.
const MAX_DRAFT_TOKENS: u32 = 1600;
/// Maximum number of tokens of a verifying answer: five verdicts with a sentence each.
const MAX_VERDICT_TOKENS: u32 = 600;

/// Maximum number of texts saved by the assistant itself in a prompt, the first of a session.
const MAX_SAVED: usize = 20;

/// Maximum length of a known memory in a prompt, in characters: enough to distinguish it from the others.
const MAX_KNOWN_CHARS: usize = 200;

const DATA_NOTE: &str = include_str!("prompts/data.txt");
const DRAFT_INSTRUCTIONS: &str = include_str!("prompts/draft.txt");
const REQUESTS: &str = include_str!("prompts/requests.txt");
const VERIFY_INSTRUCTIONS: &str = include_str!("prompts/verify.txt");

/// The data for drafting one category.
pub(super) struct DraftMaterial<'a> {
    pub category: Category,
    /// The person's description of the category.
    pub description: Option<&'a str>,
    /// The rules' findings.
    pub candidates: Vec<&'a Finding>,
    /// Texts that the assistant saved itself.
    pub saved: &'a [String],
    /// Existing memories of the category.
    pub known: &'a [KnownMemory],
    pub excerpt: &'a Excerpt<'a>,
    /// The cursor of the first entry that no flush has saved.
    pub saved_until: u64,
}

/// Builds the request for one category's drafts.
pub(super) fn draft(material: &DraftMaterial, tier: Tier) -> Prompt {
    let category = material.category;
    let candidates = material.candidates.iter().enumerate().map(|(at, finding)| candidate(at, finding));
    let saved = material.saved.iter().take(MAX_SAVED).map(|text| data_line(&json!({ "saved": text })));
    let known = material.known.iter().enumerate().map(|(at, memory)| known(at, memory));
    let data = [element("candidates", candidates), element("saved", saved), element("known", known)];
    let described = material.description.map(|text| format!("\nDescription: {text}")).unwrap_or_default();
    let (instructions, note) = (DRAFT_INSTRUCTIONS.trim(), DATA_NOTE.trim());
    let request = category_request(category);
    let (head, data) = (head("draft", category), data.join("\n\n"));
    Prompt {
        tier,
        system: format!("{instructions}\n\nThis time: {request}{described}\n\n{note}"),
        prompt: format!("{head}\n\n{data}\n\n{}", material.excerpt.render(material.saved_until)),
        schema: Some(schemas::draft_answer(category).to_string()),
        max_tokens: MAX_DRAFT_TOKENS,
    }
}

/// Builds the request to verify all drafts and retirements of one category. They share one request, because
/// the excerpt is most of its cost, and a model that sees two drafts of one subject recognizes the withdrawn
/// one. Each category has its own request, so that a failure affects only one category.
pub(super) fn verify(
    category: Category,
    drafts: &[Finding],
    retirements: &[Retirement],
    excerpt: &Excerpt,
    saved_until: u64,
) -> Prompt {
    let findings = drafts.iter().enumerate().map(|(at, finding)| drafted(at, finding));
    let ends = retirements.iter().enumerate().map(|(at, end)| retirement(drafts.len() + at, end));
    let (head, data) = (head("verify", category), element("drafts", findings.chain(ends)));
    Prompt {
        tier: Tier::Strong,
        system: format!("{}\n\n{}", VERIFY_INSTRUCTIONS.trim(), DATA_NOTE.trim()),
        prompt: format!("{head}\n\n{data}\n\n{}", excerpt.render(saved_until)),
        schema: Some(schemas::verdicts_answer().to_string()),
        max_tokens: MAX_VERDICT_TOKENS,
    }
}

fn head(task: &str, category: Category) -> String {
    format!("Task: {task}\nCategory: {}", category.as_str())
}

fn element(name: &str, lines: impl Iterator<Item = String>) -> String {
    format!("<{name}>\n{}\n</{name}>", lines.collect::<Vec<_>>().join("\n"))
}

fn candidate(at: usize, finding: &Finding) -> String {
    data_line(&json!({ "candidate": at, "title": finding.title, "text": finding.text }))
}

/// Returns the line for a known memory, with a number: a model does not see ids.
fn known(at: usize, memory: &KnownMemory) -> String {
    let (category, text) = (memory.category.as_str(), one_line(&memory.text, MAX_KNOWN_CHARS));
    data_line(&json!({ "known": at, "category": category, "title": memory.title, "text": text }))
}

fn drafted(at: usize, finding: &Finding) -> String {
    let (title, text, content) = (&finding.title, &finding.text, &finding.content);
    let mut line =
        json!({ "index": at, "title": title, "text": text, "content": content, "tags": finding.tags });
    if let Some(about) = finding.about.as_ref().filter(|about| about.intent == Intent::Supersede) {
        line["in_place_of"] = earlier(&about.memory);
    }
    data_line(&line)
}

fn retirement(at: usize, retirement: &Retirement) -> String {
    let (event, memory) = (retirement.event.as_str(), earlier(&retirement.memory));
    data_line(&json!({ "index": at, "ended": memory, "event": event, "why": retirement.why }))
}

fn earlier(memory: &KnownMemory) -> serde_json::Value {
    json!({ "title": memory.title, "text": one_line(&memory.text, MAX_KNOWN_CHARS) })
}

/// Returns JSON on one line, escaped as data.
fn data_line(value: &serde_json::Value) -> String {
    escape(&value.to_string())
}

/// Returns the request for memories of a category.
fn category_request(category: Category) -> String {
    let lines = sections(REQUESTS).remove(category.as_str());
    lines.map_or_else(|| "what was learned.".to_owned(), |lines| lines.join(" "))
}
