//! Finds numbers in a draft that the session does not contain. A model rounds, adds and invents figures, and
//! a memory with a wrong limit is worse than no memory.

use super::folded_words::words;
use crate::word_lists::NUMBERS;

/// Returns the first number in these texts that does not occur in `shown`, the text that the model saw.
pub(super) fn invented_number<'d>(texts: impl Iterator<Item = &'d str>, shown: &str) -> Option<String> {
    let known: Vec<&str> = numbers(shown).collect();
    let spelled = words(shown);
    let is_known = |number: &str| known.contains(&number) || is_spelled(number, &spelled);
    for text in texts {
        let text = without_list_numbers(text);
        if let Some(number) =
            numbers(&text).find(|number| !is_known(number) && !is_part_of_known(number, &known))
        {
            return Some(number.to_owned());
        }
    }
    None
}

/// Splits a text into runs of digits with points and commas between them.
fn numbers(text: &str) -> impl Iterator<Item = &str> {
    let runs = text.split(|letter: char| !(letter.is_ascii_digit() || letter == '.' || letter == ','));
    runs.map(|run| run.trim_matches(['.', ',']))
        .filter(|run| run.contains(|letter: char| letter.is_ascii_digit()))
}

/// Tells whether a known number contains or equals this one: `1.2.3` contains `1.2`, and `5,000` equals
/// `5000`.
fn is_part_of_known(number: &str, known: &[&str]) -> bool {
    let bare = |number: &str| number.replace([',', '.'], "");
    known.iter().any(|other| {
        let begins = other.strip_prefix(number).is_some_and(|rest| rest.starts_with(['.', ',']));
        let ends = other.strip_suffix(number).is_some_and(|rest| rest.ends_with(['.', ',']));
        begins || ends || (bare(other) == bare(number) && number.len() > 3)
    })
}

fn is_spelled(number: &str, words: &str) -> bool {
    let spellings = number.parse::<usize>().ok().and_then(|number| NUMBERS.get(number));
    spellings.is_some_and(|all| all.split_whitespace().any(|word| words.contains(&format!(" {word} "))))
}

/// Removes `1.` and `2)` at the beginning of a line, which number steps.
fn without_list_numbers(text: &str) -> String {
    let bare = |line: &str| {
        let line = line.trim_start();
        let rest = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let counted = line.len() - rest.len() <= 2 && (rest.starts_with(") ") || rest.starts_with(". "));
        if counted { rest.to_owned() } else { line.to_owned() }
    };
    text.lines().map(bare).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<String> {
        let shown = "The limit is 20 requests a second since v1.11.13; five attempts, 5,000 accounts";
        invented_number([text].into_iter(), shown)
    }

    #[test]
    fn a_number_that_the_session_does_not_contain_is_invented() {
        for text in ["25 requests", "20.5 requests", "version 2", "1.12"] {
            assert!(found(text).is_some(), "{text}");
        }
        for text in ["20 requests/s", "5 attempts", "5000 accounts", "1.11", "1. wait\n2) go", "1 second"] {
            assert_eq!(found(text), None, "{text}");
        }
    }
}
