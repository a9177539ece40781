//! `interleaf-eval recall --fit`: fits the models of relevance on the stores of `train`, measures how many
//! tokens each minimum relevance wastes, and writes both into the program's source.
//!
//! The models are fitted to what the program's own hooks compare, with cues and without, in each store, in a
//! few memories of each alone, and in several merged, so that they see stores of one to some 700 memories.
//! The waste is measured on the stores as they are.

use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use interleaf_tests::workspace;

use super::comparison::{Comparison, NUMBERS, SearchedAt, comparisons};
use super::family::{self, Family, Split};
use super::regression::{FittedModel, WordModels, fit_with_vectors};
use super::waste::{MIN_RELEVANCES, WasteCurve};

/// The written file with the models.
const COEFFICIENTS: &str = "host/src/memory/relevance/coefficients.rs";
/// The written file with the wasted tokens.
const MEASURED_WASTE: &str = "host/src/memory/relevance/measured_waste.rs";
/// Numbers of memories in the small stores, each of which is for one event, in turn.
const SMALL_STORES: [usize; 5] = [1, 2, 3, 5, 8];
/// One of this many events gets a small store.
const EVENTS_PER_SMALL_STORE: usize = 2;
/// Numbers in a line of the written list.
const NUMBERS_PER_ROW: usize = 12;
/// Number of stores that are merged into one of medium size.
const MERGED: usize = 5;

/// Fits the models and writes them. `model` is the sentence model.
///
/// # Errors
/// If the data or the program cannot be used, or a file cannot be written.
pub fn run(program: &Path, model: &Path, out: &mut dyn Write) -> Result<()> {
    let families = family::read_split(Split::Train)?;
    let without_cues: Vec<Family> = families.iter().map(Family::without_cues).collect();
    let as_they_are = [&families[..], &without_cues].concat();
    let of_other_sizes = [other_sizes(&families), other_sizes(&without_cues)].concat();
    let mut compare = |model: Option<&Path>| -> Result<(Vec<Comparison>, Vec<Comparison>)> {
        let measured = comparisons(program, model, &as_they_are)?;
        let all = [measured.clone(), comparisons(program, model, &of_other_sizes)?].concat();
        let memories = all.iter().flat_map(|event| &event.memories);
        let (found, needed) = (memories.clone().count(), memories.filter(|memory| memory.is_needed).count());
        writeln!(out, "{} events, {found} memories compared, {needed} of them needed", all.len())?;
        Ok((measured, all))
    };
    let ((by_words, all_by_words), (by_vectors, all_by_vectors)) = (compare(None)?, compare(Some(model))?);
    let (words, vectors) = (WordModels::fit(&all_by_words)?, fit_with_vectors(&all_by_vectors)?);
    let curves = [
        ("PROMPTS_BY_WORDS", WasteCurve::of(&by_words, SearchedAt::Prompt, &words.prompts)),
        ("PROMPTS_BY_VECTORS", WasteCurve::of(&by_vectors, SearchedAt::Prompt, &vectors)),
        ("COMMANDS", WasteCurve::of(&by_words, SearchedAt::Command, &words.commands)),
        ("FAILURES", WasteCurve::of(&by_words, SearchedAt::Failure, &words.failures)),
    ];
    write(COEFFICIENTS, &models_source(&words, &vectors))?;
    write(MEASURED_WASTE, &waste_source(&curves))?;
    writeln!(out, "written to {COEFFICIENTS} and {MEASURED_WASTE}")?;
    writeln!(out, "measure the program that has them: cargo xtask recall")?;
    Ok(())
}

fn write(file: &str, source: &str) -> Result<()> {
    let file = workspace::root().join(file);
    fs::write(&file, source).with_context(|| file.display().to_string())
}

/// Returns small stores and merged ones.
fn other_sizes(families: &[Family]) -> Vec<Family> {
    let small = families.iter().flat_map(|family| {
        (0..family.events.len()).step_by(EVENTS_PER_SMALL_STORE).map(|event| small_store(family, event))
    });
    let medium = families.chunks(MERGED).map(Family::merged);
    small.chain(medium).chain([Family::merged(families)]).collect()
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

/// Returns the text of the file with the models.
fn models_source(words: &WordModels, vectors: &FittedModel) -> String {
    let models = [
        ("PROMPTS", "At prompts, by the words alone.", &words.prompts),
        ("PROMPTS_WITH_VECTORS", "At prompts, with sentence vectors.", vectors),
        ("COMMANDS", "Before tool calls.", &words.commands),
        ("FAILURES", "After failures.", &words.failures),
    ];
    let models = models.map(|(name, doc, model)| {
        format!("\n/// {doc}\npub(super) const {name}: LogisticModel = {};\n", model_literal(model))
    });
    format!(
        "//! The coefficients of the logistic models. Written by `cargo xtask recall --fit`; do not edit.\n\n\
         use super::logistic_model::LogisticModel;\n{}",
        models.concat()
    )
}

/// Returns a model as a literal of Rust.
fn model_literal(model: &FittedModel) -> String {
    let categories = model.categories.map(|value| format!("{value:.3}")).join(", ");
    let names = NUMBERS.iter().chain(&["cosine", "cosine_margin"]);
    let numbers = names.zip(model.numbers.iter().chain(&model.vectors));
    let numbers: String = numbers.map(|(name, value)| format!("    {name}: {value:.3},\n")).collect();
    let intercept = model.intercept;
    format!("LogisticModel {{\n    intercept: {intercept:.3},\n    categories: [{categories}],\n{numbers}}}")
}

/// Returns the text of the file with the wasted tokens.
fn waste_source(curves: &[(&str, WasteCurve)]) -> String {
    let curves = curves.iter().map(|(name, curve)| {
        format!(
            "\n#[rustfmt::skip]\npub(super) const {name}: WasteCurve = WasteCurve {{\n    \
             min_relevances: &MIN_RELEVANCES,\n    whole: &[\n{}    ],\n    titles: &[\n{}    ],\n}};\n",
            number_rows(&curve.whole, 8),
            number_rows(&curve.titles, 8)
        )
    });
    format!(
        "//! The tokens that each minimum relevance wastes. Written by `cargo xtask recall --fit`; do not \
         edit.\n\nuse super::waste_curve::WasteCurve;\n\n#[rustfmt::skip]\n\
         const MIN_RELEVANCES: [f32; {}] = [\n{}];\n{}",
        MIN_RELEVANCES.len(),
        number_rows(&MIN_RELEVANCES, 4),
        curves.collect::<String>()
    )
}

/// Returns numbers as lines of a list in Rust.
fn number_rows<T: std::fmt::Display>(numbers: &[T], indent: usize) -> String {
    let row = |row: &[T]| {
        let numbers: Vec<String> = row.iter().map(T::to_string).collect();
        format!("{:indent$}{},\n", "", numbers.join(", "))
    };
    numbers.chunks(NUMBERS_PER_ROW).map(row).collect()
}
