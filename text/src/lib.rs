//! Text primitives that the host and the layers share: white space, length, invisible characters and scripts.
//!
//! Each of these is a rule with one right answer. A second implementation would be a second answer, and what one side
//! removed the other would let through.

use std::borrow::Cow;

/// Joins the words of `text` with single spaces: one line, nothing at either end.
///
/// ```
/// assert_eq!(interleaf_text::collapse_whitespace(" one\n\ttwo  "), "one two");
/// ```
pub fn collapse_whitespace(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

/// Returns the first `max_chars` characters, with `…` behind them if anything was cut.
///
/// ```
/// assert_eq!(interleaf_text::truncate("grüße", 3), "grü…");
/// assert_eq!(interleaf_text::truncate("grüße", 5), "grüße");
/// ```
pub fn truncate(text: &str, max_chars: usize) -> Cow<'_, str> {
    match text.char_indices().nth(max_chars) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// Returns at most `max_chars` characters, `…` included, and cuts between two words where there are two.
///
/// Half a token is no token that redaction recognises, so text that may hold a secret is cut here and not inside a word.
///
/// ```
/// assert_eq!(interleaf_text::truncate_at_word("one two three", 9), "one two…");
/// assert_eq!(interleaf_text::truncate_at_word("one two", 9), "one two");
/// ```
pub fn truncate_at_word(text: &str, max_chars: usize) -> Cow<'_, str> {
    if text.char_indices().nth(max_chars).is_none() {
        return Cow::Borrowed(text);
    }
    // One character is for the ellipsis.
    let end = text.char_indices().nth(max_chars.saturating_sub(1)).map_or(text.len(), |(end, _)| end);
    let head = &text[..end];
    let head = match text[end..].starts_with(char::is_whitespace) {
        true => head,
        false => head.rfind(char::is_whitespace).map_or(head, |at| &head[..at]),
    };
    Cow::Owned(format!("{}…", head.trim_end()))
}

/// Removes the characters that a reader does not see but a terminal or a model does. Line feeds and tabs stay.
///
/// ```
/// assert_eq!(interleaf_text::strip_invisible("a\u{1b}[2Jb\u{200b}\nc"), "a[2Jb\nc");
/// ```
pub fn strip_invisible(text: &str) -> String {
    text.chars().filter(|&c| matches!(c, '\n' | '\t') || !is_invisible(c)).collect()
}

/// Replaces every invisible character, line feeds and tabs among them, by U+FFFD, so that foreign text printed on a
/// terminal moves no cursor, changes no colour and turns no reading direction.
///
/// ```
/// assert_eq!(interleaf_text::for_terminal("a\rb\u{202e}c"), "a\u{fffd}b\u{fffd}c");
/// ```
pub fn for_terminal(text: &str) -> String {
    text.replace(is_invisible, "\u{fffd}")
}

/// Tells whether `c` is a control character, a mark of reading direction, of zero width, or a tag character.
pub fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{200B}'
                | '\u{200E}'
                | '\u{200F}'
                | '\u{2028}'..='\u{202E}'
                | '\u{2060}'..='\u{206F}'
                | '\u{FEFF}'
                | '\u{FFF9}'..='\u{FFFB}'
                | '\u{E0000}'..='\u{E007F}'
        )
}

/// Tells whether `c` is a Chinese character or a Japanese kana: scripts that put no space between words.
pub fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

/// Tells whether `c` is a Korean syllable. Korean puts spaces between phrases, so a phrase holds several words.
pub fn is_hangul(c: char) -> bool {
    matches!(c, '\u{ac00}'..='\u{d7af}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_keeps_whole_words_and_counts_its_ellipsis() {
        for (max_chars, expected) in
            [(3, "ab…"), (6, "abc…"), (7, "abc…"), (8, "abc def…"), (11, "abc def ghi")]
        {
            let cut = truncate_at_word("abc def ghi", max_chars);

            assert_eq!(cut, expected, "{max_chars}");
            assert!(cut.chars().count() <= max_chars);
        }
    }

    #[test]
    fn a_single_long_word_is_cut_inside() {
        assert_eq!(truncate_at_word("abcdefgh", 4), "abc…");
    }

    #[test]
    fn invisible_characters_never_reach_a_terminal() {
        for c in ['\u{7}', '\u{1b}', '\u{9b}', '\u{200b}', '\u{202e}', '\u{2066}', '\u{feff}', '\u{e0041}'] {
            assert_eq!(for_terminal(&format!("a{c}b")), "a\u{fffd}b");
            assert_eq!(strip_invisible(&format!("a{c}b")), "ab");
        }
    }
}
