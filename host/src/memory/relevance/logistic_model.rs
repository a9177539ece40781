//! The logistic model: from the features of a memory to the probability that it belongs to the query.

use serde::Serialize;

use super::features::Features;
use crate::memory::Category;

/// Maximum probability. Nothing is certain, so a minimum of 1 is never reached.
const MAX_PROBABILITY: f64 = 0.999;

/// A fitted model: what each feature adds to the log odds.
pub(super) struct LogisticModel {
    /// The log odds of a memory whose features are all 0.
    pub(super) intercept: f64,
    /// What each category adds, in the order of [`Category::ALL`].
    pub(super) categories: [f64; Category::ALL.len()],
    pub(super) bm25: f64,
    pub(super) margin: f64,
    pub(super) shared_terms: f64,
    pub(super) cue_terms: f64,
    pub(super) log_memories: f64,
    pub(super) cosine: f64,
    pub(super) cosine_margin: f64,
}

/// What one feature adds to the log odds of a memory.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Contribution {
    /// What the feature says.
    pub feature: &'static str,
    /// Its value.
    pub value: f64,
    /// What it adds: its value times its coefficient.
    pub log_odds: f64,
}

impl LogisticModel {
    /// Returns the probability that a memory with these features belongs to the query.
    pub(super) fn probability(&self, features: &Features) -> f32 {
        let log_odds: f64 = self.terms(features).iter().map(|(_, value, weight)| value * weight).sum();
        (1.0 / (1.0 + (-log_odds).exp())).min(MAX_PROBABILITY) as f32
    }

    /// Returns what each feature adds to the log odds.
    pub(super) fn contributions(&self, features: &Features) -> Vec<Contribution> {
        let terms = self.terms(features).into_iter();
        terms
            .map(|(feature, value, weight)| Contribution { feature, value, log_odds: value * weight })
            .collect()
    }

    /// Returns each feature in words, with its value and its coefficient.
    fn terms(&self, features: &Features) -> [(&'static str, f64, f64); 9] {
        let (cosine, cosine_margin) =
            features.vectors.map_or((0.0, 0.0), |vectors| (vectors.cosine, vectors.margin));
        [
            ("base rate of the occasion", 1.0, self.intercept),
            ("its category", 1.0, self.categories[features.category as usize]),
            ("BM25 score", features.bm25, self.bm25),
            ("BM25 ahead of the next subject", features.margin, self.margin),
            ("shared terms", features.shared_terms, self.shared_terms),
            ("shared terms only in its cues", features.cue_terms, self.cue_terms),
            ("memories in the store (logarithm)", features.log_memories, self.log_memories),
            ("cosine of the sentence vectors", cosine, self.cosine),
            ("cosine ahead of the fourth memory", cosine_margin, self.cosine_margin),
        ]
    }
}
