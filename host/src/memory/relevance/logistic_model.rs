//! The logistic model: from the features of a memory to the probability that it belongs to the query.

use super::coefficients::{COEFFICIENTS, INTERCEPT};
use super::features::{Features, best_features, features};
use super::query::WeightedQuery;
use super::shared_terms::SharedTerms;

/// Returns the relevance and the features of each memory that shares terms with a query.
pub(in crate::memory) fn score(query: &WeightedQuery, matches: &[SharedTerms]) -> Vec<(f32, Features)> {
    features(query, matches).into_iter().map(|features| (probability(&features), features)).collect()
}

/// Returns the relevance that hardly a memory of the store exceeds, whatever it contains.
pub(in crate::memory) fn max_relevance(query: &WeightedQuery) -> f32 {
    probability(&best_features(query))
}

fn probability(features: &Features) -> f32 {
    let terms =
        features.values().into_iter().zip(COEFFICIENTS.values()).map(|(value, factor)| value * factor);
    let log_odds = INTERCEPT + terms.sum::<f64>();
    (1.0 / (1.0 + (-log_odds).exp())) as f32
}
