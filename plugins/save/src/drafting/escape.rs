//! What is shown to a model as data cannot end the data. The marks around it are lines of their own, and where a text
//! spells one, its `<` is shown as `‹`.

/// The names of the marks around data.
const MARKS: [&str; 5] = ["excerpt", "candidates", "saved", "known", "drafts"];

/// A line as data.
pub(super) fn escaped(line: &str) -> String {
    let mut escaped = String::with_capacity(line.len());
    for (at, letter) in line.char_indices() {
        match letter {
            '<' if is_mark(&line[at + 1..]) => escaped.push('‹'),
            // Breaks that are no newline to `str::lines`.
            '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => escaped.push(' '),
            other => escaped.push(other),
        }
    }
    escaped
}

fn is_mark(rest: &str) -> bool {
    let mut letters = rest.chars().filter(|letter| !letter.is_whitespace() && *letter != '/');
    let word: String = letters.by_ref().take(10).flat_map(char::to_lowercase).collect();
    MARKS.iter().any(|mark| word.starts_with(mark))
}

/// What a model quoted, as it stood before it was escaped.
pub(super) fn unescaped(quote: &str) -> String {
    quote.replace('‹', "<")
}

/// JSON on one line, as data.
pub(super) fn line(value: &serde_json::Value) -> String {
    escaped(&value.to_string())
}
