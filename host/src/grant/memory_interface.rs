//! `memory`: memories of the project, read and written under the host's rules.

mod draft_requests;
mod last_search;
mod quote_check;
mod wit_conversions;

use std::collections::{HashMap, HashSet};

pub(super) use last_search::LastSearch;

use super::{Access, LayerHost, ReadMemory, wit_error};
use crate::clock::Millis;
use crate::layer::CategorySet;
use crate::log::Level;
use crate::memory::{self as store, Category};
use crate::sandbox::bindings::memory::{self as wit, Host};
use crate::sandbox::bindings::types::Error;
use crate::state::{ConversationKey, ShownAs};
use wit_conversions as convert;

/// Maximum number of memories that one call returns.
const MAX_MEMORIES: u32 = 100;

/// Maximum number of files in one call of `about-files`.
const MAX_FILES: usize = 16;

/// Bytes that count for each memory in addition to its title and text, for its other fields.
const MEMORY_OVERHEAD_BYTES: usize = 200;

/// Time after a compaction within which a session's flush may still save what was said before it, in
/// milliseconds.
const FLUSH_TIME: Millis = 120_000;

impl Host for LayerHost {
    fn search(&mut self, query: String, filter: wit::Filter, limit: u32) -> Result<Vec<wit::Hit>, Error> {
        self.find(query, filter, limit, ShownAs::Whole)
    }

    fn suggest(&mut self, query: String, filter: wit::Filter, limit: u32) -> Result<Vec<wit::Hit>, Error> {
        self.find(query, filter, limit, ShownAs::Line)
    }

    fn list(
        &mut self,
        filter: wit::Filter,
        order: wit::Order,
        limit: u32,
    ) -> Result<Vec<wit::Memory>, Error> {
        self.begin_call(Access::ReadMemory, 0)?;
        let filter = self.unseen_filter(filter)?;
        let order = match order {
            wit::Order::Newest => store::Order::Newest,
            wit::Order::Importance => store::Order::Importance,
        };
        let limit = limit.min(MAX_MEMORIES) as usize;
        let memories = self.host.memories.list(&filter, order, limit).map_err(wit_error)?;
        self.hand_over(memories.iter(), ShownAs::Whole)?;
        Ok(memories.into_iter().map(convert::memory).collect())
    }

    fn get(&mut self, id: String) -> Result<wit::Memory, Error> {
        self.begin_call(Access::ReadMemory, id.len())?;
        let read = self.layer.grants.memory.read.clone();
        let memory = self.host.memories.get_visible(&id, |category| read.includes(category));
        let memory = memory.map_err(wit_error)?;
        self.hand_over(std::iter::once(&memory), ShownAs::Whole)?;
        Ok(convert::memory(memory))
    }

    fn about_files(
        &mut self,
        paths: Vec<String>,
        filter: wit::Filter,
        limit: u32,
    ) -> Result<Vec<wit::Memory>, Error> {
        self.begin_call(Access::ReadMemory, paths.iter().map(String::len).sum())?;
        if paths.len() > MAX_FILES {
            let message = format!("{} files in one call; at most {MAX_FILES} are allowed", paths.len());
            return Err(Error::Invalid(message));
        }
        let filter = self.unseen_filter(filter)?;
        let limit = limit.min(MAX_MEMORIES) as usize;
        let memories = self.host.memories.about_files(&paths, &filter, limit).map_err(wit_error)?;
        self.hand_over(memories.iter(), ShownAs::Whole)?;
        Ok(memories.into_iter().map(convert::memory).collect())
    }

    fn create(&mut self, draft: wit::Draft) -> Result<wit::WriteResult, Error> {
        self.begin_write(&draft)?;
        if let Some(id) = self.id_of_earlier_write(&draft)? {
            return Ok(wit::WriteResult::DuplicateOf(id));
        }
        let written = self.writer().remember(self.draft(draft)?).map_err(wit_error)?;
        self.log_evicted(&written.evicted);
        Ok(match written.outcome {
            store::WriteOutcome::Created => wit::WriteResult::Created(written.id),
            store::WriteOutcome::Duplicate => wit::WriteResult::DuplicateOf(written.id),
        })
    }

