//! The examples: what people and the assistant say, and what of it is to be saved.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use interleaf_classifier::sentences;
use interleaf_classifier::words::{Word, words};
use interleaf_classifier::{CATEGORIES, Message, Sentence, Speaker, features};
use serde::Deserialize;

/// The kinds of messages; `plugins/save/data/README.md` explains them.
const KINDS: [&str; 20] = [
    "rule",
    "choice",
    "limit",
    "put_off",
    "acceptance",
    "mixed",
    "task",
    "question",
    "plan",
    "report",
    "review",
    "paste",
    "joke",
    "thinking",
    "hearsay",
    "hypothetical",
    "changed_mind",
    "temporary",
    "spec",
    "everyday",
];

/// A message of a session.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// What the message is about; examples of one family are in the same part of the data.
    pub family: String,
    /// The language, in two letters.
    pub language: String,
    /// The kind of message.
    pub kind: String,
    /// Who speaks: the person if absent.
    #[serde(default)]
    pub speaker: Option<String>,
    /// The message before it.
    #[serde(default)]
    pub before: Option<String>,
    /// The message.
    pub text: String,
    /// What is to be saved.
    pub keep: Vec<Kept>,
}

/// What is to be saved of a message.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kept {
    /// The category.
    pub category: String,
    /// The words that say it.
    pub quote: String,
}

/// A sentence, and what it holds.
#[derive(Debug, Clone)]
pub struct LabeledSentence {
    /// The hashes of its features.
    pub features: Vec<u32>,
    /// The index of its category in [`CATEGORIES`], if it has one.
    pub category: Option<usize>,
}

/// Reads the examples of all files in a folder, in the order of their names.
///
/// # Errors
/// If a file cannot be read, or a line is no example; the error names the line.
pub fn read(folder: &Path) -> Result<Vec<Example>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut paths: Vec<_> = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    paths.sort();
    let mut examples = Vec::new();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|ending| ending == "jsonl")) {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        for (number, line) in text.lines().enumerate() {
            let place = || format!("{}:{}", path.display(), number + 1);
            let example: Example = serde_json::from_str(line).with_context(place)?;
            example.check().with_context(place)?;
            examples.push(example);
        }
    }
    Ok(examples)
}

/// Reads the sentences of all examples in a folder.
///
/// # Errors
/// As [`read`].
pub fn read_sentences(folder: &Path) -> Result<Vec<LabeledSentence>> {
    Ok(read(folder)?.iter().flat_map(Example::sentences).collect())
}

impl Example {
    fn check(&self) -> Result<()> {
        ensure!(!self.family.is_empty(), "the family is empty");
        ensure!(KINDS.contains(&self.kind.as_str()), "unknown kind {}", self.kind);
        for kept in &self.keep {
            let known = CATEGORIES.iter().any(|category| *category == kept.category);
            ensure!(known, "unknown category {}", kept.category);
            let before = self.before.as_deref().unwrap_or_default();
            let is_quoted = self.text.contains(&kept.quote) || before.contains(&kept.quote);
            ensure!(is_quoted, "{:?} is not in the message", kept.quote);
        }
        Ok(())
    }

    /// Tells whether the assistant speaks.
    pub fn is_assistants(&self) -> bool {
        self.speaker.as_deref() == Some("assistant")
    }

    fn sentences(&self) -> Vec<LabeledSentence> {
        let texts = sentences(&self.text);
        let all_words: Vec<Vec<Word>> = texts.iter().map(|text| words(text)).collect();
        let sentences = texts.iter().zip(&all_words).map(|(text, words)| Sentence { text, words }).collect();
        let speaker = if self.is_assistants() { Speaker::Assistant } else { Speaker::Person };
        let message = Message { sentences, speaker, previous: self.before.as_deref() };
        let labeled = |(at, text): (usize, &&str)| LabeledSentence {
            features: features(&message, at),
            category: self.category_of(text),
        };
        texts.iter().enumerate().map(labeled).collect()
    }

    /// Returns the category of a sentence of which at least half is quoted, or that is at least half of the
    /// quote.
    fn category_of(&self, sentence: &str) -> Option<usize> {
        let start = sentence.as_ptr() as usize - self.text.as_ptr() as usize;
        let end = start + sentence.len();
        let overlaps = |kept: &&Kept| {
            let Some(quote) = self.text.find(&kept.quote) else { return false };
            let shared = end.min(quote + kept.quote.len()).saturating_sub(start.max(quote));
            shared > 0 && shared * 2 >= sentence.len().min(kept.quote.len())
        };
        let kept = self.keep.iter().rfind(overlaps)?;
        CATEGORIES.iter().position(|category| *category == kept.category)
    }
}
