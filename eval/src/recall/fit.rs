//! `interleaf-eval recall --fit`: fits the models of relevance on the stores of `train`, one for words and
//! one for words and sentence vectors, and writes their coefficients into the program's source.
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
use serde_json::Value;
use smartcore::linalg::basic::arrays::Array;
use smartcore::linalg::basic::matrix::DenseMatrix;
use smartcore::linear::logistic_regression::{LogisticRegression, LogisticRegressionParameters};

use super::family::{self, Family, Split};
use super::needing_event::{NeedingEvent, Occasion};
use super::store::Store;

/// The written file.
const FILE: &str = "host/src/memory/relevance/coefficients.rs";
/// The names of the features of words, as the program prints them and as its source names them.
const WORD_FEATURES: [&str; 7] =
    ["bm25", "margin", "shared_terms", "cue_terms", "log_memories", "command", "failure"];
/// Those of sentence vectors.
const VECTOR_FEATURES: [&str; 2] = ["cosine", "margin"];
/// Numbers of memories in the small stores, each of which is for one event, in turn.
const SMALL_STORES: [usize; 5] = [1, 2, 3, 5, 8];
/// One of this many events gets a small store.
const EVENTS_PER_SMALL_STORE: usize = 2;
/// Number of stores that are merged into one of medium size.
const MERGED: usize = 5;
/// Strength of the penalty on large coefficients, which are those of standardized features.
const PENALTY: f64 = 1.0;

/// A memory that the program found for an event.
struct Example {
    features: Vec<f64>,
    is_needed: bool,
}

/// A fitted model.
struct Fitted {
    intercept: f64,
    coefficients: Vec<f64>,
}

