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

/// Replaces with `‹` each `<` that begins a tag: one before a letter, and one before `/`, `!`, `?` or the
/// name of a known element even with a space between them. A comparison with spaces around it (`a < b`)
/// stays.
fn without_tags(line: &str) -> String {
    let begins_tag = |at: usize| {
        let (rest, name) = (&line[at + 1..], line[at + 1..].trim_start());
        rest.starts_with(char::is_alphabetic) || name.starts_with(['/', '!', '?']) || names_element(name)
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
