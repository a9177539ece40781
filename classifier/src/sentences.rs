//! Text in sentences.

use crate::words::SHORT;

/// Lines of this length are likely broken by hand.
const BROKEN: usize = 60;

/// The sentences of a text, without white space around them.
pub fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        let end = at + c.len_utf8();
        let ends = match c {
            '。' | '！' | '？' => true,
            '.' => next.is_none_or(closes) && !is_short(&text[start..at]) && !stands_alone(&text[start..at]),
            '!' | '?' | '…' => next.is_none_or(closes),
            '\n' => !goes_on(&text[start..at], &text[end..]),
            _ => false,
        };
        if ends {
            found.push(text[start..end].trim());
            start = end;
        }
    }
    found.push(text[start..].trim());
    found.retain(|sentence| sentence.chars().any(|c| c.is_alphanumeric() || "👍✅".contains(c)));
    found
}

fn closes(next: char) -> bool {
    next.is_whitespace() || "\"'”“»)]*_".contains(next)
}

/// A dot that is a word, or the end of one: `cp a .`, `PATH=.`
fn stands_alone(before: &str) -> bool {
    before.ends_with(['=', '/', ' '])
}

/// An abbreviation, a single letter, or the number of a list.
fn is_short(before: &str) -> bool {
    let word = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let word = word.trim_start_matches(['(', '"', '“']).to_lowercase();
    let number = before.trim().len() == word.len() && word.bytes().all(|byte| byte.is_ascii_digit());
    SHORT.has(&word) || word.chars().count() == 1 && word.chars().all(char::is_alphabetic) || number
}

/// Whether a line goes on with the next one.
fn goes_on(line: &str, rest: &str) -> bool {
    let line = line.rsplit('\n').next().unwrap_or_default();
    line.trim_end().len() >= BROKEN && rest.starts_with(char::is_lowercase)
}

#[cfg(test)]
mod tests {
    use super::sentences;

    #[test]
    fn sentences_end_where_they_should() {
        let text = "use e.g. pnpm. It is v1.2.3, in a.ts! really?\n- one\n1. two\n不要用。好";

        let found = sentences(text);

        assert_eq!(
            found,
            ["use e.g. pnpm.", "It is v1.2.3, in a.ts!", "really?", "- one", "1. two", "不要用。", "好"]
        );
    }
}
