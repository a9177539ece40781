//! Vectors as they are stored: one signed byte per number.

use crate::computation::Computation;
use crate::instructions::Instructions;

/// The byte that stands for 1. A sentence vector has length 1, so no number of it is larger.
const ONE: f32 = 127.0;

/// Returns a vector with one signed byte per number: 127 times the number, rounded, at most 127 and at least
/// -127.
///
/// ```
/// assert_eq!(interleaf_embedding::quantize(&[1.0, -0.5, 0.003]), [127, -64, 0]);
/// ```
pub fn quantize(vector: &[f32]) -> Vec<i8> {
    // The conversion from a float saturates, and turns what is not a number into 0.
    vector.iter().map(|value| (value * ONE).round().clamp(-ONE, ONE) as i8).collect()
}

/// Returns the dot product of two quantized vectors, up to the end of the shorter one. Divided by
/// 127² = 16129, it is close to the cosine of the angle between sentence vectors.
///
/// ```
/// assert_eq!(interleaf_embedding::dot(&[127, -64, 0], &[127, 64, 5]), 127 * 127 - 64 * 64);
/// ```
pub fn dot(a: &[i8], b: &[i8]) -> i32 {
    Instructions::detect().compute(DotProduct { a, b })
}

/// Returns the dot products of `query` with every row of `rows`: quantized vectors of the same length, one
/// after the other, as bytes of a file. An incomplete last row is ignored.
///
/// ```
/// assert_eq!(interleaf_embedding::dot_rows(&[2, -3], &[1, 1, 0xff, 0]), [-1, -2]);
/// ```
pub fn dot_rows(query: &[i8], rows: &[u8]) -> Vec<i32> {
    match query.is_empty() {
        true => Vec::new(),
        false => Instructions::detect().compute(RowProducts { query, rows }),
    }
}

struct DotProduct<'a> {
    a: &'a [i8],
    b: &'a [i8],
}

impl Computation for DotProduct<'_> {
    type Output = i32;

    #[inline(always)]
    fn compute(self) -> i32 {
        sum_of_products(self.a, self.b.iter().copied())
    }
}

struct RowProducts<'a> {
    query: &'a [i8],
    rows: &'a [u8],
}

impl Computation for RowProducts<'_> {
    type Output = Vec<i32>;

    #[inline(always)]
    fn compute(self) -> Vec<i32> {
        let mut products = Vec::with_capacity(self.rows.len() / self.query.len());
        for row in self.rows.chunks_exact(self.query.len()) {
            products.push(sum_of_products(self.query, row.iter().map(|byte| byte.cast_signed())));
        }
        products
    }
}

#[inline(always)]
fn sum_of_products(a: &[i8], b: impl Iterator<Item = i8>) -> i32 {
    a.iter().zip(b).map(|(a, b)| i32::from(*a) * i32::from(b)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_beyond_one_and_no_numbers_are_quantized_too() {
        assert_eq!(
            quantize(&[2.0, -2.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN]),
            [127, -127, 127, -127, 0]
        );
    }

    #[test]
    fn dot_products_agree_with_and_without_vector_instructions() {
        let mut random = fastrand::Rng::with_seed(3);
        for length in 0..400 {
            let [a, b] = [0, length % 3]
                .map(|more| -> Vec<i8> { (0..length + more).map(|_| random.i8(..)).collect() });

            let expected = sum_of_products(&a, b.iter().copied());
            assert_eq!([dot(&a, &b), dot(&b, &a)], [expected; 2], "{length} bytes");
        }
    }

    #[test]
    fn rows_have_the_same_dot_products_as_vectors() {
        let mut random = fastrand::Rng::with_seed(3);
        for length in [1, 15, 16, 17, 384] {
            let vectors: Vec<Vec<i8>> =
                (0..20).map(|_| (0..length).map(|_| random.i8(..)).collect()).collect();
            let rows: Vec<u8> = vectors.iter().flatten().map(|value| value.cast_unsigned()).collect();

            let expected: Vec<i32> = vectors.iter().map(|vector| dot(&vectors[0], vector)).collect();
            assert_eq!(dot_rows(&vectors[0], &rows), expected);
        }
        assert!(dot_rows(&[], &[1, 2]).is_empty());
    }
}
