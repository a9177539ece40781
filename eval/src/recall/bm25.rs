//! The classic to compare with: BM25 over stemmed words
//! (<https://www.staff.city.ac.uk/~sbrp622/papers/foundations_bm25_review.pdf>), with the best minimum score
//! that it can have on the same events.

use std::collections::HashMap;

use rust_stemmers::{Algorithm, Stemmer};

use super::family::Family;
use super::measure::{Figures, Shown};
use super::needing_event::NeedingEvent;

const K1: f64 = 1.2;
const B: f64 = 0.75;

/// Maximum number of memories shown whole for an event, and of titles.
const MAX_SHOWN: usize = 3;

/// Length of a title, in characters.
const TITLE_CHARS: usize = 60;

/// What surrounds the memories of an answer: the shortest that the program prints at first.
const FRAME: &str = "<interleaf-memory layer=\"recall\">\n\
                     Titles of notes; `interleaf memory show ID` prints one.\n</interleaf-memory>";

/// An event with the memories that share a word with it, the best first.
struct Scored {
    shown: Shown,
    /// The id, the score and the text of each.
    hits: Vec<(String, f64, String)>,
}

/// Answers the events with the best memories whose score reaches a minimum: the lowest with which no more
/// than `max_false` of the events that need nothing get a memory. The titles of those that follow are shown
/// from the lowest score with which the events that need nothing waste no more than `max_tokens` each.
pub fn answers(families: &[Family], max_false: f64, max_tokens: f64) -> Vec<Shown> {
    let scored: Vec<Scored> = families.iter().flat_map(scored_events).collect();
    let mut bests: Vec<f64> = scored
        .iter()
        .filter(|event| !event.shown.is_needing())
        .map(|event| event.hits.first().map_or(0.0, |hit| hit.1))
        .collect();
    bests.sort_by(|a, b| b.total_cmp(a));
    let whole = bests.get((bests.len() as f64 * max_false) as usize).copied().unwrap_or_default();
    let answers = |title: f64| scored.iter().map(|event| event.answer(whole, title)).collect::<Vec<_>>();
    let is_cheap = |answers: &Vec<Shown>| {
        let figures = Figures::of(answers);
        figures.wasted_tokens as f64 <= max_tokens * figures.silent as f64
    };
    let mut floors: Vec<f64> = bests.iter().copied().filter(|score| *score <= whole).collect();
    floors.dedup();
    let cheap = floors.partition_point(|floor| is_cheap(&answers(*floor)));
    answers(cheap.checked_sub(1).map_or(whole, |last| floors[last]))
}

impl Scored {
    /// Shows the memories above `whole`, and the titles of those above `title`.
    fn answer(&self, whole: f64, title: f64) -> Shown {
        let mut shown = self.shown.clone();
        let is_whole = |at: usize, score: f64| at < MAX_SHOWN && score > whole;
        for (at, (id, score, text)) in self.hits.iter().enumerate() {
            if is_whole(at, *score) {
                shown.memories.push(id.clone());
                shown.text.push_str(&format!("{text}\n"));
            } else if *score > title && shown.titles.len() < MAX_SHOWN {
                let title: String = text.chars().take(TITLE_CHARS).collect();
                shown.titles.push(id.clone());
                shown.text.push_str(&format!("- [{id}] {title}\n"));
            }
        }
        if !shown.text.is_empty() {
            shown.text.push_str(FRAME);
        }
        shown
    }
}

fn scored_events(family: &Family) -> Vec<Scored> {
    let index = Index::new(family);
    let scored = |event: &NeedingEvent| {
        let hit = |(number, score): (usize, f64)| {
            let memory = &family.memories[number];
            (memory.id.clone(), score, memory.text.clone())
        };
        let hits = index.scores(&event.occasion.query()).into_iter().take(2 * MAX_SHOWN).map(hit).collect();
        Scored { shown: Shown::new(family, event, Vec::new(), String::new()), hits }
    };
    family.events.iter().map(scored).collect()
}

struct Index {
    /// The number of occurrences of each word in each memory.
    memories: Vec<HashMap<String, f64>>,
    /// The number of memories that hold a word.
    frequencies: HashMap<String, f64>,
    mean_length: f64,
}

impl Index {
    fn new(family: &Family) -> Self {
        let counted = |text: String| {
            let mut counts: HashMap<String, f64> = HashMap::new();
            words(&text).into_iter().for_each(|word| *counts.entry(word).or_default() += 1.0);
            counts
        };
        let texts =
            family.memories.iter().map(|memory| format!("{}\n{}", memory.text, memory.tags.join(" ")));
        let memories: Vec<_> = texts.map(counted).collect();
        let mut frequencies: HashMap<String, f64> = HashMap::new();
        for word in memories.iter().flat_map(HashMap::keys) {
            *frequencies.entry(word.clone()).or_default() += 1.0;
        }
        let mean_length = memories.iter().map(length).sum::<f64>() / memories.len().max(1) as f64;
        Self { memories, frequencies, mean_length }
    }

    /// Returns the memories with a score, the best first.
    fn scores(&self, query: &str) -> Vec<(usize, f64)> {
        let mut query = words(query);
        query.sort_unstable();
        query.dedup();
        let score = |memory: &HashMap<String, f64>| query.iter().map(|word| self.weight(word, memory)).sum();
        let scores = self.memories.iter().map(score).enumerate();
        let mut hits: Vec<(usize, f64)> = scores.filter(|(_, score)| *score > 0.0).collect();
        hits.sort_by(|a, b| b.1.total_cmp(&a.1));
        hits
    }

    fn weight(&self, word: &str, memory: &HashMap<String, f64>) -> f64 {
        let Some(count) = memory.get(word) else { return 0.0 };
        let (memories, holding) = (self.memories.len() as f64, self.frequencies[word]);
        let inverse_frequency = (1.0 + (memories - holding + 0.5) / (holding + 0.5)).ln();
        let relative_length = length(memory) / self.mean_length;
        inverse_frequency * count * (K1 + 1.0) / (count + K1 * (1.0 - B + B * relative_length))
    }
}

fn length(memory: &HashMap<String, f64>) -> f64 {
    memory.values().sum()
}

/// Returns the stems of the words of a text. A character of a script without spaces is a word.
fn words(text: &str) -> Vec<String> {
    let stemmer = Stemmer::create(Algorithm::English);
    let text = text.to_lowercase();
    let mut words = Vec::new();
    for run in text.split(|char: char| !char.is_alphanumeric()).filter(|run| !run.is_empty()) {
        if run.chars().any(interleaf_text::is_ideograph) {
            words.extend(run.chars().map(String::from));
        } else {
            words.push(stemmer.stem(run).into_owned());
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_stemmed_and_ideographs_stand_alone() {
        assert_eq!(words("Running tests, 設定!"), ["run", "test", "設", "定"]);
    }
}
