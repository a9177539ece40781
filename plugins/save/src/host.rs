//! Calls the host's functions with the layer's own types.

use std::cell::{Cell, RefCell};

use interleaf_layer::jobs::{self, Request, Waiting};
use interleaf_layer::llm::{self, Request as LlmRequest};
use interleaf_layer::memory::{self, Filter, Hit, Order};
use interleaf_layer::sessions;
use interleaf_layer::state::{self, Scope};
use interleaf_layer::transcript;
use interleaf_layer::{Error, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::known_memory::{KnownMemory, MemoryLookup};
use crate::progress;
use crate::reading::Model;
use crate::schedule::FLUSH_JOB;
use crate::settings::{CategoryPolicies, Settings};
use crate::statements::repetition::EarlierPrompts;
use crate::transcript::Entry;
use interleaf_layer::memory::Category;

/// Number of transcript entries per page.
const PAGE_ENTRIES: u32 = 500;

/// Maximum number of bytes of text that one flush reads. A session needs days to write that much.
const MAX_FLUSH_BYTES: usize = 6 << 20;

/// Maximum number of captures that one flush reads: the capacity of the queue.
const MAX_CAPTURES: u32 = 200;

/// Number of hits per text in a search for known memories; the best hits suffice.
const HITS_PER_TEXT: u32 = 3;
/// Maximum number of texts searched for, because every search is a host call of some milliseconds.
const MAX_SEARCH_TEXTS: usize = 40;

/// Returns the layer's settings.
pub fn settings() -> Settings {
    Settings::read(&interleaf_layer::settings::get())
}

/// Returns a stored value.
pub fn stored<T: Default + DeserializeOwned>(scope: Scope, key: &str) -> Result<T> {
    Ok(progress::read(state::get(scope, key)?.as_deref()))
}

/// Stores a value. Only the worker calls this, so there are no concurrent writes.
pub fn store<T: Serialize>(scope: Scope, key: &str, value: &T) -> Result<()> {
    state::set(scope, key, &serde_json::to_string(value).unwrap_or_default())
}

/// Submits a flush job.
pub fn submit_flush(id: String, payload: String, delay_ms: u64) -> Result<()> {
    jobs::submit(&Request { id, kind: FLUSH_JOB.to_owned(), payload, delay_ms }).map(drop)
}

/// Returns all pending captures.
pub fn pending_captures() -> Result<Vec<Waiting>> {
    jobs::captures(MAX_CAPTURES)
}

/// Reads the transcript from `cursor` to `end`, or up to the maximum size. Returns the entries, the cursor
/// after the last one, and whether there are more.
pub fn read_transcript(cursor: u64, end: Option<u64>) -> Result<(Vec<Entry>, u64, bool)> {
    let (mut entries, mut at, mut bytes) = (Vec::new(), cursor, 0);
    loop {
        let page = match transcript::read(at, PAGE_ENTRIES) {
            Ok(page) => page,
            // A session without a prompt has no transcript.
            Err(Error::NotFound(_)) => return Ok((entries, at, false)),
            Err(error) => return Err(error),
        };
        let within = |entry: &Entry| end.is_none_or(|end| entry.cursor < end);
        bytes += page.entries.iter().map(|entry| entry.text.len()).sum::<usize>();
        entries.extend(page.entries.into_iter().filter(within));
        at = page.cursor;
        let over = end.is_some_and(|end| at >= end);
        if over || !page.more || bytes > MAX_FLUSH_BYTES {
            return Ok((entries, end.map_or(at, |end| end.min(at)), page.more && !over));
        }
    }
}

/// Tells whether the transcript holds entries from `cursor` on.
pub fn transcript_continues(cursor: u64) -> Result<bool> {
    match transcript::read(cursor, 1) {
        Ok(page) => Ok(!page.entries.is_empty()),
        Err(Error::NotFound(_)) => Ok(false),
        Err(error) => Err(error),
    }
}

/// The memories of the project.
pub struct ProjectMemories;

impl MemoryLookup for ProjectMemories {
    fn known(&self, categories: &[Category], texts: &[&str], limit: usize) -> Vec<KnownMemory> {
        let filter = Filter::new().categories(categories.iter().copied());
        // Errors are ignored: a disabled category has no memories, and a flush can do without known memories.
        let by_text = |text: &&str| memory::search(text, &filter, HITS_PER_TEXT).unwrap_or_default();
        let mut hits: Vec<Hit> = texts.iter().take(MAX_SEARCH_TEXTS).flat_map(by_text).collect();
        hits.sort_by(|one, other| other.relevance.total_cmp(&one.relevance));
        let hits = hits.into_iter().map(|hit| hit.memory);
        let newest = memory::list(&filter, Order::Newest, limit as u32).unwrap_or_default();
        let mut known: Vec<KnownMemory> = Vec::new();
        for memory in hits.chain(newest) {
            if known.len() < limit && known.iter().all(|known| known.id != memory.id) {
                known.push(known_memory(memory));
            }
        }
        known
    }
}

fn known_memory(memory: memory::Memory) -> KnownMemory {
    KnownMemory {
        id: memory.id,
        version: memory.version,
        category: memory.category,
        title: memory.title,
        text: memory.text,
    }
}

/// Returns the enabled categories and their descriptions.
///
/// # Errors
/// Fails if the host cannot return the policies.
pub fn category_policies() -> Result<CategoryPolicies> {
    let policies = memory::categories()?.into_iter();
    Ok(policies.fold(CategoryPolicies::all_enabled(), |all, policy| {
        let enabled = policy.enabled && policy.auto_capture;
        all.with(policy.category, enabled, &policy.description)
    }))
}

/// The model that the person chose. If none is chosen, every request fails and the rules decide alone.
#[derive(Default)]
pub struct HostModel {
    /// The last failure that may be over later.
    failure: RefCell<Option<String>>,
    /// Whether any request was answered.
    is_answered: Cell<bool>,
}

impl HostModel {
    /// Returns why the model or the network was away: nothing was answered, and that may be over later.
    pub fn absence(&self) -> Option<String> {
        self.failure.borrow().clone().filter(|_| !self.is_answered.get())
    }
}

impl Model for HostModel {
    fn complete(&self, request: &LlmRequest) -> std::result::Result<String, String> {
        let answer = llm::complete(std::slice::from_ref(request)).pop();
        let answer = answer.unwrap_or_else(|| Err(Error::Unavailable("no answer".to_owned())));
        self.is_answered.set(self.is_answered.get() || answer.is_ok());
        if let Err(Error::Unavailable(reason)) = &answer {
            *self.failure.borrow_mut() = Some(reason.clone());
        }
        answer.map(|completion| completion.text).map_err(|error| error.message().to_owned())
    }
}

/// The prompts of other sessions, as the record has them.
pub struct RecordedPrompts<'a> {
    /// This session, which does not count.
    pub session: &'a str,
}

/// Maximum number of turns that a search of the record returns.
const MAX_TURNS: u32 = 8;

impl EarlierPrompts for RecordedPrompts<'_> {
    fn lines_with(&self, words: &str) -> Vec<String> {
        // Without a record nothing is known to be repeated.
        let hits = sessions::search(words, MAX_TURNS).unwrap_or_default().into_iter();
        let others = hits.filter(|hit| hit.is_prompt && hit.session_id != self.session);
        others.map(|hit| hit.line).collect()
    }
}
