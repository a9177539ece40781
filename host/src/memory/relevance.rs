//! Relevance: the probability that a memory belongs to a text, from 0 to 1, and the minima below which no
//! memory is shown whole, or as a line ([`wasted_tokens`]).
//!
//! [`query`] weighs the terms of the text for one store, and [`features`] describes each memory that
//! shares some of them, above all by its BM25 score and by how far it is ahead of the next one. A logistic
//! model turns that into a probability. Its [`coefficients`] are fitted by `cargo xtask recall --fit` on the
//! stores of `eval/recall/train`, one by one and cut and merged into stores of one to 740 memories, so that
//! one minimum serves stores of every size. More features (rarities, shares, identifiers, the length of the
//! query) and boosted trees found no more on stores that they were not fitted on.

mod coefficients;
mod features;
mod logistic_model;
mod measured_waste;
mod occasion;
mod query;
mod scoring;
mod shared_terms;
mod waste_curve;
mod wasted_tokens;

pub(super) use features::Candidate;
pub use features::Features;
pub use logistic_model::Contribution;
pub use occasion::Occasion;
pub use query::{Query, WeightedQuery};
pub use scoring::contributions;
pub(super) use scoring::{max_relevance, score};
pub(super) use shared_terms::SharedTerms;
pub use wasted_tokens::{MinRelevance, WastedTokens, WastedTokensByOccasion};
