//! The second step of a search that somebody asked for: the memories that the index found are ranked by their
//! whole texts. It takes some ten milliseconds, which a hook does not have.
//!
//! The index keeps each distinct term of a memory, without words that any text has. Here every word counts,
//! as often as it occurs (BM25), in addition to the score of the index and the cosine of the sentence
//! vectors. The weights were chosen on the train stores of `eval/recall`: the first memory was a needed one
//! for 77 % of their events instead of 75 % by the relevance, and by words alone for 68 % instead of 66 %.

use std::collections::HashMap;

use super::recency::Recency;
use super::store::Hit;
use super::tokenizer::stems;
use super::usefulness::Usefulness;
use crate::clock::Millis;

/// Weight of the index's own BM25 score beside that of the whole text.
const INDEX_WEIGHT: f64 = 0.5;
/// Weight of the cosine, which lies between 0 and 1, beside that of the whole text.
const COSINE_WEIGHT: f64 = 40.0;
/// The cosine of a memory that was not compared: that of unrelated texts.
const UNRELATED_COSINE: f64 = 0.1;

/// How much a repeated word counts in BM25 (`k1`), and how much the length of a text matters (`b`): the usual
/// values.
const SATURATION: f64 = 1.2;
const LENGTH_SHARE: f64 = 0.75;

/// Sorts what a search found, the best first. Age, which counts until `now`, and use decide between
/// near-equal ones.
pub(super) fn rerank(query: &str, hits: Vec<Hit>, now: Millis) -> Vec<Hit> {
    let texts: Vec<WordCounts> = hits.iter().map(WordCounts::of).collect();
    let scores = bm25(query, &texts);
    let rank = |hit: &Hit, score: f64| {
        let cosine = hit.features.vectors.map_or(UNRELATED_COSINE, |vectors| vectors.cosine);
        let rank = score + INDEX_WEIGHT * hit.features.bm25 + COSINE_WEIGHT * cosine;
        let recency = Recency::new(hit.memory.category, hit.memory.updated_at);
        let usefulness = Usefulness { shown: hit.memory.uses, followed: hit.memory.followed };
        rank * f64::from(recency.rank_factor(now) * usefulness.rank_factor())
    };
    let mut ranked: Vec<(f64, Hit)> =
        hits.into_iter().zip(scores).map(|(hit, score)| (rank(&hit, score), hit)).collect();
    // Of equal ones, the order of the search stays.
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    ranked.into_iter().map(|(_, hit)| hit).collect()
}

/// The number of occurrences of each word of a memory.
struct WordCounts {
    counts: HashMap<String, f64>,
    length: f64,
}

impl WordCounts {
    fn of(hit: &Hit) -> Self {
        let memory = &hit.memory;
        let texts =
            [&memory.title, &memory.text].into_iter().chain(&memory.tags).chain(&memory.related_files);
        let mut counts: HashMap<String, f64> = HashMap::new();
        let mut length = 0.0;
        for word in texts.flat_map(|text| stems(text)) {
            *counts.entry(word).or_default() += 1.0;
            length += 1.0;
        }
        // A cue is one of several questions, so that its words count once, and not for the length.
        for word in memory.asked_as.iter().flat_map(|cue| stems(cue)) {
            counts.entry(word).or_insert(1.0);
        }
        Self { counts, length }
    }
}

/// Returns the BM25 score of each text among these texts.
fn bm25(query: &str, texts: &[WordCounts]) -> Vec<f64> {
    let mut words = stems(query);
    words.sort_unstable();
    words.dedup();
    let holding = |word: &String| texts.iter().filter(|text| text.counts.contains_key(word)).count() as f64;
    let all = texts.len() as f64;
    let idf = |holding: f64| (1.0 + (all - holding + 0.5) / (holding + 0.5)).ln();
    let weights: Vec<f64> = words.iter().map(|word| idf(holding(word))).collect();
    let mean_length = (texts.iter().map(|text| text.length).sum::<f64>() / all.max(1.0)).max(1.0);
    let score = |text: &WordCounts| {
        let relative_length = 1.0 - LENGTH_SHARE + LENGTH_SHARE * text.length / mean_length;
        let weight = |(word, idf): (&String, &f64)| {
            let count = text.counts.get(word).copied().unwrap_or_default();
            idf * count * (SATURATION + 1.0) / (count + SATURATION * relative_length)
        };
        words.iter().zip(&weights).map(weight).sum()
    };
    texts.iter().map(score).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::relevance::Features;
    use crate::memory::test_support::memories;
    use crate::memory::{Category, Draft, Filter, Origin};

    #[test]
    fn words_that_any_text_has_and_repetitions_count() {
        let memories = memories();
        for text in
            ["Where the export goes: it is the nightly export that is read by sales", "An export once"]
        {
            memories.remember(Draft::new(Category::Decision, text, Origin::Person)).expect("written");
        }
        let mut hits = memories
            .search_with_min_relevance(0.0, "where is the export", &Filter::default(), 9)
            .expect("searched");
        let equal = hits[0].features;
        hits.iter_mut().for_each(|hit| hit.features = Features { vectors: None, ..equal });

        let ranked = rerank("where is the export", hits, 0);

        assert!(ranked[0].memory.text.starts_with("Where the export"), "{}", ranked[0].memory.text);
        assert_eq!(ranked.len(), 2);
    }
}
