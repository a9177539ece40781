//! The coefficients of the logistic model. Written by `cargo xtask recall --fit`; do not edit.

use super::features::Features;

/// The log odds of a memory whose features are all 0.
pub(super) const INTERCEPT: f64 = -1.851;

/// What each feature adds to the log odds.
pub(super) const COEFFICIENTS: Features = Features {
    bm25: 0.131,
    margin: 0.365,
    shared_terms: 0.470,
    log_memories: -0.548,
    command: -0.417,
    failure: -2.565,
};