    fn update(&mut self, id: String, version: u64, patch: wit::Patch) -> Result<u64, Error> {
        self.begin_call(Access::WriteMemory, patch.text.as_ref().map_or(0, String::len) + id.len())?;
        let memory = self.writable(&id)?;
        let patch = self.patch(&memory, patch)?;
        self.writer().update(&memory.id, version, patch).map(|memory| memory.version).map_err(wit_error)
    }

    fn assess(
        &mut self,
        draft: wit::Draft,
        event: Option<wit::LifecycleEvent>,
    ) -> Result<wit::Assessment, Error> {
        self.begin_write(&draft)?;
        let category = convert::category(draft.category);
        self.check_access(Access::ReadCategories(&[category]))?;
        let event = event.map(convert::lifecycle_event);
        let assessment = self.writer().assess(self.draft(draft)?, event).map_err(wit_error)?;
        self.hand_over(assessment.candidate.iter().map(|candidate| &candidate.memory), ShownAs::Whole)?;
        Ok(convert::assessment(assessment))
    }

    fn resolve(&mut self, proposal: wit::Proposal) -> Result<wit::Resolution, Error> {
        self.begin_write(&proposal.draft)?;
        if let Some(target) = &proposal.target {
            self.check_visible(&target.id)?;
        }
        let proposal = self.proposal(proposal)?;
        let resolution = self.writer().resolve(proposal).map_err(wit_error)?;
        self.log_evicted(&resolution.evicted);
        Ok(convert::resolution(resolution))
    }

    fn categories(&mut self) -> Result<Vec<wit::CategoryPolicy>, Error> {
        self.begin_call(Access::ReadMemory, 0)?;
        let policy = self.host.memories.policy();
        let of_category = |category: &Category| convert::category_policy(*category, policy.of(*category));
        Ok(Category::ALL.iter().map(of_category).collect())
    }

    fn retire(&mut self, id: String, version: u64, reason: String) -> Result<(), Error> {
        self.begin_call(Access::WriteMemory, id.len() + reason.len())?;
        let memory = self.writable(&id)?;
        self.writer().retire(&memory.id, Some(version), &reason).map(drop).map_err(wit_error)
    }
}

