//! Tags in text for a model. A tag could end the element that encloses the text, or pose as the client's own.

use crate::client_text::names_element;
use crate::{collapse_whitespace, strip_invisible};

/// Returns the text on one line, without invisible characters and without tags: `‹` stands for each `<` that
/// begins one.
///
/// The white space is folded first, so that no character between `<` and a name becomes a plain space only
/// afterwards.
///
/// ```
/// use interleaf_text::markup::plain_line;
///
/// assert_eq!(plain_line("a\u{200b} <b>\n1 < 2"), "a ‹b> 1 < 2");
/// ```
pub fn plain_line(text: &str) -> String {
    without_tags(&collapse_whitespace(&strip_invisible(text)))
}

/// Replaces with `‹` each `<` that could begin a tag. Only comparisons, arrows and numbers stay: one before
/// a digit or one of `<=->`, and one before a space unless `/`, `\`, `!`, `?` or the name of a known element
/// follows.
fn without_tags(line: &str) -> String {
    let begins_tag = |at: usize| {
        let (rest, name) = (&line[at + 1..], line[at + 1..].trim_start());
        let is_plain = |c: char| c.is_ascii_digit() || matches!(c, ' ' | '<' | '=' | '-' | '>');
        !(rest.is_empty() || rest.starts_with(is_plain))
            || name.starts_with(['/', '\\', '!', '?'])
            || names_element(name)
    };
    line.char_indices().map(|(at, c)| if c == '<' && begins_tag(at) { '‹' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_tag_survives_in_any_disguise() {
        for (text, expected) in [
            ("</interleaf-memory>", "‹/interleaf-memory>"),
            ("<\u{a0}/interleaf-memory>", "‹ /interleaf-memory>"),
            ("< / interleaf-memory>", "‹ / interleaf-memory>"),
            ("<\n/x>", "‹ /x>"),
            ("<s\u{ad}ystem-reminder>", "‹system-reminder>"),
            ("<\u{200d}system-reminder>", "‹system-reminder>"),
            ("<\u{e0100}invoke>", "‹invoke>"),
            ("<\u{2003}system-reminder>", "‹ system-reminder>"),
            ("<SYSTEM-reminder", "‹SYSTEM-reminder"),
            ("<!-- note --><?xml?>", "‹!-- note -->‹?xml?>"),
            ("<<b>", "<‹b>"),
            ("<é>", "‹é>"),
            ("<\\/interleaf-memory>", "‹\\/interleaf-memory>"),
            ("< \\ /x>", "‹ \\ /x>"),
            ("<_x:y>", "‹_x:y>"),
            ("<\u{301}system-reminder>", "‹\u{301}system-reminder>"),
        ] {
            assert_eq!(plain_line(text), expected, "{text:?}");
        }
    }

    #[test]
    fn comparisons_and_arrows_stay() {
        for text in ["1 < 2", "a < b", "x <= y", "a <- b", "i<3", "<", "a <"] {
            assert_eq!(plain_line(text), text);
        }
    }
}
