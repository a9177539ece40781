//! Brings a record into its normal form: no invisible characters, white space trimmed, lists sorted and
//! without duplicates, numbers within their bounds. Also sanitizes the fields that only an import contains:
//! reasons, history and links.

use super::field_limits::{
    MAX_CHANGE_CHARS, MAX_NAME_CHARS, MAX_REASON_CHARS, MAX_SUPERSEDED, MAX_TITLE_CHARS,
};
use crate::memory::record::{Memory, Origin};
use crate::memory::replica_entry::is_device;
use crate::redact::Redactor;
use interleaf_text::{collapse_whitespace, strip_invisible, truncate_at_word};
use serde_json::Value;

/// Minimum and maximum confidence of a memory that no person wrote or confirmed. A less certain memory is not
/// worth writing, and a more certain one needs a person's confirmation.
const UNCONFIRMED_CONFIDENCE: (f32, f32) = (0.7, 0.9);

/// Removes invisible characters from every text.
pub(super) fn strip_invisible_text(memory: &mut Memory) {
    for text in texts(memory) {
        *text = strip_invisible(text);
    }
    strip_invisible_json(&mut memory.content);
}

fn strip_invisible_json(value: &mut Value) {
    match value {
        Value::String(text) => *text = strip_invisible(text),
        Value::Array(list) => list.iter_mut().for_each(strip_invisible_json),
        Value::Object(fields) => fields.values_mut().for_each(strip_invisible_json),
        _ => {}
    }
}

/// Returns every text of a record except those in its content.
pub(super) fn texts(memory: &mut Memory) -> impl Iterator<Item = &mut String> {
    let lists = memory.tags.iter_mut().chain(&mut memory.related_files).chain(&mut memory.asked_as);
    [&mut memory.title, &mut memory.text].into_iter().chain(lists)
}

/// Brings a record into its normal form.
pub(super) fn normalize(memory: &mut Memory) {
    memory.text = memory.text.trim().to_owned();
    memory.title = one_line(&memory.title);
    if memory.title.is_empty() {
        memory.title = title_from_text(&memory.text);
    }
    memory.tags = sorted(memory.tags.iter().map(|tag| normalize_tag(tag)));
    if memory.tags.is_empty() {
        // Every memory has a tag. The search index skips this one, because it says nothing about the subject.
        memory.tags.push(memory.category.to_string());
    }
    memory.related_files = sorted(memory.related_files.iter().map(|file| one_line(file)));
    memory.asked_as = sorted(memory.asked_as.iter().map(|cue| one_line(cue)));
    let (min, max) = confidence_bounds(memory);
    memory.confidence = memory.confidence.clamp(min, max);
    memory.importance = memory.importance.clamp(0.0, 1.0);
    if memory.content.is_null() {
        memory.content = serde_json::json!({});
    }
}

fn confidence_bounds(memory: &Memory) -> (f32, f32) {
    let by_person = memory.origin == Origin::Person || memory.confirmed_at.is_some();
    if by_person { (0.0, 1.0) } else { UNCONFIRMED_CONFIDENCE }
}

/// Returns the first sentence of a text as a title, shortened to whole words.
pub fn title_from_text(text: &str) -> String {
    let line = text.trim_start().lines().next().unwrap_or_default();
    let sentence = one_line(&line[..sentence_end(line)]);
    if sentence.chars().count() <= MAX_TITLE_CHARS {
        return sentence.trim_end_matches(['.', '。']).to_owned();
    }
    let head = truncate_at_word(&sentence, MAX_TITLE_CHARS);
    format!("{}…", head.trim_end_matches([',', ';', ':', '-', ' ', '…', '、', '，']))
}

/// Returns the end of the first sentence: a full stop, exclamation or question mark that is followed by a
/// space and not by a small letter, so that `e.g. this` is not an end.
fn sentence_end(line: &str) -> usize {
    let is_end = |end: usize| {
        let after = &line[end..];
        let mut next = after.trim_start().chars();
        after.starts_with(' ') && !next.next().is_some_and(char::is_lowercase)
    };
    line.match_indices(['.', '!', '?', '。', '！', '？'])
        .map(|(start, mark)| (start + mark.len(), mark.len() > 1))
        .find(|&(end, full_width)| full_width || is_end(end))
        .map_or(line.len(), |(end, _)| end)
}

/// Returns the text on one line, without invisible characters.
pub(super) fn one_line(text: &str) -> String {
    collapse_whitespace(&strip_invisible(text))
}

/// Returns the stored form of a tag: lower case, with hyphens for white space.
pub fn normalize_tag(tag: &str) -> String {
    one_line(tag).to_lowercase().replace(' ', "-")
}

fn sorted(list: impl Iterator<Item = String>) -> Vec<String> {
    let mut list: Vec<String> = list.filter(|entry| !entry.is_empty()).collect();
    list.sort();
    list.dedup();
    list
}

/// Redacts, sanitizes and truncates the reasons, the history and the links of an imported record.
pub fn sanitize_import(memory: &mut Memory, redactor: &Redactor) {
    let line = |text: &str, max_chars: usize| -> String {
        redactor.redact(&one_line(text)).chars().take(max_chars).collect()
    };
    memory.status_reason = memory.status_reason.take().map(|reason| line(&reason, MAX_REASON_CHARS));
    memory.supersedes.truncate(MAX_SUPERSEDED);
    for change in &mut memory.changes {
        change.what = line(&change.what, MAX_CHANGE_CHARS);
        change.by = line(&change.by, MAX_REASON_CHARS);
        change.author = change.author.take().filter(|author| is_device(&author.device));
        if let Some(author) = &mut change.author {
            author.name = line(&author.name, MAX_NAME_CHARS);
        }
        change.key = change.key.take().map(|key| line(&key, MAX_REASON_CHARS));
        for was in change.was.values_mut() {
            *was = redactor.redact(&strip_invisible(was)).chars().take(MAX_CHANGE_CHARS).collect();
        }
    }
}
