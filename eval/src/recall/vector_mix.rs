//! The plain mix of sentence vectors and BM25 to compare with: the cosine plus a small part of the BM25
//! score.

use interleaf_embedding::{Model, dot, quantize};

use super::bm25::Index;
use super::family::Family;

/// What a BM25 score counts, beside a cosine.
const BM25_WEIGHT: f64 = 0.08 / 5.0;

/// Number of tokens of a query and of a memory that count.
const QUERY_TOKENS: usize = 32;
const MEMORY_TOKENS: usize = 256;

/// The memories of a family.
pub struct VectorMix<'a> {
    model: &'a Model<'static>,
    index: Index,
    vectors: Vec<Vec<i8>>,
}

impl<'a> VectorMix<'a> {
    /// Computes the vectors of the memories.
    pub fn new(model: &'a Model<'static>, family: &Family) -> Self {
        let vector = |text: &str| quantize(&model.embed(text, MEMORY_TOKENS));
        let vectors = family.memories.iter().map(|memory| vector(&memory.text)).collect();
        Self { model, index: Index::new(family), vectors }
    }

    /// Returns all memories with their scores, the best first.
    pub fn scores(&self, query: &str) -> Vec<(usize, f64)> {
        let vector = quantize(&self.model.embed(query, QUERY_TOKENS));
        let cosine = |memory: &Vec<i8>| f64::from(dot(&vector, memory)) / (127.0 * 127.0);
        let mut scores: Vec<(usize, f64)> = self.vectors.iter().map(cosine).enumerate().collect();
        for (number, score) in self.index.scores(query) {
            scores[number].1 += BM25_WEIGHT * score;
        }
        scores.sort_by(|a, b| b.1.total_cmp(&a.1));
        scores
    }
}
