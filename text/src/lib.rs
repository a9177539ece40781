//! Text primitives that the host and the layers share: white space, truncation, invisible characters,
//! scripts, and the [text of the client](client_text).
//!
//! The host and the layers must agree on these rules. With two implementations, text that one side removes
//! could pass the other.

pub mod client_text;
pub mod ignorable;

use std::borrow::Cow;

/// Joins the words of `text` with single spaces on one line, without white space at either end.
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

/// Returns the first `max_chars` characters, followed by `…` if the text was truncated.
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

/// Returns at most `max_chars` characters, including `…`, truncated between two words if possible.
///
/// Redaction does not recognize half a token, so use this function for text that may contain a secret.
///
/// ```
/// assert_eq!(interleaf_text::truncate_at_word("one two three", 9), "one two…");
/// assert_eq!(interleaf_text::truncate_at_word("one two", 9), "one two");
/// ```
pub fn truncate_at_word(text: &str, max_chars: usize) -> Cow<'_, str> {
    if text.char_indices().nth(max_chars).is_none() {
        return Cow::Borrowed(text);
    }
    // Leave one character for the ellipsis.
    let end = text.char_indices().nth(max_chars.saturating_sub(1)).map_or(text.len(), |(end, _)| end);
    let head = &text[..end];
    let head = match text[end..].starts_with(char::is_whitespace) {
        true => head,
        false => head.rfind(char::is_whitespace).map_or(head, |at| &head[..at]),
    };
    Cow::Owned(format!("{}…", head.trim_end()))
}

/// Returns the beginning and the end of a text of more than `max_bytes` bytes, with `[…]` on a separate line
/// instead of the middle. Truncates only between words, for the reason given at [`truncate_at_word`].
///
/// ```
/// assert_eq!(interleaf_text::truncate_middle("alpha beta gamma delta", 16), "alpha\n[…]\ndelta");
/// assert_eq!(interleaf_text::truncate_middle("alpha beta", 16), "alpha beta");
/// ```
pub fn truncate_middle(text: &str, max_bytes: usize) -> Cow<'_, str> {
    if text.len() <= max_bytes {
        return Cow::Borrowed(text);
    }
    let half = max_bytes / 2;
    let (head, tail) = (text.floor_char_boundary(half), text.ceil_char_boundary(text.len() - half));
    let (head, tail) = (words_before(text, head).trim_end(), words_after(text, tail).trim_start());
    Cow::Owned(format!("{head}\n[…]\n{tail}"))
}

/// Returns the text before `end`, without a word that extends beyond it.
fn words_before(text: &str, end: usize) -> &str {
    let head = &text[..end];
    match text[end..].starts_with(char::is_whitespace) {
        true => head,
        false => head.rfind(char::is_whitespace).map_or("", |space| &head[..space]),
    }
}

/// Returns the text from `begin` on, without a word that starts before it.
fn words_after(text: &str, begin: usize) -> &str {
    let tail = &text[begin..];
    match text[..begin].ends_with(char::is_whitespace) {
        true => tail,
        false => tail.find(char::is_whitespace).map_or("", |space| &tail[space..]),
    }
}

/// Removes invisible characters, which a reader does not see but a terminal or a model interprets. Line feeds
/// and tabs stay.
///
/// ```
/// assert_eq!(interleaf_text::strip_invisible("a\u{1b}[2Jb\u{200b}\nc"), "a[2Jb\nc");
/// ```
pub fn strip_invisible(text: &str) -> String {
    text.chars().filter(|&c| matches!(c, '\n' | '\t') || !is_invisible(c)).collect()
}

/// Replaces every invisible character, including line feeds and tabs, with U+FFFD, so that untrusted text on
/// a terminal cannot move the cursor or change colors or the reading direction.
///
/// ```
/// assert_eq!(interleaf_text::for_terminal("a\rb\u{202e}c"), "a\u{fffd}b\u{fffd}c");
/// ```
pub fn for_terminal(text: &str) -> String {
    text.replace(is_invisible, "\u{fffd}")
}

/// Tells whether `c` is a control character, a mark of reading direction, a zero-width character or a tag
/// character.
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

/// Tells whether `c` is a Chinese character or a Japanese kana. These scripts have no spaces between words.
pub fn is_ideograph(c: char) -> bool {
    matches!(
        c,
        '\u{3040}'..='\u{30ff}'
            | '\u{3400}'..='\u{4dbf}'
            | '\u{4e00}'..='\u{9fff}'
            | '\u{f900}'..='\u{faff}'
    )
}

/// Tells whether `c` is a Korean syllable. Korean puts spaces between phrases, so a phrase holds several
/// words.
pub fn is_hangul(c: char) -> bool {
    matches!(c, '\u{ac00}'..='\u{d7af}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truncation_keeps_whole_words_and_counts_the_ellipsis() {
        for (max_chars, expected) in
            [(3, "ab…"), (6, "abc…"), (7, "abc…"), (8, "abc def…"), (11, "abc def ghi")]
        {
            let truncated = truncate_at_word("abc def ghi", max_chars);

            assert_eq!(truncated, expected, "{max_chars}");
            assert!(truncated.chars().count() <= max_chars);
        }
    }

    #[test]
    fn a_single_long_word_is_truncated_inside() {
        assert_eq!(truncate_at_word("abcdefgh", 4), "abc…");
    }

    #[test]
    fn the_middle_is_left_out_between_words() {
        let text = "alpha beta gamma delta epsilon";

        assert_eq!(truncate_middle(text, 100), text);
        assert_eq!(truncate_middle(text, 16), "alpha\n[…]\nepsilon");
        assert_eq!(truncate_middle(text, 20), "alpha beta\n[…]\nepsilon");
        assert_eq!(truncate_middle(&"x".repeat(100), 10), "\n[…]\n", "a single word is left out as a whole");
        assert_eq!(truncate_middle(&"ü ".repeat(100), 9), "ü\n[…]\nü ");
    }

    #[test]
    fn invisible_characters_are_replaced_or_removed() {
        for c in ['\u{7}', '\u{1b}', '\u{9b}', '\u{200b}', '\u{202e}', '\u{2066}', '\u{feff}', '\u{e0041}'] {
            assert_eq!(for_terminal(&format!("a{c}b")), "a\u{fffd}b");
            assert_eq!(strip_invisible(&format!("a{c}b")), "ab");
        }
    }
}
