//! Text primitives that the host and the layers share: white space, truncation, [invisible
//! characters](invisible), scripts, [tags](markup), [code fences](code_fences), the [text of the
//! client](client_text) and [text that nobody types](machine_text).
//!
//! The host and the layers must agree on these rules. With two implementations, text that one side removes
//! could pass the other.

pub mod client_text;
pub mod code_fences;
pub mod invisible;
pub mod machine_text;
pub mod markup;

pub use invisible::{for_terminal, is_invisible, strip_invisible};

use std::borrow::Cow;

/// Replaces every character that ends a line somewhere (a carriage return alone, a line separator) with a
/// line feed, so that a text has the same lines for every reader.
///
/// ```
/// assert_eq!(interleaf_text::unified_line_ends("a\r\nb\rc\u{2028}d"), "a\nb\nc\nd");
/// ```
pub fn unified_line_ends(text: &str) -> Cow<'_, str> {
    const OTHER_LINE_ENDS: [char; 6] = ['\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'];
    match text.contains(OTHER_LINE_ENDS) {
        true => Cow::Owned(text.replace("\r\n", "\n").replace(OTHER_LINE_ENDS, "\n")),
        false => Cow::Borrowed(text),
    }
}

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

/// Returns at most `max_chars` characters, including `…`, truncated between two words if possible. In a
/// script without spaces it truncates between two characters.
///
/// Redaction does not recognize half a token, so use this function for text that may contain a secret.
///
/// ```
/// assert_eq!(interleaf_text::truncate_at_word("one two three", 9), "one two…");
/// assert_eq!(interleaf_text::truncate_at_word("one two", 9), "one two");
/// assert_eq!(interleaf_text::truncate_at_word("pnpm 以外を使わない", 9), "pnpm 以外を…");
/// ```
pub fn truncate_at_word(text: &str, max_chars: usize) -> Cow<'_, str> {
    if text.char_indices().nth(max_chars).is_none() {
        return Cow::Borrowed(text);
    }
    // Leave one character for the ellipsis.
    let end = text.char_indices().nth(max_chars.saturating_sub(1)).map_or(text.len(), |(end, _)| end);
    let end = (1..=end).rev().find(|at| is_word_boundary(text, *at)).unwrap_or(end);
    Cow::Owned(format!("{}…", text[..end].trim_end()))
}

/// Tells whether the text may be cut here: at white space, or between two characters of a script without
/// spaces. A mark belongs to the character before it.
fn is_word_boundary(text: &str, at: usize) -> bool {
    let Some((before, after)) = text.split_at_checked(at) else { return false };
    let (before, after) = (before.chars().next_back().unwrap_or(' '), after.chars().next().unwrap_or(' '));
    let is_inside = before.is_whitespace() || is_leading_vowel(before) || is_attached(after);
    after.is_whitespace() || !is_inside && (is_unspaced(before) || is_unspaced(after))
}

/// Tells whether a character belongs to a script without spaces between words, or to its punctuation.
fn is_unspaced(c: char) -> bool {
    let is_southeast_asian =
        matches!(c, '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}');
    is_ideograph(c) || is_southeast_asian || matches!(c, '\u{3000}'..='\u{303f}')
}

/// Tells whether a character cannot begin a line: a mark of Thai, Lao, Burmese or Khmer, or punctuation.
fn is_attached(c: char) -> bool {
    matches!(
        c,
        '\u{0e30}'..='\u{0e3a}'
            | '\u{0e45}'..='\u{0e4e}'
            | '\u{0eb0}'..='\u{0ebc}'
            | '\u{0ec8}'..='\u{0ece}'
            | '\u{102b}'..='\u{103e}'
            | '\u{17b6}'..='\u{17d3}'
            | '\u{3001}'..='\u{3002}'
            | '\u{3099}'..='\u{309c}'
            | 'ー' | '」' | '』' | '，' | '！' | '？' | '：' | '；' | '）'
    )
}

/// Tells whether a vowel is written before the consonant that it follows.
fn is_leading_vowel(c: char) -> bool {
    matches!(c, '\u{0e40}'..='\u{0e44}' | '\u{0ec0}'..='\u{0ec4}')
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
    fn a_script_without_spaces_is_truncated_between_characters() {
        for (text, max_chars, expected) in [
            ("pnpm 以外を使わないでください。ロックファイルが壊れます", 14, "pnpm 以外を使わないで…"),
            ("設定は、環境変数で渡す", 4, "設定…"),
            ("ห้ามใช้คำสั่งนี้กับฐานข้อมูลจริง", 12, "ห้ามใช้คำ…"),
            ("the token 数据库AKIA0123456789ABCDEF", 20, "the token 数据库…"),
        ] {
            assert_eq!(truncate_at_word(text, max_chars), expected);
        }
    }

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
}