/// Fits the models and writes them. `model` is the sentence model.
///
/// # Errors
/// If the data or the program cannot be used, or the file cannot be written.
pub fn run(program: &Path, model: &Path, out: &mut dyn Write) -> Result<()> {
    let families = family::read_split(Split::Train)?;
    let without_cues: Vec<Family> = families.iter().map(Family::without_cues).collect();
    let mut stores = stores(&families);
    stores.extend(self::stores(&without_cues));
    let mut fit_with = |model: Option<&Path>| -> Result<Fitted> {
        let examples = examples(program, model, &stores)?;
        let needed = examples.iter().filter(|example| example.is_needed).count();
        writeln!(out, "{} stores, {} memories found, {needed} of them needed", stores.len(), examples.len())?;
        fit(&examples)
    };
    let (words, both) = (fit_with(None)?, fit_with(Some(model))?);
    let file = workspace::root().join(FILE);
    fs::write(&file, source(&words, &both)).with_context(|| file.display().to_string())?;
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
fn examples(program: &Path, model: Option<&Path>, stores: &[Family]) -> Result<Vec<Example>> {
    let next = AtomicUsize::new(0);
    let work = || -> Result<Vec<Example>> {
        let mut examples = Vec::new();
        while let Some(family) = stores.get(next.fetch_add(1, Ordering::Relaxed)) {
            examples.extend(examples_of(program, model, family)?);
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

fn examples_of(program: &Path, model: Option<&Path>, family: &Family) -> Result<Vec<Example>> {
    let store = Store::new(program, model, family)?;
    let mut examples = Vec::new();
    // The program compares sentence vectors at prompts only.
    let is_prompt = |event: &&NeedingEvent| matches!(event.occasion, Occasion::Prompt { .. });
    for event in family.events.iter().filter(|event| model.is_none() || is_prompt(event)) {
        for (id, found) in store.search(&event.occasion.query())? {
            let number = |value: &Value| value.as_f64().unwrap_or_default();
            let mut features: Vec<f64> = WORD_FEATURES.iter().map(|name| number(&found[name])).collect();
            // The command searches for a prompt.
            features[5] = flag(matches!(event.occasion, Occasion::Command { .. } | Occasion::File { .. }));
            features[6] = flag(matches!(event.occasion, Occasion::Failure { .. }));
            if model.is_some() {
                features.extend(VECTOR_FEATURES.iter().map(|name| number(&found["vectors"][name])));
            }
            examples.push(Example { features, is_needed: event.needs.contains(&id) });
        }
    }
    Ok(examples)
}

fn flag(is_set: bool) -> f64 {
    f64::from(u8::from(is_set))
}

/// Fits a logistic regression.
fn fit(examples: &[Example]) -> Result<Fitted> {
    let count = examples.first().map_or(0, |example| example.features.len());
    let column = |index: usize| examples.iter().map(move |example| example.features[index]);
    let scales: Vec<(f64, f64)> = (0..count).map(|index| mean_and_deviation(column(index))).collect();
    let standardized = |example: &Example| {
        let each = example.features.iter().zip(&scales);
        each.map(|(value, (mean, deviation))| (value - mean) / deviation).collect::<Vec<_>>()
    };
    let rows: Vec<Vec<f64>> = examples.iter().map(standardized).collect();
    let matrix = DenseMatrix::from_2d_vec(&rows)?;
    let labels: Vec<i32> = examples.iter().map(|example| i32::from(example.is_needed)).collect();
    let parameters = LogisticRegressionParameters::default().with_alpha(PENALTY);
    let model = LogisticRegression::fit(&matrix, &labels, parameters)?;
    let mut fitted = Fitted { intercept: *model.intercept().get((0, 0)), coefficients: Vec::new() };
    for (index, (mean, deviation)) in scales.into_iter().enumerate() {
        let coefficient = model.coefficients().get((0, index)) / deviation;
        fitted.intercept -= coefficient * mean;
        fitted.coefficients.push(coefficient);
    }
    Ok(fitted)
}

fn mean_and_deviation(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let count = values.clone().count().max(1) as f64;
    let mean = values.clone().sum::<f64>() / count;
    let variance = values.map(|value| (value - mean).powi(2)).sum::<f64>() / count;
    (mean, variance.sqrt().max(f64::MIN_POSITIVE))
}

/// Returns the text of the file.
fn source(words: &Fitted, both: &Fitted) -> String {
    format!(
        "//! The coefficients of the logistic models. Written by `cargo xtask recall --fit`; do not edit.\n\n\
         use super::features::{{Features, VectorFeatures}};\n\
         use super::logistic_model::LogisticModel;\n\n\
         /// For memories of which only the words were compared.\n\
         pub(super) const WORDS: LogisticModel = {};\n\n\
         /// For memories with sentence vectors.\n\
         pub(super) const WORDS_AND_VECTORS: LogisticModel = {};\n",
        literal(words),
        literal(both)
    )
}

/// Returns a model as a literal of Rust.
fn literal(model: &Fitted) -> String {
    let (words, vectors) = model.coefficients.split_at(WORD_FEATURES.len());
    let fields = WORD_FEATURES.iter().zip(words);
    let fields: String = fields.map(|(name, value)| format!("        {name}: {value:.3},\n")).collect();
    let vectors: Vec<String> =
        VECTOR_FEATURES.iter().zip(vectors).map(|(name, value)| format!("{name}: {value:.3}")).collect();
    let vectors = match vectors.is_empty() {
        true => "None".to_owned(),
        false => format!("Some(VectorFeatures {{ {} }})", vectors.join(", ")),
    };
    let intercept = model.intercept;
    format!(
        "LogisticModel {{\n    intercept: {intercept:.3},\n    coefficients: Features {{\n{fields}        \
         vectors: {vectors},\n    }},\n}}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fit_finds_the_odds_that_the_examples_were_made_with() {
        let example = |number: usize| {
            let mut features = vec![0.0; 2];
            (features[0], features[1]) = ((number % 20) as f64, (number % 7) as f64);
            let log_odds = 0.5 * features[0] - 1.0 * features[1] - 1.0;
            let probability = 1.0 / (1.0 + (-log_odds).exp());
            Example { features, is_needed: ((number * 37) % 100) as f64 / 100.0 < probability }
        };
        let examples: Vec<Example> = (0..14_000).map(example).collect();

        let Fitted { intercept, coefficients } = fit(&examples).expect("a model");

        // The penalty makes them a little smaller.
        assert!((-1.1..-0.7).contains(&intercept), "{intercept}");
        assert!((0.4..0.55).contains(&coefficients[0]), "{coefficients:?}");
        assert!((-1.1..-0.8).contains(&coefficients[1]), "{coefficients:?}");
    }
}
