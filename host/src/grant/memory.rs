//! `memory`: memories of the project, read and written under the host's rules.

mod quotes;
mod words;

use super::{Granted, Use, wire};
use crate::error::Kind;
use crate::layer::Reach;
use crate::memory::{self as store, Category, Draft, Origin, Source};
use crate::sandbox::bindings::memory::{self as wit, Host};
use crate::sandbox::bindings::types::Error;
use words::{category, origin, to_wit};

/// Most memories that one call returns.
const MOST: u32 = 100;

/// Most files that one call asks for.
const MOST_FILES: usize = 16;

impl Host for Granted {
    fn search(&mut self, query: String, filter: wit::Filter, limit: u32) -> Result<Vec<wit::Hit>, Error> {
        self.permit(Use::ReadMemory, query.len())?;
        let filter = self.filter(filter)?;
        let hits = self.world.memories.search(&query, &filter, limit.min(MOST) as usize).map_err(wire)?;
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
        let memories = self.world.memories.list(&filter, order, limit.min(MOST) as usize).map_err(wire)?;
        self.carry(memories.iter())?;
        Ok(memories.into_iter().map(to_wit).collect())
    }

    fn get(&mut self, id: String) -> Result<wit::Memory, Error> {
        self.permit(Use::ReadMemory, id.len())?;
        let memory = self.world.memories.get(&id).map_err(wire)?;
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
        let memories = self.world.memories.about(&paths, &filter, limit.min(MOST) as usize).map_err(wire)?;
        self.carry(memories.iter())?;
        Ok(memories.into_iter().map(to_wit).collect())
    }

    fn create(&mut self, draft: wit::Draft) -> Result<wit::Written, Error> {
        let bytes = draft.text.len() + draft.content.as_ref().map_or(0, String::len);
        self.permit(Use::WriteCategory(category(draft.category)), bytes)?;
        if let Some(id) = self.written_before(&draft)? {
            return Ok(wit::Written::DuplicateOf(id));
        }
        let written = self.writer().remember(self.draft(draft)?).map_err(wire)?;
        Ok(match written.outcome {
            store::Outcome::Created => wit::Written::Created(written.id),
            store::Outcome::Duplicate => wit::Written::DuplicateOf(written.id),
        })
    }

    fn retire(&mut self, id: String, version: u64, reason: String) -> Result<(), Error> {
        self.permit(Use::WriteMemory, id.len() + reason.len())?;
        let memory = self.world.memories.get(&id).map_err(wire)?;
        self.decide(Use::WriteCategory(memory.category))?;
        self.writer().retire(&memory.id, Some(version), &reason).map(drop).map_err(wire)
    }
}

impl Granted {
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
        Ok(store::Filter {
            categories,
            tags: filter.tags,
            branch: filter.branch,
            since: filter.since,
            origins: filter.origins.into_iter().map(origin).collect(),
            except,
            ..store::Filter::default()
        })
    }

    /// Of the categories that a filter asks for, those that this layer may read. No category at all means any.
    fn readable(&self, wanted: Vec<Category>) -> Result<Vec<Category>, Error> {
        let read = &self.holder.grants.memory.read;
        if *read == Reach::Everything {
            return Ok(wanted);
        }
        let wanted = if wanted.is_empty() { Category::ALL.to_vec() } else { wanted };
        self.decide(Use::ReadCategories(&wanted))?;
        Ok(wanted.into_iter().filter(|category| read.includes(*category)).collect())
    }

    /// What this context was shown already, asked once an event.
    fn shown(&mut self) -> Result<std::collections::HashSet<String>, Error> {
        if self.shown.is_none() {
            self.shown = Some(self.world.state.shown(self.holder.context.key()).map_err(wire)?);
        }
        Ok(self.shown.clone().unwrap_or_default())
    }

    /// The memories, as written by this layer.
    fn writer(&self) -> store::Memories {
        self.world.memories.written_by(&self.holder.layer)
    }

    /// What this layer wrote under the same key, were it forgotten since.
    fn written_before(&self, draft: &wit::Draft) -> Result<Option<String>, Error> {
        let Some(id) = self.id_of(draft) else { return Ok(None) };
        match self.world.memories.get(&id) {
            Ok(memory) => Ok(Some(memory.id)),
            Err(error) if error.kind == Kind::NotFound => Ok(None),
            Err(error) => Err(wire(error)),
        }
    }

    fn id_of(&self, draft: &wit::Draft) -> Option<String> {
        draft.key.as_deref().map(|key| store::id_of_key(&self.holder.layer, key))
    }

    /// A draft as the store takes it: the host, not the layer, says where it comes from.
    fn draft(&self, draft: wit::Draft) -> Result<Draft, Error> {
        let (origin, id) = (self.quoted(&draft.quotes, origin(draft.origin))?, self.id_of(&draft));
        if !matches!(origin, Origin::Assistant | Origin::ToolOutput) {
            let layer = &self.holder.layer;
            return Err(Error::Denied(format!("layer {layer} cannot claim the origin {}", origin.as_str())));
        }
        let content = match draft.content.as_deref() {
            Some(json) => serde_json::from_str(json)
                .map_err(|error| Error::Invalid(format!("the content of a draft must be JSON: {error}")))?,
            None => serde_json::json!({}),
        };
        Ok(Draft {
            title: draft.title,
            content,
            tags: draft.tags,
            related_files: draft.related_files,
            confidence: draft.confidence,
            importance: draft.importance,
            source: self.source(),
            id,
            ..Draft::new(category(draft.category), draft.text, origin)
        })
    }

    fn source(&self) -> Source {
        Source {
            session: Some(self.holder.context.session.clone()),
            layer: Some(self.holder.layer.clone()),
            event: Some(self.holder.event.to_owned()),
            branch: self.world.project.branch().unwrap_or_default(),
            ..Source::default()
        }
    }
}
