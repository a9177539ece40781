//! The relevance of memories, by the model that was fitted for what is known of them.

use super::coefficients::{WORDS, WORDS_AND_VECTORS};
use super::features::{Features, best_features, features};
use super::logistic_model::{Contribution, LogisticModel};
use super::query::WeightedQuery;
use super::shared_terms::SharedTerms;

/// Returns the relevance and the features of each memory that may belong to a query. `cosines` has the best
/// one of each memory with sentence vectors.
pub(in crate::memory) fn score(
    query: &WeightedQuery,
    matches: &[SharedTerms],
    cosines: &[Option<f32>],
) -> Vec<(f32, Features)> {
    let all = features(query, matches, cosines);
    all.into_iter().map(|features| (probability(&features), features)).collect()
}

/// Returns the relevance that hardly a memory of the store exceeds by its words, whatever it contains.
pub(in crate::memory) fn max_relevance(query: &WeightedQuery) -> f32 {
    probability(&best_features(query))
}

/// Returns what the relevance of a memory with these features consists of. The sum of the log odds `x` gives
/// the relevance `1 / (1 + exp(-x))`.
pub fn contributions(features: &Features) -> Vec<Contribution> {
    model(features).contributions(features)
}

fn probability(features: &Features) -> f32 {
    model(features).probability(features)
}

fn model(features: &Features) -> &'static LogisticModel {
    if features.vectors.is_some() { &WORDS_AND_VECTORS } else { &WORDS }
}
