//! The small tables of a model: biases, scales and layer norms. They are copied out of the file when it is
//! opened (200 kB for MiniLM), the matrices are not.

use std::ops::Range;

use crate::dimensions::Dimensions;
use crate::functions::LayerNorm;
use crate::matrix::Linear;

/// The tables, in the order of the file.
#[derive(Debug, Clone)]
pub(crate) struct ModelTables {
    /// What is added to every token: the row of the only token type that a single text has.
    pub(crate) token_type: Vec<f32>,
    /// The norm of the embeddings.
    pub(crate) embedding_norm: LayerNorm,
    pub(crate) layers: Vec<Layer>,
}

/// A layer of the encoder, in the order of computation and of the file.
#[derive(Debug, Clone)]
pub(crate) struct Layer {
    /// Query, key and value.
    pub(crate) projection: Linear,
    /// Mixes what the heads of the attention found.
    pub(crate) attention_output: Linear,
    pub(crate) attention_norm: LayerNorm,
    /// The first matrix of the feed-forward network.
    pub(crate) expansion: Linear,
    /// The second matrix of the feed-forward network.
    pub(crate) contraction: Linear,
    pub(crate) output_norm: LayerNorm,
}

impl ModelTables {
    /// Reads the tables from the section of floats of a model file.
    ///
    /// # Errors
    /// If a number is infinite or none.
    pub(crate) fn read(floats: &[u8], dimensions: &Dimensions) -> Result<Self, String> {
        let mut reader = TableReader { floats: floats.as_chunks().0, weights: 0, is_finite: true };
        let hidden = dimensions.hidden as usize;
        let tables = Self {
            token_type: reader.row(hidden),
            embedding_norm: reader.norm(hidden),
            layers: (0..dimensions.layers).map(|_| reader.layer(dimensions)).collect(),
        };
        match reader.is_finite {
            true => Ok(tables),
            false => Err("a bias, scale or norm is no finite number".to_owned()),
        }
    }
}

/// Takes tables from the section of floats, and counts their places in the section of weights.
struct TableReader<'a> {
    floats: &'a [[u8; 4]],
    weights: usize,
    is_finite: bool,
}

impl TableReader<'_> {
    /// Takes `length` numbers. The layout of the file has as many as are taken.
    fn row(&mut self, length: usize) -> Vec<f32> {
        let (row, rest) = self.floats.split_at(length.min(self.floats.len()));
        self.floats = rest;
        let row: Vec<f32> = row.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        self.is_finite &= row.iter().all(|number| number.is_finite());
        row
    }

    fn norm(&mut self, width: usize) -> LayerNorm {
        LayerNorm { weights: self.row(width), biases: self.row(width) }
    }

    fn linear(&mut self, rows: usize, width: usize) -> Linear {
        let weights = Range { start: self.weights, end: self.weights + rows * width };
        self.weights = weights.end;
        Linear { weights, scales: self.row(rows), biases: self.row(rows) }
    }

    fn layer(&mut self, dimensions: &Dimensions) -> Layer {
        let (hidden, intermediate) = (dimensions.hidden as usize, dimensions.intermediate as usize);
        Layer {
            projection: self.linear(3 * hidden, hidden),
            attention_output: self.linear(hidden, hidden),
            attention_norm: self.norm(hidden),
            expansion: self.linear(intermediate, hidden),
            contraction: self.linear(hidden, intermediate),
            output_norm: self.norm(hidden),
        }
    }
}
