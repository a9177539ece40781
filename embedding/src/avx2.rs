//! The vector instructions of most x86-64 processors since 2013.
//!
//! A function for AVX2 is undefined on a processor without it. [`Avx2`] exists only if the processor has it,
//! so its methods may call such functions.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use crate::blocked_product::BlockSums;
use crate::computation::Computation;

/// Values of 16 bits in a register.
const LANES: usize = 16;

/// Rows that are taken together: 2 × 6 sums, the weights of two rows, an input and a product fill the 16
/// registers.
const ROWS: usize = 2;

/// Proof that this processor has AVX2.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Avx2(());

impl Avx2 {
    pub(crate) fn detect() -> Option<Self> {
        is_x86_feature_detected!("avx2").then_some(Self(()))
    }

    /// See [`Instructions::compute`](crate::instructions::Instructions::compute).
    pub(crate) fn compute<C: Computation>(self, computation: C) -> C::Output {
        // SAFETY: `self` proves that the processor has AVX2.
        unsafe { compute(computation) }
    }
}

impl BlockSums<LANES, ROWS> for Avx2 {
    fn block_sums<const N: usize>(
        self,
        weights: [&[[u8; LANES]]; ROWS],
        block: &[[i16; LANES]],
    ) -> [[i32; ROWS]; N] {
        // SAFETY: `self` proves that the processor has AVX2.
        unsafe { block_sums(weights, block) }
    }
}

#[target_feature(enable = "avx2")]
fn compute<C: Computation>(computation: C) -> C::Output {
    computation.compute()
}

#[target_feature(enable = "avx2")]
fn block_sums<const N: usize>(
    [first, second]: [&[[u8; LANES]]; ROWS],
    block: &[[i16; LANES]],
) -> [[i32; ROWS]; N] {
    let mut lanes = [[_mm256_setzero_si256(); ROWS]; N];
    for ((first, second), inputs) in first.iter().zip(second).zip(block.as_chunks::<N>().0) {
        let weights = [load_signed_bytes(first), load_signed_bytes(second)];
        for (lanes, input) in lanes.iter_mut().zip(inputs) {
            let values = load_values(input);
            lanes[0] = _mm256_add_epi32(lanes[0], _mm256_madd_epi16(weights[0], values));
            lanes[1] = _mm256_add_epi32(lanes[1], _mm256_madd_epi16(weights[1], values));
        }
    }
    lanes.map(|lanes| sum_lanes(lanes))
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
