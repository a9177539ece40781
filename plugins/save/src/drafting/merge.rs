//! Merges the rules' findings and the model's drafts into one list. If both say the same, the merged finding
//! has the rules' key, so that it is written once, and the model's words, which are better.

use std::collections::HashSet;

use super::RefusalReason;
use crate::drafting::folded_words::words;
use crate::finding::{CHEAT_SHEET_TAG, Evidence, Finding, MAX_CHEAT_SHEET, Origin, TENTATIVE_TAG};
use interleaf_layer::memory::Category;

/// Minimum share of the shorter text's words that the longer text contains, for two findings to be the same.
const MIN_SHARED_WORDS: f32 = 0.7;
/// The same minimum for two findings with the same evidence.
const MIN_SHARED_WORDS_SAME_EVIDENCE: f32 = 0.4;
/// Minimum number of words for a text to be compared by the share of its own words. A shorter text occurs in
/// many longer ones that say something else.
const MIN_COMPARABLE_WORDS: usize = 4;
/// Maximum number of quotes of a merged finding.
const MAX_EVIDENCE: usize = 16;

/// Adds a draft: merges it with a finding that says the same, else appends it.
///
/// # Errors
/// If a finding of another origin says the same. They are not merged: a tool's words must not gain the
/// session's trust, and the session's words must not lose it.
pub(super) fn add(findings: &mut Vec<Finding>, draft: &Finding) -> Result<(), RefusalReason> {
    match findings.iter_mut().find(|finding| is_same(finding, draft)) {
        Some(finding) if finding.origin != draft.origin => {
            return Err(RefusalReason::new("the rules found the same in words of another origin"));
        }
        Some(finding) => improve(finding, draft.clone()),
        None => {
            let key = unique_key(findings, draft.key.clone());
            findings.push(Finding { key, ..draft.clone() });
        }
    }
    Ok(())
}

/// Returns a key that no finding has. Two findings with the same quote need two keys, or the second would
/// never be written.
fn unique_key(findings: &[Finding], key: String) -> String {
    let taken = |key: &String| findings.iter().any(|finding| finding.key == *key);
    let mut keys = std::iter::once(key.clone()).chain((2..).map(|count| format!("{key}/{count}")));
    keys.find(|key| !taken(key)).unwrap_or(key)
}

/// Tells whether two findings say the same.
pub(super) fn is_same(one: &Finding, other: &Finding) -> bool {
    if one.category != other.category {
        return false;
    }
    let same_evidence = one.evidence.iter().any(|a| other.evidence.iter().any(|b| overlap(a, b)));
    let shared = shared_words(&one.text, &other.text);
    one.category == Category::SessionSummary
        || shared >= MIN_SHARED_WORDS
        || (same_evidence && shared >= MIN_SHARED_WORDS_SAME_EVIDENCE)
}

fn overlap(one: &Evidence, other: &Evidence) -> bool {
    one.cursor == other.cursor && (one.quote.contains(&other.quote) || other.quote.contains(&one.quote))
}

fn shared_words(one: &str, other: &str) -> f32 {
    let (one, other) = (words(one), words(other));
    let set = |words: &str| -> HashSet<String> {
        words.split_whitespace().filter(|word| word.chars().count() > 3).map(str::to_owned).collect()
    };
    let (one, other) = (set(&one), set(&other));
    let common = one.intersection(&other).count();
    let (shorter, all) = (one.len().min(other.len()), one.union(&other).count());
    common as f32 / if shorter < MIN_COMPARABLE_WORDS { all.max(1) } else { shorter } as f32
}

/// Replaces a finding's words with the draft's. The scores become the higher of both; tags, files and
/// evidence are combined. A finding on the cheat sheet keeps its words if the draft may not be there. What
/// was tentative by rule is as certain as the draft.
fn improve(finding: &mut Finding, mut draft: Finding) {
    let is_promoted = |finding: &Finding| finding.tags.iter().any(|tag| tag == CHEAT_SHEET_TAG);
    if is_promoted(finding) && !is_promoted(&draft) {
        (draft.title, draft.text) = (finding.title.take(), std::mem::take(&mut finding.text));
        draft.content = finding.content.take();
    }
    let kept = finding.tags.iter().filter(|tag| *tag != TENTATIVE_TAG);
    let mut tags: Vec<String> = kept.chain(&draft.tags).cloned().collect();
    tags.sort();
    tags.dedup();
    let mut files = finding.files.clone();
    files.extend(draft.files.into_iter().filter(|file| !finding.files.contains(file)));
    let has_content = draft.content.as_object().is_some_and(|content| !content.is_empty());
    let content = if has_content { draft.content } else { finding.content.clone() };
    *finding = Finding {
        tags,
        files,
        cues: draft.cues,
        content,
        confidence: finding.confidence.max(draft.confidence),
        importance: finding.importance.max(draft.importance),
        score: finding.score.max(draft.score),
        about: draft.about.or_else(|| finding.about.take()),
        evidence: draft.evidence.into_iter().chain(finding.evidence.drain(..)).take(MAX_EVIDENCE).collect(),
        key: std::mem::take(&mut finding.key),
        category: draft.category,
        title: draft.title,
        text: draft.text,
        origin: draft.origin,
    };
}

/// Sorts the findings, the summary first and then the best, and splits off those beyond `limit`.
pub(super) fn split_excess(findings: &mut Vec<Finding>, limit: usize) -> Vec<Finding> {
    let is_summary = |finding: &Finding| finding.category == Category::SessionSummary;
    findings.sort_by(|one, other| {
        is_summary(other).cmp(&is_summary(one)).then(other.score.total_cmp(&one.score))
    });
    findings.split_off(limit.min(findings.len()))
}

/// Removes the cheat-sheet tag from all but the best findings that may have it.
pub(super) fn limit_cheat_sheet(findings: &mut [Finding], allowed: bool) {
    let mut remaining = if allowed { MAX_CHEAT_SHEET } else { 0 };
    for finding in findings {
        let is_eligible = finding.origin == Origin::Assistant
            && !matches!(finding.category, Category::SessionSummary | Category::TechDebt | Category::Context);
        let is_tagged = finding.tags.iter().any(|tag| tag == CHEAT_SHEET_TAG);
        if is_tagged && is_eligible && remaining > 0 {
            remaining -= 1;
        } else {
            finding.tags.retain(|tag| tag != CHEAT_SHEET_TAG);
        }
    }
}
