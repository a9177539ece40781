//! The store that a sequence runs against. It performs the operations.

use super::operations::{
    CATEGORIES, Change, MemoryRef, Operation, ProposalParts, Statement, StatusAction, TEXTS, Version,
};
use crate::clock::Clock;
use crate::database::Database;
use crate::error::Error;
use crate::memory::NearDuplicates;
use crate::memory::test_support::NOW;
use crate::memory::{
    Category, Draft, Memories, Memory, MemoryVersion, Patch, Policy, Proposal, Resolution, ResolutionAction,
    Source, SqliteStore, WriteOutcome, WriteResult, id_of_key,
};
use proptest::sample::Index;
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;

/// All memories of a store, by id.
pub type Records = BTreeMap<String, Memory>;

/// The result of an operation.
#[derive(Debug)]
pub enum Outcome {
    Refused(Error),
    /// There was nothing to do.
    Unchanged,
    /// The operation returned this memory.
    Returned(Box<Memory>),
    Done,
}

/// A store at a point in time.
pub struct StoreUnderTest {
    memories: Memories,
    elapsed: i64,
    /// Ids of all memories, deleted ones included.
    ids: Vec<String>,
    exports: Vec<String>,
}

/// Returns the policy of the tests: two categories with a maximum, of which one is durable; two with
/// retention days; one that refuses layers.
pub fn policy() -> Policy {
    let mut policy = Policy::default();
    policy.of_mut(Category::Decision).max_kept = 2;
    policy.of_mut(Category::Blocker).max_kept = 2;
    policy.of_mut(Category::Blocker).retention_days = 10;
    policy.of_mut(Category::SessionSummary).max_kept = 3;
    policy.of_mut(Category::Learning).auto_capture = false;
    policy
}

impl StoreUnderTest {
    /// Returns an empty store with the redactor of `memories`, because a redactor is slow to build.
    pub fn new(memories: &Memories) -> Self {
        let mut memories = memories.clone().with_policy(policy());
        memories.store = Arc::new(SqliteStore::new(Database::in_memory().expect("a database")));
        Self { memories, elapsed: 0, ids: Vec::new(), exports: Vec::new() }
    }

    pub fn now(&self) -> i64 {
        NOW + self.elapsed
    }

    pub fn memories(&self) -> &Memories {
        &self.memories
    }

    /// Returns all memories.
    pub fn records(&mut self) -> Records {
        let mut records = Records::new();
        let mut collect = |memory: Memory| {
            records.insert(memory.id.clone(), memory);
            Ok(())
        };
        self.memories.for_each(&mut collect).expect("all memories");
        let new = records.keys().filter(|id| !self.ids.contains(id)).cloned().collect::<Vec<_>>();
        self.ids.extend(new);
        records
    }

    /// Performs an operation.
    pub fn perform(&mut self, operation: &Operation) -> Outcome {
        let memories = &self.memories;
        match operation {
            Operation::Remember(statement) => written(memories.remember(self.draft(statement))),
            Operation::Update(memory, change) => {
                let (id, version) = self.memory_version(memory);
                returned(memories.update(&id, version, self.patch(&id, change)))
            }
            Operation::ChangeStatus(action, id, version) => self.change_status(*action, id, *version),
            Operation::Supersede(memory, statement) => {
                let (id, version) = self.memory_version(memory);
                done(memories.supersede(&id, version, self.draft(statement), "it supersedes the other"))
            }
            Operation::Resolve(parts) => resolved(memories.resolve(self.proposal(parts))),
            Operation::Confirm(id) => returned(memories.confirm(&self.id(id))),
            Operation::Rate(id, rating, _) => returned(memories.rate(&self.id(id), *rating)),
            Operation::ApplyRetention => done(memories.apply_retention()),
            Operation::Import(index, trust) if !self.exports.is_empty() => {
                let report =
                    memories.import(index.get(&self.exports).as_bytes(), *trust, NearDuplicates::Refused);
                done(report.stopped_by.map_or(Ok(()), Err))
            }
            Operation::Import(..) => Outcome::Unchanged,
            Operation::Export => {
                let mut export = Vec::new();
                memories.export(&mut export).expect("exported");
                self.exports.push(String::from_utf8(export).expect("JSON"));
                Outcome::Unchanged
            }
            Operation::Wait(minutes) => {
                self.elapsed += minutes * 60_000;
                self.memories.clock = Clock::Fixed(self.now());
                Outcome::Unchanged
            }
        }
    }

