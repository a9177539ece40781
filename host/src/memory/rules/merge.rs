//! What a change may not take away: whoever knows a part of what a memory holds must not lose the rest of it.

use super::super::record::Memory;
use super::limits::TAGS;
use super::tidy::tag_form;
use crate::error::{Error, Result};
use serde_json::Value;
use std::path::Path;

/// Refuses a change that loses tags or files. The paths of the files begin in `folder`.
///
/// # Errors
/// `denied`, naming what would be lost.
pub fn check_merge(old: &Memory, new: &Memory, folder: Option<&Path>) -> Result<()> {
    check_tags(old, new)?;
    check_files(old, new, folder)
}

/// Tags only grow. Beyond the most that there may be, one goes for each that comes.
fn check_tags(old: &Memory, new: &Memory) -> Result<()> {
    let lost: Vec<&String> = old.tags.iter().filter(|tag| !new.tags.contains(tag)).collect();
    let added = new.tags.iter().filter(|tag| !old.tags.contains(tag)).count();
    let too_many = (old.tags.len() + added).saturating_sub(TAGS);
    if lost.len() <= too_many {
        return Ok(());
    }
    let most =
        if too_many > 0 { format!("only {too_many} of them may go") } else { "it must stay".to_owned() };
    Err(Error::denied(format!("tags: the change would take away `{}`, and {most}", lost[0]))
        .hint(format!("give all tags it has, and the new ones; one goes for each that would be over {TAGS}")))
}

/// Related files only grow, but for those that are no longer there.
fn check_files(old: &Memory, new: &Memory, folder: Option<&Path>) -> Result<()> {
    let gone = |file: &str| folder.is_some_and(|folder| is_gone(folder, file));
    let lost = old.related_files.iter().find(|file| !new.related_files.contains(file) && !gone(file));
    match lost {
        Some(file) => {
            Err(Error::denied(format!("related files: the change would take away `{file}`, which is there"))
                .hint("give all files it has, and the new ones; only one that no longer exists may go"))
        }
        None => Ok(()),
    }
}

/// Whether nothing is there; what cannot be looked at may be there.
fn is_gone(folder: &Path, file: &str) -> bool {
    matches!(folder.join(file).symlink_metadata(), Err(error) if error.kind() == std::io::ErrorKind::NotFound)
}

/// Old tags and new ones, as many as there may be: the new ones stay.
pub fn joined_tags(old: &[String], new: &[String]) -> Vec<String> {
    let mut joined: Vec<String> = Vec::new();
    for tag in new.iter().chain(old).map(|tag| tag_form(tag)) {
        if !joined.contains(&tag) && joined.len() < TAGS {
            joined.push(tag);
        }
    }
    joined
}

/// Old files and new ones, as many as there may be.
pub fn joined_files(old: &[String], new: &[String]) -> Vec<String> {
    let mut joined = old.to_vec();
    joined.extend(new.iter().filter(|file| !old.contains(file)).cloned());
    joined.truncate(super::limits::FILES);
    joined
}

/// Content that was merged, if it is not too long to be kept; then the new one, or where that says nothing the old one.
pub fn fitting(old: &Value, new: &Value, merged: Value) -> Value {
    let says = |content: &Value| content.as_object().is_some_and(|fields| !fields.is_empty());
    match merged.to_string().len() {
        length if length <= super::limits::CONTENT => merged,
        _ if says(new) => new.clone(),
        _ => old.clone(),
    }
}
