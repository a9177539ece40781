//! Writing and finding memories, above any store: the one way in, and the rules that hold on it.

use super::draft::{Draft, Patch};
use super::kinds::Status;
use super::record::{Change, Memory};
use super::relevance::{FLOOR, Query};
use super::store::{Filter, Hit, Inserted, Order, Store};
use super::{duplicates, identity, rules, store};
use crate::clock::Clock;
use crate::error::{Error, Kind, Result};
use crate::redact::Redactor;
use std::sync::Arc;

/// How often a change without a version is tried again when somebody else was faster.
const ATTEMPTS: usize = 8;

/// The memories of one project, with the rules of writing them.
#[derive(Clone)]
pub struct Memories {
    pub(super) store: Arc<dyn Store>,
    redactor: Arc<Redactor>,
    clock: Clock,
    actor: Arc<str>,
}

/// What became of a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The memory that says it now.
    pub id: String,
    /// Whether that is a new one.
    pub outcome: Outcome,
}

/// Whether a draft became a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It did.
    Created,
    /// An active memory says the same already; nothing was written.
    Duplicate,
}

impl Memories {
    /// The memories in `store`. Whatever is written passes through `redactor`.
    pub fn new(store: Arc<dyn Store>, redactor: Redactor, clock: Clock) -> Self {
        Self { store, redactor: Arc::new(redactor), clock, actor: Arc::from("interleaf") }
    }

    /// The same memories, with another name in the history of what is written: a layer's, a command's.
    #[must_use]
    pub fn written_by(&self, actor: &str) -> Self {
        Self { actor: Arc::from(actor), ..self.clone() }
    }

    /// Writes a memory, unless an active one says the same.
    ///
    /// # Errors
    /// `invalid` where the draft breaks a limit, `denied` where its origin does not allow what it carries,
    /// `conflict` where the id it wants is taken, `unavailable` where the store cannot be written.
    pub fn remember(&self, draft: Draft) -> Result<Written> {
        self.keep(self.drafted(draft, "written")?)
    }

    /// Changes the memory of this id if it still has the version that was seen. It takes the less trusted
    /// origin of what was there and what is new.
    ///
    /// # Errors
    /// As for [`remember`](Self::remember); `conflict`, naming the present version, where somebody else was
    /// faster; `denied` where foreign words would change this user's own, or the memory is no longer
    /// active.
    pub fn update(&self, id: &str, version: u64, patch: Patch) -> Result<Memory> {
        let memory = self.seen(id, Some(version))?;
        if memory.status != Status::Active {
            let what = format!("memory `{}` is {} and stays as it is", memory.id, memory.status);
            return Err(Error::denied(what));
        }
        let memory = rules::lawful(self.patched(memory, patch)?, &self.redactor)?;
        self.store.replace(&memory, version)?;
        Ok(memory)
    }

    /// Forgets a memory: it is kept, but neither shown nor found. Forgetting twice changes nothing.
    ///
    /// # Errors
    /// `not-found`; `conflict` where a version was given and it has another.
    pub fn retire(&self, id: &str, version: Option<u64>, reason: &str) -> Result<Memory> {
        let mut tries = 0;
        loop {
            tries += 1;
            let memory = self.seen(id, version)?;
            if memory.status == Status::Retired {
                return Ok(memory);
            }
            match self.replace_retired(memory, reason) {
                Err(error) if error.kind == Kind::Conflict && version.is_none() && tries < ATTEMPTS => {}
                done => return done,
            }
        }
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
        self.store.list(filter, order, limit)
    }

    /// The memories that surely belong to a text: of relevance [`FLOOR`] or more, the most relevant first,
    /// of equals the newer. Mostly none.
    pub fn search(&self, text: &str, filter: &Filter, limit: usize) -> Result<Vec<Hit>> {
        self.search_from(FLOOR, text, filter, limit)
    }

