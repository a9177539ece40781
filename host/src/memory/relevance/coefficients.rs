//! The coefficients of the logistic model. Written by `cargo xtask recall --fit`; do not edit.

use super::features::Features;

/// The log odds of a memory whose features are all 0.
pub(super) const INTERCEPT: f64 = -2.775;

/// What each feature adds to the log odds.
pub(super) const COEFFICIENTS: Features = Features {
    bm25: 0.145,
    margin: 0.300,
    shared_terms: 0.327,
    log_memories: -0.348,
    command: -0.454,
    failure: -2.476,
};
