//! What a memory that shares terms with a query is judged by.

use serde::{Deserialize, Serialize};

use super::query::{Occasion, WeightedQuery};
use super::shared_terms::SharedTerms;

/// Number of shared terms from which memories that share as many as the best one are about the same. Below
/// it, many memories share as many, and hardly by their subject.
const MIN_SAME_SUBJECT_TERMS: usize = 3;

/// Number of most similar memories that may all be about the subject of the query. With one instead of three,
/// memories about one subject hid each other: of the development events, 3 % fewer had theirs in view.
const SAME_SUBJECT_VECTORS: usize = 3;

/// The cosine of texts that have nothing to do with each other, which stands in where there are fewer
/// memories.
const UNRELATED_COSINE: f64 = 0.1;

/// The features of a memory.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
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
    /// What its sentence vectors say, if it has any and they were searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vectors: Option<VectorFeatures>,
}

/// What the sentence vectors of a memory say.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct VectorFeatures {
    /// The cosine of the angle between the vector of the query and the memory's most similar one.
    pub cosine: f64,
    /// The distance of this cosine to that of the fourth most similar memory, negative for one that is less
    /// similar.
    pub margin: f64,
}

impl Features {
    /// Returns the features with three decimals, which is the precision of the coefficients.
    pub fn rounded(self) -> Self {
        let round = |value: f64| (value * 1000.0).round() / 1000.0;
        let rounded = |vectors: VectorFeatures| VectorFeatures {
            cosine: round(vectors.cosine),
            margin: round(vectors.margin),
        };
        Self {
            bm25: round(self.bm25),
            margin: round(self.margin),
            log_memories: round(self.log_memories),
            vectors: self.vectors.map(rounded),
            ..self
        }
    }

    /// Returns each feature with what it says, for people.
    pub(super) fn named(&self) -> [(&'static str, f64); 9] {
        let vectors = self.vectors.unwrap_or(VectorFeatures { cosine: 0.0, margin: 0.0 });
        [
            ("BM25 score", self.bm25),
            ("BM25 ahead of the next subject", self.margin),
            ("shared terms", self.shared_terms),
            ("shared terms only in its cues", self.cue_terms),
            ("memories in the store (logarithm)", self.log_memories),
            ("before a tool call", self.command),
            ("after a failure", self.failure),
            ("cosine of the sentence vectors", vectors.cosine),
            ("cosine ahead of the fourth memory", vectors.margin),
        ]
    }
}

/// Returns the features of each memory that may belong to the query. `cosines` has the best one of each
/// memory with sentence vectors.
pub(super) fn features(
    query: &WeightedQuery,
    matches: &[SharedTerms],
    cosines: &[Option<f32>],
) -> Vec<Features> {
    let lengths: usize = matches.iter().map(|shared| shared.length).sum();
    let mean_length = (lengths as f64 / matches.len().max(1) as f64).max(1.0);
    let scores: Vec<f64> = matches.iter().map(|shared| shared.bm25(mean_length)).collect();
    let next = score_of_another_subject(matches, &scores);
    let each = matches.iter().zip(&scores).zip(vector_features(cosines));
    let features = each.map(|((shared, score), vectors)| Features {
        vectors,
        ..of_match(query, shared, *score, score - next)
    });
    features.collect()
}

fn vector_features(cosines: &[Option<f32>]) -> Vec<Option<VectorFeatures>> {
    let mut sorted: Vec<f64> = cosines.iter().flatten().copied().map(f64::from).collect();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let other = sorted.get(SAME_SUBJECT_VECTORS).copied().unwrap_or(UNRELATED_COSINE);
    let of = |cosine: &Option<f32>| {
        let cosine = f64::from((*cosine)?);
        Some(VectorFeatures { cosine, margin: cosine - other })
    };
    cosines.iter().map(of).collect()
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
        vectors: None,
    }
}
