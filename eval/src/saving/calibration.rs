//! Calibrates probabilities: Platt's method, a logistic regression on the log odds of each category.

use anyhow::{Result, anyhow};
use argmin::core::{CostFunction, Error, Executor, Gradient, State};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use interleaf_classifier::{CATEGORIES, Calibration, Weights};

use super::example::LabeledSentence;

/// Returns the calibration of each category that suits these sentences, which the weights were not fitted to.
///
/// # Errors
/// If a fit fails.
pub fn fit(weights: &Weights, sentences: &[LabeledSentence]) -> Result<[Calibration; CATEGORIES.len()]> {
    let odds: Vec<[f32; CATEGORIES.len()]> =
        sentences.iter().map(|sentence| weights.log_odds(&sentence.features)).collect();
    let mut calibrations = [Calibration::default(); CATEGORIES.len()];
    for (category, calibration) in calibrations.iter_mut().enumerate() {
        let pair = |(odds, sentence): (&[f32; CATEGORIES.len()], &LabeledSentence)| {
            (f64::from(odds[category]), sentence.category == Some(category))
        };
        *calibration = fit_one(odds.iter().zip(sentences).map(pair).collect())?;
    }
    Ok(calibrations)
}

fn fit_one(pairs: Vec<(f64, bool)>) -> Result<Calibration> {
    let solver = LBFGS::new(MoreThuenteLineSearch::new(), 5);
    let result = Executor::new(LogOdds(pairs), solver)
        .configure(|state| state.param(vec![1.0, 0.0]).max_iters(100))
        .run()
        .map_err(|error| anyhow!("cannot calibrate: {error}"))?;
    let best = result.state().get_best_param().ok_or_else(|| anyhow!("the calibration found nothing"))?;
    Ok(Calibration { slope: best[0] as f32, offset: best[1] as f32 })
}

/// The log odds of sentences, and whether they belong to the category.
struct LogOdds(Vec<(f64, bool)>);

impl LogOdds {
    fn errors<'a>(&'a self, parameters: &'a [f64]) -> impl Iterator<Item = (f64, f64)> + 'a {
        self.0.iter().map(|(odds, belongs)| {
            let probability = 1.0 / (1.0 + libm::exp(-(parameters[0] * odds + parameters[1])));
            (*odds, probability - f64::from(u8::from(*belongs)))
        })
    }
}

impl CostFunction for LogOdds {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, parameters: &Vec<f64>) -> Result<f64, Error> {
        let loss = |(_, error): (f64, f64)| -libm::log((1.0 - error.abs()).max(1e-300));
        Ok(self.errors(parameters).map(loss).sum())
    }
}

impl Gradient for LogOdds {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, parameters: &Vec<f64>) -> Result<Vec<f64>, Error> {
        let mut gradient = vec![0.0; 2];
        for (odds, error) in self.errors(parameters) {
            gradient[0] += odds * error;
            gradient[1] += error;
        }
        Ok(gradient)
    }
}
