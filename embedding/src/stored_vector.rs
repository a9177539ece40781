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

/// Returns the dot products of `query` with a vector in each record: records of `length` bytes, in which
/// `head` bytes come before the vector.
pub(crate) fn dot_records(query: &[i8], records: &[u8], length: usize, head: usize) -> Vec<i32> {
    Instructions::detect().compute(RecordProducts { query, records, length, head })
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

struct RecordProducts<'a> {
    query: &'a [i8],
    records: &'a [u8],
    length: usize,
    head: usize,
}

impl Computation for RecordProducts<'_> {
    type Output = Vec<i32>;

    #[inline(always)]
    fn compute(self) -> Vec<i32> {
        let mut products = Vec::with_capacity(self.records.len() / self.length);
        for record in self.records.chunks_exact(self.length) {
            let vector = record[self.head..].iter().map(|byte| byte.cast_signed());
            products.push(sum_of_products(self.query, vector));
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
    fn records_have_the_same_dot_products_as_vectors() {
        let mut random = fastrand::Rng::with_seed(3);
        for length in [1, 15, 16, 17, 384] {
            let vectors: Vec<Vec<i8>> =
                (0..20).map(|_| (0..length).map(|_| random.i8(..)).collect()).collect();
            let record = |vector: &Vec<i8>| {
                [&[7; 3][..], &vector.iter().map(|value| value.cast_unsigned()).collect::<Vec<u8>>()].concat()
            };
            let records: Vec<u8> = vectors.iter().flat_map(record).collect();

            let expected: Vec<i32> = vectors.iter().map(|vector| dot(&vectors[0], vector)).collect();
            assert_eq!(dot_records(&vectors[0], &records, length + 3, 3), expected);
        }
    }
}
