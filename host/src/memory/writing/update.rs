//! A memory is changed: by somebody who has seen what it says now, with a reason, and nothing that it held together is
//! lost on the way.

use super::super::draft::Patch;
use super::super::kinds::{Origin, Status};
use super::super::record::{Change, Memory};
use super::super::store::Transaction;
use super::super::{Memories, duplicates, rules};
use crate::error::{Error, Result};
use std::collections::BTreeMap;

/// So much of what was there before is kept in the history, in characters.
const MOST_KEPT: usize = 300;

impl Memories {
    /// Changes the memory of this id if it still has the version that was seen. It takes the less trusted
    /// origin of what was there and what is new.
    ///
    /// # Errors
    /// As for [`remember`](Self::remember); `conflict`, naming the present version, where somebody else was
    /// faster; `denied` where foreign words would change this user's own, the memory is no longer active, or the patch
    /// takes away what an update may not take away.
    pub fn update(&self, id: &str, version: u64, patch: Patch) -> Result<Memory> {
        if patch.is_empty() {
            return Err(Error::invalid("the patch changes nothing").hint("name what is to be changed"));
        }
        let id = self.get(id)?.id;
        self.write(|step| {
            let memory = self.seen(step, &id, Some(version))?;
            self.change(step, memory, patch)
        })
    }

    /// Changes what was seen within a step. A change that was made already is not made again.
    pub(in super::super) fn change(
        &self,
        step: &dyn Transaction,
        memory: Memory,
        patch: Patch,
    ) -> Result<Memory> {
        if patch.key.is_some() && memory.changes.iter().any(|change| change.key == patch.key) {
            return Ok(memory);
        }
        if memory.status != Status::Active {
            return Err(not_active(&memory));
        }
        let patched = rules::lawful_change(&memory, self.patched(memory.clone(), patch)?, &self.redactor)?;
        rules::check_merge(&memory, &patched, self.folder.as_deref())?;
        // What was forgotten does not come back as another memory's new words either.
        if !duplicates::same_text(&memory.text, &patched.text) {
            self.check_set_aside(step, &patched, Some(&memory.id))?;
        }
        step.replace(&patched, memory.version)?;
        Ok(patched)
    }

    fn patched(&self, memory: Memory, patch: Patch) -> Result<Memory> {
        let reason = rules::reason(&patch.reason, &self.redactor)?;
        let origin = rules::mixed(memory.origin, patch.origin)?;
        let what = format!("changed {}: {reason}", patch.changed().join(", "));
        let was = former(&memory, &patch);
        // A title that was only the beginning of the text is made anew with it.
        let derived = memory.title == rules::title_of(&memory.text) && patch.text.is_some();
        let title = if derived { String::new() } else { memory.title };
        // What a person confirmed are the words that they saw.
        let confirmed_at = memory.confirmed_at.filter(|_| patch.origin == Origin::Person || !patch.rewords());
        let memory = Memory {
            origin,
            confirmed_at,
            title: patch.title.unwrap_or(title),
            text: patch.text.unwrap_or(memory.text),
            content: patch.content.unwrap_or(memory.content),
            tags: patch.tags.unwrap_or(memory.tags),
            related_files: patch.related_files.unwrap_or(memory.related_files),
            confidence: patch.confidence.unwrap_or(memory.confidence),
            importance: patch.importance.unwrap_or(memory.importance),
            version: memory.version + 1,
            ..memory
        };
        Ok(self.noted(memory, Change { what, was, key: patch.key, ..Change::default() }))
    }
}

/// What the patch replaces, for the history: words that are gone from the memory are not gone altogether.
fn former(memory: &Memory, patch: &Patch) -> BTreeMap<String, String> {
    let fields = [
        ("title", patch.title.as_ref().map(|_| memory.title.clone())),
        ("text", patch.text.as_ref().map(|_| memory.text.clone())),
        ("content", patch.content.as_ref().map(|_| memory.content.to_string())),
    ];
    let former = fields.into_iter().filter_map(|(name, was)| Some((name.to_owned(), beginning(&was?))));
    former.collect()
}

fn beginning(text: &str) -> String {
    let mut beginning: String = text.chars().take(MOST_KEPT).collect();
    if beginning.len() < text.len() {
        beginning.push('…');
    }
    beginning
}

/// The status is not changed by an update, and what does not count is not worked on.
pub(in super::super) fn not_active(memory: &Memory) -> Error {
    let (id, way) = (&memory.id, if memory.status == Status::Archived { "unarchive" } else { "restore" });
    Error::denied(format!("memory `{id}` is {} and stays as it is", memory.status))
        .hint(format!("bring it back first: interleaf memory {way} {id}"))
}
