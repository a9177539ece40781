//! Fits the logistic models of relevance.
//!
//! Commands and failures share words with a memory in another way than prompts do, but there are fewer of
//! them. So one regression fits all three, with coefficients of their own for some features of commands and
//! failures, and is then split into three models.

use anyhow::Result;
use smartcore::linalg::basic::arrays::Array;
use smartcore::linalg::basic::matrix::DenseMatrix;
use smartcore::linear::logistic_regression::{LogisticRegression, LogisticRegressionParameters};

use super::comparison::{CATEGORIES, ComparedMemory, Comparison, NUMBERS, SearchedAt};

/// Number of the first features in [`NUMBERS`] that have coefficients of their own for commands and failures.
const OCCASION_NUMBERS: usize = 3;
/// The occasions with coefficients of their own.
const OCCASIONS: [SearchedAt; 2] = [SearchedAt::Command, SearchedAt::Failure];
/// Strength of the penalty on large coefficients, which are those of standardized features.
const PENALTY: f64 = 1.0;

/// A fitted model.
#[derive(Debug, Clone)]
pub struct FittedModel {
    pub intercept: f64,
    /// Of [`CATEGORIES`].
    pub categories: [f64; CATEGORIES.len()],
    /// Of [`NUMBERS`].
    pub numbers: [f64; NUMBERS.len()],
    /// Of the cosine and its margin.
    pub vectors: [f64; 2],
}

/// The models by the words alone.
#[derive(Debug, Clone)]
pub struct WordModels {
    pub prompts: FittedModel,
    pub commands: FittedModel,
    pub failures: FittedModel,
}

impl FittedModel {
    /// Returns the probability that a memory is needed.
    pub fn probability(&self, memory: &ComparedMemory) -> f64 {
        let product = |weights: &[f64], values: &[f64]| {
            weights.iter().zip(values).map(|(weight, value)| weight * value).sum::<f64>()
        };
        let log_odds = self.intercept
            + self.categories[memory.category]
            + product(&self.numbers, &memory.numbers)
            + product(&self.vectors, &memory.vectors.unwrap_or_default());
        1.0 / (1.0 + (-log_odds).exp())
    }
}

impl WordModels {
    /// Fits the models to what hooks compared.
    ///
    /// # Errors
    /// If there are no examples of both kinds.
    pub fn fit(comparisons: &[Comparison]) -> Result<Self> {
        let row = |occasion: SearchedAt, memory: &ComparedMemory| {
            let mut row = common_columns(memory);
            for known in OCCASIONS {
                let flag = f64::from(u8::from(occasion == known));
                row.push(flag);
                row.extend(memory.numbers[..OCCASION_NUMBERS].iter().map(|number| flag * number));
            }
            row
        };
        let (intercept, weights) = fit(&rows(comparisons, row))?;
        let (common, of_occasions) = weights.split_at(CATEGORIES.len() + NUMBERS.len());
        let prompts = FittedModel {
            intercept,
            categories: std::array::from_fn(|index| common[index]),
            numbers: std::array::from_fn(|index| common[CATEGORIES.len() + index]),
            vectors: [0.0; 2],
        };
        let at = |index: usize| {
            let own = &of_occasions[index * (1 + OCCASION_NUMBERS)..][..=OCCASION_NUMBERS];
            let mut model = prompts.clone();
            model.intercept += own[0];
            model.numbers.iter_mut().zip(&own[1..]).for_each(|(number, own)| *number += own);
            model
        };
        Ok(Self { commands: at(0), failures: at(1), prompts })
    }
}

/// Fits the model for prompts with sentence vectors.
///
/// # Errors
/// If there are no examples of both kinds.
pub fn fit_with_vectors(comparisons: &[Comparison]) -> Result<FittedModel> {
    let row = |_: SearchedAt, memory: &ComparedMemory| {
        [common_columns(memory), memory.vectors.unwrap_or_default().to_vec()].concat()
    };
    let (intercept, weights) = fit(&rows(comparisons, row))?;
    Ok(FittedModel {
        intercept,
        categories: std::array::from_fn(|index| weights[index]),
        numbers: std::array::from_fn(|index| weights[CATEGORIES.len() + index]),
        vectors: std::array::from_fn(|index| weights[CATEGORIES.len() + NUMBERS.len() + index]),
    })
}

