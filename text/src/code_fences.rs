//! Finds fenced code as CommonMark 0.31.2 defines it (section 4.5), so that no line inside a fence passes for
//! one outside.
//!
//! A fence in an item of a list belongs to the item: it ends with it.

/// Minimum number of backticks or tildes of a fence.
const MIN_MARKS: usize = 3;

/// Maximum indentation of a fence in columns. What is indented further is indented code.
const MAX_INDENT: usize = 3;

/// Width of a tab stop in columns.
const TAB_STOP: usize = 4;

/// Maximum number of digits in the marker of an item.
const MAX_ITEM_DIGITS: usize = 9;

/// Tells for each line whether it is in a fence or is a fence itself. One that is not closed reaches to the
/// end.
///
/// ```
/// use interleaf_text::code_fences::fenced;
///
/// assert_eq!(fenced(&["a", "````", "```", "````", "b"]), [false, true, true, true, false]);
/// ```
pub fn fenced(lines: &[&str]) -> Vec<bool> {
    let mut open: Option<Fence> = None;
    let mark = |line: &&str| {
        if let Some(fence) = open.as_ref().filter(|fence| fence.holds(line)) {
            if fence.is_closed_by(line) {
                open = None;
            }
            return true;
        }
        open = Fence::opened_by(line);
        open.is_some()
    };
    lines.iter().map(mark).collect()
}

/// The line that opened a fence.
struct Fence {
    mark: char,
    count: usize,
    /// Number of columns by which the content of the item around it is indented.
    item_indent: usize,
}

impl Fence {
    fn opened_by(line: &str) -> Option<Self> {
        let (item_indent, line) = without_item_markers(line);
        let (indent, bare) = indentation(line);
        let mark = bare.chars().next().filter(|c| matches!(c, '`' | '~'))?;
        let info = bare.trim_start_matches(mark);
        let count = bare.len() - info.len();
        let is_fence = indent <= MAX_INDENT && count >= MIN_MARKS && !(mark == '`' && info.contains('`'));
        is_fence.then_some(Self { mark, count, item_indent })
    }

    /// Tells whether the line belongs to the item that the fence is in.
    fn holds(&self, line: &str) -> bool {
        let (indent, bare) = indentation(line);
        bare.is_empty() || indent >= self.item_indent
    }

    fn is_closed_by(&self, line: &str) -> bool {
        let (indent, bare) = indentation(line);
        let rest = bare.trim_start_matches(self.mark);
        indent <= self.item_indent + MAX_INDENT
            && bare.len() - rest.len() >= self.count
            && rest.trim_matches([' ', '\t']).is_empty()
    }
}

/// Returns the number of columns before the first other character, and the text from there on.
fn indentation(line: &str) -> (usize, &str) {
    let bare = line.trim_start_matches([' ', '\t']);
    let columns = line[..line.len() - bare.len()].chars().fold(0, |column, c| match c {
        '\t' => column + TAB_STOP - column % TAB_STOP,
        _ => column + 1,
    });
    (columns, bare)
}

/// Returns the column at which the content of an item begins, and the content; of nested items the innermost.
fn without_item_markers(line: &str) -> (usize, &str) {
    let (mut column, mut rest) = (0, line);
    loop {
        let (indent, bare) = indentation(rest);
        let after = item_content(bare).filter(|_| indent <= MAX_INDENT);
        let Some(after) = after else { return (column, rest) };
        let (space, content) = indentation(after);
        if space == 0 || content.is_empty() {
            return (column, rest);
        }
        // What is indented further than a code block begins one column after the marker.
        let space = if space > TAB_STOP { 1 } else { space };
        column += indent + (bare.len() - after.len()) + space;
        rest = content;
    }
}

/// Returns what follows the marker of a list's item.
fn item_content(bare: &str) -> Option<&str> {
    let number = bare.trim_start_matches(|c: char| c.is_ascii_digit());
    match bare.len() - number.len() {
        0 => bare.strip_prefix(['-', '*', '+']),
        1..=MAX_ITEM_DIGITS => number.strip_prefix(['.', ')']),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks which lines are outside of fences.
    #[track_caller]
    fn assert_outside(text: &str, expected: &[&str]) {
        let lines: Vec<&str> = text.split('\n').collect();
        let fenced = fenced(&lines);
        let outside: Vec<&str> =
            lines.iter().zip(fenced).filter(|(_, fenced)| !fenced).map(|(line, _)| *line).collect();
        assert_eq!(outside, expected, "{text}");
    }

    #[test]
    fn a_fence_is_closed_only_by_at_least_as_many_of_the_same_marks_without_an_info_string() {
        for inside in ["```\nx\n```", "~~~~\nx", "```` x\nx", "    ````\nx", "`````x\ny", "````\\\nx"] {
            assert_outside(&format!("a\n````\n{inside}\n````\nb"), &["a", "b"]);
        }
        assert_outside("a\n```\nx\n`````  \nb", &["a", "b"]);
        assert_outside("a\n~~~ `x`\nx\n```\n~~~\t\nb", &["a", "b"]);
        assert_outside("a\n   ```\nx\n  ```\nb", &["a", "b"]);
        assert_outside("a\n```\nx\n``` sh\ny", &["a"]);
    }

    #[test]
    fn what_is_no_fence_opens_none() {
        for text in ["``\nx", "    ```\nx", "\t```\nx", "``` a`b\nx", "a ```\nx", "`` `\nx"] {
            assert_outside(text, &text.split('\n').collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_fence_in_an_item_ends_with_the_item() {
        assert_outside("- ```\n  x\n  ```\nb", &["b"]);
        assert_outside("1. - ~~~\n     x\n\n     y\n     ~~~\nb", &["b"]);
        assert_outside("- ```\n  x\nout\n```\nin", &["out"]);
        assert_outside("- ```\n      ```\n  x", &[]);
    }
}
