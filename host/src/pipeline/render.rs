//! How context reads to the model: one block for each layer, a line for each memory, the same bytes for the same
//! content so that prompt caches survive.

use crate::claude::{MEMORY_ELEMENT, MEMORY_PREFACE, utf16_len};
use crate::clock::format_date;
use crate::memory::{Memory, Origin};

/// UTF-16 units of a memory's text in a block. The rest is one command away.
const TEXT_UNITS: usize = 600;

/// The block of one layer.
pub(super) fn block(layer: &str, heading: &str, lines: &[&str]) -> String {
    let heading = one_line(&defuse(heading));
    let lines = lines.join("\n");
    format!("<{MEMORY_ELEMENT} layer=\"{layer}\">\n{heading}. {MEMORY_PREFACE}\n{lines}\n</{MEMORY_ELEMENT}>")
}

/// What a block costs beside its lines, in UTF-16 units.
pub(super) fn frame_units(layer: &str, heading: &str) -> usize {
    utf16_len(&block(layer, heading, &[])) + utf16_len("\n\n")
}

/// The line of a memory: category, date, short id, its origin unless a person or the assistant wrote it, and its
/// words; words of any other origin stand in quotes.
pub(super) fn memory(memory: &Memory) -> String {
    let (category, date, id) = (memory.category.as_str(), format_date(memory.created_at), short(&memory.id));
    let words = words(memory);
    match memory.origin {
        Origin::Person | Origin::Assistant => format!("- [{category}, {date}, {id}] {words}"),
        origin => {
            let origin = origin.as_str().replace('_', " ");
            format!("- [{category}, {date}, {id}, origin: {origin}] \"{}\"", words.replace('"', "'"))
        }
    }
}

/// The line of a layer's own words.
pub(super) fn text(words: &str) -> String {
    format!("- {}", one_line(&defuse(words)))
}

/// The title where it says something that the text does not begin with, then the text, cut.
fn words(memory: &Memory) -> String {
    let title = memory.title.trim_end_matches(['.', '…']);
    let whole = match memory.text.starts_with(title) {
        true => memory.text.clone(),
        false => format!("{title}: {}", memory.text),
    };
    let flat = one_line(&defuse(&whole));
    if utf16_len(&flat) <= TEXT_UNITS {
        return flat;
    }
    let mut left = TEXT_UNITS;
    let kept: String = flat
        .chars()
        .take_while(|c| left.checked_sub(c.len_utf16()).map(|rest| left = rest).is_some())
        .collect();
    format!("{} … (all of it: interleaf memory show {})", kept.trim_end(), short(&memory.id))
}

/// Enough of an id to name the memory: ours are ten characters long, imported ones may be longer.
pub(crate) fn short(id: &str) -> &str {
    id.char_indices().nth(12).map_or(id, |(end, _)| &id[..end])
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A layer's words where only the person reads them, or where they are a reason: any number of lines, nothing that moves
/// a terminal's cursor, and no tag of ours.
pub(super) fn plain(words: &str) -> String {
    defuse(words)
}

/// Takes the meaning out of tags that would end our block or pose as the client's own words, however they are written;
/// first of all what a reader does not see, since a tag could be put together behind it.
fn defuse(text: &str) -> String {
    const TAGS: [&str; 3] = ["interleaf-memory", "system-reminder", "task-notification"];
    let text = interleaf_text::strip_invisible(text);
    let lower = text.to_ascii_lowercase();
    let opens = |at: usize| {
        let name = lower[at + 1..].trim_start_matches(['/', ' ', '\t', '\n']);
        TAGS.iter().any(|tag| name.starts_with(tag))
    };
    let letter = |(at, letter)| if letter == '<' && opens(at) { '‹' } else { letter };
    text.char_indices().map(letter).collect()
}
