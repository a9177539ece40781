//! The weights of the classifier, and how they are stored.
//!
//! The file holds, in little-endian order: for each category its scale, its intercept and its calibration
//! (slope and offset) as 32-bit floats; then the hashes of the features in ascending order, 4 bytes each;
//! then the weights of each feature, one signed byte for each category. A weight is its byte times the scale.

use super::{CATEGORIES, Probabilities};

const COUNT: usize = CATEGORIES.len();
/// Number of 32-bit floats at the beginning of the file.
const HEADER_FLOATS: usize = 4 * COUNT;
/// Number of bytes of a feature.
const FEATURE_BYTES: usize = 4 + COUNT;

/// How the log odds of a category are corrected, so that of sentences with a probability of 0.8, four in five
/// belong to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Calibration {
    /// The factor of the log odds.
    pub slope: f32,
    /// What is added to them.
    pub offset: f32,
}

impl Default for Calibration {
    fn default() -> Self {
        Self { slope: 1.0, offset: 0.0 }
    }
}

/// The weights of the classifier, relative to those of a sentence that holds nothing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Weights {
    scales: [f32; COUNT],
    intercepts: [f32; COUNT],
    calibrations: [Calibration; COUNT],
    /// In ascending order.
    hashes: Vec<u32>,
    /// The weights of the feature with the hash at the same index.
    weights: Vec<[i8; COUNT]>,
}

impl Weights {
    /// Rounds fitted weights. The features are those with these hashes, in ascending order.
    pub fn quantized(hashes: Vec<u32>, fitted: &[[f64; COUNT]], intercepts: [f64; COUNT]) -> Self {
        let largest = |class: usize| fitted.iter().map(|each| each[class].abs()).fold(1e-6, f64::max);
        let scales: [f64; COUNT] = std::array::from_fn(|class| largest(class) / f64::from(i8::MAX));
        let round =
            |each: &[f64; COUNT]| std::array::from_fn(|class| (each[class] / scales[class]).round() as i8);
        Self {
            scales: scales.map(|scale| scale as f32),
            intercepts: intercepts.map(|intercept| intercept as f32),
            calibrations: [Calibration::default(); COUNT],
            hashes,
            weights: fitted.iter().map(round).collect(),
        }
    }

    /// Sets the calibration of each category.
    #[must_use]
    pub fn calibrated(self, calibrations: [Calibration; COUNT]) -> Self {
        Self { calibrations, ..self }
    }

    /// Reads the file. Returns `None` if it has another length than it should.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (header, features) = bytes.split_at_checked(HEADER_FLOATS * 4)?;
        let (words, rest) = header.as_chunks::<4>();
        let floats: Vec<f32> = words.iter().map(|word| f32::from_le_bytes(*word)).collect();
        if !rest.is_empty() || features.len() % FEATURE_BYTES != 0 {
            return None;
        }
        let (hashes, weights) = features.split_at(features.len() / FEATURE_BYTES * 4);
        let part = |at: usize| std::array::from_fn(|class| floats[at * COUNT + class]);
        let (slopes, offsets): ([f32; COUNT], [f32; COUNT]) = (part(2), part(3));
        Some(Self {
            scales: part(0),
            intercepts: part(1),
            calibrations: std::array::from_fn(|class| Calibration {
                slope: slopes[class],
                offset: offsets[class],
            }),
            hashes: hashes.as_chunks::<4>().0.iter().map(|hash| u32::from_le_bytes(*hash)).collect(),
            weights: weights.as_chunks::<COUNT>().0.iter().map(|each| each.map(u8::cast_signed)).collect(),
        })
    }

    /// Returns the content of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let slopes = self.calibrations.map(|calibration| calibration.slope);
        let offsets = self.calibrations.map(|calibration| calibration.offset);
        let floats = [self.scales, self.intercepts, slopes, offsets].concat();
        let mut bytes: Vec<u8> = floats.into_iter().flat_map(f32::to_le_bytes).collect();
        bytes.extend(self.hashes.iter().flat_map(|hash| hash.to_le_bytes()));
        bytes.extend(self.weights.iter().flatten().map(|weight| weight.cast_unsigned()));
        bytes
    }

    /// Returns the probabilities of a sentence with these features.
    pub fn probabilities(&self, features: &[u32]) -> Probabilities {
        let odds = self.log_odds(features);
        let calibrated = |class: usize| {
            let Calibration { slope, offset } = self.calibrations[class];
            1.0 / (1.0 + (-(slope * odds[class] + offset)).exp())
        };
        std::array::from_fn(calibrated)
    }

    /// Returns the log odds of each category against all else, before calibration.
    pub fn log_odds(&self, features: &[u32]) -> [f32; COUNT] {
        let known: Vec<usize> =
            features.iter().filter_map(|hash| self.hashes.binary_search(hash).ok()).collect();
        // Long sentences have more features, not stronger ones.
        let value = 1.0 / (known.len().max(1) as f32).sqrt();
        let sum = |class: usize| {
            let sum: i32 = known.iter().map(|feature| i32::from(self.weights[*feature][class])).sum();
            sum as f32 * self.scales[class] * value + self.intercepts[class]
        };
        let scores: [f32; COUNT] = std::array::from_fn(sum);
        let powers = scores.map(f32::exp);
        let all = 1.0 + powers.iter().sum::<f32>();
        std::array::from_fn(|class| scores[class] - (all - powers[class]).ln())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_read_as_they_were_written() {
        let fitted = [[1.0, -2.0, 0.5, 0.0], [0.25, 0.0, -1.0, 3.0]];
        let calibration = Calibration { slope: 0.9, offset: -0.2 };
        let weights =
            Weights::quantized(vec![7, 9], &fitted, [-1.0, 0.0, 1.0, 2.0]).calibrated([calibration; COUNT]);

        assert_eq!(Weights::from_bytes(&weights.to_bytes()), Some(weights.clone()));
        assert_eq!(Weights::from_bytes(&weights.to_bytes()[1..]), None);
    }

    #[test]
    fn a_feature_that_speaks_for_a_category_makes_it_more_probable() {
        let weights =
            Weights::quantized(vec![7, 9], &[[4.0, 0.0, 0.0, 0.0], [-4.0, 0.0, 0.0, 0.0]], [0.0; 4]);

        let of = |features: &[u32]| weights.probabilities(features)[0];

        assert!(of(&[7]) > of(&[8]) && of(&[8]) > of(&[9]));
        assert!((of(&[8]) - 0.2).abs() < 1e-6);
    }
}
