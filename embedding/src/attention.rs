//! Attention: every token takes from all tokens what fits to it.
//!
//! Each head compares the query of a token with the keys of all, and adds up their values by the shares that
//! result. Every number of a text is a token of it, so no mask is needed.

use crate::computation::Computation;
use crate::dimensions::Dimensions;
use crate::functions::softmax;

/// Numbers of a product that are computed side by side, while they are in registers.
const WIDE: usize = 32;

/// The step of the widths that [`row_times_matrix`] takes.
const NARROW: usize = 8;

/// Computes what each token takes: one row of the hidden size per token.
#[derive(Debug)]
pub(crate) struct Attention<'a> {
    /// A query, a key and a value per token.
    pub(crate) projected: &'a [f32],
    pub(crate) dimensions: &'a Dimensions,
}

impl Computation for Attention<'_> {
    type Output = Vec<f32>;

    #[inline(always)]
    fn compute(self) -> Vec<f32> {
        let (hidden, width) = (self.dimensions.hidden as usize, self.dimensions.head() as usize);
        let tokens = self.projected.len() / (3 * hidden);
        let mut context = vec![0.0; tokens * hidden];
        let mut keys = vec![0.0; width * tokens.next_multiple_of(NARROW)];
        let mut shares = vec![0.0; tokens.next_multiple_of(NARROW)];
        for first in (0..hidden).step_by(width) {
            let [queries, head_keys, values] = [0, 1, 2].map(|part| &self.projected[part * hidden + first..]);
            transpose(head_keys, 3 * hidden, &mut keys, width);
            for (query, context) in queries.chunks(3 * hidden).zip(context[first..].chunks_mut(hidden)) {
                row_times_matrix(&query[..width], &keys, shares.len(), &mut shares);
                scale(&mut shares[..tokens], 1.0 / (width as f32).sqrt());
                softmax(&mut shares[..tokens]);
                row_times_matrix(&shares[..tokens], values, 3 * hidden, &mut context[..width]);
            }
        }
        context
    }
}

#[inline(always)]
fn scale(numbers: &mut [f32], factor: f32) {
    for number in numbers {
        *number *= factor;
    }
}

/// Makes columns of the first `width` numbers of each row of `rows`, which are `stride` apart.
#[inline(always)]
fn transpose(rows: &[f32], stride: usize, columns: &mut [f32], width: usize) {
    let length = columns.len() / width;
    for (at, row) in rows.chunks(stride).enumerate() {
        for (number, column) in row[..width].iter().zip(columns.chunks_exact_mut(length)) {
            column[at] = *number;
        }
    }
}

/// Computes the product of a row with a matrix whose rows are `stride` apart, for the first columns of it:
/// as many as `product` has, a multiple of [`NARROW`].
#[inline(always)]
fn row_times_matrix(row: &[f32], matrix: &[f32], stride: usize, product: &mut [f32]) {
    let wide = product.len() - product.len() % WIDE;
    for first in (0..wide).step_by(WIDE) {
        columns_product::<WIDE>(row, &matrix[first..], stride, &mut product[first..]);
    }
    for first in (wide..product.len()).step_by(NARROW) {
        columns_product::<NARROW>(row, &matrix[first..], stride, &mut product[first..]);
    }
}

#[inline(always)]
fn columns_product<const N: usize>(row: &[f32], matrix: &[f32], stride: usize, product: &mut [f32]) {
    let mut sums = [0.0; N];
    for (factor, numbers) in row.iter().zip(matrix.chunks(stride)) {
        for (sum, number) in sums.iter_mut().zip(&numbers[..N]) {
            *sum += factor * number;
        }
    }
    product[..N].copy_from_slice(&sums);
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIMENSIONS: Dimensions = Dimensions {
        hidden: 32,
        intermediate: 16,
        layers: 1,
        heads: 2,
        positions: 64,
        pieces: 1,
        piece_bytes: 1,
        norm_epsilon: 0.0,
    };

    /// Attention by its definition, with 64-bit floats.
    fn exact_attention(projected: &[f32], token: usize, at: usize) -> f64 {
        let number = |token: usize, part: usize, at: usize| f64::from(projected[token * 96 + part * 32 + at]);
        let first = at / 16 * 16;
        let score = |other| -> f64 {
            (first..first + 16).map(|at| number(token, 0, at) * number(other, 1, at)).sum::<f64>() / 4.0
        };
        let others = 0..projected.len() / 96;
        let weights: Vec<f64> = others.clone().map(|other| score(other).exp()).collect();
        others.map(|other| weights[other] * number(other, 2, at)).sum::<f64>() / weights.iter().sum::<f64>()
    }

    #[test]
    fn attention_follows_its_definition() {
        let mut random = fastrand::Rng::with_seed(5);
        for tokens in [1, 2, 7, 8, 9, 33, 40] {
            let projected: Vec<f32> = (0..tokens * 96).map(|_| random.f32() * 4.0 - 2.0).collect();
            let computed = Attention { projected: &projected, dimensions: &DIMENSIONS }.compute();
            for (index, number) in computed.iter().enumerate() {
                let expected = exact_attention(&projected, index / 32, index % 32);
                assert!((f64::from(*number) - expected).abs() < 1e-5, "{number} instead of {expected}");
            }
        }
    }
}
