//! The title of an issue that a prompt holds.

/// Keys before a title in a pasted issue, in lower case.
const TITLE_KEYS: [&str; 6] =
    ["title", "subject", "summary", "issue", "problem_statement", "problem statement"];

/// Headings of the parts of an issue, in lower case. They are no titles.
const PARTS: [&str; 12] = [
    "description",
    "steps to reproduce",
    "reproduce",
    "how to reproduce",
    "expected",
    "expected behavior",
    "expected behaviour",
    "actual behavior",
    "environment",
    "context",
    "summary",
    "background",
];

/// Returns the title of an issue that a prompt holds: the first heading, or the value of a key such as
/// `title:`. A prompt of one line holds none.
pub fn issue_title(text: &str) -> Option<&str> {
    if text.trim().lines().count() < 2 {
        return None;
    }
    text.lines().map(str::trim).find_map(|line| heading(line).or_else(|| keyed(line)))
}

fn heading(line: &str) -> Option<&str> {
    let text = line.strip_prefix('#')?.trim_start_matches('#').strip_prefix(' ')?.trim();
    let is_part = PARTS.contains(&text.trim_end_matches(':').to_lowercase().as_str());
    (!is_part && text.split_whitespace().count() > 1).then_some(text)
}

fn keyed(line: &str) -> Option<&str> {
    let (key, value) = line.trim_start_matches(['*', '-', ' ']).split_once(':')?;
    let value = value.trim_matches(['*', '"', '\'', ' ']);
    let is_key = TITLE_KEYS.contains(&key.trim_matches(['*', '"']).to_lowercase().as_str());
    (is_key && value.split_whitespace().count() > 1).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::issue_title;

    #[test]
    fn the_title_of_a_pasted_issue_is_found() {
        for (text, expected) in [
            (
                "Fix this:\n  repo: a/b\n  problem_statement: Rounding is off\nDescription\nx",
                Some("Rounding is off"),
            ),
            ("please solve\n\n# Rounding is off\n\n## Description\nx", Some("Rounding is off")),
            ("**Title:** Rounding is off\nbody", Some("Rounding is off")),
            ("## Steps to reproduce\n1. a", None),
            ("title: one line only", None),
            ("do this\nand that", None),
        ] {
            assert_eq!(issue_title(text), expected, "{text}");
        }
    }
}
