//! The stretch in turns: what the person said, what was done, what the assistant said to it.

use std::ops::Range;

use super::deeds::Deed;
use super::languages::{self, Language};
use super::own_words::own;
use crate::finding::Evidence;
use crate::transcript::{Entry, Kind, Role, Transcript};
use interleaf_classifier::sentences;
use interleaf_classifier::words::{Word, words};

/// A sentence that somebody said.
#[derive(Debug, Clone)]
pub struct Said<'a> {
    /// As it was said.
    pub text: &'a str,
    /// As it is compared.
    pub words: Vec<Word>,
    /// Of the entry it stands in.
    pub cursor: u64,
    /// Where that entry stands.
    pub at: usize,
}

impl Said<'_> {
    /// The sentence as evidence.
    pub fn evidence(&self) -> Evidence {
        Evidence { quote: self.text.to_owned(), cursor: self.cursor }
    }
}

/// A prompt, and what followed it up to the next one.
#[derive(Debug)]
pub struct Turn<'a> {
    /// Where the prompt stands; 0 where the stretch begins within a turn.
    pub at: usize,
    /// The person's own sentences.
    pub said: Vec<Said<'a>>,
    /// The languages they are in.
    pub languages: Vec<&'static Language>,
    /// The assistant's sentences, in order.
    pub answers: Vec<Said<'a>>,
    /// What was done.
    pub deeds: Range<usize>,
}

impl Turn<'_> {
    /// Whether anything was done.
    pub fn is_work(&self) -> bool {
        !self.deeds.is_empty()
    }
}

/// The turns of a stretch.
pub fn turns<'a>(talk: &'a Transcript, deeds: &[Deed]) -> Vec<Turn<'a>> {
    let mut turns: Vec<Turn> = Vec::new();
    for (at, entry) in talk.entries.iter().enumerate().filter(|(_, entry)| entry.kind == Kind::Text) {
        match entry.role {
            Role::User => {
                turns.push(begun(at, entry));
            }
            // Pasted text: a prompt of its own, or the rest of the one before it.
            Role::Tool if turns.last().is_none_or(|turn| talk.entries[turn.at].cursor != entry.cursor) => {
                turns.push(begun(at, entry).silent());
            }
            Role::Assistant => {
                if turns.is_empty() {
                    turns.push(begun(0, entry).silent());
                }
                let answers = own(&entry.text).into_iter().flat_map(|part| said(at, entry, part));
                turns.last_mut().into_iter().for_each(|turn| turn.answers.extend(answers.clone()));
            }
            _ => {}
        }
    }
    if turns.is_empty() && !deeds.is_empty() {
        turns.extend(talk.entries.first().map(|entry| begun(0, entry).silent()));
    }
    with_deeds(&mut turns, deeds);
    turns
}

fn begun<'a>(at: usize, entry: &'a Entry) -> Turn<'a> {
    let said: Vec<Said> = own(&entry.text).into_iter().flat_map(|part| said(at, entry, part)).collect();
    let own: String = said.iter().map(|said| said.text).collect::<Vec<_>>().join(" ");
    Turn { at, said, languages: languages::of(&own), answers: Vec::new(), deeds: 0..0 }
}

impl Turn<'_> {
    fn silent(self) -> Self {
        Self { said: Vec::new(), ..self }
    }
}

fn said<'a>(at: usize, entry: &'a Entry, part: &'a str) -> Vec<Said<'a>> {
    let all = sentences(part).into_iter();
    all.map(|text| Said { text, words: words(text), cursor: entry.cursor, at }).collect()
}

fn with_deeds(turns: &mut [Turn], deeds: &[Deed]) {
    let starts: Vec<usize> = turns.iter().map(|turn| turn.at).collect();
    for (index, turn) in turns.iter_mut().enumerate() {
        let next = starts.get(index + 1).copied().unwrap_or(usize::MAX);
        let first = if index == 0 { 0 } else { deeds.partition_point(|deed| deed.at < turn.at) };
        turn.deeds = first..deeds.partition_point(|deed| deed.at < next);
    }
}
