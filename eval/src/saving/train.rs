//! Fits the classifier to the examples in `plugins/save/data`.
//!
//! The fit uses the train examples, the calibration the development examples. The same examples give the same
//! weights, bit for bit.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;

use anyhow::{Context, Result, ensure};
use interleaf_classifier::Weights;
use interleaf_tests::workspace;

use super::example::{self, LabeledSentence};
use super::{calibration, data_folder, multinomial_fit};

/// Minimum number of train sentences that have a feature. Of rarer ones, chance decides the weight.
const MIN_SENTENCES: usize = 3;

/// Maximum number of features: 8 bytes each of at most 300 kB.
const MAX_FEATURES: usize = 36_000;

/// The command-line options.
#[derive(clap::Args)]
pub struct Args {
    /// Write nothing, and fail if the committed weights are others
    #[arg(long)]
    check: bool,
}

/// Fits the weights and writes them.
///
/// # Errors
/// If an example cannot be read, or the weights cannot be written.
pub fn run(args: &Args, out: &mut impl Write) -> Result<()> {
    let data = data_folder();
    let train = example::read_sentences(&data.join("train"))?;
    let development = example::read_sentences(&data.join("development"))?;
    let bytes = fit(&train, &development)?.to_bytes();
    let path = workspace::root().join("classifier/src/weights.bin");
    writeln!(out, "{} sentences, {} bytes of weights", train.len(), bytes.len())?;
    if !args.check {
        return fs::write(&path, &bytes).with_context(|| format!("cannot write {}", path.display()));
    }
    let committed = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    ensure!(committed == bytes, "the weights are not those of the examples; run cargo xtask train");
    Ok(())
}

/// Returns the weights for these sentences.
fn fit(train: &[LabeledSentence], development: &[LabeledSentence]) -> Result<Weights> {
    let hashes = frequent_features(train);
    let fitted = multinomial_fit::fit(train, &hashes)?;
    let hashes = fitted.strongest_features(&hashes, MAX_FEATURES);
    let fitted = multinomial_fit::fit(train, &hashes)?;
    let weights = Weights::quantized(hashes, &fitted.weights, fitted.intercepts);
    let calibrations = calibration::fit(&weights, development)?;
    Ok(weights.calibrated(calibrations))
}

fn frequent_features(sentences: &[LabeledSentence]) -> Vec<u32> {
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    for hash in sentences.iter().flat_map(|sentence| &sentence.features) {
        *counts.entry(*hash).or_default() += 1;
    }
    counts.into_iter().filter(|(_, count)| *count >= MIN_SENTENCES).map(|(hash, _)| hash).collect()
}
