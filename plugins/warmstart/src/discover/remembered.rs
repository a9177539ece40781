//! Commands that memories name.

use std::collections::BTreeMap;

/// What is looked at of a memory.
pub struct Known {
    /// Title and text.
    pub text: String,
    /// Its tags.
    pub tags: Vec<String>,
    /// Whether it tells how to get out of trouble.
    pub is_runbook: bool,
}

/// Words after which a command follows (seed 000).
const INTRODUCTIONS: [&str; 6] = ["command", "cmd", "ran", "running", "execute", "run"];

/// How many memories share a tag that is worth a topic.
const SHARED: usize = 3;

/// Tags that say what a memory is for, not what it is about.
const MARKS: [&str; 4] = ["cheat-sheet", "hot-topic", "error", "convention"];

/// The commands of the memories tagged `hot-topic`: the quoted ones, or all of a short text.
pub fn tagged(memories: &[Known]) -> Vec<(String, &'static str)> {
    let tagged = memories.iter().filter(|memory| memory.tags.iter().any(|tag| tag == "hot-topic"));
    let commands = tagged.flat_map(|memory| {
        let quoted = quoted(&memory.text);
        let short = memory.text.lines().last().filter(|line| line.chars().count() <= 60);
        let whole = if quoted.is_empty() { short.and_then(named) } else { None };
        quoted.into_iter().chain(whole)
    });
    commands.map(|command| (command, "hot-topic")).collect()
}

/// The commands that memories of errors name: quoted, or after a word such as `running`.
pub fn named_by_errors(memories: &[Known]) -> Vec<(String, &'static str)> {
    let of_errors = |memory: &&Known| memory.is_runbook || memory.tags.iter().any(|tag| tag == "error");
    let errors = memories.iter().filter(of_errors);
    errors
        .flat_map(|memory| quoted(&memory.text).into_iter().chain(introduced(&memory.text)))
        .map(|command| (command, "memory"))
        .collect()
}

/// Tags that many memories share, where they could be a program's name.
pub fn shared_tags(memories: &[Known]) -> Vec<(String, &'static str)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let tags = memories.iter().flat_map(|memory| &memory.tags);
    for tag in tags.filter(|tag| !tag.contains(':') && !MARKS.contains(&tag.as_str())) {
        *counts.entry(tag).or_default() += 1;
    }
    let mut shared: Vec<(&str, usize)> = counts.into_iter().filter(|(_, count)| *count >= SHARED).collect();
    shared.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    shared.into_iter().filter_map(|(tag, _)| Some((named(tag)?, "tag"))).collect()
}

/// The commands between backticks. A quoted file or identifier names no command: there must be two words, or a
/// program's usual letters.
fn quoted(text: &str) -> Vec<String> {
    let pieces = text.split('`').skip(1).step_by(2);
    pieces.filter(|piece| is_command(piece)).filter_map(named).collect()
}

fn is_command(piece: &str) -> bool {
    let mut words = piece.split_whitespace();
    let first = words.next().unwrap_or_default();
    let program =
        first.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | '+' | '='));
    program && words.next().is_some() && !piece.contains('\n') && !matches!(words.next(), Some("=" | ":="))
}

/// The program that follows a word such as `running`.
fn introduced(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let follow = words.windows(2).filter(|pair| {
        let before = pair[0].trim_end_matches(':').to_ascii_lowercase();
        INTRODUCTIONS[..5].contains(&before.as_str())
    });
    let program = |pair: &[&str]| {
        let word = pair[1].trim_matches(['"', '\'', ',', '.', ';', ')', '(']);
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_' | '+');
        (word.len() > 1 && !word.contains('`') && word.chars().all(fits) && !is_english(word))
            .then(|| word.to_owned())
    };
    follow.filter_map(program).collect()
}

/// Words that follow `running` or `ran` in a sentence and run nothing.
fn is_english(word: &str) -> bool {
    const WORDS: [&str; 26] = [
        "the", "it", "in", "on", "out", "into", "a", "an", "and", "as", "at", "with", "to", "of", "for",
        "from", "is", "was", "that", "this", "against", "under", "after", "all", "tests", "line",
    ];
    WORDS.contains(&word)
}

/// The name of the first command on a line that has one.
fn named(line: &str) -> Option<String> {
    topics::commands(line).iter().find_map(topics::topic_name)
}
