//! Implements the functions of the interface `memory` with the host of this thread.

use std::collections::HashSet;

use crate::memory::{
    AllowedActions, Assessment, Category, CategoryPolicy, Draft, Filter, Hit, Intent, LifecycleEvent, Memory,
    Order, Patch, Proposal, Resolution, ResolutionAction, Status, WriteResult,
};
use crate::testing::Host;
use crate::{Error, Result};

pub(crate) fn search(query: &str, filter: &Filter, limit: u32) -> Result<Vec<Hit>> {
    let query = words(query);
    let hit = |memory: Memory| {
        let known = words(&format!("{} {} {}", memory.title, memory.text, memory.tags.join(" ")));
        let relevance = query.intersection(&known).count() as f32 / query.len().max(1) as f32;
        (relevance > 0.0).then(|| memory.into_hit(relevance))
    };
    let mut hits: Vec<Hit> = filtered(filter).into_iter().filter_map(hit).collect();
    hits.sort_by(|a, b| b.relevance.total_cmp(&a.relevance));
    hits.truncate(limit as usize);
    Ok(hits)
}

/// Suggests nothing: here, `search` finds every memory that shares a word.
pub(crate) fn suggest(_query: &str, _filter: &Filter, _limit: u32) -> Result<Vec<Hit>> {
    Ok(Vec::new())
}

pub(crate) fn list(filter: &Filter, order: Order, limit: u32) -> Result<Vec<Memory>> {
    let mut memories = filtered(filter);
    match order {
        Order::Newest => memories.sort_by_key(|memory| std::cmp::Reverse(memory.created_at)),
        Order::Importance => memories.sort_by(|a, b| b.importance.total_cmp(&a.importance)),
    }
    memories.truncate(limit as usize);
    Ok(memories)
}

pub(crate) fn get(id: &str) -> Result<Memory> {
    let host = Host::current();
    let contents = host.0.borrow();
    let found = contents.memories.iter().find(|(_, memory)| memory.id == id);
    found.map(|(_, memory)| memory.clone()).ok_or_else(|| unknown(id))
}

pub(crate) fn about_files(paths: &[String], filter: &Filter, limit: u32) -> Result<Vec<Memory>> {
    let related = |memory: &Memory| memory.related_files.iter().any(|file| paths.contains(file));
    let mentions = |memory: &Memory| paths.iter().any(|path| memory.text.contains(path.as_str()));
    let mut memories = filtered(filter);
    memories.retain(|memory| related(memory) || mentions(memory));
    memories.sort_by(|a, b| related(b).cmp(&related(a)).then_with(|| b.importance.total_cmp(&a.importance)));
    memories.truncate(limit as usize);
    Ok(memories)
}

pub(crate) fn create(draft: &Draft) -> Result<WriteResult> {
    let host = Host::current();
    let known = host.0.borrow().memories.iter().find_map(|(key, memory)| {
        let same = key.is_some() && *key == draft.key || memory.text == draft.text;
        same.then(|| memory.id.clone())
    });
    Ok(match known {
        Some(id) => WriteResult::DuplicateOf(id),
        None => WriteResult::Created(host.add(draft, |_| {})),
    })
}

pub(crate) fn update(id: &str, version: u64, patch: &Patch) -> Result<u64> {
    change(id, version, |memory| {
        let set = |field: &mut String, new: &Option<String>| {
            if let Some(new) = new {
                field.clone_from(new);
            }
        };
        set(&mut memory.title, &patch.title);
        set(&mut memory.text, &patch.text);
        set(&mut memory.content, &patch.content);
        memory.tags = patch.tags.clone().unwrap_or_else(|| memory.tags.clone());
        memory.related_files = patch.related_files.clone().unwrap_or_else(|| memory.related_files.clone());
        memory.confidence = patch.confidence.unwrap_or(memory.confidence);
        memory.importance = patch.importance.unwrap_or(memory.importance);
    })
}

pub(crate) fn retire(id: &str, version: u64, _reason: &str) -> Result<()> {
    change(id, version, |memory| memory.status = Status::Retired).map(drop)
}

pub(crate) fn assess(_draft: &Draft, _event: Option<LifecycleEvent>) -> Result<Assessment> {
    Ok(Assessment { allowed: AllowedActions::CreateOnly, candidate: None, vetoes: Vec::new() })
}

