//! `memory`: memories of the project, read and written under the host's rules.

mod change;
mod draft;
mod quotes;
mod words;

use super::{LayerHost, Use, wire};
use crate::layer::CategorySet;
use crate::log::Level;
use crate::memory::{self as store, Category};
use crate::sandbox::bindings::memory::{self as wit, Host};
use crate::sandbox::bindings::types::Error;
use words::{category, origin, to_wit};

/// Most memories that one call returns.
const MOST: u32 = 100;

/// Most files that one call asks for.
const MOST_FILES: usize = 16;

impl Host for LayerHost {
    fn search(&mut self, query: String, filter: wit::Filter, limit: u32) -> Result<Vec<wit::Hit>, Error> {
        self.permit(Use::ReadMemory, query.len())?;
        let filter = self.filter(filter)?;
        let hits = self.host.memories.search(&query, &filter, limit.min(MOST) as usize).map_err(wire)?;
        self.carry(hits.iter().map(|hit| &hit.memory))?;
        Ok(hits
            .into_iter()
            .map(|hit| wit::Hit { relevance: hit.relevance, memory: to_wit(hit.memory) })
            .collect())
    }

    fn list(
        &mut self,
        filter: wit::Filter,
        order: wit::Order,
        limit: u32,
    ) -> Result<Vec<wit::Memory>, Error> {
        self.permit(Use::ReadMemory, 0)?;
        let filter = self.filter(filter)?;
        let order = match order {
            wit::Order::Newest => store::Order::Newest,
            wit::Order::Importance => store::Order::Importance,
        };
        let memories = self.host.memories.list(&filter, order, limit.min(MOST) as usize).map_err(wire)?;
        self.carry(memories.iter())?;
        Ok(memories.into_iter().map(to_wit).collect())
    }

    fn get(&mut self, id: String) -> Result<wit::Memory, Error> {
        self.permit(Use::ReadMemory, id.len())?;
        let memory = self.host.memories.get(&id).map_err(wire)?;
        self.decide(Use::ReadCategories(&[memory.category]))?;
        self.carry(std::iter::once(&memory))?;
        Ok(to_wit(memory))
    }

    fn about_files(
        &mut self,
        paths: Vec<String>,
        filter: wit::Filter,
        limit: u32,
    ) -> Result<Vec<wit::Memory>, Error> {
        self.permit(Use::ReadMemory, paths.iter().map(String::len).sum())?;
        if paths.len() > MOST_FILES {
            return Err(Error::Invalid(format!("{} files at once; ask for {MOST_FILES}", paths.len())));
        }
        let filter = self.filter(filter)?;
        let memories = self.host.memories.about(&paths, &filter, limit.min(MOST) as usize).map_err(wire)?;
        self.carry(memories.iter())?;
        Ok(memories.into_iter().map(to_wit).collect())
    }

    fn create(&mut self, draft: wit::Draft) -> Result<wit::WriteResult, Error> {
        self.permit_draft(&draft)?;
        if let Some(id) = self.written_before(&draft)? {
            return Ok(wit::WriteResult::DuplicateOf(id));
        }
        let written = self.writer().remember(self.draft(draft)?).map_err(wire)?;
        self.log_evicted(&written.evicted);
        Ok(match written.outcome {
            store::WriteOutcome::Created => wit::WriteResult::Created(written.id),
            store::WriteOutcome::Duplicate => wit::WriteResult::DuplicateOf(written.id),
        })
    }

    fn update(&mut self, id: String, version: u64, patch: wit::Patch) -> Result<u64, Error> {
        self.permit(Use::WriteMemory, patch.text.as_ref().map_or(0, String::len) + id.len())?;
        let memory = self.writable(&id)?;
        let patch = self.patch(patch)?;
        self.writer().update(&memory.id, version, patch).map(|memory| memory.version).map_err(wire)
    }

    fn assess(
        &mut self,
        draft: wit::Draft,
        event: Option<wit::LifecycleEvent>,
    ) -> Result<wit::Assessment, Error> {
        self.permit_draft(&draft)?;
        let category = category(draft.category);
        self.decide(Use::ReadCategories(&[category]))?;
        let assessed = self.writer().assess(self.draft(draft)?, event.map(words::event)).map_err(wire)?;
        self.carry(assessed.candidate.iter().map(|candidate| &candidate.memory))?;
        Ok(words::assessment(assessed))
    }

