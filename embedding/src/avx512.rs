//! The vector instructions of many x86-64 processors since 2019 that multiply and add 32 numbers at once
//! (VNNI).
//!
//! A function for them is undefined on a processor without them. [`Avx512`] exists only if the processor has
//! them, so its methods may call such functions.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use crate::blocked_product::BlockSums;

/// Values of 16 bits in a register.
pub(crate) const LANES: usize = 32;

/// Rows that are taken together: 4 × 6 sums, the weights of four rows and an input fill 29 of the 32
/// registers.
const ROWS: usize = 4;

/// Proof that this processor has AVX-512 with VNNI.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Avx512(());

impl Avx512 {
    pub(crate) fn detect() -> Option<Self> {
        let is_detected = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vnni");
        is_detected.then_some(Self(()))
    }
}

impl BlockSums<LANES, ROWS> for Avx512 {
    fn block_sums<const N: usize>(
        self,
        weights: [&[[u8; LANES]]; ROWS],
        block: &[[i16; LANES]],
    ) -> [[i32; ROWS]; N] {
        // SAFETY: `self` proves that the processor has these instructions.
        unsafe { block_sums(weights, block) }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn block_sums<const N: usize>(
    [first, second, third, fourth]: [&[[u8; LANES]]; ROWS],
    block: &[[i16; LANES]],
) -> [[i32; ROWS]; N] {
    let mut lanes = [[_mm512_setzero_si512(); ROWS]; N];
    let rows = first.iter().zip(second).zip(third.iter().zip(fourth));
    for (((first, second), (third, fourth)), inputs) in rows.zip(block.as_chunks::<N>().0) {
        let weights = [first, second, third, fourth].map(|bytes| load_signed_bytes(bytes));
        for (lanes, input) in lanes.iter_mut().zip(inputs) {
            let values = load_values(input);
            for (lanes, weights) in lanes.iter_mut().zip(weights) {
                *lanes = _mm512_dpwssd_epi32(*lanes, weights, values);
            }
        }
    }
    lanes.map(|lanes| lanes.map(|lanes| _mm512_reduce_add_epi32(lanes)))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load_values(values: &[i16; LANES]) -> __m512i {
    // SAFETY: The array has the 64 bytes that are read; this load needs no alignment.
    unsafe { _mm512_loadu_si512(std::ptr::from_ref(values).cast()) }
}

/// Widens signed bytes to 16 bits.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load_signed_bytes(bytes: &[u8; LANES]) -> __m512i {
    // SAFETY: The array has the 32 bytes that are read; this load needs no alignment.
    _mm512_cvtepi8_epi16(unsafe { _mm256_loadu_si256(std::ptr::from_ref(bytes).cast()) })
}
