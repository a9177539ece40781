//! The logistic model: from the features of a memory to the probability that it belongs to the query.

use serde::Serialize;

use super::features::Features;

/// A fitted model.
pub(super) struct LogisticModel {
    /// The log odds of a memory whose features are all 0.
    pub(super) intercept: f64,
    /// What each feature adds to the log odds.
    pub(super) coefficients: Features,
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
        let log_odds = self.intercept + self.of_features(features).map(|each| each.log_odds).sum::<f64>();
        (1.0 / (1.0 + (-log_odds).exp())) as f32
    }

    /// Returns the intercept and what each feature adds to it.
    pub(super) fn contributions(&self, features: &Features) -> Vec<Contribution> {
        let intercept = Contribution { feature: "base rate", value: 1.0, log_odds: self.intercept };
        std::iter::once(intercept).chain(self.of_features(features)).collect()
    }

    fn of_features(&self, features: &Features) -> impl Iterator<Item = Contribution> {
        let pairs = features.named().into_iter().zip(self.coefficients.named());
        pairs.map(|((feature, value), (_, coefficient))| Contribution {
            feature,
            value,
            log_odds: value * coefficient,
        })
    }
}
