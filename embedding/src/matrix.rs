//! The product of a matrix of 8-bit weights with rows of floats.
//!
//! The inputs are rounded to 13 bits with one scale per row, the products are summed as integers, and the
//! sums become floats again. With AVX2, inputs of 8 bits would not be faster: the instruction that multiplies
//! bytes saturates unless they have 7 bits, and takes as many multiplications. With VNNI they would, but the
//! vectors would differ more from the published ones.

use std::ops::Range;

use crate::computation::Computation;
use crate::dimensions::MAX_WIDTH;
use crate::instructions::Instructions;

/// The largest number that an input is rounded to. With it, the sum of [`MAX_WIDTH`] products with weights of
/// -128 to 127 fits into 32 bits.
pub(crate) const MAX_INPUT: i16 = 4095;

const _: () = assert!(128 * MAX_INPUT as i64 * MAX_WIDTH as i64 <= i32::MAX as i64);

/// The largest number that a weight is rounded to.
const MAX_WEIGHT: f32 = 127.0;

/// 1.5 × 2²³: a float of this size has no bits behind the point, so adding it rounds to the nearest integer,
/// which then stands in the low bits.
pub(crate) const ROUNDER: f32 = 12_582_912.0;

/// A linear layer: weights, and what belongs to each row of them.
#[derive(Debug, Clone)]
pub(crate) struct Linear {
    /// The place of the matrix in the section of weights: one row of signed bytes per output.
    pub(crate) weights: Range<usize>,
    /// What a weight has to be multiplied with.
    pub(crate) scales: Vec<f32>,
    /// What is added to each output.
    pub(crate) biases: Vec<f32>,
}

impl Linear {
    /// Computes the outputs for all `inputs`, token by token, and replaces `outputs` by them.
    pub(crate) fn apply(
        &self,
        weights: &[u8],
        inputs: &InputRows,
        instructions: Instructions,
        outputs: &mut Vec<f32>,
    ) {
        outputs.resize(inputs.scales.len() * self.scales.len(), 0.0);
        instructions.products(&weights[self.weights.clone()], &inputs.values, inputs.width, outputs);
        instructions.compute(ScaleSums { linear: self, input_scales: &inputs.scales, sums: outputs });
    }
}

/// Turns the sums of integers into outputs.
struct ScaleSums<'a> {
    linear: &'a Linear,
    input_scales: &'a [f32],
    sums: &'a mut [f32],
}

impl Computation for ScaleSums<'_> {
    type Output = ();

    #[inline(always)]
    fn compute(self) {
        let Linear { scales, biases, .. } = self.linear;
        for (sums, input_scale) in self.sums.chunks_exact_mut(scales.len()).zip(self.input_scales) {
            for ((sum, scale), bias) in sums.iter_mut().zip(scales).zip(biases) {
                *sum = *sum * (scale * input_scale) + bias;
            }
        }
    }
}

/// Rows of numbers, rounded to integers with one scale per row.
#[derive(Debug, Default)]
pub(crate) struct InputRows {
    width: usize,
    values: Vec<i16>,
    scales: Vec<f32>,
}

impl InputRows {
    /// Rounds rows of numbers, and replaces the rows that were here.
    pub(crate) fn replace(&mut self, numbers: &[f32], width: usize, instructions: Instructions) {
        self.width = width;
        self.values.resize(numbers.len(), 0);
        self.scales.resize(numbers.len() / width, 0.0);
        instructions.compute(RoundRows { numbers, rows: self });
    }
}

struct RoundRows<'a> {
    numbers: &'a [f32],
    rows: &'a mut InputRows,
}

impl Computation for RoundRows<'_> {
    type Output = ();

    #[inline(always)]
    fn compute(self) {
        let InputRows { width, values, scales } = self.rows;
        let rows = self.numbers.chunks_exact(*width).zip(values.chunks_exact_mut(*width)).zip(scales);
        for ((numbers, values), scale) in rows {
            *scale = scale_for(numbers, f32::from(MAX_INPUT));
            let factor = 1.0 / *scale;
            for (value, number) in values.iter_mut().zip(numbers) {
                // Only a number that is infinite or none can lie beyond; a damaged model may yield one.
                *value = round(number * factor).clamp(-i32::from(MAX_INPUT), i32::from(MAX_INPUT)) as i16;
            }
        }
    }
}