    fn resolve(&mut self, proposal: wit::Proposal) -> Result<wit::Resolution, Error> {
        self.permit_draft(&proposal.draft)?;
        let proposal = self.proposal(proposal)?;
        let resolved = self.writer().resolve(proposal).map_err(wire)?;
        self.log_evicted(&resolved.evicted);
        Ok(words::resolved(resolved))
    }

    fn categories(&mut self) -> Result<Vec<wit::CategoryPolicy>, Error> {
        self.permit(Use::ReadMemory, 0)?;
        let policy = self.host.memories.policy();
        Ok(Category::ALL
            .iter()
            .map(|category| words::category_policy(*category, policy.of(*category)))
            .collect())
    }

    fn retire(&mut self, id: String, version: u64, reason: String) -> Result<(), Error> {
        self.permit(Use::WriteMemory, id.len() + reason.len())?;
        let memory = self.writable(&id)?;
        self.writer().retire(&memory.id, Some(version), &reason).map(drop).map_err(wire)
    }
}

impl LayerHost {
    /// Counts what goes out and remembers it: a layer may show only what it has read.
    fn carry<'a>(&mut self, memories: impl Iterator<Item = &'a store::Memory> + Clone) -> Result<(), Error> {
        let bytes = memories.clone().map(|memory| memory.title.len() + memory.text.len() + 200).sum();
        self.meter.carry(bytes).map_err(wire)?;
        self.read.extend(memories.map(|memory| (memory.id.clone(), memory.clone())));
        Ok(())
    }

    fn filter(&mut self, filter: wit::Filter) -> Result<store::Filter, Error> {
        let categories = self.readable(filter.categories.into_iter().map(category).collect())?;
        let except = if filter.unseen { self.shown()? } else { Default::default() };
        Ok(self.enabled(store::Filter {
            categories,
            tags: filter.tags,
            branch: filter.branch,
            since: filter.since,
            origins: filter.origins.into_iter().map(origin).collect(),
            except,
            ..store::Filter::default()
        }))
    }

    /// Of the categories that a filter asks for, those that this layer may read.
    fn readable(&self, wanted: Vec<Category>) -> Result<Vec<Category>, Error> {
        let read = &self.layer.grants.memory.read;
        if *read == CategorySet::All {
            return Ok(wanted);
        }
        let wanted = if wanted.is_empty() { Category::ALL.to_vec() } else { wanted };
        self.decide(Use::ReadCategories(&wanted))?;
        Ok(wanted.into_iter().filter(|category| read.includes(*category)).collect())
    }

    /// The same filter without the categories that the person has switched off. What is left may be nothing.
    fn enabled(&self, mut filter: store::Filter) -> store::Filter {
        let policy = self.host.memories.policy();
        let enabled = |category: &Category| policy.of(*category).enabled;
        if Category::ALL.iter().all(enabled) {
            return filter;
        }
        if filter.categories.is_empty() {
            filter.categories = Category::ALL.to_vec();
        }
        filter.categories.retain(enabled);
        // No category at all would mean any.
        if filter.categories.is_empty() {
            filter.statuses.clear();
        }
        filter
    }

    /// What this context was shown already, asked once an event.
    fn shown(&mut self) -> Result<std::collections::HashSet<String>, Error> {
        if self.shown.is_none() {
            self.shown = Some(self.host.state.shown(&self.layer.conversation).map_err(wire)?);
        }
        Ok(self.shown.clone().unwrap_or_default())
    }

    /// The memories, as written by this layer.
    fn writer(&self) -> store::Memories {
        self.host.memories.with_actor(&self.layer.name)
    }

    /// A memory that this layer may change.
    fn writable(&self, id: &str) -> Result<store::Memory, Error> {
        let memory = self.host.memories.get(id).map_err(wire)?;
        self.decide(Use::WriteCategory(memory.category))?;
        Ok(memory)
    }

    /// Says in the log what had to make room, and what is found nowhere else now.
    fn log_evicted(&self, evicted: &[store::Evicted]) {
        for gone in evicted.iter().filter(|gone| !gone.unique_items.is_empty()) {
            self.host.log.write(Level::Warn, Some(&self.layer.name), gone.warning());
        }
    }
}
