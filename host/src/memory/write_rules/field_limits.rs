//! Size limits of the fields of a record.

use crate::error::{Error, Result};
use crate::memory::memory_id::{MAX_ID_CHARS, is_id};
use crate::memory::record::{Memory, Source};

/// Maximum length of a title, which is one line of a list.
pub(super) const MAX_TITLE_CHARS: usize = 120;
/// Maximum length of a text. A hook may inject at most 9,000 UTF-16 units in all, so a longer text could
/// never be shown.
const MAX_TEXT_BYTES: usize = 8 * 1024;
/// Maximum length of a content as JSON.
pub(super) const MAX_CONTENT_BYTES: usize = 16 * 1024;
pub(super) const MAX_TAGS: usize = 12;
const MAX_TAG_CHARS: usize = 60;
pub(super) const MAX_FILES: usize = 50;
const MAX_FILE_CHARS: usize = 400;
/// Maximum number of cues: a few for each language that a team types in.
pub(super) const MAX_CUES: usize = 12;
/// Maximum length of a cue, which is one sentence.
const MAX_CUE_CHARS: usize = 200;
/// Maximum length of a reason in the history.
pub(super) const MAX_REASON_CHARS: usize = 300;
/// Maximum length of a history entry: the changed fields and the reason.
pub(super) const MAX_CHANGE_CHARS: usize = MAX_REASON_CHARS + 100;
/// Maximum length of an author's name.
pub(in crate::memory) const MAX_NAME_CHARS: usize = 80;
/// Maximum number of memories that one memory supersedes.
pub(super) const MAX_SUPERSEDED: usize = 50;
/// Maximum length of one part of the source; the longest part is a branch name.
const MAX_SOURCE_BYTES: usize = 300;

/// Checks that no field is missing and that every field is within its limit.
pub(super) fn check(memory: &Memory) -> Result<()> {
    if memory.text.is_empty() {
        return Err(Error::invalid("the memory has no text").hint("give a text"));
    }
    check_max(MAX_TITLE_CHARS, memory.title.chars().count(), "the title", "characters")?;
    check_max(MAX_TEXT_BYTES, memory.text.len(), "the text", "bytes")?;
    check_content(memory)?;
    check_list("tag", &memory.tags, MAX_TAGS, MAX_TAG_CHARS)?;
    check_list("related file", &memory.related_files, MAX_FILES, MAX_FILE_CHARS)?;
    check_list("cue", &memory.asked_as, MAX_CUES, MAX_CUE_CHARS)?;
    check_source(&memory.source)
}

/// Refuses confidence and importance that are not numbers, because they cannot be clamped.
pub(super) fn check_numbers(memory: &Memory) -> Result<()> {
    for (field, value) in [("confidence", memory.confidence), ("importance", memory.importance)] {
        if value.is_nan() {
            let error = Error::invalid(format!("the {field} is not a number"));
            return Err(error.hint("give a number from 0 to 1"));
        }
    }
    Ok(())
}

/// Refuses an id that could mean something to a shell or to a model.
pub(super) fn check_id(id: &str) -> Result<()> {
    if !is_id(id) {
        let error = Error::invalid(format!("`{}` is not a valid id", id.escape_debug()));
        return Err(
            error.hint(format!("an id has 1 to {MAX_ID_CHARS} of the characters a-z, 0-9, `_` and `-`"))
        );
    }
    Ok(())
}

fn check_content(memory: &Memory) -> Result<()> {
    if !memory.content.is_object() {
        return Err(Error::invalid("the content is not a JSON object"));
    }
    check_max(MAX_CONTENT_BYTES, memory.content.to_string().len(), "the content", "bytes")
}

fn check_list(field: &str, list: &[String], max_entries: usize, max_chars: usize) -> Result<()> {
    check_max(max_entries, list.len(), &format!("the list of {field}s"), "entries")?;
    list.iter().try_for_each(|entry| {
        check_max(max_chars, entry.chars().count(), &format!("the {field} `{entry:.20}…`"), "characters")
    })
}

fn check_source(source: &Source) -> Result<()> {
    let parts = [&source.session, &source.layer, &source.event, &source.commit, &source.branch];
    parts
        .into_iter()
        .flatten()
        .try_for_each(|part| check_max(MAX_SOURCE_BYTES, part.len(), "a part of the source", "bytes"))
}

/// Checks that a field is not longer than `max`.
pub(super) fn check_max(max: usize, length: usize, field: &str, unit: &str) -> Result<()> {
    if length <= max {
        return Ok(());
    }
    Err(Error::invalid(format!("{field} has {length} {unit}; the maximum is {max}")).hint("make it shorter"))
}
