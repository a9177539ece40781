//! The pass of a text's tokens through the encoder: from the ids of its pieces to its vector.

use crate::attention::Attention;
use crate::dimensions::Dimensions;
use crate::functions::{AddAndNormalize, Gelu, LayerNorm, NormalizedMean};
use crate::instructions::{Instructions, signed};
use crate::matrix::{InputRows, Linear};
use crate::model_tables::{Layer, ModelTables};
use crate::vocabulary::PieceId;

/// Rows of signed bytes with a scale each: an embedding of words or positions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ByteRows<'a> {
    pub(crate) scales: &'a [u8],
    pub(crate) rows: &'a [u8],
}

impl ByteRows<'_> {
    /// Adds row `index` to `sums`.
    fn add_row(&self, index: usize, sums: &mut [f32]) {
        let scale = f32::from_le_bytes(self.scales.as_chunks().0[index]);
        let row = &self.rows[index * sums.len()..];
        for (sum, byte) in sums.iter_mut().zip(row) {
            *sum += scale * signed(*byte) as f32;
        }
    }
}

/// All parts of a model that a pass needs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ForwardPass<'a> {
    pub(crate) dimensions: &'a Dimensions,
    pub(crate) tables: &'a ModelTables,
    pub(crate) weights: &'a [u8],
    pub(crate) words: ByteRows<'a>,
    pub(crate) positions: ByteRows<'a>,
    pub(crate) instructions: Instructions,
}

impl ForwardPass<'_> {
    /// Returns the vector of a text with `tokens`: at least one, at most as many as there are positions, all
    /// of them in the vocabulary.
    pub(crate) fn vector(&self, tokens: &[PieceId]) -> Vec<f32> {
        let mut states = self.embeddings(tokens);
        for layer in &self.tables.layers {
            self.layer(layer, &mut states);
        }
        let width = self.dimensions.hidden as usize;
        self.instructions.compute(NormalizedMean { rows: &states, width })
    }

    /// Returns the row of each token: the sum of the rows of its piece, its position and its type.
    fn embeddings(&self, tokens: &[PieceId]) -> Vec<f32> {
        let hidden = self.dimensions.hidden as usize;
        let mut states = Vec::with_capacity(tokens.len() * hidden);
        for (position, token) in tokens.iter().enumerate() {
            states.extend(&self.tables.token_type);
            let row = &mut states[position * hidden..];
            self.positions.add_row(position, row);
            self.words.add_row(*token as usize, row);
        }
        self.add_and_normalize(&mut states, &[], &self.tables.embedding_norm);
        states
    }

    fn layer(&self, layer: &Layer, states: &mut [f32]) {
        let Self { dimensions, instructions, .. } = *self;
        let (hidden, intermediate) = (dimensions.hidden as usize, dimensions.intermediate as usize);
        let projected = self.linear(&layer.projection, states, hidden);
        let context = instructions.compute(Attention { projected: &projected, dimensions });
        let attended = self.linear(&layer.attention_output, &context, hidden);
        self.add_and_normalize(states, &attended, &layer.attention_norm);
        let mut expanded = self.linear(&layer.expansion, states, hidden);
        instructions.compute(Gelu(&mut expanded));
        let contracted = self.linear(&layer.contraction, &expanded, intermediate);
        self.add_and_normalize(states, &contracted, &layer.output_norm);
    }

    fn add_and_normalize(&self, rows: &mut [f32], added: &[f32], norm: &LayerNorm) {
        let epsilon = self.dimensions.norm_epsilon;
        self.instructions.compute(AddAndNormalize { rows, added, norm, epsilon });
    }

    fn linear(&self, linear: &Linear, inputs: &[f32], width: usize) -> Vec<f32> {
        let inputs = InputRows::new(inputs, width, self.instructions);
        linear.apply(self.weights, &inputs, self.instructions)
    }
}
