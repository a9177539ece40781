//! How long and how many.

use super::super::record::{Memory, Source};
use crate::error::{Error, Result};

/// A title is one line in a list.
pub(super) const TITLE: usize = 120;
/// A reason in the history, in characters.
pub(super) const REASON: usize = 300;
/// Bytes of a text: what a hook may inject in all is 9,000 UTF-16 units, so a longer one could never be
/// shown.
const TEXT: usize = 8 * 1024;
/// Bytes of the content as JSON.
pub(super) const CONTENT: usize = 16 * 1024;
pub(super) const TAGS: usize = 12;
const TAG: usize = 60;
pub(super) const FILES: usize = 50;
const FILE: usize = 400;
const ID: usize = 80;
/// How many memories one may have come in the place of.
pub(super) const MOST_LINKS: usize = 50;
/// One part of the source: a path-like branch name at the longest.
const SOURCE: usize = 300;

/// Refuses what is missing, too long or too many, and says by how much.
pub(super) fn check(memory: &Memory) -> Result<()> {
    check_id(&memory.id)?;
    if memory.text.is_empty() {
        return Err(Error::invalid("the memory has no text").hint("say what there is to know"));
    }
    at_most(TITLE, memory.title.chars().count(), "the title", "characters")?;
    at_most(TEXT, memory.text.len(), "the text", "bytes")?;
    check_content(memory)?;
    check_list("tag", &memory.tags, TAGS, TAG)?;
    check_list("related file", &memory.related_files, FILES, FILE)?;
    check_source(&memory.source)
}

/// Refuses what is no number: it could not be brought within bounds.
pub(super) fn check_shares(memory: &Memory) -> Result<()> {
    check_share("confidence", memory.confidence)?;
    check_share("importance", memory.importance)
}

/// Whether it can be the id of a memory.
pub(super) fn is_id(id: &str) -> bool {
    (1..=ID).contains(&id.chars().count()) && !id.contains(|c: char| c.is_control() || c.is_whitespace())
}

fn check_id(id: &str) -> Result<()> {
    if !is_id(id) {
        let error = Error::invalid(format!("the id `{}` cannot be used", id.escape_debug()));
        return Err(error.hint(format!("an id has 1 to {ID} characters and no space")));
    }
    Ok(())
}

fn check_content(memory: &Memory) -> Result<()> {
    if !memory.content.is_object() {
        return Err(Error::invalid("the content is not a JSON object"));
    }
    at_most(CONTENT, memory.content.to_string().len(), "the content", "bytes")
}

fn check_list(what: &str, list: &[String], most: usize, longest: usize) -> Result<()> {
    at_most(most, list.len(), &format!("the list of {what}s"), "entries")?;
    list.iter().try_for_each(|entry| {
        at_most(longest, entry.chars().count(), &format!("the {what} `{entry:.20}…`"), "characters")
    })
}

fn check_share(what: &str, share: f32) -> Result<()> {
    if share.is_nan() {
        return Err(Error::invalid(format!("the {what} is not a number")).hint("give a number from 0 to 1"));
    }
    Ok(())
}

fn check_source(source: &Source) -> Result<()> {
    let parts = [&source.session, &source.layer, &source.event, &source.commit, &source.branch];
    parts
        .into_iter()
        .flatten()
        .try_for_each(|part| at_most(SOURCE, part.len(), "a part of the source", "bytes"))
}

pub(super) fn at_most(most: usize, length: usize, what: &str, unit: &str) -> Result<()> {
    if length <= most {
        return Ok(());
    }
    Err(Error::invalid(format!("{what} has {length} {unit}, and {most} are the most"))
        .hint("make it shorter"))
}
