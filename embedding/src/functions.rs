//! The functions of floats in a BERT encoder: layer norm, softmax and GELU, with an exponential of our own.
//!
//! The system's mathematical library differs between machines and takes one number at a time. These loops
//! have no branches and eight sums side by side, so the compiler makes vector instructions of them.

use crate::computation::Computation;
use crate::matrix::{ROUNDER, round};

/// Sums that are computed side by side.
const LANES: usize = 8;

/// The weights and biases of a layer norm.
#[derive(Debug, Clone)]
pub(crate) struct LayerNorm {
    pub(crate) weights: Vec<f32>,
    pub(crate) biases: Vec<f32>,
}

/// Adds numbers to rows, then gives every row the mean 0 and the variance 1, and weighs and shifts its
/// numbers.
#[derive(Debug)]
pub(crate) struct AddAndNormalize<'a> {
    pub(crate) rows: &'a mut [f32],
    /// What is added; nothing, if it is empty.
    pub(crate) added: &'a [f32],
    pub(crate) norm: &'a LayerNorm,
    pub(crate) epsilon: f32,
}

impl Computation for AddAndNormalize<'_> {
    type Output = ();

    #[inline(always)]
    fn compute(self) {
        add(self.rows, self.added);
        let LayerNorm { weights, biases } = self.norm;
        for row in self.rows.chunks_exact_mut(weights.len()) {
            let mean = sum(row, |number| number) / row.len() as f32;
            let variance = sum(row, |number| (number - mean) * (number - mean)) / row.len() as f32;
            let factor = 1.0 / (variance + self.epsilon).sqrt();
            for ((number, weight), bias) in row.iter_mut().zip(weights).zip(biases) {
                *number = (*number - mean) * factor * weight + bias;
            }
        }
    }
}

/// Adds `numbers` to `sums`.
#[inline(always)]
fn add(sums: &mut [f32], numbers: &[f32]) {
    for (sum, number) in sums.iter_mut().zip(numbers) {
        *sum += number;
    }
}

/// Returns the direction of the mean of all rows, as a vector of length 1. The sum of the rows has the same
/// direction.
#[derive(Debug)]
pub(crate) struct NormalizedMean<'a> {
    pub(crate) rows: &'a [f32],
    pub(crate) width: usize,
}

impl Computation for NormalizedMean<'_> {
    type Output = Vec<f32>;

    #[inline(always)]
    fn compute(self) -> Vec<f32> {
        let mut vector = vec![0.0; self.width];
        for row in self.rows.chunks_exact(self.width) {
            add(&mut vector, row);
        }
        // A vector of zeros has no direction and stays.
        let factor = 1.0 / sum(&vector, |number| number * number).sqrt().max(f32::MIN_POSITIVE);
        for number in &mut vector {
            *number *= factor;
        }
        vector
    }
}

/// Adds up `term` of all numbers.
#[inline(always)]
pub(crate) fn sum(numbers: &[f32], term: impl Fn(f32) -> f32) -> f32 {
    let (chunks, rest) = numbers.as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for chunk in chunks {
        for (sum, number) in sums.iter_mut().zip(chunk) {
            *sum += term(*number);
        }
    }
    sums.iter().sum::<f32>() + rest.iter().map(|number| term(*number)).sum::<f32>()
}

/// Replaces numbers by their shares: positive, in the same order, with the sum 1.
#[inline(always)]
pub(crate) fn softmax(numbers: &mut [f32]) {
    let largest = numbers.iter().fold(f32::NEG_INFINITY, |a, b| if *b > a { *b } else { a });
    for number in &mut *numbers {
        *number = exp_of_negative(*number - largest);
    }
    let factor = 1.0 / sum(numbers, |number| number);
    for number in numbers {
        *number *= factor;
    }
}

/// Replaces each x by x · Φ(x), where Φ is the distribution function of the normal distribution: the
/// activation "gelu" of BERT.
#[derive(Debug)]
pub(crate) struct Gelu<'a>(pub(crate) &'a mut [f32]);

impl Computation for Gelu<'_> {
    type Output = ();

    #[inline(always)]
    fn compute(self) {
        for number in self.0 {
            *number = 0.5 * *number * (1.0 + erf(*number * std::f32::consts::FRAC_1_SQRT_2));
        }
    }
}

/// The error function, at most 5 · 10⁻⁷ off: formula 7.1.26 of Abramowitz and Stegun, Handbook of
/// Mathematical Functions.
#[inline(always)]
fn erf(x: f32) -> f32 {
    const P: f32 = 0.327_591_1;
    const A: [f32; 5] = [0.254_829_6, -0.284_496_72, 1.421_413_8, -1.453_152, 1.061_405_4];
    let size = x.abs();
    let t = 1.0 / (1.0 + P * size);
    let polynomial = t * (A[0] + t * (A[1] + t * (A[2] + t * (A[3] + t * A[4]))));
    (1.0 - polynomial * exp_of_negative(-size * size)).copysign(x)
}

