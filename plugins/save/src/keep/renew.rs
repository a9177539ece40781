//! What has a memory of its own, and changes: its words are written into that memory, in the place of the earlier ones. One
//! that was forgotten since stays forgotten.

use super::done::{Done, nothing};
use super::draft::{content, origin, quotes};
use super::resolve::refused;
use crate::bindings::interleaf::layer::memory::{self, Action, Memory, Patch, Resolved, Status};
use crate::bindings::interleaf::layer::types::Error;
use crate::find::Find;

/// How often it is tried again when somebody else was faster.
const ATTEMPTS: usize = 4;

/// What the host takes.
const MOST_TAGS: usize = 12;
const MOST_FILES: usize = 50;

/// Writes the find into the memory of this id; none where the memory says so already.
///
/// # Errors
/// Where the host cannot do it now.
pub(super) fn renew(id: &str, find: &Find, reason: &str) -> Result<Option<Done>, Error> {
    for _ in 0..ATTEMPTS {
        let memory = match memory::get(id) {
            Ok(memory) => memory,
            Err(Error::NotFound(_)) => return Ok(Some(left(id, find))),
            Err(error) => return Err(error),
        };
        if memory.status != Status::Active {
            return Ok(Some(left(id, find)));
        }
        if says(&memory, find) {
            return Ok(None);
        }
        match memory::update(id, memory.version, &patch(&memory, find, reason)) {
            Ok(_) => return Ok(Some(Done::about(find, renewed(id, reason)))),
            Err(Error::Conflict(_)) => {}
            Err(error @ Error::Unavailable(_)) => return Err(error),
            Err(error) => return Ok(Some(Done::about(find, refused(find, &error)))),
        }
    }
    Ok(Some(Done::about(find, nothing(Some(id), "somebody else was faster each time"))))
}

fn says(memory: &Memory, find: &Find) -> bool {
    let value = |json: &str| serde_json::from_str::<serde_json::Value>(json).unwrap_or_default();
    memory.text == find.text && value(&memory.content) == value(&content(find))
}

fn patch(memory: &Memory, find: &Find, reason: &str) -> Patch {
    Patch {
        title: find.title.clone(),
        text: Some(find.text.clone()),
        content: Some(content(find)),
        tags: Some(joined(&find.tags, &memory.tags, MOST_TAGS)),
        related_files: Some(joined(&memory.related_files, &find.files, MOST_FILES)),
        confidence: None,
        importance: None,
        origin: origin(find),
        quotes: quotes(&find.evidence),
        reason: reason.to_owned(),
    }
}

fn joined(first: &[String], second: &[String], most: usize) -> Vec<String> {
    let mut joined: Vec<String> = Vec::new();
    for entry in first.iter().chain(second) {
        if joined.len() < most && !joined.contains(entry) {
            joined.push(entry.clone());
        }
    }
    joined
}

fn renewed(id: &str, reason: &str) -> Resolved {
    let id = Some(id.to_owned());
    Resolved { action: Action::Update, id, superseded: None, because: reason.to_owned() }
}

fn left(id: &str, find: &Find) -> Done {
    Done::about(find, nothing(Some(id), "it was forgotten since, and stays so"))
}
