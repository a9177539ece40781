//! What a memory that shares terms with a query is judged by.

use serde::Serialize;

use super::query::{Occasion, WeightedQuery, WeightedTerm};

/// How far a repetition would raise the weight of a term in BM25 (`k1`, the usual value). Here a term counts
/// once, so this only says how much the length of a memory matters.
const SATURATION: f64 = 1.2;
/// How much the length of a memory matters in BM25 (`b`, the usual value).
const LENGTH_SHARE: f64 = 0.75;

/// Number of shared terms from which memories that share as many as the best one are about the same. Below it,
/// many memories share as many, and hardly by their subject.
const MIN_SAME_SUBJECT_TERMS: usize = 3;

/// The features of a memory.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Features {
    /// Its BM25 score among the memories that share terms.
    pub bm25: f64,
    /// The distance of its score to that of the best memory about something else, negative for one that fits
    /// worse.
    pub margin: f64,
    /// The number of terms that it shares with the query.
    pub shared_terms: f64,
    /// How many of these terms only its cues have.
    pub cue_terms: f64,
    /// The natural logarithm of the number of memories in the store.
    pub log_memories: f64,
    /// 1 if the query is a tool call that is about to run, otherwise 0.
    pub command: f64,
    /// 1 if the query is the error of a tool call, otherwise 0.
    pub failure: f64,
}

impl Features {
    pub(super) const fn values(&self) -> [f64; 7] {
        [
            self.bm25,
            self.margin,
            self.shared_terms,
            self.cue_terms,
            self.log_memories,
            self.command,
            self.failure,
        ]
    }
}

/// What a memory shares with a query.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::memory) struct SharedTerms {
    /// The number of all terms of the memory.
    length: usize,
    /// The weight of the shared ones.
    weight: f64,
    /// The number of the shared ones.
    count: usize,
    /// How many of the shared ones only its cues have.
    cue_count: usize,
}

impl SharedTerms {
    /// Counts a term of the memory, which may be one of the query.
    pub(super) fn add(&mut self, term: Option<&WeightedTerm>) {
        self.length += 1;
        self.weight += term.map_or(0.0, |term| term.idf);
        self.count += usize::from(term.is_some());
    }

    /// Counts a term of the memory's cues. They do not make the memory longer: it is not worse for one question
    /// because it has many.
    pub(super) fn add_cue(&mut self, term: Option<&WeightedTerm>) {
        let length = self.length;
        self.add(term);
        self.length = length;
        self.cue_count += usize::from(term.is_some());
    }

    /// Returns the BM25 score among memories of this mean length.
    fn bm25(&self, mean_length: f64) -> f64 {
        let length = 1.0 - LENGTH_SHARE + LENGTH_SHARE * self.length as f64 / mean_length;
        self.weight * (SATURATION + 1.0) / (1.0 + SATURATION * length)
    }
}

/// Returns the features of each memory that shares terms with the query.
pub(super) fn features(query: &WeightedQuery, matches: &[SharedTerms]) -> Vec<Features> {
    let lengths: usize = matches.iter().map(|shared| shared.length).sum();
    let mean_length = (lengths as f64 / matches.len().max(1) as f64).max(1.0);
    let scores: Vec<f64> = matches.iter().map(|shared| shared.bm25(mean_length)).collect();
    let next = score_of_another_subject(matches, &scores);
    let each = matches.iter().zip(&scores);
    each.map(|(shared, score)| of_match(query, shared, *score, score - next)).collect()
}

/// Returns the score of the best memory about something else than the best one, 0 without one. A store that
/// has several memories about the subject of the query is no reason to show none of them.
fn score_of_another_subject(matches: &[SharedTerms], scores: &[f64]) -> f64 {
    let Some(best) = (0..scores.len()).max_by(|a, b| scores[*a].total_cmp(&scores[*b])) else { return 0.0 };
    let same_subject = matches[best].count.max(MIN_SAME_SUBJECT_TERMS);
    let others = (0..scores.len()).filter(|each| *each != best && matches[*each].count < same_subject);
    others.map(|each| scores[each]).fold(0.0, f64::max)
}

/// Returns the features of the best memory that a store could have for the query: it has all terms of the
/// query and no others, and is the only one. Its length is taken for half of the mean.
pub(super) fn best_features(query: &WeightedQuery) -> Features {
    let shared = query.all_terms();
    let score = shared.bm25(2.0 * shared.length.max(1) as f64);
    of_match(query, &shared, score, score)
}

fn of_match(query: &WeightedQuery, shared: &SharedTerms, bm25: f64, margin: f64) -> Features {
    let flag = |occasion: Occasion| f64::from(u8::from(query.occasion == occasion));
    Features {
        bm25,
        margin,
        shared_terms: shared.count as f64,
        cue_terms: shared.cue_count as f64,
        log_memories: (query.memories.max(1) as f64).ln(),
        command: flag(Occasion::Command),
        failure: flag(Occasion::Failure),
    }
}
