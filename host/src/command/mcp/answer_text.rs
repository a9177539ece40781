//! The texts of the answers. Like the text that hooks inject, they hold no tags and begin no line of their
//! own: a memory is data, whatever it says.

use interleaf_text::markup::plain_line;
use interleaf_text::truncate_at_word;

use crate::claude::{MEMORY_ELEMENT, MEMORY_PREFACE};
use crate::clock::format_date;
use crate::error::Error;
use crate::memory::{Hit, Memory, Origin, short_id};

/// Maximum number of characters of a memory's text in a list, and of a previous value in a history.
const MAX_LISTED_CHARS: usize = 600;

/// Returns the block around lines that hold words of memories.
pub(super) fn block(tool: &str, lines: &[String]) -> String {
    let lines = lines.join("\n");
    format!("<{MEMORY_ELEMENT} tool=\"{tool}\">\n{MEMORY_PREFACE}\n{lines}\n</{MEMORY_ELEMENT}>")
}

/// Returns the line of a memory that was found.
pub(super) fn hit(hit: &Hit) -> String {
    let memory = &hit.memory;
    let id = short_id(&memory.id).unwrap_or("no usable id");
    let (date, origin) = (format_date(memory.created_at), memory.origin);
    let about = format!("{id}, {}, {date}, {origin}, relevance {:.2}", memory.category, hit.relevance);
    format!("- [{about}] {}", in_quotes(origin, &title_and_text(memory)))
}

/// Returns the title and the text on one line, cut; the text alone if it begins with the title.
fn title_and_text(memory: &Memory) -> String {
    let text = plain_line(&memory.text);
    let title = plain_line(memory.title.trim_end_matches(['.', '…']));
    let line = if text.starts_with(&title) { text } else { format!("{title}: {text}") };
    listed(&line)
}

/// Returns a value on one line, cut.
pub(super) fn listed(text: &str) -> String {
    truncate_at_word(&plain_line(text), MAX_LISTED_CHARS).into_owned()
}

/// Returns the line of one fact; none for an empty value.
pub(super) fn fact(name: &str, value: &str) -> Option<String> {
    let value = plain_line(value);
    (!value.is_empty()).then(|| format!("- {name}: {value}"))
}

/// Returns a text of several lines as one fact. Its further lines are indented, so that none looks like a
/// line of ours.
pub(super) fn whole_text(memory: &Memory) -> String {
    let lines: Vec<String> = memory.text.lines().map(plain_line).collect();
    format!("- text: {}", in_quotes(memory.origin, &lines.join("\n  ")))
}

/// Returns words in quotation marks, unless a person or the assistant wrote them.
pub(super) fn in_quotes(origin: Origin, words: &str) -> String {
    match origin.is_untrusted() {
        true => format!("\"{}\"", words.replace('"', "'")),
        false => words.to_owned(),
    }
}

/// Returns lines of ours that may name a title.
pub(super) fn notices(lines: &[String]) -> String {
    lines.iter().map(|line| plain_line(line)).collect::<Vec<_>>().join("\n")
}

/// Returns an error with its next step. It may quote an argument or a title. The protocol says that it is an
/// error; a line that began with that word would look to the layer posttool like a failure to learn from.
pub(super) fn error(error: &Error) -> String {
    let hint = error.hint.iter().map(|hint| format!("next step: {hint}"));
    notices(&[error.message.clone()].into_iter().chain(hint).collect::<Vec<_>>())
}
