//! The store that a sequence is done to, and how each deed is done to it.

use super::super::*;
use super::deeds::{Age, CATEGORIES, Change, Deed, Seen, TEXTS, Way, Wish, Words};
use super::record::{Records, records};
use crate::memory::{MemoryVersion, Proposal, Resolution, ResolutionAction, Source, WriteResult, id_of_key};
use proptest::sample::Index;
use serde_json::json;

/// What became of a deed.
#[derive(Debug)]
pub enum Became {
    /// It was refused.
    Refused(Error),
    /// There was nothing to do.
    Nothing,
    /// It was done, and this memory was given back.
    Gave(Box<Memory>),
    /// It was done.
    Done,
}

/// One store, at a moment.
pub struct World {
    memories: Memories,
    passed: i64,
    /// Every id there ever was.
    ids: Vec<String>,
    exports: Vec<String>,
}

/// Two categories with a cap, one of them durable; two with days; one that takes nothing of layers.
pub fn policy() -> Policy {
    let mut policy = Policy::default();
    policy.of_mut(Category::Decision).max_kept = 2;
    policy.of_mut(Category::Blocker).max_kept = 2;
    policy.of_mut(Category::Blocker).retention_days = 10;
    policy.of_mut(Category::SessionSummary).max_kept = 3;
    policy.of_mut(Category::Learning).auto_capture = false;
    policy
}

impl World {
    /// An empty store. Of `memories` it takes the rules alone: what redaction is made of takes a while to make.
    pub fn new(memories: &Memories) -> Self {
        let mut memories = memories.clone().with_policy(policy());
        memories.store = Arc::new(SqliteStore::new(Database::in_memory().expect("a database")));
        Self { memories, passed: 0, ids: Vec::new(), exports: Vec::new() }
    }

    pub fn now(&self) -> i64 {
        NOW + self.passed
    }

    pub fn memories(&self) -> &Memories {
        &self.memories
    }

    /// Everything that is there.
    pub fn records(&mut self) -> Records {
        let records = records(&self.memories);
        let new = records.keys().filter(|id| !self.ids.contains(id)).cloned().collect::<Vec<_>>();
        self.ids.extend(new);
        records
    }

    /// Does it.
    pub fn perform(&mut self, deed: &Deed) -> Became {
        let memories = &self.memories;
        match deed {
            Deed::Remember(words) => wrote(memories.remember(self.draft(words))),
            Deed::Update(seen, change) => {
                let (id, version) = self.seen(seen);
                gave(memories.update(&id, version, self.patch(&id, change)))
            }
            Deed::Turn(way, id, age) => self.turn(*way, id, *age),
            Deed::Supersede(seen, words) => {
                let (id, version) = self.seen(seen);
                let written = memories.supersede(&id, version, self.draft(words), "it came in its place");
                written.map_or_else(Became::Refused, |_| Became::Done)
            }
            Deed::Resolve(wish) => resolved(memories.resolve(self.proposal(wish))),
            Deed::Confirm(id) => gave(memories.confirm(&self.id(id))),
            Deed::Rate(id, rating, _) => gave(memories.rate(&self.id(id), *rating)),
            Deed::KeepUp => memories.apply_retention().map_or_else(Became::Refused, |_| Became::Done),
            Deed::Import(of, trust) if !self.exports.is_empty() => {
                let export = of.get(&self.exports);
                memories.import(export.as_bytes(), *trust).map_or_else(Became::Refused, |_| Became::Done)
            }
            Deed::Import(..) => Became::Nothing,
            Deed::Export => {
                let mut export = Vec::new();
                memories.export(&mut export).expect("exported");
                self.exports.push(String::from_utf8(export).expect("JSON"));
                Became::Nothing
            }
            Deed::Wait(minutes) => {
                self.passed += minutes * 60_000;
                self.memories.clock = Clock::Fixed(self.now());
                Became::Nothing
            }
        }
    }

    fn turn(&self, way: Way, id: &Index, age: Option<Age>) -> Became {
        let id = self.id(id);
        let version = age.map(|age| self.version(&id, age));
        gave(match way {
            Way::Retire => self.memories.retire(&id, version, "it is wrong"),
            Way::Archive => self.memories.archive(&id, version, "it is old"),
            Way::Unarchive => self.memories.unarchive(&id, version, "it is needed"),
            Way::Restore => self.memories.restore(&id, version, "it was right"),
        })
    }

    /// One of those there ever were.
    fn id(&self, index: &Index) -> String {
        if self.ids.is_empty() { "nothing".to_owned() } else { index.get(&self.ids).clone() }
    }

    fn seen(&self, Seen(index, age): &Seen) -> (String, u64) {
        let id = self.id(index);
        let version = self.version(&id, *age);
        (id, version)
    }

    fn version(&self, id: &str, age: Age) -> u64 {
        let present = self.memories.get(id).map_or(0, |memory| memory.version);
        if age == Age::Present { present } else { present.wrapping_sub(1) }
    }

    fn draft(&self, words: &Words) -> Draft {
        let layer = words.by_layer.then(|| "save".to_owned());
        Draft {
            importance: words.importance,
            confidence: 1.0,
            source: Source { layer, ..Source::default() },
            ..Draft::new(words.category, TEXTS[words.text], words.origin)
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

    fn proposal(&self, wish: &Wish) -> Proposal {
        let key = wish.key.map(|key| id_of_key("save", &key.to_string()));
        let draft = Draft { id: key.clone(), ..self.draft(&wish.words) };
        let target =
            wish.seen.as_ref().map(|seen| self.seen(seen)).map(|(id, version)| MemoryVersion { id, version });
        Proposal { draft, intent: wish.intent, event: wish.event, target, reason: "it was told".into(), key }
    }
}

fn wrote(written: Result<WriteResult, Error>) -> Became {
    match written {
        Err(error) => Became::Refused(error),
        Ok(written) if written.outcome == WriteOutcome::Duplicate => Became::Nothing,
        Ok(_) => Became::Done,
    }
}

fn resolved(resolved: Result<Resolution, Error>) -> Became {
    match resolved {
        Err(error) => Became::Refused(error),
        Ok(resolved) if resolved.action == ResolutionAction::Skipped => Became::Nothing,
        Ok(_) => Became::Done,
    }
}

fn gave(memory: Result<Memory, Error>) -> Became {
    memory.map_or_else(Became::Refused, |memory| Became::Gave(Box::new(memory)))
}