/// eˣ for x ≤ 0, with a relative error below 3 · 10⁻⁷. Below -87, where floats have no normal number for the
/// result, it stays at e⁻⁸⁷.
///
/// eˣ = 2ⁿ · eʳ, where n is the integer next to x / ln 2. The rest r is at most ln 2 / 2, so that seven terms
/// of the exponential series are enough.
#[inline(always)]
fn exp_of_negative(x: f32) -> f32 {
    // ln 2 in two parts: the first has few bits, so that its product with n is exact.
    const LN_2_HIGH: f32 = 355.0 / 512.0;
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    const MIN: f32 = -87.0;
    let x = if x > MIN { x } else { MIN };
    let scaled = x * std::f32::consts::LOG2_E;
    let n = (scaled + ROUNDER) - ROUNDER;
    let r = (x - n * LN_2_HIGH) - n * LN_2_LOW;
    let tail = 1.0 / 6.0 + r * (1.0 / 24.0 + r * (1.0 / 120.0 + r * (1.0 / 720.0)));
    let series = 1.0 + r * (1.0 + r * (0.5 + r * tail));
    // The bits of the float 2ⁿ: its exponent is stored with 127 added, above 23 bits of fraction.
    series * f32::from_bits((round(scaled) + 127).cast_unsigned() << 23)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The error function by its power series, which converges everywhere, with 64-bit floats.
    fn exact_erf(x: f64) -> f64 {
        let (mut term, mut sum) = (x, x);
        for n in 1..200 {
            term *= -x * x / f64::from(n);
            sum += term / f64::from(2 * n + 1);
        }
        sum * 2.0 / std::f64::consts::PI.sqrt()
    }

    #[test]
    fn the_exponential_is_exact_to_seven_digits() {
        for x in (0..87_000).map(|n| -(n as f32) / 1000.0) {
            let expected = f64::from(x).exp();
            assert!((f64::from(exp_of_negative(x)) / expected - 1.0).abs() < 3e-7, "{x}");
        }
        assert_eq!(exp_of_negative(0.0), 1.0);
        assert!(exp_of_negative(f32::NEG_INFINITY) < 2e-38);
    }

    #[test]
    fn the_error_function_is_exact_to_six_digits() {
        for x in (-4000..=4000).map(|n| n as f32 / 1000.0) {
            assert!((f64::from(erf(x)) - exact_erf(x.into())).abs() < 5e-7, "{x}");
        }
        assert_eq!([erf(-30.0), erf(30.0)], [-1.0, 1.0]);
    }

    #[test]
    fn gelu_has_the_values_of_its_definition() {
        let mut numbers = [-10.0, -1.0, 0.0, 1.0, 10.0];
        Gelu(&mut numbers).compute();

        for (number, expected) in numbers.iter().zip([0.0, -0.158_655_25, 0.0, 0.841_344_8, 10.0]) {
            assert!((number - expected).abs() < 1e-6, "{number} instead of {expected}");
        }
    }

    #[test]
    fn shares_have_the_sum_one_however_large_the_numbers_are() {
        let mut numbers = [1000.0, 1000.0 + 2.0f32.ln(), -1e30];
        softmax(&mut numbers);

        for (number, expected) in numbers.iter().zip([1.0 / 3.0, 2.0 / 3.0, 0.0]) {
            assert!((number - expected).abs() < 1e-4, "{number} instead of {expected}");
        }
    }

    #[test]
    fn the_mean_of_rows_has_length_one_unless_it_is_zero() {
        let mean = |rows: &[f32]| NormalizedMean { rows, width: 2 }.compute();

        assert_eq!(mean(&[1.0, 4.0, 5.0, 4.0]), [0.6, 0.8]);
        assert_eq!(mean(&[1.0, 0.0, -1.0, 0.0]), [0.0, 0.0]);
    }

    #[test]
    fn a_norm_gives_mean_and_variance_before_it_weighs() {
        let norm = LayerNorm { weights: vec![1.0, 1.0, 2.0, 1.0], biases: vec![0.0, 0.0, 0.0, 5.0] };
        let mut rows = [0.0, -2.0, 0.0, -2.0, 8.0, 8.0, 8.0, 8.0];
        AddAndNormalize { rows: &mut rows, added: &[1.0; 4], norm: &norm, epsilon: 1e-12 }.compute();

        assert_eq!(rows, [1.0, -1.0, 2.0, 4.0, 0.0, 0.0, 0.0, 5.0]);
    }
}
