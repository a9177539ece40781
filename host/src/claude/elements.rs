//! Cuts elements (`<name>…</name>`) out of text. This is no XML: names, attributes and closing tags are
//! compared as text, because nobody escapes them reliably.

use std::borrow::Cow;

use interleaf_text::client_text::begins_with_tag;

/// Removes the elements with these names and their content. An element that is not closed counts as text.
pub(super) fn without_elements<'t>(text: &'t str, names: &[&str]) -> Cow<'t, str> {
    let mut names = names.to_vec();
    let (mut kept, mut copied, mut at) = (String::new(), 0, 0);
    while let Some(found) = text[at..].find('<') {
        let begin = at + found;
        at = begin + 1;
        let Some(index) = names.iter().position(|name| begins_with_tag(&text[begin..], name)) else {
            continue;
        };
        let closing_tag = format!("</{}>", names[index]);
        let Some(end) = text[at..].find(&closing_tag) else {
            // No later element of this name is closed either. Searching again for each would be quadratic.
            names.swap_remove(index);
            continue;
        };
        at += end + closing_tag.len();
        kept.push_str(&text[copied..begin]);
        copied = at;
        // The text before and after an element must not become one word.
        if !kept.ends_with(char::is_whitespace) && !text[at..].starts_with(char::is_whitespace) {
            kept.push('\n');
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    kept.push_str(&text[copied..]);
    Cow::Owned(kept.trim().to_owned())
}

/// Removes for each name everything from its first opening tag to its last closing tag. What encloses the
/// text may hold a closing tag of its own, so an earlier one proves nothing.
pub(super) fn without_greedy(text: &str, names: &[&str]) -> String {
    let mut cuts: Vec<(usize, usize)> = names.iter().filter_map(|name| extent(text, name)).collect();
    cuts.sort_unstable();
    let (mut kept, mut copied) = (String::new(), 0);
    for (begin, end) in cuts {
        if begin > copied || copied == 0 {
            kept.push_str(text[copied..begin.max(copied)].trim_end());
            kept.push('\n');
        }
        copied = copied.max(end);
    }
    kept.push_str(if copied == 0 { text } else { text[copied..].trim_start() });
    kept.trim().to_owned()
}

/// Returns the place of the first opening tag with this name and the end of the last closing tag after it.
fn extent(text: &str, name: &str) -> Option<(usize, usize)> {
    let begin = opening_tag(text, name)?;
    let closing_tag = format!("</{name}>");
    let length = text[begin..].rfind(&closing_tag)?;
    Some((begin, begin + length + closing_tag.len()))
}

fn opening_tag(text: &str, name: &str) -> Option<usize> {
    text.match_indices('<').map(|(at, _)| at).find(|at| begins_with_tag(&text[*at..], name))
}

/// Returns the trimmed content between the first opening tag `<name>` and the last closing tag.
pub(super) fn content<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let (begin, end) = extent(text, name)?;
    let element = &text[begin..end - format!("</{name}>").len()];
    Some(element[element.find('>')? + 1..].trim())
}

/// Takes out the elements with this name whose closing tag repeats the attributes of the opening tag, and
/// returns the texts between them and their contents.
pub(super) fn take_pairs<'t>(text: &'t str, name: &str) -> (Vec<&'t str>, Vec<&'t str>) {
    let (mut rest, mut contents, mut at) = (Vec::new(), Vec::new(), 0);
    while let Some(begin) = opening_tag(&text[at..], name).map(|found| at + found) {
        let Some(open_end) = text[begin..].find('>').map(|length| begin + length + 1) else { break };
        let closing_tag = format!("</{}", &text[begin + 1..open_end]);
        let Some(length) = text[open_end..].find(&closing_tag) else { break };
        rest.push(text[at..begin].trim());
        contents.push(text[open_end..open_end + length].trim());
        at = open_end + length + closing_tag.len();
    }
    rest.push(text[at..].trim());
    rest.retain(|part| !part.is_empty());
    (rest, contents)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_element_that_is_not_closed_counts_as_text() {
        let text = "what is <system-reminder> and 1 < 2";

        assert_eq!(without_elements(text, &["system-reminder"]), text);
        assert_eq!(without_greedy(text, &["system-reminder"]), text);
        let many = text.repeat(100_000);
        assert_eq!(without_elements(&many, &["system-reminder"]), many);
    }

    #[test]
    fn a_greedy_cut_reaches_to_the_last_closing_tag_of_each_name() {
        assert_eq!(without_greedy("x <a>1</a> 2</a> y", &["a"]), "x\ny");
        assert_eq!(without_greedy("<a>1<b></a>2</b> y", &["a", "b"]), "y");
        assert_eq!(without_greedy("<a>1</a>x<b k=\"v\">2</b>y", &["b", "a"]), "x\ny");
        assert_eq!(without_greedy("x</a><a>", &["a"]), "x</a><a>");
        assert_eq!(content("<a>x</a><b> y</b> </b>", "b"), Some("y</b>"));
    }

    #[test]
    fn pairs_are_told_apart_by_their_attributes() {
        let text = "one <p id=\"1\">a</p></p id=\"1\"> two <p id=\"1\">b</p id=\"1\">";

        assert_eq!(take_pairs(text, "p"), (vec!["one", "two"], vec!["a</p>", "b"]));
        assert_eq!(take_pairs("<p id=\"1\">a</p>", "p"), (vec!["<p id=\"1\">a</p>"], vec![]));
    }
}
