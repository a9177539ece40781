//! A draft becomes a memory, unless one says so already, or said so until it was set aside (`repetition.rs`).

use super::super::draft::Draft;
use super::super::kinds::Status;
use super::super::record::{Change, Memory, SCHEMA_VERSION};
use super::super::store::Transaction;
use super::super::{Memories, identity, rules};
use super::room::Evicted;
use crate::error::{Error, Result};

/// What became of a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriteResult {
    /// The memory that says it now.
    pub id: String,
    /// Whether that is a new one.
    pub outcome: WriteOutcome,
    /// What had to make room for it.
    pub evicted: Vec<Evicted>,
}

/// Whether a draft became a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteOutcome {
    /// It did.
    Created,
    /// An active memory says the same already; nothing was written.
    Duplicate,
}

impl Memories {
    /// Writes a memory, unless an active one says the same.
    ///
    /// # Errors
    /// `invalid` where the draft breaks a limit, `denied` where its origin does not allow what it carries or its
    /// category is switched off, `conflict` where the id it wants is taken, or it was forgotten or archived and says
    /// the same; `over-budget` where its category is full; `unavailable` where the store cannot be written.
    pub fn remember(&self, draft: Draft) -> Result<WriteResult> {
        self.keep(self.drafted(draft, "written")?)
    }

    /// Makes a new memory lawful and keeps it. One that does not count repeats nothing.
    pub(in super::super) fn keep(&self, memory: Memory) -> Result<WriteResult> {
        let memory = rules::lawful(memory, &self.redactor)?;
        self.write(|step| self.admit(step, memory))
    }

    /// Keeps a lawful memory within a step.
    pub(in super::super) fn admit(&self, step: &dyn Transaction, memory: Memory) -> Result<WriteResult> {
        rules::wanted(&memory, &self.policy)?;
        if let Some(id) = self.said_before(step, &memory, None)? {
            return Ok(WriteResult { id, outcome: WriteOutcome::Duplicate, evicted: Vec::new() });
        }
        self.insert(step, memory)
    }

    /// Keeps a memory that repeats none, if there is room for it.
    pub(super) fn insert(&self, step: &dyn Transaction, memory: Memory) -> Result<WriteResult> {
        if memory.status == Status::Active {
            self.check_room(step, memory.category)?;
            self.check_succession(step, &memory)?;
        }
        if let Some(taken) = step.get(&memory.id)? {
            return Err(taken_by(&taken));
        }
        step.insert(&memory)?;
        // One that was written long ago and elsewhere is no newcomer, and takes its place by its age.
        let newcomer = (memory.created_at == memory.updated_at).then_some(memory.id.as_str());
        let evicted = self.make_room(step, memory.category, newcomer)?;
        Ok(WriteResult { id: memory.id, outcome: WriteOutcome::Created, evicted })
    }

    /// The memory that a draft asks for; its history begins with `how` it came.
    pub(in super::super) fn drafted(&self, draft: Draft, how: &str) -> Result<Memory> {
        let now = self.clock.now();
        let memory = Memory {
            schema_version: SCHEMA_VERSION.to_owned(),
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
            status_since: now,
            status_reason: None,
            confirmed_at: None,
            supersedes: Vec::new(),
            superseded_by: None,
            changes: Vec::new(),
            version: 1,
            uses: 0,
        };
        Ok(self.noted(memory, Change { what: how.to_owned(), ..Change::default() }))
    }
}

/// A create never overwrites (seed 003): not what counts, nor what was put away.
fn taken_by(taken: &Memory) -> Error {
    let id = &taken.id;
    let error = Error::conflict(format!("there is a memory `{id}` already; it is {}", taken.status));
    error.hint(match taken.status {
        Status::Active => format!("change that one: interleaf memory update {id}"),
        Status::Retired => format!("bring it back: interleaf memory restore {id}"),
        Status::Archived => format!("bring it back: interleaf memory unarchive {id}"),
    })
}