/// Applies the proposed intent without the real host's rules.
pub(crate) fn resolve(proposal: &Proposal) -> Result<Resolution> {
    let done = |action, id, superseded| Resolution { action, id, superseded, reason: String::new() };
    let patch = || Patch { text: Some(proposal.draft.text.clone()), ..Patch::new(&*proposal.reason) };
    match (&proposal.target, proposal.intent) {
        (Some(target), Intent::Update) => {
            update(&target.id, target.version, &patch())?;
            Ok(done(ResolutionAction::Updated, Some(target.id.clone()), None))
        }
        (Some(target), Intent::Retire) => {
            retire(&target.id, target.version, &proposal.reason)?;
            Ok(done(ResolutionAction::Retired, None, Some(target.id.clone())))
        }
        (Some(target), Intent::Supersede) => {
            retire(&target.id, target.version, &proposal.reason)?;
            let (WriteResult::Created(id) | WriteResult::DuplicateOf(id)) = create(&proposal.draft)?;
            Ok(done(ResolutionAction::Superseded, Some(id), Some(target.id.clone())))
        }
        (_, Intent::Create) => match create(&proposal.draft)? {
            WriteResult::Created(id) => Ok(done(ResolutionAction::Created, Some(id), None)),
            WriteResult::DuplicateOf(id) => Ok(done(ResolutionAction::Skipped, Some(id), None)),
        },
        (None, _) => Ok(done(ResolutionAction::Skipped, None, None)),
    }
}

pub(crate) fn categories() -> Result<Vec<CategoryPolicy>> {
    let policy = |category: Category| CategoryPolicy {
        category,
        enabled: true,
        auto_capture: true,
        description: String::new(),
    };
    Ok(Category::ALL.map(policy).to_vec())
}

fn filtered(filter: &Filter) -> Vec<Memory> {
    let fits = |memory: &Memory| {
        (filter.categories.is_empty() || filter.categories.contains(&memory.category))
            && filter.tags.iter().all(|tag| has_tag(memory, tag))
            && (filter.branch.is_none() || memory.branch.is_none() || memory.branch == filter.branch)
            && filter.since.is_none_or(|since| memory.created_at >= since)
            && (filter.origins.is_empty() || filter.origins.contains(&memory.origin))
            && memory.status == Status::Active
    };
    let host = Host::current();
    let contents = host.0.borrow();
    contents.memories.iter().map(|(_, memory)| memory).filter(|memory| fits(memory)).cloned().collect()
}

fn has_tag(memory: &Memory, tag: &str) -> bool {
    memory.tags.iter().any(|known| stored_tag(known) == stored_tag(tag))
}

/// Returns a tag as the real host stores it.
fn stored_tag(tag: &str) -> String {
    tag.split_whitespace().collect::<Vec<_>>().join("-").to_lowercase()
}

fn change(id: &str, version: u64, change: impl FnOnce(&mut Memory)) -> Result<u64> {
    let host = Host::current();
    let mut contents = host.0.borrow_mut();
    let found = contents.memories.iter_mut().map(|(_, memory)| memory).find(|memory| memory.id == id);
    let memory = found.ok_or_else(|| unknown(id))?;
    if memory.version != version {
        return Err(Error::Conflict(format!("{id} is at version {}, not {version}", memory.version)));
    }
    change(memory);
    memory.version += 1;
    Ok(memory.version)
}

fn unknown(id: &str) -> Error {
    Error::NotFound(format!("no memory has the id {id}"))
}

fn words(text: &str) -> HashSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_found_however_it_is_spelled() {
        let _host = Host::new();
        let tags = vec!["ABC-123".to_owned(), "rate limit".to_owned()];
        let created = create(&Draft { tags, ..Draft::new(Category::Learning, "x") });
        assert!(created.is_ok(), "{created:?}");

        for tag in ["abc-123", "ABC-123", "Rate  Limit", "rate-limit"] {
            let found = list(&Filter::new().tag(tag), Order::Newest, 9);
            assert_eq!(found.map(|memories| memories.len()), Ok(1), "{tag}");
        }
        assert_eq!(list(&Filter::new().tag("abc"), Order::Newest, 9).map(|memories| memories.len()), Ok(0));
    }
}
