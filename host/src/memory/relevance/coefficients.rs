//! The coefficients of the logistic model. Written by `cargo xtask recall --fit`; do not edit.

use super::features::Features;

/// The log odds of a memory whose features are all 0.
pub(super) const INTERCEPT: f64 = -2.901;

/// What each feature adds to the log odds.
pub(super) const COEFFICIENTS: Features = Features {
    bm25: 0.135,
    margin: 0.307,
    shared_terms: 0.323,
    cue_terms: -0.160,
    log_memories: -0.293,
    command: -0.477,
    failure: -2.492,
};
