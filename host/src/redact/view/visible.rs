//! What a person sees of a text on a terminal: without control sequences and characters that take no space.

use std::ops::Range;

use interleaf_text::invisible::is_default_ignorable;

use super::View;

const ESCAPE: u8 = 0x1b;
const BELL: u8 = 0x07;

/// Size of the blocks in which ASCII is skipped.
const BLOCK_BYTES: usize = 64;

/// The control sequence introducer as one character (C1).
const CSI: char = '\u{9b}';

/// Final bytes of the sequences that move the cursor to another column or line, which separates words.
const MOVES: &[u8] = b"ABCDEFGHd`f";

/// Distance of a full-width letter or digit from the same character of ASCII.
const FULL_WIDTH_OFFSET: u32 = 0xfee0;

/// Returns the view of a text, and the ranges of the text that a terminal interprets instead of showing:
/// titles and addresses. Returns none if a person sees the text as it is.
pub fn visible(text: &str) -> Option<(View, Vec<Range<usize>>)> {
    if !has_hidden_parts(text) {
        return None;
    }
    let (mut view, mut payloads, mut from, mut at) = (View::default(), Vec::new(), 0, 0);
    let bytes = text.as_bytes();
    while at < text.len() {
        if bytes[at].is_ascii() && bytes[at] != ESCAPE {
            at += 1;
            continue;
        }
        let c = text[at..].chars().next().unwrap_or_default();
        let end = at + c.len_utf8();
        let stop = match sequence_end(text, at, c, &mut payloads) {
            Some(stop) => stop,
            None if is_default_ignorable(c) || ascii_of(c).is_some() => end,
            None => {
                at = end;
                continue;
            }
        };
        view.push(text, from..at);
        let is_move = stop > end && MOVES.contains(&bytes[stop - 1]) && is_csi(text, at);
        if let Some(c) = ascii_of(c).or(is_move.then_some(' ')) {
            view.push_instead(c, at..stop);
        }
        (from, at) = (stop, stop);
    }
    view.push(text, from..text.len());
    Some((view, payloads))
}

/// Returns whether a part of the text is invisible or a full-width letter. Text without such a part is only
/// read, not copied.
fn has_hidden_parts(text: &str) -> bool {
    let is_hidden = |c: char| is_default_ignorable(c) || is_full_width_letter(c) || c == CSI;
    memchr::memchr(ESCAPE, text.as_bytes()).is_some() || wide_chars(text).any(is_hidden)
}

/// Returns the characters outside ASCII. The others, of which most texts consist, are skipped in blocks.
fn wide_chars(text: &str) -> impl Iterator<Item = char> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let bytes = rest.as_bytes();
        let blocks = bytes.chunks(BLOCK_BYTES).take_while(|block| block.is_ascii()).count();
        let start = (blocks * BLOCK_BYTES).min(bytes.len());
        let at = start + bytes[start..].iter().position(|byte| !byte.is_ascii())?;
        let c = rest[at..].chars().next()?;
        rest = &rest[at + c.len_utf8()..];
        Some(c)
    })
}

fn is_full_width_letter(c: char) -> bool {
    matches!(c, '\u{ff10}'..='\u{ff19}' | '\u{ff21}'..='\u{ff3a}' | '\u{ff41}'..='\u{ff5a}')
}

/// Returns the character of ASCII that a full-width letter, or a sign of names and assignments, looks like.
fn ascii_of(c: char) -> Option<char> {
    let is_sign = matches!(c, '：' | '＝' | '＿' | '－' | '．' | '／' | '＋' | '＠');
    let is_folded = is_full_width_letter(c) || is_sign;
    is_folded.then(|| char::from_u32(c as u32 - FULL_WIDTH_OFFSET))?
}

fn is_csi(text: &str, at: usize) -> bool {
    text[at..].starts_with(CSI) || text[at..].starts_with("\u{1b}[")
}

/// Returns the end of the control sequence at `at` (ECMA-48); none if there is none. A truncated sequence
/// ends before the first byte that cannot belong to it.
fn sequence_end(text: &str, at: usize, c: char, payloads: &mut Vec<Range<usize>>) -> Option<usize> {
    let bytes = text.as_bytes();
    let skip = |from: usize, range: std::ops::RangeInclusive<u8>| {
        from + bytes[from.min(bytes.len())..].iter().take_while(|byte| range.contains(byte)).count()
    };
    let one_more = |from: usize, range: std::ops::RangeInclusive<u8>| {
        from + usize::from(bytes.get(from).is_some_and(|byte| range.contains(byte)))
    };
    let csi_end = |from: usize| one_more(skip(skip(from, 0x30..=0x3f), 0x20..=0x2f), 0x40..=0x7e);
    if c == CSI {
        return Some(csi_end(at + CSI.len_utf8()));
    }
    (c == char::from(ESCAPE)).then_some(())?;
    Some(match bytes.get(at + 1) {
        Some(b'[') => csi_end(at + 2),
        Some(b']' | b'P' | b'X' | b'^' | b'_') => {
            let (payload, end) = control_string(bytes, at + 2);
            payloads.push(payload);
            end
        }
        Some(0x20..=0x2f) => one_more(skip(at + 1, 0x20..=0x2f), 0x30..=0x7e),
        Some(b'\\' | b'=' | b'>' | b'7' | b'8' | b'c') => at + 2,
        _ => at + 1,
    })
}

/// Returns the text of a control string that begins at `from`, and its end. It ends with BEL or ESC `\`; one
/// that does not end on its line is text.
fn control_string(bytes: &[u8], from: usize) -> (Range<usize>, usize) {
    let is_end = |&byte: &u8| matches!(byte, BELL | ESCAPE | b'\n');
    let rest = &bytes[from..];
    let stop = from + rest.iter().position(is_end).unwrap_or(rest.len());
    match bytes.get(stop..) {
        Some([BELL, ..]) => (from..stop, stop + 1),
        Some([ESCAPE, b'\\', ..]) => (from..stop, stop + 2),
        _ => (from..from, from),
    }
}
