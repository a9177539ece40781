//! What the rules found and what a model drafted, as one list. What says the same is one find: it keeps the rule's key,
//! so that it is written once whoever found it, and takes the model's words, which are better.

use std::collections::HashSet;

use crate::find::{Category, Evidence, Find, Origin};
use crate::triage::words::words;

use super::check::RULING;

/// Share of the shorter one's words that both have: the same thing in other words, and the same thing on the same
/// evidence.
const ALIKE: f32 = 0.7;
const ALIKE_ON_THE_SAME: f32 = 0.4;
/// Words of a text that can be held against a longer one.
const ENOUGH: usize = 4;
/// Memories a session that may be shown at every start.
const PROMOTED: usize = 2;

/// Puts a draft in: in place of what says the same, else beside the others.
pub(super) fn put(into: &mut Vec<Find>, draft: Find) {
    match into.iter_mut().find(|find| is_same(find, &draft)) {
        // A tool's words do not become more by being the rules' as well, nor the rules' less.
        Some(find) if find.origin != draft.origin => {}
        Some(find) => better(find, draft),
        None => {
            let key = own_key(into, draft.key.clone());
            into.push(Find { key, ..draft });
        }
    }
}

/// Two things that rest on the same words have two keys, or the second would never be written.
fn own_key(among: &[Find], key: String) -> String {
    let taken = |key: &String| among.iter().any(|find| find.key == *key);
    let mut all = std::iter::once(key.clone()).chain((2..).map(|count| format!("{key}/{count}")));
    all.find(|key| !taken(key)).unwrap_or(key)
}

/// Whether two finds say the same.
fn is_same(one: &Find, other: &Find) -> bool {
    if one.category != other.category {
        return false;
    }
    let same_ground = one.evidence.iter().any(|it| other.evidence.iter().any(|also| overlap(it, also)));
    let alike = alike(&one.text, &other.text);
    one.category == Category::SessionSummary || alike >= ALIKE || (same_ground && alike >= ALIKE_ON_THE_SAME)
}

fn overlap(one: &Evidence, other: &Evidence) -> bool {
    one.cursor == other.cursor && (one.quote.contains(&other.quote) || other.quote.contains(&one.quote))
}

fn alike(one: &str, other: &str) -> f32 {
    let (one, other) = (words(one), words(other));
    let of = |words: &str| -> HashSet<String> {
        words.split_whitespace().filter(|word| word.chars().count() > 3).map(str::to_owned).collect()
    };
    let (one, other) = (of(&one), of(&other));
    let common = one.intersection(&other).count();
    let (short, all) = (one.len().min(other.len()), one.union(&other).count());
    // A short text is within many longer ones that say something else.
    common as f32 / if short < ENOUGH { all.max(1) } else { short } as f32
}

fn better(find: &mut Find, draft: Find) {
    let mut tags: Vec<String> = find.tags.iter().chain(&draft.tags).cloned().collect();
    tags.sort();
    tags.dedup();
    let mut files = find.files.clone();
    files.extend(draft.files.into_iter().filter(|file| !find.files.contains(file)));
    let content = if draft.content.as_object().is_some_and(|it| !it.is_empty()) {
        draft.content
    } else {
        find.content.clone()
    };
    *find = Find {
        tags,
        files,
        content,
        confidence: find.confidence.max(draft.confidence),
        importance: find.importance.max(draft.importance),
        score: find.score.max(draft.score),
        about: draft.about.or_else(|| find.about.take()),
        evidence: draft.evidence.into_iter().chain(find.evidence.drain(..)).take(16).collect(),
        key: std::mem::take(&mut find.key),
        category: draft.category,
        title: draft.title,
        text: draft.text,
        origin: draft.origin,
    };
}

/// The best first, the summary before all; those beyond `most` are handed back.
pub(super) fn best(finds: &mut Vec<Find>, most: usize) -> Vec<Find> {
    let summary = |find: &Find| find.category == Category::SessionSummary;
    finds.sort_by(|one, other| summary(other).cmp(&summary(one)).then(other.score.total_cmp(&one.score)));
    finds.split_off(most.min(finds.len()))
}

/// Leaves the tags that show a memory at every start to the best of those that may have them.
pub(super) fn promote(finds: &mut [Find], allowed: bool) {
    let mut left = if allowed { PROMOTED } else { 0 };
    for find in finds {
        let may = find.origin == Origin::Assistant
            && !matches!(find.category, Category::SessionSummary | Category::TechDebt | Category::Context);
        let tagged = find.tags.iter().any(|tag| tag == RULING[0]);
        if tagged && may && left > 0 {
            left -= 1;
        } else {
            find.tags.retain(|tag| tag != RULING[0]);
        }
    }
}
