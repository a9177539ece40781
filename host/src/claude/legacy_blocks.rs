//! The blocks that wt-memory put into skills, commands and CLAUDE.md: found, removed and restored.
//!
//! A block is delimited by `<!-- wt-memory hooks start -->` and `<!-- wt-memory hooks end -->`, or the same
//! with `hooks-midflow`, `hooks-remember` and others. Some versions closed it with `<!-- /wt-memory hooks
//! -->`. A block that is not closed stays, because nobody can tell where it ends.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// Length in bytes of the preceding text that is kept to find a block's position again.
const ANCHOR_BYTES: usize = 120;

/// A block that was removed from a text, with its markers and one blank line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemovedBlock {
    /// Its position as a byte offset in the remaining text.
    #[serde(rename = "at")]
    pub offset: usize,
    /// The end of the remaining text before it.
    #[serde(rename = "after")]
    pub anchor: String,
    /// The block itself.
    pub text: String,
}

/// Removes all closed blocks from a text. Returns the remaining text, and the blocks in their order.
pub fn remove_blocks(text: &str) -> (String, Vec<RemovedBlock>) {
    let (mut remaining, mut removed) = (String::with_capacity(text.len()), Vec::new());
    let mut copied = 0;
    for range in closed_blocks(text) {
        let range = with_blank_line(text, range, copied);
        remaining.push_str(&text[copied..range.start]);
        let anchor = remaining.floor_char_boundary(remaining.len().saturating_sub(ANCHOR_BYTES));
        removed.push(RemovedBlock {
            offset: remaining.len(),
            anchor: remaining[anchor..].to_owned(),
            text: text[range.clone()].to_owned(),
        });
        copied = range.end;
    }
    (remaining + &text[copied..], removed)
}

/// Inserts a block at its old offset, or after its anchor if the text has moved. Returns `None` if the anchor
/// is missing or ambiguous. Several blocks of one text must be restored in reverse order.
pub fn restore_block(text: &str, block: &RemovedBlock) -> Option<String> {
    let is_at_offset = text.get(..block.offset).is_some_and(|before| before.ends_with(&block.anchor));
    let mut matches = text.match_indices(&block.anchor).map(|(at, anchor)| at + anchor.len());
    let offset = match (is_at_offset, matches.next(), matches.next()) {
        (true, ..) => block.offset,
        (false, Some(only), None) => only,
        _ => return None,
    };
    Some([&text[..offset], &block.text, &text[offset..]].concat())
}

/// Returns the numbers of the lines, from 1, that open a block which is not closed.
pub fn unclosed_lines(text: &str) -> Vec<usize> {
    let blocks = closed_blocks(text);
    let is_unclosed =
        |marker: &Marker<'_>| marker.opens && !blocks.iter().any(|block| block.contains(&marker.range.start));
    let unclosed = markers(text).into_iter().filter(is_unclosed);
    unclosed.map(|marker| text[..marker.range.start].matches('\n').count() + 1).collect()
}

/// A comment that opens or closes a block.
struct Marker<'a> {
    range: Range<usize>,
    /// `hooks`, `hooks-midflow` and the like.
    name: &'a str,
    opens: bool,
}

/// Returns the ranges of the closed blocks, markers included. None lies inside another.
fn closed_blocks(text: &str) -> Vec<Range<usize>> {
    let mut blocks: Vec<Range<usize>> = Vec::new();
    let markers = markers(text);
    for (index, open) in markers.iter().enumerate().filter(|(_, marker)| marker.opens) {
        let inside = blocks.last().is_some_and(|block| open.range.start < block.end);
        let next = markers[index + 1..].iter().find(|marker| marker.name == open.name);
        if let Some(close) = next.filter(|next| !inside && !next.opens) {
            blocks.push(open.range.start..close.range.end);
        }
    }
    blocks
}

fn markers(text: &str) -> Vec<Marker<'_>> {
    text.match_indices("<!--").filter_map(|(start, _)| marker(text, start)).collect()
}

/// Returns the marker that begins at `start`. A marker after a backtick is a quotation.
fn marker(text: &str, start: usize) -> Option<Marker<'_>> {
    let comment = &text[start + "<!--".len()..];
    let length = comment.find("-->")?;
    let (name, opens) = match comment[..length].split_whitespace().collect::<Vec<_>>()[..] {
        ["wt-memory", name] | ["wt-memory", name, "start"] => (name, true),
        ["wt-memory", name, "end"] | ["/wt-memory", name] | ["/wt-memory", name, "end"] => (name, false),
        _ => return None,
    };
    let end = start + "<!--".len() + length + "-->".len();
    (name.starts_with("hooks") && !text[..start].ends_with('`')).then_some(Marker {
        range: start..end,
        name,
        opens,
    })
}

