//! The logistic model: from the features of a memory to the probability that it belongs to the query.

use super::features::Features;

/// A fitted model.
pub(super) struct LogisticModel {
    /// The log odds of a memory whose features are all 0.
    pub(super) intercept: f64,
    /// What each feature adds to the log odds.
    pub(super) coefficients: Features,
}

impl LogisticModel {
    /// Returns the probability that a memory with these features belongs to the query.
    pub(super) fn probability(&self, features: &Features) -> f32 {
        let values = features.values().into_iter().zip(self.coefficients.values());
        let log_odds = self.intercept + values.map(|(value, factor)| value * factor).sum::<f64>();
        (1.0 / (1.0 + (-log_odds).exp())) as f32
    }
}
