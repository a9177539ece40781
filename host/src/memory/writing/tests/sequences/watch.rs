//! What holds for a store as a whole after each deed, and what the watcher has to remember to say so.

use super::super::super::super::duplicates::same_text;
use super::super::*;
use super::deeds::Deed;
use super::record::{self, Records, ensure};
use super::world::{Became, World, policy};
use std::collections::HashMap;

/// Looks at a store before and after each deed.
#[derive(Default)]
pub struct Watch {
    step: usize,
    before: Records,
    /// In which step an active memory was written that says what it says; not in which it came back.
    told: HashMap<String, usize>,
    /// In which step one was forgotten.
    forgotten: HashMap<String, usize>,
}

impl Watch {
    /// Does one deed and checks everything.
    pub fn observe(&mut self, world: &mut World, deed: &Deed) -> Result<(), String> {
        self.step += 1;
        let became = world.perform(deed);
        let after = world.records();
        let before = std::mem::take(&mut self.before);
        check_answer(&became, &before, &after)?;
        self.note(&before, &after);
        for memory in after.values() {
            record::check(memory)?;
            before.get(&memory.id).map_or(Ok(()), |before| record::check_step(before, memory))?;
        }
        check_gone(&before, &after, deed, world.now())?;
        check_caps(&after)?;
        check_links(&after)?;
        self.check_forgotten(&after, world.now())?;
        check_found(world.memories(), &before, &after)?;
        self.before = after;
        Ok(())
    }

    fn note(&mut self, before: &Records, after: &Records) {
        for memory in after.values() {
            let was = before.get(&memory.id);
            let same_words = was.is_some_and(|was| same_text(&was.text, &memory.text));
            if memory.status == Status::Active && !same_words {
                self.told.insert(memory.id.clone(), self.step);
            }
            if memory.status == Status::Retired && was.is_none_or(|was| was.status != Status::Retired) {
                self.forgotten.insert(memory.id.clone(), self.step);
            }
        }
    }

    /// What was forgotten is not told again within a day, whoever tells it and in whatever words that say the same. What
    /// came in its place is no telling again.
    fn check_forgotten(&self, after: &Records, now: i64) -> Result<(), String> {
        let of = |status| after.values().filter(move |memory| memory.status == status);
        let lately = |memory: &&Memory| now - memory.status_since < DAY;
        for gone in of(Status::Retired).filter(lately) {
            let again = of(Status::Active).find(|memory| {
                self.told.get(&memory.id) > self.forgotten.get(&gone.id)
                    && gone.superseded_by.as_ref() != Some(&memory.id)
                    && same_text(&memory.text, &gone.text)
            });
            ensure(again.is_none(), || format!("what `{}` said is told again: {again:?}", gone.id))?;
        }
        Ok(())
    }
}

/// A refusal changes nothing at all, and neither does what had nothing to do; what is given back is what is there.
fn check_answer(became: &Became, before: &Records, after: &Records) -> Result<(), String> {
    match became {
        Became::Refused(error) => ensure(before == after, || format!("refused, and yet done: {error}")),
        Became::Nothing => {
            ensure(before == after, || "something was done where there was nothing to do".into())
        }
        Became::Gave(memory) => {
            let there = after.get(&memory.id);
            ensure(there == Some(memory), || format!("{memory:?} was given back, and there is {there:?}"))
        }
        Became::Done => Ok(()),
    }
}

/// Only the upkeep deletes, and only what was forgotten long enough ago.
fn check_gone(before: &Records, after: &Records, deed: &Deed, now: i64) -> Result<(), String> {
    let grace = DAY * i64::try_from(policy().grace_days).expect("days");
    for gone in before.values().filter(|memory| !after.contains_key(&memory.id)) {
        let lawful =
            matches!(deed, Deed::KeepUp) && gone.status == Status::Retired && now - gone.status_since > grace;
        ensure(lawful, || format!("{gone:?} is gone"))?;
    }
    Ok(())
}

fn check_caps(after: &Records) -> Result<(), String> {
    Category::ALL.iter().try_for_each(|&category| {
        let most = policy().of(category).max_kept;
        let active = |it: &&Memory| it.status == Status::Active && it.category == category;
        let count = after.values().filter(active).count() as u64;
        ensure(most == 0 || count <= most, || format!("there are {count} of {category}, and {most} may be"))
    })
}

/// What was superseded does not stand beside what came in its place.
fn check_links(after: &Records) -> Result<(), String> {
    let active = |id: &String| after.get(id).is_some_and(|memory| memory.status == Status::Active);
    let both = after.values().filter(|new| active(&new.id)).find(|new| new.supersedes.iter().any(active));
    ensure(both.is_none(), || format!("{both:?} is active, and so is what it superseded"))?;
    let current = after.values().filter(|old| active(&old.id));
    let replaced = current.into_iter().find(|old| old.superseded_by.is_some());
    ensure(replaced.is_none(), || format!("{replaced:?} is active and names a successor"))
}

/// The index follows every change: what is active is found by what it says, and nothing else is.
fn check_found(memories: &Memories, before: &Records, after: &Records) -> Result<(), String> {
    for memory in after.values().filter(|memory| before.get(&memory.id) != Some(memory)) {
        let hits = memories
            .search_with_min_relevance(0.0, &memory.text, &Filter::default(), 1000)
            .expect("searched");
        let found = hits.iter().any(|hit| hit.memory.id == memory.id);
        ensure(found == (memory.status == Status::Active), || format!("found is {found}: {memory:?}"))?;
    }
    Ok(())
}
