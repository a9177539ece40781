//! Relevance: the probability that a memory belongs to a text, from 0 to 1, and the minima below which no
//! memory is shown whole, or as a line.
//!
//! [`query`] weighs the terms of the text for one store, and [`features`] describes each memory that
//! shares some of them, above all by its BM25 score and by how far it is ahead of the next one. A logistic
//! model turns that into a probability. Its [`coefficients`] are fitted by `cargo xtask recall --fit` on the
//! stores of `eval/recall/train`, one by one and cut and merged into stores of one to 740 memories, so that
//! one minimum serves stores of every size. More features (rarities, shares, identifiers, categories, the
//! length of the query) and boosted trees found no more on stores that they were not fitted on.

mod coefficients;
mod features;
mod logistic_model;
mod query;
mod shared_terms;

pub use features::Features;
pub(super) use logistic_model::{max_relevance, score};
pub use query::{Occasion, Query, WeightedQuery};
pub(super) use shared_terms::SharedTerms;

/// Minimum relevance of a memory that is shown whole without an explicit search.
pub const MIN_RELEVANCE: f32 = 0.4;

/// Minimum relevance of a memory of which a line is shown without an explicit search.
pub const MIN_LINE_RELEVANCE: f32 = 0.15;
