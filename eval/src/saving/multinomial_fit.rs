//! Multinomial logistic regression with an L2 penalty, fitted by L-BFGS. Every sum is made in the same order
//! on any number of processors, so the weights are the same bit for bit.

use std::cell::RefCell;

use anyhow::{Result, anyhow};
use argmin::core::{CostFunction, Error, Executor, Gradient, State};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use interleaf_classifier::CATEGORIES;
use rayon::prelude::*;

use super::example::LabeledSentence;

const COUNT: usize = CATEGORIES.len();
/// The categories, and nothing, which comes first.
const CLASSES: usize = COUNT + 1;

/// Weight of the loss beside the penalty. Chosen on the development examples among 20, 60 and 200.
const LOSS_WEIGHT: f64 = 20.0;

/// Maximum number of steps. The weights hardly change after some hundred.
const MAX_STEPS: u64 = 150;
/// Number of earlier steps that L-BFGS remembers; five to ten are usual.
const MEMORY: usize = 10;

/// A fitted model, relative to the class of sentences that hold nothing.
pub struct Fitted {
    /// The weights of each feature.
    pub weights: Vec<[f64; COUNT]>,
    /// The intercepts.
    pub intercepts: [f64; COUNT],
}

impl Fitted {
    /// Returns the features with the largest weights, in the order of their hashes.
    pub fn strongest_features(&self, hashes: &[u32], count: usize) -> Vec<u32> {
        let strength = |weights: &[f64; COUNT]| weights.iter().map(|weight| weight.abs()).fold(0.0, f64::max);
        let mut ranked: Vec<(f64, u32)> =
            self.weights.iter().map(strength).zip(hashes.iter().copied()).collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut strongest: Vec<u32> = ranked.into_iter().take(count).map(|(_, hash)| hash).collect();
        strongest.sort_unstable();
        strongest
    }
}

/// Fits the weights of the features with these hashes, which are in ascending order.
///
/// # Errors
/// If the fit fails.
pub fn fit(sentences: &[LabeledSentence], hashes: &[u32]) -> Result<Fitted> {
    let problem = Problem::new(sentences, hashes);
    let start = vec![0.0; (hashes.len() + 1) * CLASSES];
    let solver = LBFGS::new(MoreThuenteLineSearch::new(), MEMORY)
        .with_tolerance_cost(1e-7)
        .map_err(|error| anyhow!("{error}"))?;
    let result = Executor::new(problem, solver)
        .configure(|state| state.param(start).max_iters(MAX_STEPS))
        .run()
        .map_err(|error| anyhow!("cannot fit the weights: {error}"))?;
    let weights = result.state().get_best_param().ok_or_else(|| anyhow!("the fit found no weights"))?;
    let relative = |each: &[f64]| std::array::from_fn(|class| each[class + 1] - each[0]);
    let mut rows: Vec<[f64; COUNT]> = weights.chunks_exact(CLASSES).map(relative).collect();
    let intercepts = rows.pop().unwrap_or_default();
    Ok(Fitted { weights: rows, intercepts })
}

/// A sentence as a row of the matrix.
struct Row {
    /// The indices of its features.
    features: Vec<usize>,
    /// The value of each of them.
    value: f64,
    class: usize,
}

impl Row {
    fn new(sentence: &LabeledSentence, hashes: &[u32]) -> Self {
        let index = |hash: &u32| hashes.binary_search(hash).ok();
        let features: Vec<usize> = sentence.features.iter().filter_map(index).collect();
        let value = 1.0 / (features.len().max(1) as f64).sqrt();
        Self { features, value, class: sentence.category.map_or(0, |category| category + 1) }
    }

