//! The comparison of a draft with the stored memories: which memory is about the same subject, how similar
//! the draft is to it, and which actions it allows. It compares search terms, so it works in every script
//! that search supports.

use super::{AllowedActions, Assessment, Candidate, MemoryVersion, Similarity};
use crate::error::{Error, ErrorKind, Result};
use crate::memory::category::Category;
use crate::memory::content::LifecycleEvent;
use crate::memory::record::{Memory, Status};
use crate::memory::relevance::Query;
use crate::memory::store::{Filter, Transaction};
use crate::memory::tokenizer::{self, TermKind};
use crate::memory::writing::not_active;
use crate::memory::{Memories, near_duplicate, write_rules};
use std::collections::HashMap;

/// Points for a term of the draft in the title of a memory.
const TITLE_POINTS: u32 = 2;
/// Points for a term of the draft among the tags of a memory.
const TAG_POINTS: u32 = 3;
/// Points for a term of the draft that shares a prefix with a term of the title or the tags.
const PREFIX_POINTS: u32 = 1;

/// Points for a common word in the title or among the tags.
const COMMON_WORD_POINTS: u32 = 1;

/// Minimum points of a memory about the same subject.
const MIN_POINTS: u32 = 3;

/// Minimum length of a shared prefix.
const MIN_PREFIX_CHARS: usize = 4;

/// Maximum number of memories to score, the most relevant first.
const MAX_SCORED_MEMORIES: usize = 20;

impl Memories {
    /// Assesses a validated draft within a transaction.
    pub(super) fn assess_in(
        &self,
        tx: &dyn Transaction,
        draft: &Memory,
        event: Option<LifecycleEvent>,
        target: Option<&MemoryVersion>,
    ) -> Result<Assessment> {
        let found = self.find_candidate(tx, draft)?;
        let has_duplicate = found.as_ref().is_some_and(|found| found.similarity == Similarity::Duplicate);
        let candidate = match target {
            Some(target) if !has_duplicate => Some(self.target_candidate(tx, draft, target)?),
            _ => found,
        };
        let allowed = allowed_actions(draft.category, candidate.is_some(), event);
        let mut vetoes = Vec::new();
        vetoes.extend(write_rules::check_write_enabled(draft, &self.policy).err());
        // A conflict means that a forgotten text comes back, which is a veto. Any other error is a failure.
        let except = candidate.as_ref().map(|it| it.memory.id.as_str());
        match self.check_resurrection(tx, draft, except) {
            Err(error) if error.kind == ErrorKind::Conflict => vetoes.push(error),
            checked => checked?,
        }
        Ok(Assessment { allowed, candidate, vetoes: vetoes.into_iter().map(|it| it.message).collect() })
    }

    /// Returns the memory that the author of the draft has named.
    fn target_candidate(
        &self,
        tx: &dyn Transaction,
        draft: &Memory,
        target: &MemoryVersion,
    ) -> Result<Candidate> {
        let memory = self.get_at_version(tx, &target.id, Some(target.version))?;
        if memory.status != Status::Active {
            return Err(not_active(&memory));
        }
        if memory.category != draft.category {
            let (id, category) = (&memory.id, memory.category);
            return Err(Error::denied(format!(
                "memory `{id}` has the category {category}, and the draft has {}",
                draft.category
            ))
            .hint("the category of a memory never changes; draft one of the same category"));
        }
        write_rules::merge_origins(memory.origin, draft.origin)?;
        Ok(Candidate { similarity: similarity(&memory, draft), memory })
    }

    /// Returns the active memory of the draft's category with the most points; if several have the same
    /// points, the most relevant.
    fn find_candidate(&self, tx: &dyn Transaction, draft: &Memory) -> Result<Option<Candidate>> {
        let terms = DraftTerms::new(draft);
        let mut best: Option<(u32, Candidate)> = None;
        for memory in self.memories_to_score(tx, draft)? {
            let similarity = similarity(&memory, draft);
            let points = if similarity == Similarity::Related { terms.score(&memory) } else { u32::MAX };
            let is_best = best.as_ref().is_none_or(|(best, _)| points > *best);
            if points >= MIN_POINTS && is_best && has_same_trust(&memory, draft) {
                best = Some((points, Candidate { memory, similarity }));
            }
        }
        Ok(best.map(|(_, candidate)| candidate))
    }

