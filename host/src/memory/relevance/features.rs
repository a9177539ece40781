//! What a memory that shares terms with a query is judged by.

use serde::{Deserialize, Serialize};

use super::occasion::Occasion;
use super::query::WeightedQuery;
use super::shared_terms::SharedTerms;
use crate::memory::Category;

/// Number of shared terms from which memories that share as many as the best one are about the same. Below
/// it, many memories share as many, and hardly by their subject.
const MIN_SAME_SUBJECT_TERMS: usize = 3;

/// Number of most similar memories that may all be about the subject of the query. With one instead of three,
/// memories about one subject hid each other: of the development events, 3 % fewer had theirs in view.
const SAME_SUBJECT_VECTORS: usize = 3;

/// The cosine of texts that have nothing to do with each other, which stands in where there are fewer
/// memories.
const UNRELATED_COSINE: f64 = 0.1;

/// A memory that may belong to a query.
#[derive(Debug, Clone, Copy)]
pub(in crate::memory) struct Candidate {
    /// Its category.
    pub(in crate::memory) category: Category,
    /// What it shares with the query.
    pub(in crate::memory) shared: SharedTerms,
    /// The cosine of its sentence vector that is most similar to the query's, if they were compared.
    pub(in crate::memory) cosine: Option<f32>,
}

/// The features of a memory.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Features {
    /// The occasion of the search.
    pub occasion: Occasion,
    /// Its category. Constraints are needed twice as often as others.
    pub category: Category,
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
}

/// Returns the features of each candidate.
pub(super) fn features(query: &WeightedQuery, candidates: &[Candidate]) -> Vec<Features> {
    let lengths: usize = candidates.iter().map(|candidate| candidate.shared.length).sum();
    let mean_length = (lengths as f64 / candidates.len().max(1) as f64).max(1.0);
    let scores: Vec<f64> = candidates.iter().map(|candidate| candidate.shared.bm25(mean_length)).collect();
    let next = score_of_another_subject(candidates, &scores);
    let each = candidates.iter().zip(&scores).zip(vector_features(candidates));
    let features = each.map(|((candidate, score), vectors)| Features {
        vectors,
        ..of_match(query, candidate.category, &candidate.shared, *score, score - next)
    });
    features.collect()
}

fn vector_features(candidates: &[Candidate]) -> Vec<Option<VectorFeatures>> {
    let cosine = |candidate: &Candidate| candidate.cosine.map(f64::from);
    let mut sorted: Vec<f64> = candidates.iter().filter_map(cosine).collect();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let other = sorted.get(SAME_SUBJECT_VECTORS).copied().unwrap_or(UNRELATED_COSINE);
    let features = |candidate: &Candidate| {
        let cosine = cosine(candidate)?;
        Some(VectorFeatures { cosine, margin: cosine - other })
    };
    candidates.iter().map(features).collect()
}

/// Returns the score of the best memory about something else than the best one, 0 without one. A store that
/// has several memories about the subject of the query is no reason to show none of them.
fn score_of_another_subject(candidates: &[Candidate], scores: &[f64]) -> f64 {
    let Some(best) = (0..scores.len()).max_by(|a, b| scores[*a].total_cmp(&scores[*b])) else { return 0.0 };
    let count = |each: usize| candidates[each].shared.count;
    let same_subject = count(best).max(MIN_SAME_SUBJECT_TERMS);
    let others = (0..scores.len()).filter(|each| *each != best && count(*each) < same_subject);
    others.map(|each| scores[each]).fold(0.0, f64::max)
}

/// Returns the features of the best memory of this category that a store could have for the query: it has all
/// terms of the query and no others, and is the only one. Its length is taken for half of the mean.
pub(super) fn best_features(query: &WeightedQuery, category: Category) -> Features {
    let shared = query.all_terms();
    let score = shared.bm25(2.0 * shared.length.max(1) as f64);
    of_match(query, category, &shared, score, score)
}

fn of_match(
    query: &WeightedQuery,
    category: Category,
    shared: &SharedTerms,
    bm25: f64,
    margin: f64,
) -> Features {
    Features {
        occasion: query.occasion,
        category,
        bm25,
        margin,
        shared_terms: shared.count as f64,
        cue_terms: shared.cue_count as f64,
        log_memories: (query.memories.max(1) as f64).ln(),
        vectors: None,
    }
}
