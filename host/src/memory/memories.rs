//! The memories of one project, with the methods that find them. The methods that write are in `writing.rs`.

use super::branches::{BranchStates, Branches, LazyBranches};
use super::category::Category;
use super::memory_id;
use super::policy::Policy;
use super::record::{Citation, Memory, Status};
use super::relevance::{MinRelevance, Occasion, Query};
use super::reranking::rerank;
use super::store::{Filter, Found, Hit, Order, Store};
use crate::clock::Clock;
use crate::error::Result;
use crate::redact::Redactor;
use std::path::Path;
use std::sync::Arc;

/// Number of memories that a search on request ranks by their whole texts, 0.1 milliseconds each.
const RERANKED_HITS: usize = 200;

/// The memories of one project, with the rules for writing them.
#[derive(Clone)]
pub struct Memories {
    pub(super) store: Arc<dyn Store>,
    pub(super) redactor: Arc<Redactor>,
    pub(super) clock: Clock,
    pub(super) policy: Arc<Policy>,
    pub(super) project_root: Option<Arc<Path>>,
    /// Returns the commit that is checked out.
    pub(super) head: Option<Arc<dyn Fn() -> Option<String> + Send + Sync>>,
    pub(super) branches: Option<LazyBranches>,
    pub(super) actor: Arc<str>,
    /// Whether showing a memory is not counted.
    is_preview: bool,
}

impl Memories {
    /// Returns the memories in `store`. Every write passes through `redactor`.
    pub fn new(store: Arc<dyn Store>, redactor: Redactor, clock: Clock) -> Self {
        let (policy, actor) = (Arc::default(), Arc::from("interleaf"));
        Self {
            store,
            redactor: Arc::new(redactor),
            clock,
            policy,
            project_root: None,
            head: None,
            branches: None,
            actor,
            is_preview: false,
        }
    }

    /// Sets the policy.
    #[must_use]
    pub fn with_policy(self, policy: Policy) -> Self {
        Self { policy: Arc::new(policy), ..self }
    }

    /// Sets the folder that related files are relative to. An update may drop the path of a file that no
    /// longer exists there.
    #[must_use]
    pub fn with_project_root(self, folder: &Path) -> Self {
        Self { project_root: Some(Arc::from(folder)), ..self }
    }

    /// Sets how to find the commit that is checked out, at which new memories are written.
    #[must_use]
    pub fn with_head(self, head: impl Fn() -> Option<String> + Send + Sync + 'static) -> Self {
        Self { head: Some(Arc::new(head)), ..self }
    }

    /// Sets how to find out what is recorded of branches, and, with that, about those of the repository.
    #[must_use]
    pub fn with_branches(
        self,
        ask_states: impl Fn() -> BranchStates + Send + Sync + 'static,
        ask: impl Fn(BranchStates) -> Branches + Send + Sync + 'static,
    ) -> Self {
        Self { branches: Some(LazyBranches::new(ask_states, ask)), ..self }
    }

    /// Returns the branches of the repository.
    pub fn branches(&self) -> Branches {
        self.branches.as_ref().map(|branches| branches.get().clone()).unwrap_or_default()
    }

    /// Narrows a filter to what holds here: nothing of a branch that was deleted without being merged, and
    /// only what holds on the branch `only`, if there is one. What belongs to another branch ranks behind.
    pub fn on_branches(&self, filter: Filter, only: Option<String>) -> Filter {
        match &self.branches {
            Some(branches) if only.is_none() && branches.states().is_empty() => filter,
            Some(branches) => branches.get().narrow(filter, only),
            None => Filter { branches: only.into_iter().collect(), ..filter },
        }
    }

    /// Sets the name of the layer or command that the history records as the author of changes.
    #[must_use]
    pub fn with_actor(&self, actor: &str) -> Self {
        Self { actor: Arc::from(actor), ..self.clone() }
    }

    /// Counts no memory as shown.
    #[must_use]
    pub fn for_preview(self) -> Self {
        Self { is_preview: true, ..self }
    }

    /// Returns the policy.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Returns the memory with this id, or the only one whose id begins with it. A prefix needs four
    /// characters.
    ///
    /// # Errors
    /// `not-found`; `invalid`, with a list of the ids, if several begin with the prefix.
    pub fn get(&self, id: &str) -> Result<Memory> {
        match self.get_by_whole_id(id)? {
            Some(memory) => Ok(memory),
            None => {
                let id = memory_id::find_by_prefix(id, &*self.store)?;
                self.store.get(&id)?.ok_or_else(|| memory_id::unknown(&id))
            }
        }
    }

    /// Like [`get`](Self::get), for a caller that may not know of all categories. A memory of a category that
    /// is not visible does not exist for it, and errors name no other memory.
    ///
    /// # Errors
    /// `not-found`; `invalid` if several visible memories begin with the prefix.
    pub fn get_visible(&self, id: &str, is_visible: impl Fn(Category) -> bool) -> Result<Memory> {
        let is_visible = |memory: &Memory| is_visible(memory.category);
        match self.get_by_whole_id(id)? {
            Some(memory) => Some(memory).filter(is_visible).ok_or_else(|| memory_id::unknown(id)),
            None => memory_id::find_visible(id, &*self.store, &is_visible),
        }
    }