/// Returns what the numbers have to be divided by so that the largest has the size `max`.
#[inline(always)]
fn scale_for(numbers: &[f32], max: f32) -> f32 {
    let (lanes, rest) = numbers.as_chunks::<8>();
    let mut largest = [0.0f32; 8];
    for lane in lanes {
        for (largest, number) in largest.iter_mut().zip(lane) {
            *largest = if number.abs() > *largest { number.abs() } else { *largest };
        }
    }
    let largest = largest.iter().chain(rest).fold(0.0f32, |largest, number| largest.max(number.abs()));
    // Numbers below this are rounded to 0; the smallest floats have no reciprocal.
    (largest / max).max(1e-30)
}

/// Rounds a number of less than 2²² to the nearest integer, and one between two integers to the even one.
#[inline(always)]
pub(crate) fn round(number: f32) -> i32 {
    (number + ROUNDER).to_bits().wrapping_sub(ROUNDER.to_bits()).cast_signed()
}

/// Returns the numbers of a row as signed bytes, and what to multiply them with.
pub(crate) fn quantized_row(row: &[f32]) -> (Vec<u8>, f32) {
    let scale = scale_for(row, MAX_WEIGHT);
    let bytes = row.iter().map(|number| (round(number / scale) as i8).cast_unsigned());
    (bytes.collect(), scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random_numbers(random: &mut fastrand::Rng, length: usize) -> Vec<f32> {
        (0..length).map(|_| random.f32() * 4.0 - 2.0).collect()
    }

    #[test]
    fn rounding_yields_the_nearest_integer() {
        for (number, expected) in
            [(0.4, 0), (0.6, 1), (-0.6, -1), (1.5, 2), (2.5, 2), (-3.5, -4), (4095.0, 4095), (-4095.4, -4095)]
        {
            assert_eq!(round(number), expected, "{number}");
        }
    }

    #[test]
    fn a_row_is_rounded_by_its_largest_number() {
        let (bytes, scale) = quantized_row(&[0.5, -2.0, 0.0, 1.0]);

        assert_eq!(bytes, [32, 0x81, 0, 64]);
        assert_eq!(scale, 2.0 / 127.0);
        assert_eq!(quantized_row(&[0.0; 3]).0, [0; 3]);
    }

    #[test]
    fn a_product_is_close_to_that_of_floats() {
        let mut random = fastrand::Rng::with_seed(4);
        let (rows, width, tokens) = (8, 64, 5);
        let matrix = random_numbers(&mut random, rows * width);
        let inputs = random_numbers(&mut random, tokens * width);
        let biases = random_numbers(&mut random, rows);
        let (weights, scales): (Vec<Vec<u8>>, Vec<f32>) =
            matrix.chunks_exact(width).map(quantized_row).unzip();
        let weights = weights.concat();
        let linear = Linear { weights: 0..weights.len(), scales, biases: biases.clone() };

        let [outputs, plain] = [Instructions::detect(), Instructions::Plain].map(|instructions| {
            let (mut rounded, mut outputs) = (InputRows::default(), Vec::new());
            rounded.replace(&inputs, width, instructions);
            linear.apply(&weights, &rounded, instructions, &mut outputs);
            outputs
        });
        assert_eq!(outputs, plain);
        for (token, outputs) in outputs.chunks_exact(rows).enumerate() {
            for (row, output) in outputs.iter().enumerate() {
                let input = &inputs[token * width..][..width];
                let products = matrix[row * width..][..width].iter().zip(input).map(|(a, b)| a * b);
                let expected = products.sum::<f32>() + biases[row];
                assert!((output - expected).abs() < 0.2, "{output} instead of {expected}");
            }
        }
    }
}