    /// Returns the probability of each class.
    fn probabilities(&self, weights: &[f64]) -> [f64; CLASSES] {
        let mut scores = [0.0; CLASSES];
        for feature in &self.features {
            for (score, weight) in scores.iter_mut().zip(&weights[feature * CLASSES..][..CLASSES]) {
                *score += weight * self.value;
            }
        }
        let intercepts = &weights[weights.len() - CLASSES..];
        scores.iter_mut().zip(intercepts).for_each(|(score, intercept)| *score += intercept);
        let largest = scores.iter().copied().fold(f64::MIN, f64::max);
        // `libm` computes the same on every machine.
        let powers = scores.map(|score| libm::exp(score - largest));
        let sum: f64 = powers.iter().sum();
        powers.map(|power| power / sum)
    }

    /// Returns how far the probabilities are from the row's class, weighted.
    fn errors(&self, probabilities: &[f64; CLASSES]) -> [f64; CLASSES] {
        let mut errors = *probabilities;
        errors[self.class] -= 1.0;
        errors.map(|error| LOSS_WEIGHT * error)
    }
}

/// The loss of weights and its gradient. The weights of a feature stand together; the intercepts are last.
struct Problem {
    rows: Vec<Row>,
    /// For each feature, the indices of the rows that have it, in ascending order.
    rows_of_features: Vec<Vec<usize>>,
    /// What the last weights predict: the solver asks for the loss of weights, and then for its gradient.
    last: RefCell<Option<Predicted>>,
}

/// The probabilities of the classes of each row.
struct Predicted {
    weights: Vec<f64>,
    probabilities: Vec<[f64; CLASSES]>,
}

impl Problem {
    fn new(sentences: &[LabeledSentence], hashes: &[u32]) -> Self {
        let rows: Vec<Row> = sentences.iter().map(|sentence| Row::new(sentence, hashes)).collect();
        let mut rows_of_features = vec![Vec::new(); hashes.len()];
        for (index, row) in rows.iter().enumerate() {
            row.features.iter().for_each(|feature| rows_of_features[*feature].push(index));
        }
        Self { rows, rows_of_features, last: RefCell::new(None) }
    }

    fn with_probabilities<T>(&self, weights: &[f64], work: impl FnOnce(&[[f64; CLASSES]]) -> T) -> T {
        let mut last = self.last.borrow_mut();
        let known = last.take().filter(|last| last.weights == weights);
        let predicted = known.unwrap_or_else(|| Predicted {
            weights: weights.to_vec(),
            probabilities: self.rows.par_iter().map(|row| row.probabilities(weights)).collect(),
        });
        work(&last.insert(predicted).probabilities)
    }
}

impl CostFunction for Problem {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, weights: &Vec<f64>) -> Result<f64, Error> {
        let penalized = &weights[..self.rows_of_features.len() * CLASSES];
        let penalty = penalized.iter().map(|weight| weight * weight).sum::<f64>() / 2.0;
        let losses = self.with_probabilities(weights, |probabilities| {
            let rows = self.rows.iter().zip(probabilities);
            rows.map(|(row, probabilities)| -libm::log(probabilities[row.class].max(1e-300))).sum::<f64>()
        });
        Ok(LOSS_WEIGHT * losses + penalty)
    }
}

impl Gradient for Problem {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, weights: &Vec<f64>) -> Result<Vec<f64>, Error> {
        let errors = self.with_probabilities(weights, |probabilities| {
            let rows = self.rows.iter().zip(probabilities);
            rows.map(|(row, probabilities)| row.errors(probabilities)).collect::<Vec<_>>()
        });
        let mut gradient = weights.clone();
        let (features, intercepts) = gradient.split_at_mut(self.rows_of_features.len() * CLASSES);
        let all_rows = &self.rows;
        features.par_chunks_mut(CLASSES).zip(&self.rows_of_features).for_each(|(gradient, rows)| {
            for row in rows {
                let value = all_rows[*row].value;
                gradient.iter_mut().zip(&errors[*row]).for_each(|(sum, error)| *sum += error * value);
            }
        });
        intercepts.fill(0.0);
        for row in &errors {
            intercepts.iter_mut().zip(row).for_each(|(sum, error)| *sum += error);
        }
        Ok(gradient)
    }
}
