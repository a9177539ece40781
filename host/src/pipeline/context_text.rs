//! The text of the context for the model: one block for each layer, one line for each memory. The same
//! content always gives the same bytes, so that prompt caches stay valid.

use interleaf_text::{collapse_whitespace, strip_invisible};

use crate::claude::{MEMORY_ELEMENT, MEMORY_PREFACE, RESERVED_ELEMENTS, utf16_len};
use crate::clock::format_date;
use crate::memory::{Memory, Origin};

/// Maximum length of a memory's text in a block, in UTF-16 units. `interleaf memory show` prints the rest.
const MAX_MEMORY_UNITS: usize = 600;

/// Maximum length of an id in a line, in characters: ids of this program have ten, imported ones may have
/// more.
const MAX_ID_CHARS: usize = 12;

/// Returns the block of one layer.
pub(super) fn block(layer: &str, heading: &str, lines: &[&str]) -> String {
    let heading = collapse_whitespace(&neutralize_elements(heading));
    let lines = lines.join("\n");
    format!("<{MEMORY_ELEMENT} layer=\"{layer}\">\n{heading}. {MEMORY_PREFACE}\n{lines}\n</{MEMORY_ELEMENT}>")
}

/// Returns the length of a block without its lines, in UTF-16 units.
pub(super) fn frame_units(layer: &str, heading: &str) -> usize {
    utf16_len(&block(layer, heading, &[])) + utf16_len("\n\n")
}

/// Returns the line of a memory: category, date, short id, and its text. A text that neither a person nor the
/// assistant wrote is quoted, with its origin.
pub(super) fn memory_line(memory: &Memory) -> String {
    let (category, date, id) =
        (memory.category.as_str(), format_date(memory.created_at), short_id(&memory.id));
    let text = title_and_text(memory);
    match memory.origin {
        Origin::Person | Origin::Assistant => format!("- [{category}, {date}, {id}] {text}"),
        origin => {
            let origin = origin.as_str().replace('_', " ");
            format!("- [{category}, {date}, {id}, origin: {origin}] \"{}\"", text.replace('"', "'"))
        }
    }
}

/// Returns the line of a layer's own text.
pub(super) fn text_line(text: &str) -> String {
    format!("- {}", collapse_whitespace(&neutralize_elements(text)))
}

/// Returns the text of a memory on one line, cut to [`MAX_MEMORY_UNITS`], with its title in front unless the
/// text begins with it.
fn title_and_text(memory: &Memory) -> String {
    let title = memory.title.trim_end_matches(['.', '…']);
    let text = match memory.text.starts_with(title) {
        true => memory.text.clone(),
        false => format!("{title}: {}", memory.text),
    };
    let line = collapse_whitespace(&neutralize_elements(&text));
    if utf16_len(&line) <= MAX_MEMORY_UNITS {
        return line;
    }
    let mut left = MAX_MEMORY_UNITS;
    let fits = |c: &char| left.checked_sub(c.len_utf16()).map(|rest| left = rest).is_some();
    let beginning: String = line.chars().take_while(fits).collect();
    format!("{} … (full text: interleaf memory show {})", beginning.trim_end(), short_id(&memory.id))
}

/// Returns the beginning of an id, which is long enough to name the memory.
fn short_id(id: &str) -> &str {
    id.char_indices().nth(MAX_ID_CHARS).map_or(id, |(end, _)| &id[..end])
}

/// Replaces `<` by `‹` in tags that would end our block or imitate Claude Code's own tags, regardless of case
/// and spacing.
///
/// Removes invisible characters first, because they could hide a tag. Line feeds and tabs stay.
pub(super) fn neutralize_elements(text: &str) -> String {
    let text = strip_invisible(text);
    let lower = text.to_ascii_lowercase();
    let is_reserved = |at: usize| {
        let name = lower[at + 1..].trim_start_matches(['/', ' ', '\t', '\n']);
        RESERVED_ELEMENTS.iter().any(|element| name.starts_with(element))
    };
    let replace = |(at, c)| if c == '<' && is_reserved(at) { '‹' } else { c };
    text.char_indices().map(replace).collect()
}