fn common_columns(memory: &ComparedMemory) -> Vec<f64> {
    let category = (0..CATEGORIES.len()).map(|index| f64::from(u8::from(index == memory.category)));
    category.chain(memory.numbers).collect()
}

/// An example: its features, and whether it is needed.
type Example = (Vec<f64>, bool);

fn rows(comparisons: &[Comparison], row: impl Fn(SearchedAt, &ComparedMemory) -> Vec<f64>) -> Vec<Example> {
    let of_event = |event: &Comparison| {
        let memories = event.memories.iter();
        memories.map(|memory| (row(event.searched_at, memory), memory.is_needed)).collect::<Vec<_>>()
    };
    comparisons.iter().flat_map(of_event).collect()
}

/// Fits a logistic regression, and returns its intercept and coefficients.
fn fit(examples: &[Example]) -> Result<(f64, Vec<f64>)> {
    let count = examples.first().map_or(0, |(features, _)| features.len());
    let column = |index: usize| examples.iter().map(move |(features, _)| features[index]);
    let scales: Vec<(f64, f64)> = (0..count).map(|index| mean_and_deviation(column(index))).collect();
    let standardized = |(features, _): &Example| {
        let each = features.iter().zip(&scales);
        each.map(|(value, (mean, deviation))| (value - mean) / deviation).collect::<Vec<_>>()
    };
    let matrix = DenseMatrix::from_2d_vec(&examples.iter().map(standardized).collect())?;
    let labels: Vec<i32> = examples.iter().map(|(_, is_needed)| i32::from(*is_needed)).collect();
    let parameters = LogisticRegressionParameters::default().with_alpha(PENALTY);
    let model = LogisticRegression::fit(&matrix, &labels, parameters)?;
    let mut intercept = *model.intercept().get((0, 0));
    let mut weights = Vec::with_capacity(count);
    for (index, (mean, deviation)) in scales.into_iter().enumerate() {
        let weight = model.coefficients().get((0, index)) / deviation;
        intercept -= weight * mean;
        weights.push(weight);
    }
    Ok((intercept, weights))
}

/// Returns the mean and the standard deviation, which is 1 for a column of equal values.
fn mean_and_deviation(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let count = values.clone().count().max(1) as f64;
    let mean = values.clone().sum::<f64>() / count;
    let variance = values.map(|value| (value - mean).powi(2)).sum::<f64>() / count;
    (mean, if variance > 0.0 { variance.sqrt() } else { 1.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fit_finds_the_odds_that_the_examples_were_made_with() {
        let example = |number: usize| {
            let features = vec![(number % 20) as f64, (number % 7) as f64];
            let log_odds = 0.5 * features[0] - 1.0 * features[1] - 1.0;
            let probability = 1.0 / (1.0 + (-log_odds).exp());
            (features, ((number * 37) % 100) as f64 / 100.0 < probability)
        };
        let examples: Vec<Example> = (0..14_000).map(example).collect();

        let (intercept, weights) = fit(&examples).expect("a model");

        // The penalty makes them a little smaller.
        assert!((-1.1..-0.7).contains(&intercept), "{intercept}");
        assert!((0.4..0.55).contains(&weights[0]), "{weights:?}");
        assert!((-1.1..-0.8).contains(&weights[1]), "{weights:?}");
    }

    #[test]
    fn each_occasion_has_its_own_model() {
        let memory = |number: usize, is_needed| ComparedMemory {
            numbers: [(number % 10) as f64, 0.0, 0.0, 0.0, 0.0],
            category: number % 2,
            vectors: None,
            is_needed,
            tokens: 0,
        };
        // At a failure a high score speaks against a memory, elsewhere for it.
        let comparison = |number: usize| {
            let searched_at = [SearchedAt::Prompt, SearchedAt::Command, SearchedAt::Failure][number % 3];
            let is_needed = (number % 10 > 5) != (searched_at == SearchedAt::Failure);
            Comparison { searched_at, is_needing: true, memories: vec![memory(number, is_needed)] }
        };

        let models = WordModels::fit(&(0..3000).map(comparison).collect::<Vec<_>>()).expect("models");

        for (model, rises) in [(models.prompts, true), (models.commands, true), (models.failures, false)] {
            let probability = |score| model.probability(&memory(score, false));
            assert_eq!(probability(9) > 0.5, rises, "{model:?}");
            assert_eq!(probability(1) < 0.5, rises, "{model:?}");
        }
    }
}
