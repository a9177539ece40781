//! The turns of a session: what the person said, which tools ran, and what the assistant said.

use std::ops::Range;

use super::calls::ToolCall;
use super::own_words::own;
use crate::finding::Evidence;
use crate::languages::{self, Language};
use crate::transcript::{Entry, Kind, Role, Transcript};
use interleaf_classifier::sentences;
use interleaf_classifier::words::{Word, words};

/// A sentence that the person or the assistant said.
#[derive(Debug, Clone)]
pub struct Said<'a> {
    /// The sentence, verbatim.
    pub text: &'a str,
    /// Its words, as they are compared.
    pub words: Vec<Word>,
    /// The cursor of its entry.
    pub cursor: u64,
    /// The index of its entry.
    pub at: usize,
}

impl Said<'_> {
    /// Returns the sentence as evidence.
    pub fn evidence(&self) -> Evidence {
        Evidence { quote: self.text.to_owned(), cursor: self.cursor }
    }
}

/// A prompt, and what followed it up to the next one.
#[derive(Debug)]
pub struct Turn<'a> {
    /// The index of the prompt's entry; 0 if the session begins within a turn.
    pub at: usize,
    /// The person's own sentences.
    pub said: Vec<Said<'a>>,
    /// The languages that they may be in.
    pub languages: Vec<&'static Language>,
    /// The assistant's sentences, in order.
    pub answers: Vec<Said<'a>>,
    /// The tool calls.
    pub calls: Range<usize>,
}

impl Turn<'_> {
    /// Tells whether any tool was called.
    pub fn is_work(&self) -> bool {
        !self.calls.is_empty()
    }

    /// Tells whether the assistant ended with a question.
    pub fn ends_with_question(&self) -> bool {
        self.answers.last().is_some_and(|said| said.text.trim_end().ends_with(['?', '？']))
    }

    fn silent(self) -> Self {
        Self { said: Vec::new(), ..self }
    }
}

/// Splits a transcript into turns.
pub fn turns<'a>(transcript: &'a Transcript, calls: &[ToolCall]) -> Vec<Turn<'a>> {
    let entries = &transcript.entries;
    let mut turns: Vec<Turn> = Vec::new();
    for (at, entry) in entries.iter().enumerate().filter(|(_, entry)| entry.kind == Kind::Text) {
        match entry.role {
            Role::User => turns.push(begun(at, entry)),
            // Pasted text: a prompt of its own, or the rest of the one before it.
            Role::Tool if turns.last().is_none_or(|turn| entries[turn.at].cursor != entry.cursor) => {
                turns.push(begun(at, entry).silent());
            }
            Role::Assistant => {
                if turns.is_empty() {
                    turns.push(begun(0, entry).silent());
                }
                let answers = own(&entry.text).into_iter().flat_map(|part| said(at, entry, part));
                turns.last_mut().into_iter().for_each(|turn| turn.answers.extend(answers.clone()));
            }
            Role::Tool => {}
        }
    }
    if turns.is_empty() && !calls.is_empty() {
        turns.extend(entries.first().map(|entry| begun(0, entry).silent()));
    }
    with_calls(&mut turns, calls);
    turns
}

fn begun<'a>(at: usize, entry: &'a Entry) -> Turn<'a> {
    let said: Vec<Said> = own(&entry.text).into_iter().flat_map(|part| said(at, entry, part)).collect();
    let own: String = said.iter().map(|said| said.text).collect::<Vec<_>>().join(" ");
    Turn { at, said, languages: languages::of(&own), answers: Vec::new(), calls: 0..0 }
}

fn said<'a>(at: usize, entry: &'a Entry, part: &'a str) -> Vec<Said<'a>> {
    let all = sentences(part).into_iter();
    all.map(|text| Said { text, words: words(text), cursor: entry.cursor, at }).collect()
}

fn with_calls(turns: &mut [Turn], calls: &[ToolCall]) {
    let starts: Vec<usize> = turns.iter().map(|turn| turn.at).collect();
    for (index, turn) in turns.iter_mut().enumerate() {
        let next = starts.get(index + 1).copied().unwrap_or(usize::MAX);
        let first = if index == 0 { 0 } else { calls.partition_point(|call| call.at < turn.at) };
        turn.calls = first..calls.partition_point(|call| call.at < next);
    }
}
