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
mod scoring;
mod shared_terms;

pub use features::Features;
pub use logistic_model::Contribution;
pub use query::{Occasion, Query, WeightedQuery};
pub use scoring::contributions;
pub(super) use scoring::{max_relevance, score};
pub(super) use shared_terms::SharedTerms;

/// Minimum relevance of a memory that is shown whole without an explicit search.
pub const MIN_RELEVANCE: f32 = 0.4;

/// Minimum relevance of a memory of which a line is shown without an explicit search. By its sentence
/// vectors, a memory is less sure to be the right one, but more often the right one is among three: with
/// 0.07, the lines waste as many tokens as with 0.15 by the words alone.
const MIN_LINE_RELEVANCE: MinRelevance = MinRelevance { by_words: 0.15, by_vectors: 0.07 };

/// The minimum relevance of memories that a search returns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MinRelevance {
    /// That of memories of which only the words were compared.
    pub by_words: f32,
    /// That of memories with sentence vectors.
    pub by_vectors: f32,
}

impl MinRelevance {
    /// Returns the minimum for a memory with these features.
    pub fn of(self, features: &Features) -> f32 {
        if features.vectors.is_some() { self.by_vectors } else { self.by_words }
    }
}

impl From<f32> for MinRelevance {
    fn from(minimum: f32) -> Self {
        Self { by_words: minimum, by_vectors: minimum }
    }
}
