//! What the memories themselves say to a draft, before anybody's opinion: which of them is about the same matter, how the
//! draft stands to it, and what may therefore be done at all. It works on terms, so in every script that search does.

use super::super::content::LifecycleEvent;
use super::super::kinds::{Category, Status};
use super::super::record::Memory;
use super::super::relevance::Query;
use super::super::store::{Filter, Transaction};
use super::super::words::{self, Kind};
use super::super::writing::not_active;
use super::super::{Memories, duplicates, rules};
use super::{AllowedActions, Assessment, Candidate, MemoryVersion, Similarity};
use crate::error::{Error, ErrorKind, Result};
use std::collections::HashMap;

/// What a shared term counts (seed 003): in the title, among the tags, as the beginning of a word of either. One of any
/// conversation counts little wherever it stands.
const TITLE: u32 = 2;
const TAG: u32 = 3;
const PREFIX: u32 = 1;
const EVERYDAY: u32 = 1;
/// What a candidate must come to, and how long a shared beginning must be, in characters.
const ENOUGH: u32 = 3;
const LONG_ENOUGH: usize = 4;

/// How many memories are looked at, the most relevant first.
const MOST: usize = 20;

impl Memories {
    /// Assesses a lawful draft within a step.
    pub(super) fn assess_in(
        &self,
        step: &dyn Transaction,
        draft: &Memory,
        event: Option<LifecycleEvent>,
        target: Option<&MemoryVersion>,
    ) -> Result<Assessment> {
        let found = self.candidate(step, draft)?;
        let candidate = match target {
            Some(target) if found.as_ref().is_none_or(|found| found.similarity != Similarity::Duplicate) => {
                Some(self.target_candidate(step, draft, target)?)
            }
            _ => found,
        };
        let allowed = allowed(draft.category, candidate.is_some(), event);
        let mut vetoes = Vec::new();
        vetoes.extend(rules::wanted(draft, &self.policy).err());
        // What was forgotten within a day and is said again. Everything else is no veto but a failure.
        let except = candidate.as_ref().map(|it| it.memory.id.as_str());
        match self.check_set_aside(step, draft, except) {
            Err(error) if error.kind == ErrorKind::Conflict => vetoes.push(error),
            checked => checked?,
        }
        Ok(Assessment { allowed, candidate, vetoes: vetoes.into_iter().map(|it| it.message).collect() })
    }

    /// The memory that the author says the draft is about.
    fn target_candidate(
        &self,
        step: &dyn Transaction,
        draft: &Memory,
        target: &MemoryVersion,
    ) -> Result<Candidate> {
        let memory = self.seen(step, &target.id, Some(target.version))?;
        if memory.status != Status::Active {
            return Err(not_active(&memory));
        }
        if memory.category != draft.category {
            let (is, draft) = (memory.category, draft.category);
            return Err(Error::denied(format!(
                "memory `{}` is of the category {is}, and the draft of {draft}",
                target.id
            ))
            .hint("the category of a memory never changes; draft it as what it is"));
        }
        rules::mixed(memory.origin, draft.origin)?;
        Ok(Candidate { similarity: similarity(&memory, draft), memory })
    }

    /// The best of the active memories of the draft's category that are of its sort; of equals the more relevant.
    fn candidate(&self, step: &dyn Transaction, draft: &Memory) -> Result<Option<Candidate>> {
        let terms = Terms::of(draft);
        let mut best: Option<(u32, Candidate)> = None;
        for memory in self.pool(step, draft)? {
            let similarity = similarity(&memory, draft);
            let score = if similarity == Similarity::Related { terms.score(&memory) } else { u32::MAX };
            let better = best.as_ref().is_none_or(|(known, _)| score > *known);
            if score >= ENOUGH && better && concerns(&memory, draft) {
                best = Some((score, Candidate { memory, similarity }));
            }
        }
        Ok(best.map(|(_, candidate)| candidate))
    }

    /// The memories that may be about the matter, the likeliest first.
    fn pool(&self, step: &dyn Transaction, draft: &Memory) -> Result<Vec<Memory>> {
        let filter = Filter { categories: vec![draft.category], ..Filter::default() };
        let query = Query::new(&format!("{}\n{}\n{}", draft.title, draft.tags.join("\n"), draft.text));
        let mut pool = step.similar(&draft.text, self.clock.now())?;
        pool.retain(|memory| filter.statuses.contains(&memory.status) && memory.category == draft.category);
        for hit in step.search(&query, &filter, 0.0, MOST)? {
            if pool.iter().all(|known| known.id != hit.memory.id) {
                pool.push(hit.memory);
            }
        }
        // A draft that was written already is not its own candidate.
        pool.retain(|memory| memory.id != draft.id);
        Ok(pool)
    }
}

/// Whether a draft may have to do with a memory: foreign words change nothing of ours, and what somebody says themselves is
/// not taken for a tool's word told again, or it would never be more than that.
fn concerns(memory: &Memory, draft: &Memory) -> bool {
    memory.origin.is_untrusted() == draft.origin.is_untrusted()
}

/// What may be done, before anybody wants anything.
const fn allowed(category: Category, known: bool, event: Option<LifecycleEvent>) -> AllowedActions {
    match (known, event) {
        (true, _) if may_retire(category) => AllowedActions::Any,
        (true, _) => AllowedActions::AnyExceptRetire,
        // Something came to its end, and it is not known what.
        (false, Some(_)) => AllowedActions::NoAction,
        (false, None) => AllowedActions::CreateOnly,
    }
}

/// Whether a draft may end a memory of this category without taking its place (seed 003).
const fn may_retire(category: Category) -> bool {
    !matches!(category, Category::Decision | Category::Preference | Category::SessionSummary)
}

fn similarity(memory: &Memory, draft: &Memory) -> Similarity {
    if duplicates::same_text(&memory.text, &draft.text) {
        Similarity::Duplicate
    } else if duplicates::nearly_same(&memory.text, &draft.text) {
        Similarity::Correction
    } else {
        Similarity::Related
    }
}

/// The terms of a draft, and whether each tells something.
struct Terms(HashMap<String, bool>);

impl Terms {
    fn of(draft: &Memory) -> Self {
        Self(terms(&format!("{}\n{}\n{}", draft.title, draft.tags.join("\n"), draft.text)))
    }

    /// One word makes no matter, also where it is in the title and a tag.
    fn score(&self, memory: &Memory) -> u32 {
        let (title, tags) = (terms(&memory.title), terms(&memory.tags.join("\n")));
        let scores =
            self.0.iter().map(|(term, tells)| match (title.contains_key(term), tags.contains_key(term)) {
                (false, false) if *tells => beginning(term, title.keys().chain(tags.keys())),
                (in_title, in_tags) if *tells => u32::from(in_title) * TITLE + u32::from(in_tags) * TAG,
                (in_title, in_tags) => u32::from(in_title || in_tags) * EVERYDAY,
            });
        let shared: Vec<u32> = scores.filter(|score| *score > 0).collect();
        if shared.len() > 1 { shared.iter().sum() } else { 0 }
    }
}

fn terms(text: &str) -> HashMap<String, bool> {
    words::terms(text).into_iter().map(|term| (term.text, term.kind != Kind::Everyday)).collect()
}

fn beginning<'a>(term: &str, mut others: impl Iterator<Item = &'a String>) -> u32 {
    if others.any(|other| share_beginning(term, other)) { PREFIX } else { 0 }
}

fn share_beginning(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    short.chars().count() >= LONG_ENOUGH && long.starts_with(short)
}
