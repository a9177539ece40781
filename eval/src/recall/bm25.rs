//! The classic to compare with: BM25 over stemmed words
//! (<https://www.staff.city.ac.uk/~sbrp622/papers/foundations_bm25_review.pdf>).

use std::collections::HashMap;

use rust_stemmers::{Algorithm, Stemmer};

use super::family::Family;

const K1: f64 = 1.2;
const B: f64 = 0.75;

/// The memories of a family.
pub struct Index {
    /// The number of occurrences of each word in each memory.
    memories: Vec<HashMap<String, f64>>,
    /// The number of memories that hold a word.
    frequencies: HashMap<String, f64>,
    mean_length: f64,
}

impl Index {
    /// Counts the words of the memories.
    pub fn new(family: &Family) -> Self {
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
    pub fn scores(&self, query: &str) -> Vec<(usize, f64)> {
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