    /// Returns the memories that may be about the same subject: near-duplicates first, then by relevance.
    fn memories_to_score(&self, tx: &dyn Transaction, draft: &Memory) -> Result<Vec<Memory>> {
        let filter = Filter { categories: vec![draft.category], ..Filter::default() };
        let mut memories = tx.similar(&draft.text, self.clock.now())?;
        memories
            .retain(|memory| filter.statuses.contains(&memory.status) && memory.category == draft.category);
        for hit in tx.search(&Query::new(&searched_text(draft)), &filter, MAX_SCORED_MEMORIES)? {
            if memories.iter().all(|known| known.id != hit.memory.id) {
                memories.push(hit.memory);
            }
        }
        // A draft that was written already is not its own candidate.
        memories.retain(|memory| memory.id != draft.id);
        Ok(memories)
    }
}

/// Tells whether a draft and a memory are both trusted or both untrusted. Untrusted words do not change
/// trusted memories, and a person's draft does not become an update of a tool's words, because it would then
/// stay untrusted.
fn has_same_trust(memory: &Memory, draft: &Memory) -> bool {
    memory.origin.is_untrusted() == draft.origin.is_untrusted()
}

const fn allowed_actions(
    category: Category,
    has_candidate: bool,
    event: Option<LifecycleEvent>,
) -> AllowedActions {
    match (has_candidate, event) {
        (true, _) if category.properties().needs_successor => AllowedActions::AnyExceptRetire,
        (true, _) => AllowedActions::Any,
        (false, Some(_)) => AllowedActions::NoAction,
        (false, None) => AllowedActions::CreateOnly,
    }
}

fn similarity(memory: &Memory, draft: &Memory) -> Similarity {
    if near_duplicate::is_duplicate(&memory.text, &draft.text) {
        Similarity::Duplicate
    } else if near_duplicate::is_correction(&memory.text, &draft.text) {
        Similarity::Correction
    } else {
        Similarity::Related
    }
}

fn searched_text(draft: &Memory) -> String {
    format!("{}\n{}\n{}", draft.title, draft.tags.join("\n"), draft.text)
}

/// The terms of a draft, and whether each is specific, which a common word is not.
struct DraftTerms(HashMap<String, bool>);

impl DraftTerms {
    fn new(draft: &Memory) -> Self {
        Self(terms(&searched_text(draft)))
    }

    /// Returns the points of a memory. One shared term is not enough, even if it is in the title and a tag.
    fn score(&self, memory: &Memory) -> u32 {
        let (title, tags) = (terms(&memory.title), terms(&memory.tags.join("\n")));
        let points = self.0.iter().map(|(term, is_specific)| {
            match (title.contains_key(term), tags.contains_key(term)) {
                (false, false) if *is_specific => prefix_points(term, title.keys().chain(tags.keys())),
                (in_title, in_tags) if *is_specific => {
                    u32::from(in_title) * TITLE_POINTS + u32::from(in_tags) * TAG_POINTS
                }
                (in_title, in_tags) => u32::from(in_title || in_tags) * COMMON_WORD_POINTS,
            }
        });
        let shared: Vec<u32> = points.filter(|points| *points > 0).collect();
        if shared.len() > 1 { shared.iter().sum() } else { 0 }
    }
}

fn terms(text: &str) -> HashMap<String, bool> {
    tokenizer::terms(text).into_iter().map(|term| (term.text, term.kind != TermKind::Common)).collect()
}

fn prefix_points<'a>(term: &str, mut others: impl Iterator<Item = &'a String>) -> u32 {
    if others.any(|other| is_prefix_match(term, other)) { PREFIX_POINTS } else { 0 }
}

fn is_prefix_match(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    short.chars().count() >= MIN_PREFIX_CHARS && long.starts_with(short)
}
