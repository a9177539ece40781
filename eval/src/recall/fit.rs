//! `interleaf-eval recall --fit`: fits the model of relevance on the stores of `train`, and writes its
//! coefficients into the program's source.
//!
//! The stores are searched with cues and without, one by one, a few memories of each alone, and merged with
//! others, so that the model sees stores of one to some 700 memories.

use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use anyhow::{Context, Result};
use interleaf_tests::workspace;
use smartcore::linalg::basic::arrays::Array;
use smartcore::linalg::basic::matrix::DenseMatrix;
use smartcore::linear::logistic_regression::{LogisticRegression, LogisticRegressionParameters};

use super::family::{self, Family, Split};
use super::needing_event::Occasion;
use super::store::Store;

/// The written file.
const FILE: &str = "host/src/memory/relevance/coefficients.rs";
/// The names of the features, as the program prints them and as its source names them.
const FEATURES: [&str; 7] =
    ["bm25", "margin", "shared_terms", "cue_terms", "log_memories", "command", "failure"];
/// Numbers of memories in the small stores, each of which is for one event, in turn.
const SMALL_STORES: [usize; 5] = [1, 2, 3, 5, 8];
/// One of this many events gets a small store.
const EVENTS_PER_SMALL_STORE: usize = 2;
/// Number of stores that are merged into one of medium size.
const MERGED: usize = 5;
/// Strength of the penalty on large coefficients, which are those of standardized features.
const PENALTY: f64 = 1.0;

/// A memory that the program found for an event.
pub struct Example {
    pub features: [f64; FEATURES.len()],
    pub is_needed: bool,
}

/// Fits the model and writes it.
///
/// # Errors
/// If the data or the program cannot be used, or the file cannot be written.
pub fn run(program: &Path, out: &mut dyn Write) -> Result<()> {
    let families = family::read_split(Split::Train)?;
    let without_cues: Vec<Family> = families.iter().map(Family::without_cues).collect();
    let mut stores = stores(&families);
    stores.extend(self::stores(&without_cues));
    let examples = examples(program, &stores)?;
    let needed = examples.iter().filter(|example| example.is_needed).count();
    writeln!(out, "{} stores, {} memories found, {needed} of them needed", stores.len(), examples.len())?;
    let (intercept, coefficients) = fit(&examples)?;
    let file = workspace::root().join(FILE);
    fs::write(&file, source(intercept, &coefficients)).with_context(|| file.display().to_string())?;
    writeln!(out, "written to {FILE}; measure the program that has it: cargo xtask recall")?;
    Ok(())
}

/// Returns the stores of all sizes.
fn stores(families: &[Family]) -> Vec<Family> {
    let small = families.iter().flat_map(|family| {
        (0..family.events.len()).step_by(EVENTS_PER_SMALL_STORE).map(|event| small_store(family, event))
    });
    let medium = families.chunks(MERGED).map(Family::merged);
    let single = families.iter().map(|family| Family::merged(std::slice::from_ref(family)));
    small.chain(single).chain(medium).chain([Family::merged(families)]).collect()
}

/// Returns a store for one event: what it needs, and the next memories of the family.
fn small_store(family: &Family, event: usize) -> Family {
    let mut store = Family::merged(std::slice::from_ref(family));
    store.events = vec![store.events.swap_remove(event)];
    let needs: HashSet<String> = store.events[0].needs.iter().cloned().collect();
    let start = event % store.memories.len().max(1);
    store.memories.rotate_left(start);
    store.memories.sort_by_key(|memory| !needs.contains(&memory.id));
    let size = SMALL_STORES[event / EVENTS_PER_SMALL_STORE % SMALL_STORES.len()];
    store.memories.truncate(size.max(needs.len()));
    store
}

