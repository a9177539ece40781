//! The lines that stand for memories in the text that a hook adds to the context.

/// A line that shows a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryLine<'a> {
    /// The memory's short id.
    pub id: &'a str,
    /// Whether the line has the memory's text and not only its title.
    pub is_whole: bool,
}

/// Returns the memories that a text shows: whole in `- [decision, 2026-11-20, tcsth9xfj9] …`, and as a title
/// in `- [tcsth9xfj9] …`.
pub fn memory_lines(text: &str) -> impl Iterator<Item = MemoryLine<'_>> {
    text.lines().filter_map(memory_line)
}

/// Tells whether a text shows more than titles.
pub fn is_more_than_titles(text: &str) -> bool {
    let is_title = |line: &str| memory_line(line).is_some_and(|line| !line.is_whole);
    let mut items = text.lines().filter(|line| line.starts_with("- "));
    !text.is_empty() && (!text.lines().any(is_title) || items.any(|line| !is_title(line)))
}

fn memory_line(line: &str) -> Option<MemoryLine<'_>> {
    let (about, _) = line.trim_start().strip_prefix("- [")?.split_once(']')?;
    let about = about.split_once(", origin: ").map_or(about, |(about, _)| about);
    let (category, id) = about.rsplit_once(", ").unwrap_or(("", about));
    Some(MemoryLine { id, is_whole: !category.is_empty() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_memory_is_shown_whole_or_by_its_title() {
        for (line, expected) in [
            ("- [decision, 2026-11-20, tcsth9xfj9] Use pnpm", Some(("tcsth9xfj9", true))),
            ("- [decision, 2026-11-20, tcsth9xfj9, origin: tool output] \"x\"", Some(("tcsth9xfj9", true))),
            ("- [tcsth9xfj9] Use pnpm", Some(("tcsth9xfj9", false))),
            ("- [tcsth9xfj9, origin: imported] \"Use pnpm\"", Some(("tcsth9xfj9", false))),
            ("Use pnpm - [x]", None),
            ("- layer says: [x]", None),
        ] {
            assert_eq!(memory_line(line).map(|line| (line.id, line.is_whole)), expected, "{line}");
        }
    }
}
