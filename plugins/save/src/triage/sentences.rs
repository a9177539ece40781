//! Splits a transcript into sentences, without code and quoted text (`> …`). A failed tool becomes one line.
//! Also normalizes text so that phrases can be found in it.

use interleaf_text::client_text::is_client_message;
use interleaf_text::code_fences::fenced;

use crate::transcript::{Ending, Entry, Kind, Role, Transcript};

/// Maximum length of a sentence, in bytes. A longer line is not prose.
const MAX_SENTENCE_BYTES: usize = 1000;

/// A sentence, or a tool that failed.
#[derive(Debug, Clone)]
pub(crate) struct Line<'a> {
    /// The speaker; `Tool` for a failure.
    pub role: Role,
    /// The index of its entry.
    pub entry: usize,
    /// The text, verbatim.
    pub text: &'a str,
    /// Its normalized words.
    pub words: String,
}

/// Returns all lines of a transcript, in order.
pub(crate) fn lines(talk: &Transcript) -> Vec<Line<'_>> {
    let lines = talk.entries.iter().enumerate().flat_map(|(at, entry)| match (entry.role, entry.kind) {
        (Role::Tool, _) | (_, Kind::ToolResult) => failure_line(entry, at).into_iter().collect(),
        (_, Kind::Text) => sentence_lines(entry, at),
        _ => Vec::new(),
    });
    lines.collect()
}

fn sentence_lines(entry: &Entry, at: usize) -> Vec<Line<'_>> {
    if is_client_message(&entry.text) {
        return Vec::new();
    }
    let lines: Vec<&str> = entry.text.lines().collect();
    let said = lines
        .iter()
        .zip(fenced(&lines))
        .filter(|(line, fenced)| !fenced && !line.trim_start().starts_with('>'));
    let found = said.flat_map(|(line, _)| sentences(line));
    found.map(|text| Line { role: entry.role, entry: at, text, words: words(&without_code(text)) }).collect()
}

/// Returns the most informative line of a failed result: one that mentions an error, else the last.
fn failure_line(entry: &Entry, at: usize) -> Option<Line<'_>> {
    if entry.ending != Ending::Failed {
        return None;
    }
    let lines = || {
        entry.text.lines().map(str::trim).filter(|line| !line.is_empty() && line.len() < MAX_SENTENCE_BYTES)
    };
    let mentions_error = |line: &&str| line.to_lowercase().contains("error") || line.contains("not found");
    let text = lines().find(mentions_error).or_else(|| lines().next_back())?;
    Some(Line { role: Role::Tool, entry: at, text, words: words(text) })
}

fn sentences(line: &str) -> impl Iterator<Item = &str> {
    line.split_inclusive(['.', '!', '?', '。', '！', '？'])
        .scan(0, |end, piece| {
            *end += piece.len();
            Some(*end)
        })
        .filter(|end| line[*end..].starts_with(char::is_whitespace) || *end == line.len())
        .scan(0, |start, end| {
            let sentence = line[*start..end].trim();
            *start = end;
            Some(sentence)
        })
        .filter(|sentence| !sentence.is_empty() && sentence.len() < MAX_SENTENCE_BYTES)
}

fn without_code(text: &str) -> String {
    text.split('`').step_by(2).collect::<Vec<_>>().join(" ")
}

/// Returns the lower-case words of a text, with a space before and after each. Every separator within a
/// sentence becomes a comma, so that "no, we decided" is not read as "no decision".
pub(crate) fn words(text: &str) -> String {
    let mut words = String::from(" ");
    let letters: Vec<char> = text.chars().collect();
    for (at, &letter) in letters.iter().enumerate() {
        match letter {
            '\'' | '’' | '`' if joins(&letters[at + 1..]) => {}
            ',' | ';' | ':' | '(' | ')' | '–' | '—' => separate(&mut words, " , "),
            _ if letter.is_alphanumeric() => words.extend(fold(letter)),
            _ => separate(&mut words, " "),
        }
    }
    separate(&mut words, " ");
    words
}

/// Tells whether the letters after an apostrophe belong to the same word: an English contraction (don't) is
/// one word, a French elision (l'API, s'il) is two.
fn joins(rest: &[char]) -> bool {
    let end = rest.iter().take_while(|letter| letter.is_alphanumeric()).count();
    let end: String = rest[..end.min(3)].iter().flat_map(|letter| letter.to_lowercase()).collect();
    ["t", "s", "d", "m", "re", "ll", "ve"].contains(&end.as_str())
}