impl LayerHost {
    /// Checks the size of memories that go to the layer, and records them: a layer may show only memories
    /// that it has read, and of those that were only suggested, only a line.
    fn hand_over<'a>(
        &mut self,
        memories: impl Iterator<Item = &'a store::Memory> + Clone,
        shown_as: ShownAs,
    ) -> Result<(), Error> {
        let size = |memory: &store::Memory| memory.title.len() + memory.text.len() + MEMORY_OVERHEAD_BYTES;
        self.limiter.check_size(memories.clone().map(size).sum()).map_err(wit_error)?;
        // Where a person wants titles, these are all that the layer shows.
        let is_title_cut = shown_as == ShownAs::Line && self.layer.shows == ShownAs::Whole;
        let shown_as = shown_as.min(self.layer.shows);
        for memory in memories {
            let is_own = self.is_own(memory)?;
            let known = self.read.get(&memory.id).map_or(shown_as, |known| known.shown_as.max(shown_as));
            let read = ReadMemory { memory: memory.clone(), shown_as: known, is_title_cut, is_own };
            self.read.insert(memory.id.clone(), read);
        }
        Ok(())
    }

    /// Converts a filter and, for `unseen`, leaves out memories that this conversation was shown whole, and
    /// those that it saved itself.
    fn unseen_filter(&mut self, filter: wit::Filter) -> Result<store::Filter, Error> {
        if !filter.unseen {
            return self.filter(filter);
        }
        let (excluded_ids, excluded_own) =
            (self.shown(self.layer.shows)?, Some(self.own_memories()?.clone()));
        Ok(store::Filter { excluded_ids, excluded_own, ..self.filter(filter)? })
    }

    /// Tells whether the session saved this memory itself and still knows it.
    fn is_own(&mut self, memory: &store::Memory) -> Result<bool, Error> {
        let is_of_session = memory.source.session.as_ref() == Some(&self.layer.conversation.session);
        Ok(is_of_session && self.own_memories()?.include(memory))
    }

    /// Returns which memories the session saved itself and still knows. A subagent knows nothing of what the
    /// main conversation said, but a summary of it tells nothing of earlier sessions either.
    fn own_memories(&mut self) -> Result<&store::OwnMemories, Error> {
        let own = match self.own.take() {
            Some(own) => own,
            None => {
                let ConversationKey { session, agent } = &self.layer.conversation;
                let known_since = match agent.as_str() {
                    "" => self.host.state.compacted_at(session).map_err(wit_error)?,
                    _ => Some(Millis::MAX),
                };
                let known_since = known_since.map_or(Millis::MIN, |at| at.saturating_add(FLUSH_TIME));
                store::OwnMemories { session: session.clone(), known_since }
            }
        };
        Ok(self.own.insert(own))
    }

    /// Converts a filter, apart from `unseen`, and narrows it to the categories that this layer may read.
    fn filter(&self, filter: wit::Filter) -> Result<store::Filter, Error> {
        let categories =
            self.readable_categories(filter.categories.into_iter().map(convert::category).collect())?;
        let narrowed = store::Filter {
            categories,
            tags: filter.tags,
            since: filter.since,
            origins: filter.origins.into_iter().map(convert::origin).collect(),
            // A hook shows only what is certain.
            certain_only: true,
            ..store::Filter::default()
        };
        Ok(self.without_disabled(self.host.memories.on_branches(narrowed, filter.branch)))
    }

    /// Returns the requested categories that this layer may read. An empty request means all categories.
    fn readable_categories(&self, requested: Vec<Category>) -> Result<Vec<Category>, Error> {
        let read = &self.layer.grants.memory.read;
        if *read == CategorySet::All {
            return Ok(requested);
        }
        let requested = if requested.is_empty() { Category::ALL.to_vec() } else { requested };
        self.check_access(Access::ReadCategories(&requested))?;
        Ok(requested.into_iter().filter(|category| read.includes(*category)).collect())
    }

    /// Removes the categories that the user has disabled from a filter. It may then match nothing.
    fn without_disabled(&self, mut filter: store::Filter) -> store::Filter {
        let policy = self.host.memories.policy();
        let is_enabled = |category: &Category| policy.of(*category).enabled;
        if Category::ALL.iter().all(is_enabled) {
            return filter;
        }
        if filter.categories.is_empty() {
            filter.categories = Category::ALL.to_vec();
        }
        filter.categories.retain(is_enabled);
        // An empty list of categories would mean all of them.
        if filter.categories.is_empty() {
            filter.statuses.clear();
        }
        filter
    }

    /// Returns the ids of the memories of which this conversation was shown at least as much. Reads them once
    /// per event.
    fn shown(&mut self, at_least: ShownAs) -> Result<HashSet<String>, Error> {
        let shown = match self.shown.take() {
            Some(shown) => shown,
            None => self.host.state.shown(&self.layer.conversation).map_err(wit_error)?,
        };
        let of = |shown: &HashMap<String, ShownAs>| {
            let ids = shown.iter().filter(|(_, shown_as)| **shown_as >= at_least);
            ids.map(|(id, _)| id.clone()).collect()
        };
        Ok(of(self.shown.insert(shown)))
    }

    /// Returns the memories, with this layer as the actor of every change.
    fn writer(&self) -> store::Memories {
        self.host.memories.with_actor(&self.layer.name)
    }

    /// Returns a memory that this layer may change. One that it may neither read nor change does not exist
    /// for it.
    fn writable(&self, id: &str) -> Result<store::Memory, Error> {
        let is_visible = |category| self.is_visible(category);
        let memory = self.host.memories.get_visible(id, is_visible).map_err(wit_error)?;
        self.check_access(Access::WriteCategory(memory.category))?;
        Ok(memory)
    }

    /// Tells whether this layer may know of memories of this category.
    fn is_visible(&self, category: Category) -> bool {
        let grants = &self.layer.grants.memory;
        grants.read.includes(category) || grants.write.includes(category)
    }

    /// Refuses the id of a memory that this layer may not know of, as if there were none.
    fn check_visible(&self, id: &str) -> Result<(), Error> {
        match self.host.memories.get(id) {
            Ok(memory) if !self.is_visible(memory.category) => Err(wit_error(store::unknown_id(id))),
            _ => Ok(()),
        }
    }

    /// Logs the memories that were evicted to make room and contained information that no other memory has.
    fn log_evicted(&self, evicted: &[store::Evicted]) {
        for memory in evicted.iter().filter(|memory| !memory.unique_items.is_empty()) {
            // It happens by rule, so it is no failure.
            self.host.log.write(Level::Info, Some(&self.layer.name), memory.warning());
        }
    }
}
