//! How a JSON file is set: its indentation and line breaks, read off the text.

use std::ops::Range;

/// How the entries of one object or list are set.
#[derive(Default)]
pub(super) struct Layout {
    /// What stands between a comma or the opening bracket and an entry.
    pub(super) before_entry: String,
    /// What stands between the last entry and the closing bracket.
    pub(super) before_close: String,
    /// What a further line of an entry begins with, its line break included.
    pub(super) line: String,
}

impl Layout {
    pub(super) fn of(text: &str, container: &Range<usize>) -> Self {
        let inside = &text[container.start + 1..container.end - 1];
        let leading = &inside[..inside.len() - inside.trim_start().len()];
        let outer = line(text, container.start);
        if leading.len() < inside.len() {
            let Some(at) = leading.rfind('\n') else {
                return Self { before_entry: leading.to_owned(), line: outer, ..Self::default() };
            };
            let line = format!("{}{}", line_break(text), &leading[at + 1..]);
            return Self { before_entry: line.clone(), line, ..Self::default() };
        }
        let Some(unit) = indentation_unit(text) else { return Self::default() };
        let line = format!("{outer}{unit}");
        Self { before_entry: line.clone(), before_close: outer, line }
    }
}

/// A line break and the indentation of the line around `at`.
fn line(text: &str, at: usize) -> String {
    format!("{}{}", line_break(text), indentation(text, at))
}

/// The line break that this file uses.
fn line_break(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// The white space that the line around `at` begins with.
fn indentation(text: &str, at: usize) -> &str {
    let line = &text[text[..at].rfind('\n').map_or(0, |end| end + 1)..];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// One step of indentation as this file has it, two spaces where it has none yet, `None` for a file on one
/// line.
pub(super) fn indentation_unit(text: &str) -> Option<&str> {
    let lines = text.trim().lines().skip(1);
    let first =
        lines.map(|line| &line[..line.len() - line.trim_start().len()]).find(|indent| !indent.is_empty());
    match first {
        Some(indent) => Some(indent),
        None if text.trim().contains('\n') || text.trim().len() <= "{ }".len() => Some("  "),
        None => None,
    }
}