fn separate(words: &mut String, with: &str) {
    let with = if words.ends_with(' ') { with.trim_start() } else { with };
    words.push_str(with);
}

/// Returns the letter in lower case, without the accents that people often omit. German umlauts stay, because
/// they change a word.
fn fold(letter: char) -> impl Iterator<Item = char> {
    letter.to_lowercase().map(|letter| match letter {
        'á' | 'à' | 'â' => 'a',
        'é' | 'è' | 'ê' | 'ë' => 'e',
        'í' | 'î' | 'ï' => 'i',
        'ó' | 'ô' => 'o',
        'ú' | 'ù' | 'û' => 'u',
        'ñ' => 'n',
        'ç' => 'c',
        other => other,
    })
}

/// Returns the start and the end of a phrase in a text. A phrase with `*` at its end matches words that begin
/// with its last word, `!` forbids a comma after it, and `^` before it requires the beginning of a clause,
/// where a wish begins ("never do" but not "it never does").
pub(crate) fn find(words: &str, phrase: &str) -> Option<(usize, usize)> {
    let (first, alone, open) = (phrase.starts_with('^'), phrase.ends_with('!'), phrase.ends_with('*'));
    let phrase = phrase.trim_start_matches('^').trim_end_matches(['*', '!']);
    words.match_indices(phrase).find_map(|(at, _)| {
        let (before, after) = (&words[..at], &words[at + phrase.len()..]);
        let at_boundaries = before.ends_with(' ') && (open || after.starts_with(' '));
        let in_place = !first || before == " " || before.ends_with(", ");
        (at_boundaries && in_place && !(alone && after.starts_with(" ,"))).then_some((at, at + phrase.len()))
    })
}

/// A phrase with its start and end.
pub(crate) type Found = (&'static str, usize, usize);

/// Returns the phrases that occur, in the order of the text.
pub(crate) fn find_all(words: &str, phrases: &[&'static str]) -> Vec<Found> {
    // Fast path: skip phrases whose first two bytes begin no word of the line.
    let prefixes = words.split_whitespace().fold(0, |bits, word| bits | prefix_bit(word));
    let possible = phrases.iter().filter(|phrase| prefixes & prefix_bit(phrase.trim_start_matches('^')) != 0);
    let found = possible.filter_map(|phrase| find(words, phrase).map(|(start, end)| (*phrase, start, end)));
    let mut found: Vec<Found> = found.collect();
    found.sort_unstable_by_key(|(_, start, end)| (*start, usize::MAX - end));
    found
}

/// Returns one of 128 bits for the first two bytes of a word.
fn prefix_bit(word: &str) -> u128 {
    let byte = |at: usize| word.as_bytes().get(at).copied().filter(|byte| *byte != b' ').unwrap_or(0);
    1 << ((usize::from(byte(0)) * 31 + usize::from(byte(1))) % 128)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{failed, talk, user};

    #[test]
    fn a_sentence_ends_before_white_space_and_code_is_left_out() {
        let talk = talk([user("Use v1.2 here. Is `failed` set?\n```\nerror\n```\n> they decided")]);

        let lines = lines(&talk);

        let texts: Vec<&str> = lines.iter().map(|line| line.text).collect();
        assert_eq!(texts, ["Use v1.2 here.", "Is `failed` set?"]);
        assert_eq!(lines[1].words, " is set ");
    }

    #[test]
    fn a_failed_tool_becomes_its_first_line_with_an_error() {
        let talk = talk([failed("make", "Exit code 2\nerror: no .env\nmake: ***")]);

        assert_eq!(lines(&talk)[0].text, "error: no .env");
    }

    #[test]
    fn contractions_are_one_word_and_elisions_two() {
        assert_eq!(words("Don’t touch l'API!"), " dont touch l api ");
        assert_eq!(words("Décidé: NON, jamais"), " decide , non , jamais ");
        assert_eq!(words("später per Du"), " später per du ");
        assert_eq!(words(""), " ");
    }

    #[test]
    fn a_phrase_matches_whole_words_and_one_with_an_asterisk_matches_prefixes() {
        let text = words("The hackathon failed; errors, failed again");

        assert_eq!(find(&text, "hack"), None);
        assert!(find(&text, "error").is_none() && find(&text, "error*").is_some());
        assert_eq!(find_all(&text, &["again", "failed", "none"]).len(), 2);
        assert_eq!(find_all(&text, &["again", "failed"])[0].0, "failed");
        assert!(find(&text, "^hackathon").is_none() && find(&text, "^errors").is_some());
        assert!(find(&text, "errors!").is_none() && find(&text, "again!").is_some());
    }
}
