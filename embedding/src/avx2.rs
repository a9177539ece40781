//! The vector instructions of x86-64: the one file beside `mapped_file.rs` with `unsafe`.
//!
//! A function for AVX2 is undefined on a processor without it. [`Avx2`] exists only if the processor has it,
//! so its methods may call such functions.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use crate::computation::Computation;

/// Rows of a matrix that are taken together. The rows of every matrix are a multiple of it, see
/// [`WIDTH_STEP`](crate::dimensions::WIDTH_STEP).
const ROWS: usize = 2;

/// Inputs that one pass over two rows takes: 2 × 6 sums, the weights of two rows, an input and a product fill
/// the 16 registers.
const INPUTS: usize = 6;

/// Values of 16 bits in a register.
const LANES: usize = 16;

/// Proof that this processor has AVX2.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Avx2(());

impl Avx2 {
    pub(crate) fn detect() -> Option<Self> {
        is_x86_feature_detected!("avx2").then_some(Self(()))
    }

    /// See [`Instructions::products`](crate::instructions::Instructions::products).
    pub(crate) fn products(self, matrix: &[u8], inputs: &[i16], width: usize, sums: &mut [f32]) {
        // SAFETY: `self` proves that the processor has AVX2.
        unsafe { products(matrix, inputs, width, sums) }
    }

    /// See [`Instructions::compute`](crate::instructions::Instructions::compute).
    pub(crate) fn compute<C: Computation>(self, computation: C) -> C::Output {
        // SAFETY: `self` proves that the processor has AVX2.
        unsafe { compute(computation) }
    }
}

#[target_feature(enable = "avx2")]
fn compute<C: Computation>(computation: C) -> C::Output {
    computation.compute()
}

#[target_feature(enable = "avx2")]
fn products(matrix: &[u8], inputs: &[i16], width: usize, sums: &mut [f32]) {
    let (rows, steps) = (matrix.len() / width, width / LANES);
    let blocks = interleaved(inputs, width);
    // Two rows stay in the nearest cache while all inputs pass by.
    for (pair, weights) in matrix.as_chunks().0.chunks_exact(ROWS * steps).enumerate() {
        for (block, sums) in blocks.chunks(INPUTS * steps).zip(sums.chunks_mut(INPUTS * rows)) {
            let sums = sums.chunks_exact_mut(rows).map(|sums| &mut sums[pair * ROWS..][..ROWS]);
            let weights = weights.split_at(steps);
            match block.len() / steps {
                1 => write(block_sums::<1>(weights, block), sums),
                2 => write(block_sums::<2>(weights, block), sums),
                3 => write(block_sums::<3>(weights, block), sums),
                4 => write(block_sums::<4>(weights, block), sums),
                5 => write(block_sums::<5>(weights, block), sums),
                _ => write(block_sums::<INPUTS>(weights, block), sums),
            }
        }
    }
}

/// Returns the inputs in blocks of [`INPUTS`]; values that meet the same weights lie side by side.
fn interleaved(inputs: &[i16], width: usize) -> Vec<[i16; LANES]> {
    let steps = width / LANES;
    let mut interleaved = Vec::with_capacity(inputs.len() / LANES);
    for block in inputs.as_chunks().0.chunks(INPUTS * steps) {
        for step in 0..steps {
            interleaved.extend(block.iter().skip(step).step_by(steps));
        }
    }
    interleaved
}

#[inline]
fn write<'a>(sums: impl IntoIterator<Item = [i32; ROWS]>, places: impl Iterator<Item = &'a mut [f32]>) {
    for (sums, place) in sums.into_iter().zip(places) {
        place.copy_from_slice(&sums.map(|sum| sum as f32));
    }
}

/// Multiplies two rows of weights with a block of `N` inputs.
#[inline]
#[target_feature(enable = "avx2")]
fn block_sums<const N: usize>(
    weights: (&[[u8; LANES]], &[[u8; LANES]]),
    block: &[[i16; LANES]],
) -> [[i32; ROWS]; N] {
    let mut lanes = [[_mm256_setzero_si256(); ROWS]; N];
    for ((first, second), inputs) in weights.0.iter().zip(weights.1).zip(block.as_chunks::<N>().0) {
        let weights = [load_signed_bytes(first), load_signed_bytes(second)];
        for (lanes, input) in lanes.iter_mut().zip(inputs) {
            let values = load_values(input);
            lanes[0] = _mm256_add_epi32(lanes[0], _mm256_madd_epi16(weights[0], values));
            lanes[1] = _mm256_add_epi32(lanes[1], _mm256_madd_epi16(weights[1], values));
        }
    }
    let mut sums = [[0; ROWS]; N];
    for (sums, lanes) in sums.iter_mut().zip(lanes) {
        *sums = sum_lanes(lanes);
    }
    sums
}

/// Adds up the eight lanes of each of two registers.
#[inline]
#[target_feature(enable = "avx2")]
fn sum_lanes([a, b]: [__m256i; ROWS]) -> [i32; ROWS] {
    let quarters = _mm256_hadd_epi32(a, b);
    let halves = _mm_add_epi32(_mm256_castsi256_si128(quarters), _mm256_extracti128_si256::<1>(quarters));
    let sums = _mm_hadd_epi32(halves, halves);
    [_mm_extract_epi32::<0>(sums), _mm_extract_epi32::<1>(sums)]
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_values(values: &[i16; LANES]) -> __m256i {
    // SAFETY: The array has the 32 bytes that are read; this load needs no alignment.
    unsafe { _mm256_loadu_si256(std::ptr::from_ref(values).cast()) }
}

/// Widens signed bytes to 16 bits.
#[inline]
#[target_feature(enable = "avx2")]
fn load_signed_bytes(bytes: &[u8; LANES]) -> __m256i {
    // SAFETY: The array has the 16 bytes that are read; this load needs no alignment.
    _mm256_cvtepi8_epi16(unsafe { _mm_loadu_si128(std::ptr::from_ref(bytes).cast()) })
}
