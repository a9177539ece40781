//! The coefficients of the logistic models. Written by `cargo xtask recall --fit`; do not edit.

use super::features::{Features, VectorFeatures};
use super::logistic_model::LogisticModel;

/// For memories of which only the words were compared.
pub(super) const WORDS: LogisticModel = LogisticModel {
    intercept: -3.605,
    coefficients: Features {
        bm25: 0.043,
        margin: 0.457,
        shared_terms: 0.412,
        cue_terms: -0.120,
        log_memories: -0.218,
        command: -0.438,
        failure: -2.653,
        vectors: None,
    },
};

/// For memories with sentence vectors.
pub(super) const WORDS_AND_VECTORS: LogisticModel = LogisticModel {
    intercept: -5.039,
    coefficients: Features {
        bm25: 0.027,
        margin: 0.364,
        shared_terms: 0.304,
        cue_terms: -0.093,
        log_memories: 0.176,
        command: 0.000,
        failure: 0.000,
        vectors: Some(VectorFeatures { cosine: 0.361, margin: 11.670 }),
    },
};