/// Extends a block to whole lines if nothing else is on them, and by one of the blank lines around it. It
/// does not reach back before `limit`.
fn with_blank_line(text: &str, block: Range<usize>, limit: usize) -> Range<usize> {
    let is_blank = |range: Range<usize>| text[range].trim().is_empty();
    let (start, end) = (line_start(text, block.start).max(limit), line_end(text, block.end));
    if !is_blank(start..block.start) || !is_blank(block.end..end) {
        return block;
    }
    let previous = line_start(text, start.saturating_sub(1)).max(limit);
    let next = line_end(text, end);
    match is_blank(previous..start) {
        true if end == text.len() => previous..end,
        true if is_blank(end..next) => start..next,
        _ => start..end,
    }
}

/// Returns the start of the line around `at`.
fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |end| end + 1)
}

/// Returns the end of the line around `at`, line break included.
fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |end| at + end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn restore_all(remaining: &str, blocks: &[RemovedBlock]) -> String {
        blocks.iter().rev().fold(remaining.to_owned(), |text, block| restore_block(&text, block).unwrap())
    }

    #[test]
    fn every_variant_is_removed_with_its_lines_and_restored_unchanged() {
        for name in ["hooks", "hooks-midflow", "hooks-remember", "hooks-reflection", "hooks-save"] {
            let (start, end) =
                (format!("<!-- wt-memory {name} start -->"), format!("<!-- wt-memory {name} end -->"));
            let cases = [
                (format!("a\n\n{start}\nrecall\n{end}\n\nb\n"), "a\n\nb\n"),
                (format!("a\n{start}\nrecall\n{end}\nb\n"), "a\nb\n"),
                (format!("{start}\nrecall\n{end}\n\nb"), "b"),
                (format!("a\n\n{start}\nrecall\n{end}\n"), "a\n"),
                (format!("a\n\n{start}\nrecall\n{end}"), "a\n"),
                (format!("1. a {start}recall{end} b\n"), "1. a  b\n"),
                (format!("a\r\n\r\n  {start}\r\nrecall\r\n  {end}\r\n\r\nb\r\n"), "a\r\n\r\nb\r\n"),
                (format!("{start}{end}"), ""),
                (format!("é\n\n{start}\n1{end}\n{start}2\n{end}\n\nb\n{start}3{end}\n"), "é\n\nb\n"),
            ];
            for (text, expected) in cases {
                let (remaining, blocks) = remove_blocks(&text);
                assert_eq!(remaining, expected, "{text:?}");
                assert_eq!(restore_all(&remaining, &blocks), text);
                assert_eq!(unclosed_lines(&text), [0; 0]);
            }
        }
    }

    #[test]
    fn the_older_closing_marker_closes_a_block() {
        let (remaining, blocks) =
            remove_blocks("a\n<!-- wt-memory hooks -->\nx\n<!-- /wt-memory hooks -->\nb\n");
        assert_eq!((remaining.as_str(), blocks.len()), ("a\nb\n", 1));
    }

    #[test]
    fn an_unclosed_or_quoted_block_stays() {
        let start = "<!-- wt-memory hooks start -->";
        for text in [
            format!("a\n{start}\nb\n"),
            format!("a\n{start}\n<!-- wt-memory hooks-save end -->\n"),
            format!("see `{start}` and `<!-- wt-memory hooks end -->`\n"),
            "<!-- wt-memory recall start --><!-- wt-memory recall end -->".to_owned(),
            "<!-- wt-memory hooks start".to_owned(),
            "<!-- wt-memory hooks end --> x <!-- wt-memory hooks start -->".to_owned(),
        ] {
            assert_eq!(remove_blocks(&text), (text.clone(), vec![]));
        }
        assert_eq!(unclosed_lines(&format!("a\n{start}\nb\n{start}c<!-- wt-memory hooks end -->\n")), [2]);
    }

    #[test]
    fn a_block_is_restored_in_a_text_that_has_moved_unless_its_position_is_ambiguous() {
        let text = "# One\n\nfirst\n<!-- wt-memory hooks start -->\nx\n<!-- wt-memory hooks end -->\nlast\n";
        let (remaining, blocks) = remove_blocks(text);

        let moved = format!("---\nnew: head\n---\n{remaining}");
        assert_eq!(restore_block(&moved, &blocks[0]), Some(format!("---\nnew: head\n---\n{text}")));

        assert_eq!(restore_block("something else\n", &blocks[0]), None);
        assert_eq!(restore_block(&format!("x{remaining}{remaining}"), &blocks[0]), None);
    }
}
