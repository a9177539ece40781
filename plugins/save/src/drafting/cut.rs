//! Model answers are of any length; memories are not.

/// A text without control characters and at most so long, cut behind a whole word.
pub(super) fn cut(text: &str, longest: usize) -> String {
    let shown = |letter: &char| !letter.is_control() || *letter == '\n';
    let text: String = text.trim().chars().filter(shown).take(longest + 1).collect();
    if text.chars().count() <= longest {
        return text;
    }
    let words: String = text.chars().take(longest - 1).collect();
    let end = words.rfind(char::is_whitespace).unwrap_or(words.len());
    format!("{}…", words[..end].trim_end())
}

/// The same on one line.
pub(super) fn one_line(text: &str, longest: usize) -> String {
    let start: String = text.chars().take(4 * longest).collect();
    cut(&start.split_whitespace().collect::<Vec<_>>().join(" "), longest)
}