    /// The same with another floor: somebody who searches by hand wants the best there is, at 0 whatever
    /// shares a word.
    pub fn search_from(&self, floor: f32, text: &str, filter: &Filter, limit: usize) -> Result<Vec<Hit>> {
        self.store.search(&Query::new(text), filter, floor, limit)
    }

    /// How many memories are active.
    pub fn count(&self) -> Result<u64> {
        self.store.count()
    }

    /// Counts one more use of each of these.
    pub fn used(&self, ids: &[String]) -> Result<()> {
        self.store.used(ids)
    }

    /// The memory, if it still has the version that somebody saw.
    fn seen(&self, id: &str, version: Option<u64>) -> Result<Memory> {
        let memory = self.get(id)?;
        match version {
            Some(version) if version != memory.version => {
                Err(store::outdated(&memory.id, memory.version, version))
            }
            _ => Ok(memory),
        }
    }

    /// Makes a new memory lawful and keeps it. One that does not count repeats nothing.
    pub(super) fn keep(&self, memory: Memory) -> Result<Written> {
        let memory = rules::lawful(memory, &self.redactor)?;
        let counts = memory.status == Status::Active;
        let inserted = self.store.insert(&memory, &|other| counts && duplicates::repeats(other, &memory))?;
        Ok(match inserted {
            Inserted::New => Written { id: memory.id, outcome: Outcome::Created },
            Inserted::Repeats(id) => Written { id, outcome: Outcome::Duplicate },
        })
    }

    /// The memory that a draft asks for; its history begins with `how` it came.
    pub(super) fn drafted(&self, draft: Draft, how: &str) -> Result<Memory> {
        let now = self.clock.now();
        let memory = Memory {
            id: draft.id.map_or_else(identity::random, Ok)?,
            category: draft.category,
            title: draft.title.unwrap_or_default(),
            text: draft.text,
            content: draft.content,
            tags: draft.tags,
            related_files: draft.related_files,
            confidence: draft.confidence,
            importance: draft.importance,
            origin: draft.origin,
            source: draft.source,
            // A memory from the future would be the newest for ever.
            created_at: draft.created_at.map_or(now, |moment| moment.min(now)),
            updated_at: now,
            status: Status::Active,
            changes: Vec::new(),
            version: 1,
            uses: 0,
        };
        Ok(self.noted(memory, how))
    }

    fn patched(&self, memory: Memory, patch: Patch) -> Result<Memory> {
        let origin = rules::mixed(memory.origin, patch.origin)?;
        let mut what = format!("changed {}", patch.changed().join(", "));
        if let Some(reason) = &patch.reason {
            what.push_str(": ");
            what.push_str(&rules::reason(reason, &self.redactor));
        }
        // A title that was only the beginning of the text is made anew with it.
        let derived = memory.title == rules::title_of(&memory.text) && patch.text.is_some();
        let title = if derived { String::new() } else { memory.title };
        let memory = Memory {
            origin,
            title: patch.title.unwrap_or(title),
            text: patch.text.unwrap_or(memory.text),
            content: patch.content.unwrap_or(memory.content),
            tags: patch.tags.unwrap_or(memory.tags),
            related_files: patch.related_files.unwrap_or(memory.related_files),
            confidence: patch.confidence.unwrap_or(memory.confidence),
            importance: patch.importance.unwrap_or(memory.importance),
            version: memory.version + 1,
            updated_at: self.clock.now(),
            ..memory
        };
        Ok(self.noted(memory, &what))
    }

    fn replace_retired(&self, memory: Memory, reason: &str) -> Result<Memory> {
        let seen = memory.version;
        let now = self.clock.now();
        let retired = Memory { status: Status::Retired, version: seen + 1, updated_at: now, ..memory };
        let retired = self.noted(retired, &format!("retired: {}", rules::reason(reason, &self.redactor)));
        self.store.replace(&retired, seen)?;
        Ok(retired)
    }

    fn noted(&self, mut memory: Memory, what: &str) -> Memory {
        memory.note(Change { at: self.clock.now(), what: what.to_owned(), by: self.actor.to_string() });
        memory
    }
}