    /// Returns the memory with exactly this id, or the one that was imported under it.
    fn get_by_whole_id(&self, id: &str) -> Result<Option<Memory>> {
        match self.store.get(id)? {
            None if !memory_id::is_id(id) => self.store.get(&memory_id::of_import(id)),
            found => Ok(found),
        }
    }

    /// Returns the first `limit` memories that name one of these files. Paths are relative to the project's
    /// root.
    pub fn about_files(&self, files: &[String], filter: &Filter, limit: usize) -> Result<Vec<Memory>> {
        self.store.about_files(files, filter, limit)
    }

    /// Returns the first `limit` memories in this order.
    pub fn list(&self, filter: &Filter, order: Order, limit: usize) -> Result<Vec<Memory>> {
        self.store.list(filter, order, self.clock.now(), limit)
    }

    /// Returns the memories that fit a text of this occasion or may fit, the most relevant first. Most texts
    /// find none.
    pub fn search_at(&self, occasion: Occasion, text: &str, filter: &Filter, limit: usize) -> Result<Found> {
        let wasted = &self.policy.wasted_tokens;
        let lowest = wasted.min_relevance(occasion).or_lower(wasted.min_line_relevance(occasion));
        self.store.search(&Query::new(text).at(occasion), filter, lowest, self.clock.now(), limit)
    }

    /// Returns the memories that fit a prompt, the most relevant first.
    pub fn search(&self, text: &str, filter: &Filter, limit: usize) -> Result<Vec<Hit>> {
        let minimum = self.policy.wasted_tokens.min_relevance(Occasion::Prompt);
        self.search_with_min_relevance(minimum, text, filter, limit)
    }

    /// Like [`search`](Self::search), with another minimum. With 0, it returns every memory that shares a
    /// word.
    pub fn search_with_min_relevance(
        &self,
        min_relevance: impl Into<MinRelevance>,
        text: &str,
        filter: &Filter,
        limit: usize,
    ) -> Result<Vec<Hit>> {
        let query = Query::new(text);
        Ok(self.store.search(&query, filter, min_relevance.into(), self.clock.now(), limit)?.hits)
    }

    /// Returns what a memory cites that is no longer in the working tree, so that it may be out of date.
    pub fn outdated_citations(&self, citations: &[Citation]) -> Vec<Citation> {
        let outdated = |root| super::citations::outdated(root, citations);
        self.project_root.as_deref().filter(|_| !citations.is_empty()).map(outdated).unwrap_or_default()
    }

    /// Searches for a text that a person or an agent asks for, and ranks what it finds by the whole texts.
    /// Takes some ten milliseconds more than [`search`](Self::search). With a minimum of 0, it returns every
    /// memory that shares a word.
    pub fn search_on_request(
        &self,
        min_relevance: f32,
        text: &str,
        filter: &Filter,
        limit: usize,
    ) -> Result<Vec<Hit>> {
        let candidates = limit.max(RERANKED_HITS);
        let hits = self.search_with_min_relevance(min_relevance, text, filter, candidates)?;
        let mut ranked = rerank(text, hits, self.clock.now());
        ranked.truncate(limit);
        Ok(ranked)
    }

    /// Computes the sentence vectors of some memories that lack them, the newest first, and returns their
    /// number: 0 if no memory lacks any, or there is no model.
    pub fn embed_some(&self, limit: usize) -> Result<usize> {
        self.store.embed_some(limit)
    }

    /// Removes what was derived from memories that are deleted: their words in the index, and their vectors.
    ///
    /// # Errors
    /// `unavailable` if the store or the file of the vectors cannot be written.
    pub fn remove_derived(&self) -> Result<()> {
        self.store.remove_derived()
    }

    /// Returns the number of memories that lack sentence vectors.
    pub fn unembedded_count(&self) -> Result<u64> {
        self.store.unembedded_count()
    }

    /// Compares the sentence vectors with the memories: removes those that belong to none, and lets missing
    /// ones be computed. Returns the number of memories that lacked theirs unnoticed.
    pub fn check_vectors(&self) -> Result<u64> {
        self.store.check_vectors()
    }

    /// Returns the number of active memories.
    pub fn count(&self) -> Result<u64> {
        let active = self.counts()?.into_iter().filter(|(_, status, _)| *status == Status::Active);
        Ok(active.map(|(_, _, count)| count).sum())
    }

    /// Tells whether no memory is active. Takes the same time in a store of any size.
    pub fn is_empty(&self) -> Result<bool> {
        self.store.is_empty()
    }

    /// Returns the number of memories of each category and status, without zeros.
    pub fn counts(&self) -> Result<Vec<(Category, Status, u64)>> {
        self.store.counts()
    }

    /// Calls `visit` with every memory of any status, in the order in which they were written.
    pub fn for_each(&self, visit: &mut dyn FnMut(Memory) -> Result<()>) -> Result<()> {
        self.store.for_each(visit)
    }

    /// Counts that each of these memories was shown.
    pub fn record_uses(&self, ids: &[String]) -> Result<()> {
        if self.is_preview { Ok(()) } else { self.store.record_uses(ids) }
    }

    /// Counts that a session followed each of these memories.
    pub fn record_followed(&self, ids: &[String]) -> Result<()> {
        self.store.record_followed(ids)
    }

    /// Returns for each category how often its active memories were shown, and in how many sessions followed,
    /// without zeros.
    pub fn use_counts(&self) -> Result<Vec<(Category, u64, u64)>> {
        self.store.use_counts()
    }
}
