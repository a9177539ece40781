//! Finds commands that memories name.

use std::collections::BTreeMap;

use interleaf_layer::memory::{Category, Memory};

/// The parts of a memory that may name a command.
pub struct KnownMemory {
    /// Title and text.
    pub text: String,
    /// Tags.
    pub tags: Vec<String>,
    /// Whether it is a runbook.
    pub is_runbook: bool,
}

impl From<Memory> for KnownMemory {
    fn from(memory: Memory) -> Self {
        let is_runbook = memory.category == Category::Runbook;
        Self { text: format!("{}\n{}", memory.title, memory.text), tags: memory.tags, is_runbook }
    }
}

/// Words that introduce a command.
const INTRODUCTIONS: [&str; 5] = ["command", "cmd", "ran", "running", "execute"];

/// Number of memories that must share a tag to make it a topic.
const MIN_MEMORIES_PER_TAG: usize = 3;

/// Tags that describe a memory's purpose, not its subject: a memory without a tag gets its category as one.
const PURPOSE_TAGS: [&str; 13] = [
    "cheat-sheet",
    "hot-topic",
    "error",
    "convention",
    "session_summary",
    "decision",
    "runbook",
    "constraint",
    "tech_debt",
    "preference",
    "learning",
    "context",
    "blocker",
];

/// Tells whether a tag says what a memory is about.
pub fn is_subject(tag: &str) -> bool {
    !tag.contains(':') && !PURPOSE_TAGS.contains(&tag)
}

/// Returns the commands of the memories tagged `hot-topic`: those between backticks, else a short last line.
pub fn tagged(memories: &[KnownMemory]) -> Vec<(String, &'static str)> {
    let tagged = memories.iter().filter(|memory| memory.tags.iter().any(|tag| tag == "hot-topic"));
    let commands = tagged.flat_map(|memory| {
        let quoted = quoted(&memory.text);
        let short = memory.text.lines().last().filter(|line| line.chars().count() <= 60);
        let whole = if quoted.is_empty() { short.and_then(first_topic_name) } else { None };
        quoted.into_iter().chain(whole)
    });
    commands.map(|command| (command, "hot-topic")).collect()
}

/// Returns the commands that memories of errors name: quoted, or after a word such as `running`.
pub fn named_by_errors(memories: &[KnownMemory]) -> Vec<(String, &'static str)> {
    let of_errors = |memory: &&KnownMemory| memory.is_runbook || memory.tags.iter().any(|tag| tag == "error");
    let errors = memories.iter().filter(of_errors);
    errors
        .flat_map(|memory| quoted(&memory.text).into_iter().chain(introduced(&memory.text)))
        .map(|command| (command, "memory"))
        .collect()
}

/// Returns the tags that many memories share and that could be a program's name.
pub fn shared_tags(memories: &[KnownMemory]) -> Vec<(String, &'static str)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let tags = memories.iter().flat_map(|memory| &memory.tags);
    for tag in tags.filter(|tag| is_subject(tag)) {
        *counts.entry(tag).or_default() += 1;
    }
    let mut shared: Vec<(&str, usize)> =
        counts.into_iter().filter(|(_, count)| *count >= MIN_MEMORIES_PER_TAG).collect();
    shared.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    shared.into_iter().filter_map(|(tag, _)| Some((first_topic_name(tag)?, "tag"))).collect()
}

/// Returns the commands between backticks. A quoted file or identifier is not a command: a command has two
/// words, and the first consists of characters usual in program names.
fn quoted(text: &str) -> Vec<String> {
    let pieces = text.split('`').skip(1).step_by(2);
    pieces.filter(|piece| is_command(piece)).filter_map(first_topic_name).collect()
}

fn is_command(piece: &str) -> bool {
    let mut words = piece.split_whitespace();
    let first = words.next().unwrap_or_default();
    let program =
        first.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | '+' | '='));
    program && words.next().is_some() && !piece.contains('\n') && !matches!(words.next(), Some("=" | ":="))
}

/// Returns the programs that follow a word such as `running`.
fn introduced(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let follow = words.windows(2).filter(|pair| {
        let before = pair[0].trim_end_matches(':').to_ascii_lowercase();
        INTRODUCTIONS.contains(&before.as_str())
    });
    let program = |pair: &[&str]| {
        let word = pair[1].trim_matches(['"', '\'', ',', '.', ';', ')', '(']);
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_' | '+');
        (word.len() > 1 && !word.contains('`') && word.chars().all(fits) && !is_ordinary_word(word))
            .then(|| word.to_owned())
    };
    follow.filter_map(program).collect()
}

/// Tells whether the word often follows `running` or `ran` in an ordinary sentence.
fn is_ordinary_word(word: &str) -> bool {
    const WORDS: [&str; 26] = [
        "the", "it", "in", "on", "out", "into", "a", "an", "and", "as", "at", "with", "to", "of", "for",
        "from", "is", "was", "that", "this", "against", "under", "after", "all", "tests", "line",
    ];
    WORDS.contains(&word)
}

/// Returns the first topic name among the commands of a line.
fn first_topic_name(line: &str) -> Option<String> {
    interleaf_shell::commands(line).iter().find_map(topics::topic_name)
}
