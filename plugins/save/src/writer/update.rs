//! Rewrites a memory in place, and converts findings to the contract's drafts.

use interleaf_layer::memory::{self, Draft, Memory, Patch, Quote, Resolution, ResolutionAction, Status};
use interleaf_layer::{Error, Result};

use super::outcome::{MAX_ATTEMPTS, WriteOutcome, lost_race, nothing, refused};
use crate::content_schema;
use crate::finding::{Evidence, Finding};
use crate::session::distinct;
use crate::transcript::UNWRITTEN_CURSOR;

/// Maximum number of tags of a memory: the host's limit.
const MAX_TAGS: usize = 12;
/// Maximum number of related files of a memory: the host's limit.
const MAX_RELATED_FILES: usize = 50;

/// Maximum number of quotes of a draft.
const MAX_QUOTES: usize = 8;

/// Replaces the content of the memory with this id by a finding. Returns `None` if the memory already has
/// this content. A memory that was forgotten since stays forgotten.
///
/// # Errors
/// Fails if the host is unavailable.
pub(super) fn update(id: &str, finding: &Finding, reason: &str) -> Result<Option<WriteOutcome>> {
    for _ in 0..MAX_ATTEMPTS {
        let memory = match memory::get(id) {
            Ok(memory) => memory,
            Err(Error::NotFound(_)) => return Ok(Some(forgotten(id, finding))),
            Err(error) => return Err(error),
        };
        if memory.status != Status::Active {
            return Ok(Some(forgotten(id, finding)));
        }
        if has_same_content(&memory, finding) {
            return Ok(None);
        }
        match memory::update(id, memory.version, &patch(&memory, finding, reason)) {
            Ok(_) => return Ok(Some(WriteOutcome::of_finding(finding, updated(id, reason)))),
            Err(Error::Conflict(_)) => {}
            Err(error @ Error::Unavailable(_)) => return Err(error),
            Err(error) => return Ok(Some(WriteOutcome::of_finding(finding, refused(finding, &error)))),
        }
    }
    Ok(Some(WriteOutcome::of_finding(finding, lost_race(Some(id)))))
}

fn has_same_content(memory: &Memory, finding: &Finding) -> bool {
    let value = |json: &str| serde_json::from_str::<serde_json::Value>(json).unwrap_or_default();
    memory.text == finding.text && value(&memory.content) == value(&content(finding))
}

fn patch(memory: &Memory, finding: &Finding, reason: &str) -> Patch {
    Patch {
        title: finding.title.clone(),
        text: Some(finding.text.clone()),
        content: Some(content(finding)),
        tags: Some(union(&finding.tags, &memory.tags, MAX_TAGS)),
        related_files: Some(union(&memory.related_files, &finding.files, MAX_RELATED_FILES)),
        confidence: None,
        importance: Some(finding.importance),
        origin: finding.origin,
        quotes: quotes(&finding.evidence),
        reason: reason.to_owned(),
    }
}

/// Returns the entries of both lists, each once, at most `limit`.
fn union(first: &[String], second: &[String], limit: usize) -> Vec<String> {
    distinct(first.iter().chain(second).map(String::as_str), limit)
}

fn updated(id: &str, reason: &str) -> Resolution {
    Resolution { action: ResolutionAction::Updated, ..nothing(Some(id), reason) }
}

fn forgotten(id: &str, finding: &Finding) -> WriteOutcome {
    WriteOutcome::of_finding(finding, nothing(Some(id), "the memory was forgotten since"))
}

/// Converts a finding to a draft with this key.
pub(super) fn draft(finding: &Finding, key: &str) -> Draft {
    Draft {
        category: finding.category,
        title: finding.title.clone(),
        text: finding.text.clone(),
        content: Some(content(finding)),
        tags: finding.tags.clone(),
        related_files: finding.files.clone(),
        asked_as: finding.cues.clone(),
        confidence: finding.confidence,
        importance: finding.importance,
        origin: finding.origin,
        key: Some(key.to_owned()),
        quotes: quotes(&finding.evidence),
    }
}

/// Returns the content that the category's schema allows: complete or empty.
fn content(finding: &Finding) -> String {
    content_schema::fit(finding.category, &finding.content).to_string()
}

/// Converts evidence to quotes. It drops quotes from a final message that the transcript does not contain
/// yet.
pub(super) fn quotes(evidence: &[Evidence]) -> Vec<Quote> {
    let written = evidence.iter().filter(|quote| quote.cursor != UNWRITTEN_CURSOR).take(MAX_QUOTES);
    written.map(|quote| Quote { text: quote.quote.clone(), cursor: quote.cursor }).collect()
}
