//! Protection against lost updates: a writer that knows only a part of a memory must not remove the rest.
//! Tags and related files can only be added, with the exceptions below.

use super::TENTATIVE_TAG;
use super::field_limits::{MAX_CONTENT_BYTES, MAX_CUES, MAX_FILES, MAX_TAGS};
use super::normalization::normalize_tag;
use crate::error::{Error, Result};
use crate::memory::record::Memory;
use serde_json::Value;
use std::path::Path;

/// Refuses a change that removes tags or files. The paths of the files are relative to `project_root`.
///
/// # Errors
/// `denied`, which names the tag or the file.
pub fn check_merge(old: &Memory, new: &Memory, project_root: Option<&Path>) -> Result<()> {
    check_tags(old, new)?;
    check_files(old, new, project_root)
}

/// Refuses to remove tags. If there would be too many, an added tag may replace an old one.
fn check_tags(old: &Memory, new: &Memory) -> Result<()> {
    // A memory that is no longer tentative loses nothing that somebody knows it by.
    let is_removed = |tag: &&String| !new.tags.contains(tag) && *tag != TENTATIVE_TAG;
    let removed: Vec<&String> = old.tags.iter().filter(is_removed).collect();
    let added = new.tags.iter().filter(|tag| !old.tags.contains(tag)).count();
    let surplus = (old.tags.len() + added).saturating_sub(MAX_TAGS);
    if removed.len() <= surplus {
        return Ok(());
    }
    let allowed = if surplus > 0 { format!("; only {surplus} may be removed") } else { String::new() };
    Err(Error::denied(format!("the update would remove the tag `{}`{allowed}", removed[0])).hint(format!(
        "give all current tags and the new ones; beyond {MAX_TAGS}, each new tag may replace one"
    )))
}

/// Refuses to remove related files, except those that no longer exist.
fn check_files(old: &Memory, new: &Memory, project_root: Option<&Path>) -> Result<()> {
    let is_gone = |file: &str| project_root.is_some_and(|root| is_missing(&root.join(file)));
    let removed = old.related_files.iter().find(|file| !new.related_files.contains(file) && !is_gone(file));
    match removed {
        Some(file) => Err(Error::denied(format!("the update would remove the related file `{file}`")).hint(
            "give all current files and the new ones; only a file that no longer exists may be removed",
        )),
        None => Ok(()),
    }
}

/// Tells whether nothing is at this path. A path that cannot be inspected may exist.
fn is_missing(path: &Path) -> bool {
    matches!(path.symlink_metadata(), Err(error) if error.kind() == std::io::ErrorKind::NotFound)
}

/// Returns new and old tags, at most [`MAX_TAGS`]; the new ones have priority.
pub fn join_tags(old: &[String], new: &[String]) -> Vec<String> {
    let mut joined: Vec<String> = Vec::new();
    for tag in new.iter().chain(old).map(|tag| normalize_tag(tag)) {
        if !joined.contains(&tag) && joined.len() < MAX_TAGS {
            joined.push(tag);
        }
    }
    joined
}

/// Returns old and new files, at most [`MAX_FILES`]; the old ones have priority.
pub fn join_files(old: &[String], new: &[String]) -> Vec<String> {
    let mut joined = old.to_vec();
    joined.extend(new.iter().filter(|file| !old.contains(file)).cloned());
    joined.truncate(MAX_FILES);
    joined
}

/// Returns old and new cues, at most [`MAX_CUES`]; the new ones have priority, because they are for the words
/// that the memory has now.
pub fn join_cues(old: &[String], new: &[String]) -> Vec<String> {
    let mut joined = new.to_vec();
    joined.extend(old.iter().filter(|cue| !new.contains(cue)).cloned());
    joined.truncate(MAX_CUES);
    joined
}

/// Returns the merged content if it fits the size limit, otherwise the new content, or the old one if the new
/// one is empty.
pub fn fit_content(old: &Value, new: &Value, merged: Value) -> Value {
    let is_empty = |content: &Value| content.as_object().is_none_or(|fields| fields.is_empty());
    match merged.to_string().len() {
        length if length <= MAX_CONTENT_BYTES => merged,
        _ if is_empty(new) => old.clone(),
        _ => new.clone(),
    }
}
