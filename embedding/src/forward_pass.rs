//! The pass of a text's tokens through the encoder: from the ids of its pieces to its vector.

use crate::attention::attention;
use crate::dimensions::Dimensions;
use crate::functions::{gelu, sum};
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
    /// Returns the vector of a text with `tokens`: at least one, at most as many as there are positions, all of
    /// them in the vocabulary.
    pub(crate) fn vector(&self, tokens: &[PieceId]) -> Vec<f32> {
        let mut states = self.embeddings(tokens);
        for layer in &self.tables.layers {
            self.layer(layer, &mut states);
        }
        self.instructions.run(|| normalized_mean(&states, self.dimensions.hidden as usize))
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
        let norm = &self.tables.embedding_norm;
        self.instructions.run(|| norm.apply(&mut states, self.dimensions.norm_epsilon));
        states
    }

    fn layer(&self, layer: &Layer, states: &mut [f32]) {
        let Self { dimensions, instructions, .. } = *self;
        let (hidden, epsilon) = (dimensions.hidden as usize, dimensions.norm_epsilon);
        let projected = self.linear(&layer.projection, states, hidden);
        let context = instructions.run(|| attention(&projected, dimensions));
        let attended = self.linear(&layer.attention_output, &context, hidden);
        instructions.run(|| {
            add(states, &attended);
            layer.attention_norm.apply(states, epsilon);
        });
        let mut expanded = self.linear(&layer.expansion, states, hidden);
        instructions.run(|| gelu(&mut expanded));
        let output = self.linear(&layer.contraction, &expanded, dimensions.intermediate as usize);
        instructions.run(|| {
            add(states, &output);
            layer.output_norm.apply(states, epsilon);
        });
    }

    fn linear(&self, linear: &Linear, inputs: &[f32], width: usize) -> Vec<f32> {
        let inputs = InputRows::new(inputs, width, self.instructions);
        linear.apply(self.weights, &inputs, self.instructions)
    }
}

#[inline(always)]
fn add(sums: &mut [f32], numbers: &[f32]) {
    for (sum, number) in sums.iter_mut().zip(numbers) {
        *sum += number;
    }
}

/// Returns the direction of the mean of all rows, as a vector of length 1. The length of a sum is enough: it
/// has the direction of the mean.
#[inline(always)]
fn normalized_mean(rows: &[f32], width: usize) -> Vec<f32> {
    let mut vector = vec![0.0; width];
    for row in rows.chunks_exact(width) {
        add(&mut vector, row);
    }
    // A vector of zeros has no direction and stays.
    let factor = 1.0 / sum(&vector, |number| number * number).sqrt().max(f32::MIN_POSITIVE);
    for number in &mut vector {
        *number *= factor;
    }
    vector
}
