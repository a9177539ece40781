//! Text that a person keeps from everything that is stored: `<private>…</private>`.
//!
//! What hides text errs on the side of hiding. Upper and lower case are the same, an element may hold
//! another, and one that is not closed hides the rest of its text.

use std::borrow::Cow;

/// The name of the element.
const NAME: &str = "private";

/// Returns the text without its private parts, and whether the last of them was not closed: what follows in
/// the same message is private, too.
pub(super) fn without_private(text: &str) -> (Cow<'_, str>, bool) {
    let (mut kept, mut copied, mut depth) = (String::new(), 0, 0_usize);
    let mut is_cut = false;
    for (begin, _) in text.match_indices('<') {
        let Some((end, is_closing)) = tag_at(text, begin) else { continue };
        match (is_closing, depth) {
            (false, 0) => {
                kept.push_str(&text[copied..begin]);
                (is_cut, depth) = (true, 1);
            }
            (false, _) => depth += 1,
            // A closing tag alone hides nothing.
            (true, 0) => {}
            (true, _) => {
                depth -= 1;
                copied = end;
                // The text before and after must not become one word.
                if depth == 0 && !kept.ends_with(char::is_whitespace) {
                    kept.push('\n');
                }
            }
        }
    }
    if !is_cut {
        return (Cow::Borrowed(text), false);
    }
    if depth == 0 {
        kept.push_str(&text[copied..]);
    }
    (Cow::Owned(kept.trim().to_owned()), depth > 0)
}

/// Returns the end of the element's tag that begins here, and whether it is a closing one.
fn tag_at(text: &str, begin: usize) -> Option<(usize, bool)> {
    let rest = &text[begin + 1..];
    let name = rest.strip_prefix('/').unwrap_or(rest);
    let (is_closing, at) = (name.len() < rest.len(), begin + 1 + rest.len() - name.len());
    let is_named = name.get(..NAME.len()).is_some_and(|found| found.eq_ignore_ascii_case(NAME));
    let after = name.get(NAME.len()..).filter(|_| is_named)?;
    let ends = after.starts_with(|c: char| c == '>' || c == '/' || c.is_whitespace());
    // A tag without an end is one, too: it may have been cut.
    let length =
        after.find(['>', '<']).map_or(after.len(), |at| at + usize::from(after[at..].starts_with('>')));
    (ends || after.is_empty()).then_some((at + NAME.len() + length, is_closing))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_kept(text: &str, expected: &str, is_open: bool) {
        let (kept, open) = without_private(text);
        assert_eq!((kept.as_ref(), open), (expected, is_open), "{text}");
    }

    #[test]
    fn what_the_element_holds_is_cut_out() {
        assert_kept("use pnpm", "use pnpm", false);
        assert_kept("use <private>my name</private> pnpm", "use  pnpm", false);
        assert_kept("<private>a</private>b<private>c</private>", "b", false);
        assert_kept("one<private>a</private>two", "one\ntwo", false);
        assert_kept("<PRIVATE reason=\"x\">a</Private >b", "b", false);
    }

    #[test]
    fn an_element_that_is_not_closed_hides_the_rest() {
        assert_kept("use pnpm\n<private>my name\nand more", "use pnpm", true);
        assert_kept("x <private>a <private>b</private> c", "x", true);
        assert_kept("x <private", "x", true);
    }

    #[test]
    fn an_element_may_hold_another_one() {
        assert_kept("x <private>a <private>b</private> c</private> y", "x  y", false);
    }

    #[test]
    fn other_names_and_a_closing_tag_alone_hide_nothing() {
        for text in ["<privately>a</privately>", "a </private> b", "private a", "1 < 2 <p>private</p>"] {
            assert_kept(text, text, false);
        }
    }

    #[test]
    fn a_long_text_takes_linear_time() {
        for many in ["<private><".repeat(300_000), "<private ".repeat(300_000)] {
            assert_kept(&many, "", true);
        }
    }
}
