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
        let mut buffers = Buffers::default();
        for layer in &self.tables.layers {
            self.layer(layer, &mut states, &mut buffers);
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

    fn layer(&self, layer: &Layer, states: &mut [f32], buffers: &mut Buffers) {
        let Self { dimensions, instructions, .. } = *self;
        let Buffers { rounded, wide, narrow } = buffers;
        self.linear(&layer.projection, states, rounded, wide);
        let context = instructions.compute(Attention { projected: wide, dimensions });
        self.linear(&layer.attention_output, &context, rounded, narrow);
        self.add_and_normalize(states, narrow, &layer.attention_norm);
        self.linear(&layer.expansion, states, rounded, wide);
        instructions.compute(Gelu(wide));
        self.linear(&layer.contraction, wide, rounded, narrow);
        self.add_and_normalize(states, narrow, &layer.output_norm);
    }

    fn add_and_normalize(&self, rows: &mut [f32], added: &[f32], norm: &LayerNorm) {
        let epsilon = self.dimensions.norm_epsilon;
        self.instructions.compute(AddAndNormalize { rows, added, norm, epsilon });
    }

    fn linear(&self, linear: &Linear, inputs: &[f32], rounded: &mut InputRows, outputs: &mut Vec<f32>) {
        let width = linear.weights.len() / linear.scales.len();
        rounded.replace(inputs, width, self.instructions);
        linear.apply(self.weights, rounded, self.instructions, outputs);
    }
}

/// Memory that all layers use in turn. With new memory for each, the allocator would return it to the system
/// and take it back several times per layer.
#[derive(Debug, Default)]
struct Buffers {
    rounded: InputRows,
    /// Outputs of the projection and the expansion.
    wide: Vec<f32>,
    /// Outputs that are added to the states.
    narrow: Vec<f32>,
}
