//! The coefficients of the logistic model. Written by `cargo xtask recall --fit`; do not edit.

use super::features::Features;

/// The log odds of a memory whose features are all 0.
pub(super) const INTERCEPT: f64 = -3.518;

/// What each feature adds to the log odds.
pub(super) const COEFFICIENTS: Features = Features {
    bm25: 0.041,
    margin: 0.451,
    shared_terms: 0.417,
    cue_terms: -0.145,
    log_memories: -0.221,
    command: -0.481,
    failure: -2.648,
};
