//! Sentences as somebody reads them who was not there.

use crate::session::turns::Said;
use crate::word_lists::{ANSWERING, FILLING, NOTING};
use interleaf_classifier::words::Word;
use interleaf_text::truncate_at_word;

/// Maximum length of a statement, in characters.
const MAX_CHARS: usize = 500;

/// Joins sentences to one text, without what only leads to it.
pub fn text(sentences: &[&Said]) -> String {
    let mut text = String::new();
    for said in sentences {
        let cleaned = cleaned(said);
        if text.is_empty() {
            text = raised(cleaned);
        } else if text.chars().count() + cleaned.chars().count() < MAX_CHARS {
            let stop = if text.ends_with(['.', '!', '?', '。', ';', ':']) { " " } else { ". " };
            text = text + stop + cleaned;
        }
    }
    truncate_at_word(text.trim(), MAX_CHARS).into_owned()
}

/// Returns a sentence without the words that lead to it.
pub fn cleaned<'a>(said: &Said<'a>) -> &'a str {
    let text = said.text;
    let start = introduced(said).unwrap_or_default();
    let mut from = start;
    for word in said.words.iter().skip_while(|word| word.start < start) {
        let sign = text[word.end..].starts_with([',', '.', '!', ':', ';', '-', '–', '，', '、']);
        let rest = said.words.iter().filter(|later| later.start >= word.end).count();
        let leads = FILLING.has(&word.text) || sign && ANSWERING.has(&word.text);
        if !leads || rest < 2 || word.text == "i" && !sign {
            break;
        }
        from = word.end;
    }
    let text = from_list(text[from..].trim_start_matches(". "));
    let text = text
        .strip_prefix("Non ")
        .or(text.strip_prefix("non "))
        .filter(|rest| rest.starts_with("pas "))
        .unwrap_or(text);
    without_tail(text)
        .trim_start_matches(|c: char| !c.is_alphanumeric() && !"`\"'„“«/.@#$([{<¿¡".contains(c))
        .trim()
}

/// Removes the number or the sign of a list: `2. …`, `# …`.
fn from_list(text: &str) -> &str {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered =
        (1..=2).contains(&(text.len() - rest.len())).then(|| rest.strip_prefix(['.', ')'])).flatten();
    let plain = numbered.or(text.strip_prefix('#')).filter(|rest| rest.starts_with(' '));
    plain.unwrap_or(text).trim_start()
}

/// Removes a courtesy at the end.
fn without_tail(text: &str) -> &str {
    let bare = text.trim_end_matches(['.', '!', ' ']);
    let tail = |tail: &&&str| bare.len() > tail.len() && bare.to_lowercase().ends_with(**tail);
    let tail = [" pls", " plz", " stp", " svp", " please"].iter().find(tail);
    tail.and_then(|tail| bare.get(..bare.len() - tail.len()))
        .map_or(text, |bare| bare.trim_end_matches([',', ' ']))
}

/// Returns where the sentence begins behind `note for later:`, `remember:`.
fn introduced(said: &Said) -> Option<usize> {
    let colon = said.text.find(": ").filter(|at| *at < 40)?;
    let head: Vec<&Word> = said.words.iter().filter(|word| word.end <= colon).collect();
    let notes = head.iter().any(|word| NOTING.has(&word.text));
    (notes && head.len() <= 5).then_some(colon + 1)
}

/// Writes the first letter as a capital, unless the text begins with a name or a command.
pub fn raised(text: &str) -> String {
    let first = text.split_whitespace().next().unwrap_or_default();
    let ordinary =
        first.chars().all(|c| c.is_lowercase() || ",;:'’".contains(c)) && !topics::is_program_name(first);
    let mut chars = text.chars();
    match chars.next().filter(|_| ordinary) {
        Some(letter) => letter.to_uppercase().chain(chars).collect(),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::raised;

    #[test]
    fn a_sentence_begins_with_a_capital_unless_it_begins_with_a_command_or_a_name() {
        for (text, expected) in [
            ("never force push", "Never force push"),
            ("make sure that CI is green", "Make sure that CI is green"),
            ("npm ci must run first", "npm ci must run first"),
            ("pytest needs the database", "pytest needs the database"),
            ("src/pay.rs rounds half to even", "src/pay.rs rounds half to even"),
        ] {
            assert_eq!(raised(text), expected);
        }
    }
}
