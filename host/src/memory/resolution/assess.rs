//! What the memories themselves say to a draft, before anybody's opinion: which of them is about the same matter, how the
//! draft stands to it, and what may therefore be done at all. It works on terms, so in every script that search does.

use super::super::content::LifecycleEvent;
use super::super::kinds::{Category, Status};
use super::super::record::Memory;
use super::super::relevance::Query;
use super::super::store::{Filter, Step};
use super::super::words::{self, Kind};
use super::super::writing::not_active;
use super::super::{Memories, duplicates, rules};
use super::{Assessment, Candidate, Likeness, Structure};
use crate::error::{Error, Kind as Fault, Result};
use std::collections::HashSet;

/// What a shared term counts (seed 003): in the title, among the tags, as the beginning of a word of either.
const TITLE: u32 = 2;
const TAG: u32 = 3;
const PREFIX: u32 = 1;
/// What a candidate must come to, and how long a shared beginning must be, in characters.
const ENOUGH: u32 = 3;
const LONG_ENOUGH: usize = 4;

/// How many memories are looked at, the most relevant first.
const MOST: usize = 20;

impl Memories {
    /// Assesses a lawful draft within a step.
    pub(super) fn assess_in(
        &self,
        step: &dyn Step,
        draft: &Memory,
        event: Option<LifecycleEvent>,
        seen: Option<&(String, u64)>,
    ) -> Result<Assessment> {
        let found = self.candidate(step, draft)?;
        let candidate = match seen {
            Some(seen) if found.as_ref().is_none_or(|found| found.likeness != Likeness::Same) => {
                Some(self.meant(step, draft, seen)?)
            }
            _ => found,
        };
        let structure = structure(draft.category, candidate.is_some(), event);
        let mut vetoes = Vec::new();
        vetoes.extend(rules::wanted(draft, &self.policy).err());
        // What was forgotten within a day and is said again. Everything else is no veto but a failure.
        let except = candidate.as_ref().map(|it| it.memory.id.as_str());
        match self.said_before(step, draft, except) {
            Err(error) if error.kind == Fault::Conflict => vetoes.push(error),
            said => _ = said?,
        }
        Ok(Assessment { structure, candidate, vetoes: vetoes.into_iter().map(|it| it.what).collect() })
    }

    /// The memory that the author says the draft is about.
    fn meant(&self, step: &dyn Step, draft: &Memory, (id, version): &(String, u64)) -> Result<Candidate> {
        let memory = self.seen(step, id, Some(*version))?;
        if memory.status != Status::Active {
            return Err(not_active(&memory));
        }
        if memory.category != draft.category {
            let (is, draft) = (memory.category, draft.category);
            return Err(Error::denied(format!("memory `{id}` is of the category {is}, and the draft of {draft}"))
                .hint("the category of a memory never changes; draft it as what it is"));
        }
        rules::mixed(memory.origin, draft.origin)?;
        Ok(Candidate { likeness: likeness(&memory, draft), memory })
    }

    /// The best of the active memories of the draft's category that it may change; of equals the more relevant.
    fn candidate(&self, step: &dyn Step, draft: &Memory) -> Result<Option<Candidate>> {
        let terms = Terms::of(draft);
        let mut best: Option<(u32, Candidate)> = None;
        for memory in self.pool(step, draft)? {
            let likeness = likeness(&memory, draft);
            let score = if likeness == Likeness::Related { terms.score(&memory) } else { u32::MAX };
            let better = best.as_ref().is_none_or(|(known, _)| score > *known);
            if score >= ENOUGH && better && rules::mixed(memory.origin, draft.origin).is_ok() {
                best = Some((score, Candidate { memory, likeness }));
            }
        }
        Ok(best.map(|(_, candidate)| candidate))
    }

    /// The memories that may be about the matter, the likeliest first.
    fn pool(&self, step: &dyn Step, draft: &Memory) -> Result<Vec<Memory>> {
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

/// What may be done, before anybody wants anything.
const fn structure(category: Category, known: bool, event: Option<LifecycleEvent>) -> Structure {
    match (known, event) {
        (true, _) if may_retire(category) => Structure::UpdateOrRetire,
        (true, _) => Structure::UpdateOnly,
        // Something came to its end, and it is not known what.
        (false, Some(_)) => Structure::Nothing,
        (false, None) => Structure::Create,
    }
}

/// Whether a draft may end a memory of this category without taking its place (seed 003).
const fn may_retire(category: Category) -> bool {
    !matches!(category, Category::Decision | Category::Preference | Category::SessionSummary)
}

fn likeness(memory: &Memory, draft: &Memory) -> Likeness {
    if duplicates::same_text(&memory.text, &draft.text) {
        Likeness::Same
    } else if duplicates::nearly_same(&memory.text, &draft.text) {
        Likeness::Corrects
    } else {
        Likeness::Related
    }
}

/// The terms of a draft that tell something.
struct Terms(HashSet<String>);

impl Terms {
    fn of(draft: &Memory) -> Self {
        Self(telling(&format!("{}\n{}\n{}", draft.title, draft.tags.join("\n"), draft.text)))
    }

    fn score(&self, memory: &Memory) -> u32 {
        let (title, tags) = (telling(&memory.title), telling(&memory.tags.join("\n")));
        let of_term = |term: &String| {
            let whole = if title.contains(term) { TITLE } else { 0 } + if tags.contains(term) { TAG } else { 0 };
            let begins = || title.union(&tags).any(|other| share_beginning(term, other));
            if whole == 0 && begins() { PREFIX } else { whole }
        };
        self.0.iter().map(of_term).sum()
    }
}

fn telling(text: &str) -> HashSet<String> {
    let terms = words::terms(text).into_iter().filter(|term| term.kind != Kind::Everyday);
    terms.map(|term| term.text).collect()
}

fn share_beginning(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    short.chars().count() >= LONG_ENOUGH && long.starts_with(short)
}
