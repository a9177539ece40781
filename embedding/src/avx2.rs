//! The vector instructions of x86-64: the one file beside `mapped_file.rs` with `unsafe`.
//!
//! A function for AVX2 is undefined on a processor without it. [`Avx2`] exists only if the processor has it,
//! so its methods may call such functions.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use crate::dimensions::ROW_STEP;

/// Inputs that one pass over four rows of a matrix takes: 4 × 3 sums, 3 inputs and a row of weights fill the
/// 16 registers.
const INPUTS: usize = 3;

/// Rows of a matrix that are taken together.
const ROWS: usize = ROW_STEP as usize;

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
    pub(crate) fn products(self, matrix: &[u8], inputs: &[i16], width: usize, sums: &mut [i32]) {
        // SAFETY: `self` proves that the processor has AVX2.
        unsafe { products(matrix, inputs, width, sums) }
    }

    /// See [`Instructions::run`](crate::instructions::Instructions::run).
    pub(crate) fn run<T>(self, work: impl FnOnce() -> T) -> T {
        // SAFETY: `self` proves that the processor has AVX2.
        unsafe { run(work) }
    }
}

#[target_feature(enable = "avx2")]
fn run<T>(work: impl FnOnce() -> T) -> T {
    work()
}

#[target_feature(enable = "avx2")]
fn products(matrix: &[u8], inputs: &[i16], width: usize, sums: &mut [i32]) {
    let rows = matrix.len() / width;
    // Four rows stay in the nearest cache while all inputs pass by.
    for (group, weights) in matrix.chunks_exact(ROWS * width).enumerate() {
        let blocks = inputs.chunks(INPUTS * width).zip(sums.chunks_mut(INPUTS * rows));
        for (inputs, sums) in blocks {
            let sums = &mut sums[group * ROWS..];
            match inputs.len() / width {
                1 => block::<1>(weights, inputs, width, sums, rows),
                2 => block::<2>(weights, inputs, width, sums, rows),
                _ => block::<INPUTS>(weights, inputs, width, sums, rows),
            }
        }
    }
}

/// Multiplies four rows with `N` inputs; the sums of an input are `stride` after those of the one before.
#[inline]
#[target_feature(enable = "avx2")]
fn block<const N: usize>(weights: &[u8], inputs: &[i16], width: usize, sums: &mut [i32], stride: usize) {
    let steps = width / LANES;
    let mut rows: [&[[u8; LANES]]; ROWS] = [&[]; ROWS];
    for (row, weights) in rows.iter_mut().zip(weights.chunks_exact(width)) {
        *row = &weights.as_chunks().0[..steps];
    }
    let mut values: [&[[i16; LANES]]; N] = [&[]; N];
    for (value, inputs) in values.iter_mut().zip(inputs.chunks_exact(width)) {
        *value = &inputs.as_chunks().0[..steps];
    }
    let lanes = block_lanes(rows, values, steps);
    for (lanes, sums) in lanes.into_iter().zip(sums.chunks_mut(stride)) {
        sums[..ROWS].copy_from_slice(&sum_lanes(lanes));
    }
}

/// Returns for each input and row eight partial sums.
#[inline]
#[target_feature(enable = "avx2")]
fn block_lanes<const N: usize>(
    rows: [&[[u8; LANES]]; ROWS],
    values: [&[[i16; LANES]]; N],
    steps: usize,
) -> [[__m256i; ROWS]; N] {
    let mut lanes = [[_mm256_setzero_si256(); ROWS]; N];
    for step in 0..steps {
        let mut inputs = [_mm256_setzero_si256(); N];
        for (input, values) in inputs.iter_mut().zip(values) {
            *input = load_values(&values[step]);
        }
        for (row, weights) in rows.iter().enumerate() {
            let weights = load_signed_bytes(&weights[step]);
            for (lanes, input) in lanes.iter_mut().zip(inputs) {
                lanes[row] = _mm256_add_epi32(lanes[row], _mm256_madd_epi16(weights, input));
            }
        }
    }
    lanes
}

/// Adds up the eight lanes of each of four registers.
#[inline]
#[target_feature(enable = "avx2")]
fn sum_lanes([a, b, c, d]: [__m256i; ROWS]) -> [i32; ROWS] {
    let quarters = _mm256_hadd_epi32(_mm256_hadd_epi32(a, b), _mm256_hadd_epi32(c, d));
    let low = _mm256_castsi256_si128(quarters);
    let sums = _mm_add_epi32(low, _mm256_extracti128_si256::<1>(quarters));
    [
        _mm_extract_epi32::<0>(sums),
        _mm_extract_epi32::<1>(sums),
        _mm_extract_epi32::<2>(sums),
        _mm_extract_epi32::<3>(sums),
    ]
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
