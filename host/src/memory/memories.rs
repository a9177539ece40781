//! The memories of one project: finding them, and the one door through which they are written.

use super::kinds::{Category, Status};
use super::policy::Policy;
use super::record::{Change, Memory};
use super::relevance::{MIN_RELEVANCE, Query};
use super::store::{Filter, Hit, Order, Store, Transaction};
use super::{identity, store};
use crate::clock::Clock;
use crate::error::Result;
use crate::redact::Redactor;
use std::path::Path;
use std::sync::Arc;

/// The memories of one project, with the rules of writing them.
#[derive(Clone)]
pub struct Memories {
    pub(super) store: Arc<dyn Store>,
    pub(super) redactor: Arc<Redactor>,
    pub(super) clock: Clock,
    pub(super) policy: Arc<Policy>,
    pub(super) folder: Option<Arc<Path>>,
    actor: Arc<str>,
}

impl Memories {
    /// The memories in `store`. Whatever is written passes through `redactor`.
    pub fn new(store: Arc<dyn Store>, redactor: Redactor, clock: Clock) -> Self {
        let (policy, actor) = (Arc::default(), Arc::from("interleaf"));
        Self { store, redactor: Arc::new(redactor), clock, policy, folder: None, actor }
    }

    /// The same memories, kept as this policy says.
    #[must_use]
    pub fn with_policy(self, policy: Policy) -> Self {
        Self { policy: Arc::new(policy), ..self }
    }

    /// The same memories, whose related files are paths from this folder: one that is not there any more need not be
    /// named for ever.
    #[must_use]
    pub fn with_project_root(self, folder: &Path) -> Self {
        Self { folder: Some(Arc::from(folder)), ..self }
    }

    /// The same memories, with another name in the history of what is written: a layer's, a command's.
    #[must_use]
    pub fn with_actor(&self, actor: &str) -> Self {
        Self { actor: Arc::from(actor), ..self.clone() }
    }

    /// What the person decided about them.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The memory with this id, or the only one whose id begins with these four or more characters.
    ///
    /// # Errors
    /// `not-found`; `invalid`, naming them, where several begin so.
    pub fn get(&self, id: &str) -> Result<Memory> {
        match self.store.get(id)? {
            Some(memory) => Ok(memory),
            None => {
                let id = identity::only_match(id, &*self.store)?;
                self.store.get(&id)?.ok_or_else(|| identity::missing(&id))
            }
        }
    }

    /// The first `limit` memories that name one of these files, by its path relative to the project's root.
    pub fn about(&self, files: &[String], filter: &Filter, limit: usize) -> Result<Vec<Memory>> {
        self.store.about(files, filter, limit)
    }

    /// The first `limit` memories in this order.
    pub fn list(&self, filter: &Filter, order: Order, limit: usize) -> Result<Vec<Memory>> {
        self.store.list(filter, order, self.clock.now(), limit)
    }

    /// The memories that surely belong to a text: of relevance [`MIN_RELEVANCE`] or more, the most relevant first,
    /// of equals the newer. Mostly none.
    pub fn search(&self, text: &str, filter: &Filter, limit: usize) -> Result<Vec<Hit>> {
        self.search_with_min_relevance(MIN_RELEVANCE, text, filter, limit)
    }

    /// The same with another floor: somebody who searches by hand wants the best there is, at 0 whatever
    /// shares a word.
    pub fn search_with_min_relevance(
        &self,
        floor: f32,
        text: &str,
        filter: &Filter,
        limit: usize,
    ) -> Result<Vec<Hit>> {
        self.store.search(&Query::new(text), filter, floor, self.clock.now(), limit)
    }

    /// How many memories are active.
    pub fn count(&self) -> Result<u64> {
        let active = self.counts()?.into_iter().filter(|(_, status, _)| *status == Status::Active);
        Ok(active.map(|(_, _, count)| count).sum())
    }

    /// How many there are of each category and status, those of which there are none left out.
    pub fn counts(&self) -> Result<Vec<(Category, Status, u64)>> {
        self.store.count()
    }

    /// Shows every memory, whatever its status, in the order they were written.
    pub fn each(&self, visit: &mut dyn FnMut(Memory) -> Result<()>) -> Result<()> {
        self.store.each(visit)
    }

    /// Counts one more use of each of these.
    pub fn used(&self, ids: &[String]) -> Result<()> {
        self.store.used(ids)
    }

    /// Does something to the store as one step.
    pub(super) fn write<T>(&self, work: impl FnOnce(&dyn Transaction) -> Result<T>) -> Result<T> {
        let mut work = Some(work);
        let mut done = None;
        self.store.write(&mut |step| {
            if let Some(work) = work.take() {
                done = Some(work(step)?);
            }
            Ok(())
        })?;
        done.ok_or_else(|| crate::error::Error::unavailable("the store did not do what it was asked"))
    }

    /// The memory as it is within a step, if it still has the version that somebody saw.
    pub(super) fn seen(&self, step: &dyn Transaction, id: &str, version: Option<u64>) -> Result<Memory> {
        let memory = step.get(id)?.ok_or_else(|| identity::missing(id))?;
        match version {
            Some(version) if version != memory.version => {
                Err(store::outdated(&memory.id, memory.version, version))
            }
            _ => Ok(memory),
        }
    }

    /// The memory with one more entry in its history, as of now.
    pub(super) fn noted(&self, mut memory: Memory, change: Change) -> Memory {
        let at = self.clock.now();
        memory.updated_at = at;
        memory.note(Change { at, by: self.actor.to_string(), ..change });
        memory
    }
}