    fn change_status(&self, action: StatusAction, id: &Index, version: Option<Version>) -> Outcome {
        let id = self.id(id);
        let version = version.map(|version| self.version(&id, version));
        returned(match action {
            StatusAction::Retire => self.memories.retire(&id, version, "it is wrong"),
            StatusAction::Archive => self.memories.archive(&id, version, "it is old"),
            StatusAction::Unarchive => self.memories.unarchive(&id, version, "it is needed"),
            StatusAction::Restore => self.memories.restore(&id, version, "it was right"),
        })
    }

    fn id(&self, index: &Index) -> String {
        if self.ids.is_empty() { "nothing".to_owned() } else { index.get(&self.ids).clone() }
    }

    fn memory_version(&self, MemoryRef(index, version): &MemoryRef) -> (String, u64) {
        let id = self.id(index);
        let version = self.version(&id, *version);
        (id, version)
    }

    fn version(&self, id: &str, version: Version) -> u64 {
        let current = self.memories.get(id).map_or(0, |memory| memory.version);
        if version == Version::Current { current } else { current.wrapping_sub(1) }
    }

    fn draft(&self, statement: &Statement) -> Draft {
        let layer = statement.by_layer.then(|| "save".to_owned());
        Draft {
            importance: statement.importance,
            confidence: 1.0,
            source: Source { layer, ..Source::default() },
            ..Draft::new(statement.category, TEXTS[statement.text], statement.origin)
        }
    }

    fn patch(&self, id: &str, change: &Change) -> Patch {
        let category = self.memories.get(id).map_or(CATEGORIES[0], |memory| memory.category);
        let content = if category == Category::Constraint {
            json!({ "rule": "ten", "impact": ["slow"] })
        } else {
            json!({ "decision": "pnpm", "rationale": ["CI"] })
        };
        let files = |files: &Vec<&str>| files.iter().map(|&file| file.to_owned()).collect();
        Patch {
            text: change.text.map(|text| TEXTS[text].to_owned()),
            tags: change.tags.clone(),
            related_files: change.files.as_ref().map(files),
            content: change.content.then_some(content),
            ..Patch::new(change.origin, "it changed")
        }
    }

    fn proposal(&self, parts: &ProposalParts) -> Proposal {
        let key = parts.key.map(|key| id_of_key("save", &key.to_string()));
        let draft = Draft { id: key.clone(), ..self.draft(&parts.statement) };
        let target = parts.target.as_ref().map(|memory| self.memory_version(memory));
        let target = target.map(|(id, version)| MemoryVersion { id, version });
        Proposal { draft, intent: parts.intent, event: parts.event, target, reason: "a test".into(), key }
    }
}

fn written(written: Result<WriteResult, Error>) -> Outcome {
    match written {
        Err(error) => Outcome::Refused(error),
        Ok(written) if written.outcome == WriteOutcome::Duplicate => Outcome::Unchanged,
        Ok(_) => Outcome::Done,
    }
}

fn resolved(resolution: Result<Resolution, Error>) -> Outcome {
    match resolution {
        Err(error) => Outcome::Refused(error),
        Ok(resolution) if resolution.action == ResolutionAction::Skipped => Outcome::Unchanged,
        Ok(_) => Outcome::Done,
    }
}

fn returned(memory: Result<Memory, Error>) -> Outcome {
    memory.map_or_else(Outcome::Refused, |memory| Outcome::Returned(Box::new(memory)))
}

fn done<T>(result: Result<T, Error>) -> Outcome {
    result.map_or_else(Outcome::Refused, |_| Outcome::Done)
}
