//! The relevance of memories, by the model that was fitted for what is known of them.

use super::coefficients::{COMMANDS, FAILURES, PROMPTS, PROMPTS_WITH_VECTORS};
use super::features::{Candidate, Features, best_features, features};
use super::logistic_model::{Contribution, LogisticModel};
use super::occasion::Occasion;
use super::query::WeightedQuery;
use crate::memory::Category;

/// Returns the relevance and the features of each candidate for a query.
pub(in crate::memory) fn score(query: &WeightedQuery, candidates: &[Candidate]) -> Vec<(f32, Features)> {
    let all = features(query, candidates);
    all.into_iter().map(|features| (probability(&features), features)).collect()
}

/// Returns the relevance that hardly a memory of the store exceeds by its words, whatever it contains.
pub(in crate::memory) fn max_relevance(query: &WeightedQuery) -> f32 {
    let best = |category: &Category| probability(&best_features(query, *category));
    Category::ALL.iter().map(best).fold(0.0, f32::max)
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
    match features.occasion {
        _ if features.vectors.is_some() => &PROMPTS_WITH_VECTORS,
        // The subject of a commit is searched for as a prompt is.
        Occasion::Prompt | Occasion::Start => &PROMPTS,
        Occasion::Command => &COMMANDS,
        Occasion::Failure => &FAILURES,
    }
}
