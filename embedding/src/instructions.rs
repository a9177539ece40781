//! Chooses the vector instructions of this processor at run time, and has the same arithmetic without them.
//!
//! All ways yield the same bits: the integer products are exact, and the functions of floats are the same
//! Rust, compiled twice.

#[cfg(target_arch = "x86_64")]
use crate::avx2::Avx2;
#[cfg(target_arch = "x86_64")]
use crate::avx512::{self, Avx512};
#[cfg(target_arch = "x86_64")]
use crate::blocked_product;
use crate::computation::Computation;

/// The instructions to compute with.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Instructions {
    /// Plain Rust; the compiler may use the vector instructions that every processor of this kind has.
    Plain,
    /// Registers of 32 bytes, on most x86-64 processors since 2013.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// Registers of 64 bytes, on many x86-64 processors since 2019; what needs smaller ones takes those.
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512, Avx2),
}

impl Instructions {
    /// Returns the best instructions that this processor has.
    pub(crate) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = Avx2::detect() {
            return Avx512::detect().map_or(Self::Avx2(avx2), |avx512| Self::Avx512(avx512, avx2));
        }
        Self::Plain
    }

    /// Computes the product of a matrix of signed bytes (rows of `width`) with each row of `inputs` (also of
    /// `width`). `sums` gets one number per input row and matrix row, input by input: the float next to the
    /// exact sum.
    ///
    /// The caller keeps the limits of [`dimensions`](crate::dimensions), so that no sum overflows.
    pub(crate) fn products(self, matrix: &[u8], inputs: &[i16], width: usize, sums: &mut [f32]) {
        match self {
            Self::Plain => products(matrix, inputs, width, sums),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(avx512, _) if width.is_multiple_of(avx512::LANES) => {
                blocked_product::products(avx512, matrix, inputs, width, sums);
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(avx2) | Self::Avx512(_, avx2) => {
                blocked_product::products(avx2, matrix, inputs, width, sums);
            }
        }
    }

    /// Computes with floats.
    pub(crate) fn compute<C: Computation>(self, computation: C) -> C::Output {
        match self {
            Self::Plain => computation.compute(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(avx2) | Self::Avx512(_, avx2) => avx2.compute(computation),
        }
    }
}

fn products(matrix: &[u8], inputs: &[i16], width: usize, sums: &mut [f32]) {
    let rows = matrix.len() / width;
    for (input, sums) in inputs.chunks_exact(width).zip(sums.chunks_exact_mut(rows)) {
        for (weights, sum) in matrix.chunks_exact(width).zip(sums) {
            let products =
                weights.iter().zip(input).map(|(weight, value)| signed(*weight) * i32::from(*value));
            *sum = products.sum::<i32>() as f32;
        }
    }
}

/// Reads a byte as a signed number.
pub(crate) fn signed(byte: u8) -> i32 {
    i32::from(byte.cast_signed())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dimensions::MAX_WIDTH;
    use crate::matrix::MAX_INPUT;

    /// Returns all instructions that this processor has.
    fn every() -> Vec<Instructions> {
        let best = Instructions::detect();
        #[cfg(target_arch = "x86_64")]
        if let Instructions::Avx512(_, avx2) = best {
            return vec![Instructions::Plain, Instructions::Avx2(avx2), best];
        }
        vec![Instructions::Plain, best]
    }

    fn random_bytes(random: &mut fastrand::Rng, length: usize) -> Vec<u8> {
        (0..length).map(|_| random.u8(..)).collect()
    }

    #[test]
    fn products_agree_with_and_without_vector_instructions() {
        let mut random = fastrand::Rng::with_seed(1);
        for (rows, width, tokens) in (1..200).map(|n| (4 * (n % 5 + 1), 16 * (n % 7 + 1), n % 14 + 1)) {
            let matrix = random_bytes(&mut random, rows * width);
            let input = |_| random.i16(-MAX_INPUT..=MAX_INPUT);
            let inputs: Vec<i16> = (0..tokens * width).map(input).collect();
            let sums = |instructions: Instructions| {
                let mut sums = vec![-1.0; tokens * rows];
                instructions.products(&matrix, &inputs, width, &mut sums);
                sums
            };

            for instructions in every() {
                let is = format!("{instructions:?}: {rows} rows of {width}, {tokens} tokens");
                assert_eq!(sums(instructions), sums(Instructions::Plain), "{is}");
            }
        }
    }

    #[test]
    fn the_largest_sum_fits() {
        let width = MAX_WIDTH as usize;
        let (matrix, inputs) = (vec![0x80; 4 * width], vec![-MAX_INPUT; 3 * width]);
        let expected = (128 * i32::from(MAX_INPUT) * MAX_WIDTH as i32) as f32;
        for instructions in every() {
            let mut sums = vec![0.0; 12];
            instructions.products(&matrix, &inputs, width, &mut sums);
            assert_eq!(sums, [expected; 12]);
        }
    }
}
