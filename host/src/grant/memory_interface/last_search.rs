//! Searches of layers. A layer usually asks for the memories that fit and for those that may fit with the
//! same query, so the last search is kept and serves both.

use std::collections::HashSet;

use super::wit_conversions as convert;
use super::{Access, LayerHost, MAX_MEMORIES, wit_error};
use crate::layer::EventName;
use crate::log::SearchRecord;
use crate::memory::{Filter, Hit, MinRelevance, Occasion};
use crate::sandbox::bindings::memory as wit;
use crate::sandbox::bindings::types::Error;
use crate::state::ShownAs;

/// Minimum number of hits that are kept.
const MIN_KEPT_HITS: usize = 20;

/// The last search of a layer in this event.
pub(in crate::grant) struct LastSearch {
    query: String,
    filter: Filter,
    limit: usize,
    /// The memories that fit or may fit, the most relevant first, at most `limit`.
    hits: Vec<Hit>,
}

impl LayerHost {
    /// Returns the memories that fit a query, to be shown whole, or those that may fit, to be shown as a
    /// line.
    pub(super) fn find(
        &mut self,
        query: String,
        filter: wit::Filter,
        limit: u32,
        shown_as: ShownAs,
    ) -> Result<Vec<wit::Hit>, Error> {
        self.begin_call(Access::ReadMemory, query.len())?;
        let limit = limit.min(MAX_MEMORIES) as usize;
        // What was shown whole is no longer a better answer than the others. Lines are left out afterwards,
        // so that both functions search for the same.
        let seen = if filter.unseen { self.shown(shown_as)? } else { HashSet::new() };
        let filter = self.unseen_filter(filter)?;
        let occasion = occasion(self.layer.event);
        let wasted = self.host.memories.policy().wasted_tokens;
        let minima = (wasted.min_relevance(occasion), wasted.min_line_relevance(occasion));
        let found = self.search_once(occasion, query, filter, limit)?;
        let reaches = |hit: &Hit, minimum: MinRelevance| hit.relevance >= minimum.of(&hit.features);
        let fits = |hit: &&Hit| match shown_as {
            _ if seen.contains(&hit.memory.id) => false,
            ShownAs::Whole => reaches(hit, minima.0),
            ShownAs::Line => !reaches(hit, minima.0) && reaches(hit, minima.1),
        };
        let hits: Vec<Hit> = found.iter().filter(fits).take(limit).cloned().collect();
        self.hand_over(hits.iter().map(|hit| &hit.memory), shown_as)?;
        Ok(hits.into_iter().map(convert::hit).collect())
    }

    /// Returns the memories that fit or may fit, from the last search if it was the same.
    fn search_once(
        &mut self,
        occasion: Occasion,
        query: String,
        filter: Filter,
        limit: usize,
    ) -> Result<&[Hit], Error> {
        let last = match self.last_search.take() {
            Some(last) if last.query == query && last.filter == filter && last.limit >= limit => last,
            _ => {
                let limit = limit.max(MIN_KEPT_HITS);
                let found = self.host.memories.search_at(occasion, &query, &filter, limit);
                let found = found.map_err(wit_error)?;
                let wasted = &self.host.memories.policy().wasted_tokens;
                let record = SearchRecord::new(occasion, filter.excluded_ids.len(), &found, wasted);
                self.host.log.note_search(&self.layer.name, record);
                LastSearch { hits: found.hits, query, filter, limit }
            }
        };
        Ok(&self.last_search.insert(last).hits)
    }
}

/// Returns the occasion of the searches of a layer that answers this event.
fn occasion(event: &str) -> Occasion {
    match EventName::parse(event) {
        Some(EventName::PreTool) => Occasion::Command,
        Some(EventName::PostTool | EventName::ToolFailure) => Occasion::Failure,
        Some(EventName::SessionStart) => Occasion::Start,
        _ => Occasion::Prompt,
    }
}
