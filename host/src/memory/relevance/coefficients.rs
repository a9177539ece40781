//! The coefficients of the logistic models. Written by `cargo xtask recall --fit`; do not edit.

use super::logistic_model::LogisticModel;

/// At prompts, by the words alone.
pub(super) const PROMPTS: LogisticModel = LogisticModel {
    intercept: -3.872,
    categories: [0.000, 0.240, -0.964, 1.285, -0.581, -0.250, 0.599, 0.798, -0.471],
    bm25: -0.027,
    margin: 0.560,
    shared_terms: 0.494,
    cue_terms: -0.141,
    log_memories: -0.188,
    cosine: 0.000,
    cosine_margin: 0.000,
};

/// At prompts, with sentence vectors.
pub(super) const PROMPTS_WITH_VECTORS: LogisticModel = LogisticModel {
    intercept: -5.493,
    categories: [0.000, 0.590, -1.960, 1.316, 0.063, -0.876, 1.399, 0.775, -0.195],
    bm25: 0.034,
    margin: 0.347,
    shared_terms: 0.321,
    cue_terms: -0.106,
    log_memories: 0.159,
    cosine: 0.237,
    cosine_margin: 12.234,
};

/// Before tool calls.
pub(super) const COMMANDS: LogisticModel = LogisticModel {
    intercept: -4.729,
    categories: [0.000, 0.240, -0.964, 1.285, -0.581, -0.250, 0.599, 0.798, -0.471],
    bm25: 0.196,
    margin: 0.322,
    shared_terms: 0.176,
    cue_terms: -0.141,
    log_memories: -0.188,
    cosine: 0.000,
    cosine_margin: 0.000,
};

/// After failures.
pub(super) const FAILURES: LogisticModel = LogisticModel {
    intercept: -7.290,
    categories: [0.000, 0.240, -0.964, 1.285, -0.581, -0.250, 0.599, 0.798, -0.471],
    bm25: 0.005,
    margin: 0.296,
    shared_terms: 0.953,
    cue_terms: -0.141,
    log_memories: -0.188,
    cosine: 0.000,
    cosine_margin: 0.000,
};