/// Searches all stores, one at a time on each processor.
fn examples(program: &Path, stores: &[Family]) -> Result<Vec<Example>> {
    let next = AtomicUsize::new(0);
    let work = || -> Result<Vec<Example>> {
        let mut examples = Vec::new();
        while let Some(family) = stores.get(next.fetch_add(1, Ordering::Relaxed)) {
            examples.extend(examples_of(program, family)?);
        }
        Ok(examples)
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let joined = workers.into_iter().map(|worker| match worker.join() {
            Ok(examples) => examples,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        Ok(joined.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
    })
}

fn examples_of(program: &Path, family: &Family) -> Result<Vec<Example>> {
    let store = Store::new(program, family)?;
    let mut examples = Vec::new();
    for event in &family.events {
        for (id, found) in store.search(&event.occasion.query())? {
            let mut features = FEATURES.map(|name| found[name].as_f64().unwrap_or_default());
            // The command searches for a prompt.
            let [.., command, failure] = &mut features;
            *command = flag(matches!(event.occasion, Occasion::Command { .. } | Occasion::File { .. }));
            *failure = flag(matches!(event.occasion, Occasion::Failure { .. }));
            examples.push(Example { features, is_needed: event.needs.contains(&id) });
        }
    }
    Ok(examples)
}

fn flag(is_set: bool) -> f64 {
    f64::from(u8::from(is_set))
}

/// Returns the intercept and the coefficients of the logistic regression.
fn fit(examples: &[Example]) -> Result<(f64, [f64; FEATURES.len()])> {
    let column = |index: usize| examples.iter().map(move |example| example.features[index]);
    let scales: [(f64, f64); FEATURES.len()] = std::array::from_fn(|index| mean_and_deviation(column(index)));
    let standardized = |example: &Example| {
        let each = example.features.iter().zip(scales);
        each.map(|(value, (mean, deviation))| (value - mean) / deviation).collect::<Vec<_>>()
    };
    let rows: Vec<Vec<f64>> = examples.iter().map(standardized).collect();
    let matrix = DenseMatrix::from_2d_vec(&rows)?;
    let labels: Vec<i32> = examples.iter().map(|example| i32::from(example.is_needed)).collect();
    let parameters = LogisticRegressionParameters::default().with_alpha(PENALTY);
    let model = LogisticRegression::fit(&matrix, &labels, parameters)?;
    let fitted: [f64; FEATURES.len()] = std::array::from_fn(|index| *model.coefficients().get((0, index)));
    let mut intercept = *model.intercept().get((0, 0));
    let coefficients = std::array::from_fn(|index| {
        let (mean, deviation) = scales[index];
        intercept -= fitted[index] * mean / deviation;
        fitted[index] / deviation
    });
    Ok((intercept, coefficients))
}

fn mean_and_deviation(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let count = values.clone().count().max(1) as f64;
    let mean = values.clone().sum::<f64>() / count;
    let variance = values.map(|value| (value - mean).powi(2)).sum::<f64>() / count;
    (mean, variance.sqrt().max(f64::MIN_POSITIVE))
}

/// Returns the text of the file.
fn source(intercept: f64, coefficients: &[f64; FEATURES.len()]) -> String {
    let fields = FEATURES.iter().zip(coefficients);
    let fields: String = fields.map(|(name, value)| format!("    {name}: {value:.3},\n")).collect();
    format!(
        "//! The coefficients of the logistic model. Written by `cargo xtask recall --fit`; do not edit.\n\n\
         use super::features::Features;\n\n\
         /// The log odds of a memory whose features are all 0.\n\
         pub(super) const INTERCEPT: f64 = {intercept:.3};\n\n\
         /// What each feature adds to the log odds.\n\
         pub(super) const COEFFICIENTS: Features = Features {{\n{fields}}};\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fit_finds_the_odds_that_the_examples_were_made_with() {
        let example = |number: usize| {
            let mut features = [0.0; FEATURES.len()];
            (features[0], features[1]) = ((number % 20) as f64, (number % 7) as f64);
            let log_odds = 0.5 * features[0] - 1.0 * features[1] - 1.0;
            let probability = 1.0 / (1.0 + (-log_odds).exp());
            Example { features, is_needed: ((number * 37) % 100) as f64 / 100.0 < probability }
        };
        let examples: Vec<Example> = (0..14_000).map(example).collect();

        let (intercept, coefficients) = fit(&examples).expect("a model");

        // The penalty makes them a little smaller.
        assert!((-1.1..-0.7).contains(&intercept), "{intercept}");
        assert!((0.4..0.55).contains(&coefficients[0]), "{coefficients:?}");
        assert!((-1.1..-0.8).contains(&coefficients[1]), "{coefficients:?}");
    }
}
