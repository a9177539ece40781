//! The blocks that wt-memory once put into skills, commands and CLAUDE.md: found, taken out, put back.
//!
//! A block stands between two comments: `<!-- wt-memory hooks start -->` and `<!-- wt-memory hooks end -->`,
//! or the same with `hooks-midflow`, `hooks-remember` and others. Some versions closed with `<!-- /wt-memory
//! hooks -->`. A block that is opened and never closed is nobody's to cut: it stays.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// How much of the text before a block is kept to find its place again, in bytes.
const ANCHOR: usize = 120;

/// A block that was taken out of a text, with its markers and blank line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemovedBlock {
    /// Where it stood, as a byte offset into the text that was left.
    pub at: usize,
    /// What the text that was left had before it.
    pub after: String,
    /// The block itself.
    pub text: String,
}

/// Takes all closed blocks out of a text: what is left, and the blocks in their order.
pub fn remove_blocks(text: &str) -> (String, Vec<RemovedBlock>) {
    let (mut left, mut taken) = (String::with_capacity(text.len()), Vec::new());
    let mut done = 0;
    for range in blocks(text) {
        let range = with_blank_line(text, range, done);
        left.push_str(&text[done..range.start]);
        let anchor = left.floor_char_boundary(left.len().saturating_sub(ANCHOR));
        taken.push(RemovedBlock {
            at: left.len(),
            after: left[anchor..].to_owned(),
            text: text[range.clone()].to_owned(),
        });
        done = range.end;
    }
    (left + &text[done..], taken)
}

/// The text with a block put back: where it stood, or where the text before it has moved to. `None` where
/// neither can be told. Blocks of one text go back in reverse order.
pub fn restore_block(text: &str, block: &RemovedBlock) -> Option<String> {
    let stood_here = text.get(..block.at).is_some_and(|before| before.ends_with(&block.after));
    let mut places = text.match_indices(&block.after).map(|(at, anchor)| at + anchor.len());
    let at = match (stood_here, places.next(), places.next()) {
        (true, ..) => block.at,
        (false, Some(only), None) => only,
        _ => return None,
    };
    Some([&text[..at], &block.text, &text[at..]].concat())
}

/// The lines, from 1, where a block is opened and never closed.
pub fn unclosed_lines(text: &str) -> Vec<usize> {
    let blocks = blocks(text);
    let lost =
        |marker: &Marker<'_>| marker.opens && !blocks.iter().any(|block| block.contains(&marker.range.start));
    let lines =
        markers(text).into_iter().filter(lost).map(|marker| text[..marker.range.start].matches('\n').count());
    lines.map(|before| before + 1).collect()
}

/// A comment that opens or closes a block.
struct Marker<'a> {
    range: Range<usize>,
    /// `hooks`, `hooks-midflow` and the like.
    name: &'a str,
    opens: bool,
}

/// The closed blocks from marker to marker, none inside another.
fn blocks(text: &str) -> Vec<Range<usize>> {
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

/// The marker that begins at `start`. One behind a backtick is only spoken of.
fn marker(text: &str, start: usize) -> Option<Marker<'_>> {
    let words = &text[start + "<!--".len()..];
    let length = words.find("-->")?;
    let (name, opens) = match words[..length].split_whitespace().collect::<Vec<_>>()[..] {
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

/// A block with the rest of its lines, where nothing else is on them, and with one of the blank lines around
/// it.
fn with_blank_line(text: &str, block: Range<usize>, done: usize) -> Range<usize> {
    let blank = |range: Range<usize>| text[range].trim().is_empty();
    let (start, end) = (line_start(text, block.start).max(done), line_end(text, block.end));
    if !blank(start..block.start) || !blank(block.end..end) {
        return block;
    }
    let previous = line_start(text, start.saturating_sub(1)).max(done);
    let next = line_end(text, end);
    match blank(previous..start) {
        true if end == text.len() => previous..end,
        true if blank(end..next) => start..next,
        _ => start..end,
    }
}

/// Where the line around `at` begins.
fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |end| end + 1)
}

/// Where the line around `at` ends, its line break included.
fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |end| at + end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put_all_back(left: &str, blocks: &[RemovedBlock]) -> String {
        blocks.iter().rev().fold(left.to_owned(), |text, block| restore_block(&text, block).unwrap())
    }

    #[test]
    fn every_variant_is_taken_out_with_its_lines_and_put_back_as_it_was() {
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
                let (left, blocks) = remove_blocks(&text);
                assert_eq!(left, expected, "{text:?}");
                assert_eq!(put_all_back(&left, &blocks), text);
                assert_eq!(unclosed_lines(&text), [0; 0]);
            }
        }
    }

    #[test]
    fn the_older_closing_comment_closes_too() {
        let (left, blocks) = remove_blocks("a\n<!-- wt-memory hooks -->\nx\n<!-- /wt-memory hooks -->\nb\n");
        assert_eq!((left.as_str(), blocks.len()), ("a\nb\n", 1));
    }

    #[test]
    fn what_is_not_closed_or_only_spoken_of_stays() {
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
    fn a_block_finds_its_place_again_in_a_text_that_has_moved_and_gives_up_where_it_cannot() {
        let text = "# One\n\nfirst\n<!-- wt-memory hooks start -->\nx\n<!-- wt-memory hooks end -->\nlast\n";
        let (left, blocks) = remove_blocks(text);

        let moved = format!("---\nnew: head\n---\n{left}");
        assert_eq!(restore_block(&moved, &blocks[0]), Some(format!("---\nnew: head\n---\n{text}")));

        assert_eq!(restore_block("something else\n", &blocks[0]), None);
        assert_eq!(restore_block(&format!("x{left}{left}"), &blocks[0]), None);
    }
}
