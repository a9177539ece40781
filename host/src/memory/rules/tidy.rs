//! The one form in which the same thing is always kept: no invisible characters, trimmed, sorted, each once.

use super::super::kinds::Origin;
use super::super::record::Memory;
use super::limits::TITLE;
use interleaf_text::{collapse_whitespace, strip_invisible};
use serde_json::Value;

/// Takes what a reader would not see out of every text.
pub(super) fn make_visible(memory: &mut Memory) {
    for text in texts(memory) {
        *text = strip_invisible(text);
    }
    make_json_visible(&mut memory.content);
}

fn make_json_visible(value: &mut Value) {
    match value {
        Value::String(text) => *text = strip_invisible(text),
        Value::Array(list) => list.iter_mut().for_each(make_json_visible),
        Value::Object(fields) => fields.values_mut().for_each(make_json_visible),
        _ => {}
    }
}

/// Every text of a record but those inside its content.
pub(super) fn texts(memory: &mut Memory) -> impl Iterator<Item = &mut String> {
    let lists = memory.tags.iter_mut().chain(&mut memory.related_files);
    [&mut memory.title, &mut memory.text].into_iter().chain(lists)
}

/// Brings a record into its form.
pub(super) fn tidy(memory: &mut Memory) {
    memory.text = memory.text.trim().to_owned();
    memory.title = one_line(&memory.title);
    if memory.title.is_empty() {
        memory.title = title_of(&memory.text);
    }
    memory.tags = sorted(memory.tags.iter().map(|tag| tag_form(tag)));
    if memory.tags.is_empty() {
        // No memory has none (seed 003); this one tells nothing about its words, so nothing is found by it that is not
        // looked for by tag.
        memory.tags.push(memory.category.to_string());
    }
    memory.related_files = sorted(memory.related_files.iter().map(|file| one_line(file)));
    let (least, most) = sure(memory);
    memory.confidence = memory.confidence.clamp(least, most);
    memory.importance = memory.importance.clamp(0.0, 1.0);
    if memory.content.is_null() {
        memory.content = serde_json::json!({});
    }
}

/// How sure a memory may say it is. What a person says is theirs to weigh; everything else is worth writing from 0.7 on,
/// and is not surer than 0.9 until a person confirms it (seed 003).
fn sure(memory: &Memory) -> (f32, f32) {
    let persons = memory.origin == Origin::Person || memory.confirmed_at.is_some();
    if persons { (0.0, 1.0) } else { (0.7, 0.9) }
}

/// The first sentence of a text, as a title.
pub fn title_of(text: &str) -> String {
    let line = text.trim_start().lines().next().unwrap_or_default();
    let sentence = one_line(&line[..sentence_end(line)]);
    if sentence.chars().count() <= TITLE {
        return sentence.trim_end_matches(['.', '。']).to_owned();
    }
    let cut: String = sentence.chars().take(TITLE - 1).collect();
    let words = cut.rsplit_once(' ').map_or(cut.as_str(), |(words, _)| words);
    format!("{}…", words.trim_end_matches([',', ';', ':', '-', ' ']))
}

/// Where the first sentence ends: a full stop, exclamation or question mark before a space and no small
/// letter, so that `e.g. this` goes on.
fn sentence_end(line: &str) -> usize {
    let ends_here = |place: usize| {
        let after = &line[place..];
        let mut next = after.trim_start().chars();
        after.starts_with(' ') && !next.next().is_some_and(char::is_lowercase)
    };
    line.match_indices(['.', '!', '?', '。', '！', '？'])
        .map(|(place, mark)| (place + mark.len(), mark.len() > 1))
        .find(|&(end, wide)| wide || ends_here(end))
        .map_or(line.len(), |(end, _)| end)
}

/// The text on one line, without what is invisible.
pub fn one_line(text: &str) -> String {
    collapse_whitespace(&strip_invisible(text))
}

/// The form in which a tag is kept.
pub(super) fn tag_form(tag: &str) -> String {
    strip_invisible(tag).to_lowercase().split_whitespace().collect::<Vec<_>>().join("-")
}

fn sorted(list: impl Iterator<Item = String>) -> Vec<String> {
    let mut list: Vec<String> = list.filter(|entry| !entry.is_empty()).collect();
    list.sort();
    list.dedup();
    list
}
