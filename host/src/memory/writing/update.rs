//! Changes to an active memory: updates, which must name the version that they are based on and give a
//! reason, confirmation by a person, and ratings.

#[cfg(test)]
#[path = "update_tests.rs"]
mod tests;

use crate::error::{Error, Result};
use crate::memory::draft::Patch;
use crate::memory::record::{Change, Memory, Origin, Status};
use crate::memory::store::Transaction;
use crate::memory::{Memories, memory_id, near_duplicate, write_rules};
use std::collections::BTreeMap;

/// Maximum length of a previous value in the history, in characters.
const MAX_HISTORY_VALUE_CHARS: usize = 300;

/// Change of the importance per rating.
const RATING_STEP: f32 = 0.1;

/// Minimum and maximum importance after ratings. The minimum is above 0, so that no rating hides a memory.
const RATED_IMPORTANCE: (f32, f32) = (0.1, 1.0);

/// A person's rating of a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rating {
    /// The memory helped.
    Up,
    /// The memory did not help.
    Down,
}

impl Memories {
    /// Changes the memory with this id and version. Its origin becomes the less trusted one of its present
    /// origin and the patch's.
    ///
    /// # Errors
    /// As for [`remember`](Self::remember); `conflict`, which names the current version, if `version` is
    /// outdated; `denied` if untrusted words would change trusted ones, the memory is not active, or the
    /// patch removes tags or files.
    pub fn update(&self, id: &str, version: u64, patch: Patch) -> Result<Memory> {
        if patch.is_empty() {
            return Err(Error::invalid("the patch changes nothing").hint("name a field to change"));
        }
        let id = self.get(id)?.id;
        self.write(|tx| {
            let memory = self.get_at_version(tx, &id, Some(version))?;
            self.update_in(tx, memory, patch)
        })
    }

    /// Changes a memory within a transaction. A change whose key is already in the history is not made again.
    pub(in crate::memory) fn update_in(
        &self,
        tx: &dyn Transaction,
        memory: Memory,
        patch: Patch,
    ) -> Result<Memory> {
        if patch.key.is_some() && memory.changes.iter().any(|change| change.key == patch.key) {
            return Ok(memory);
        }
        if memory.status != Status::Active {
            return Err(not_active(&memory));
        }
        let patched = self.apply(tx, memory.clone(), patch)?;
        let patched = write_rules::validate_change(&memory, patched, &self.redactor)?;
        let says_the_same = patched.text == memory.text && patched.related_files == memory.related_files;
        let patched = if says_the_same { patched } else { self.with_citations(patched) };
        write_rules::check_merge(&memory, &patched, self.project_root.as_deref())?;
        // A forgotten text must not come back as the new text of another memory either.
        if !near_duplicate::is_duplicate(&memory.text, &patched.text) {
            self.check_resurrection(tx, &patched, Some(&memory.id))?;
        }
        tx.replace(&patched, memory.version)?;
        Ok(patched)
    }

    fn apply(&self, tx: &dyn Transaction, memory: Memory, patch: Patch) -> Result<Memory> {
        let reason = write_rules::validate_reason(&patch.reason, &self.redactor)?;
        let origin = write_rules::merge_origins(memory.origin, patch.origin)?;
        let what = format!("changed {}: {reason}", patch.changed_fields().join(", "));
        let was = previous_values(&memory, &patch);
        // A title that was derived from the text is derived again.
        let is_derived = memory.title == write_rules::title_from_text(&memory.text) && patch.text.is_some();
        let title = if is_derived { String::new() } else { memory.title };
        // A confirmation applies only to the words that the person saw.
        let keeps_confirmation = patch.origin == Origin::Person || !patch.changes_words();
        let memory = Memory {
            origin,
            confirmed_at: memory.confirmed_at.filter(|_| keeps_confirmation),
            title: patch.title.unwrap_or(title),
            text: patch.text.unwrap_or(memory.text),
            content: patch.content.unwrap_or(memory.content),
            tags: patch.tags.unwrap_or(memory.tags),
            related_files: patch.related_files.unwrap_or(memory.related_files),
            asked_as: patch.asked_as.unwrap_or(memory.asked_as),
            confidence: patch.confidence.unwrap_or(memory.confidence),
            importance: patch.importance.unwrap_or(memory.importance),
            source: if patch.leaves_branch { memory.source.on_every_branch() } else { memory.source },
            version: memory.version + 1,
            ..memory
        };
        self.with_change(tx, memory, Change { what, was, key: patch.key, ..Change::default() })
    }

    /// Confirms that a memory is true: its origin becomes *person*, its confidence may exceed 0.9, and it
    /// holds on every branch. The caller must make sure that a person asks for it.
    ///
    /// # Errors
    /// `not-found`; `denied` if the memory is not active.
    pub fn confirm(&self, id: &str) -> Result<Memory> {
        let now = self.clock.now();
        self.amend(id, |memory| {
            let what = format!("confirmed by a person; its words came from {}", memory.origin);
            let source = memory.source.on_every_branch();
            let confirmed_at = Some(now);
            (Memory { origin: Origin::Person, confidence: 1.0, confirmed_at, source, ..memory }, what)
        })
    }

    /// Raises or lowers the importance of a memory by one step.
    ///
    /// # Errors
    /// As [`confirm`](Self::confirm).
    pub fn rate(&self, id: &str, rating: Rating) -> Result<Memory> {
        let (step, word) = if rating == Rating::Up { (RATING_STEP, "up") } else { (-RATING_STEP, "down") };
        self.amend(id, |memory| {
            let importance = (memory.importance + step).clamp(RATED_IMPORTANCE.0, RATED_IMPORTANCE.1);
            (Memory { importance, ..memory }, format!("rated {word}"))
        })
    }

    /// Changes the current version of an active memory.
    pub(in crate::memory) fn amend(
        &self,
        id: &str,
        change: impl FnOnce(Memory) -> (Memory, String),
    ) -> Result<Memory> {
        let id = self.get(id)?.id;
        self.write(|tx| {
            let memory = tx.get(&id)?.ok_or_else(|| memory_id::unknown(&id))?;
            if memory.status != Status::Active {
                return Err(not_active(&memory));
            }
            let version = memory.version;
            let (memory, what) = change(memory);
            let memory = Memory { version: version + 1, ..memory };
            let memory = self.with_change(tx, memory, Change { what, ..Change::default() })?;
            tx.replace(&memory, version)?;
            Ok(memory)
        })
    }
}

/// Returns the values that the patch replaces, for the history.
fn previous_values(memory: &Memory, patch: &Patch) -> BTreeMap<String, String> {
    let fields = [
        ("title", patch.title.as_ref().map(|_| memory.title.clone())),
        ("text", patch.text.as_ref().map(|_| memory.text.clone())),
        ("content", patch.content.as_ref().map(|_| memory.content.to_string())),
    ];
    let truncate = |value: String| interleaf_text::truncate(&value, MAX_HISTORY_VALUE_CHARS).into_owned();
    fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), truncate(value?)))).collect()
}

/// Returns the error for a change to a memory that is not active.
pub(in crate::memory) fn not_active(memory: &Memory) -> Error {
    let (id, verb) = (&memory.id, if memory.status == Status::Archived { "unarchive" } else { "restore" });
    Error::denied(format!("memory `{id}` is {} and cannot be changed", memory.status))
        .hint(format!("bring it back first: interleaf memory {verb} {id}"))
}
