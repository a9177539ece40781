//! `interleaf-eval recall` measures whether the memory that an event needs is shown, and whether nothing is
//! shown when nothing is needed.
//!
//! The stores and events are in `eval/recall`: one folder for each invented project, written by authors who
//! saw neither the program nor each other's data. The folders are split. `train` is what weights are fitted
//! on and what may be read; `development` is what a change is compared on; of `sealed` only totals are
//! printed, and nobody reads it.

mod baseline;
mod bm25;
mod comparison;
mod family;
mod fit;
mod measure;
mod needing_event;
mod ranking;
mod regression;
mod search_process;
mod store;
mod table;
mod vector_mix;
mod waste;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use interleaf_embedding::Model;
use interleaf_text::{collapse_whitespace, truncate};
use rayon::prelude::*;
use serde_json::json;

use crate::replay::Program;
use family::{Family, Split};
use measure::{Figures, Shown};
use ranking::Ranking;
use store::Store;
use vector_mix::VectorMix;

/// Measure whether needed memories are shown, and how much is shown needlessly
#[derive(Debug, Clone, clap::Args)]
pub struct Args {
    /// The part of the stores to measure
    #[arg(long, value_enum, default_value = "development")]
    split: Split,
    /// Measure only stores whose name contains this text
    #[arg(long, value_name = "TEXT")]
    family: Option<String>,
    /// Print each event that was answered wrongly; not of sealed stores
    #[arg(long)]
    details: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Also measure with this sentence model, the file that `interleaf model` names
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Measure how high a search ranks what is needed, instead of what hooks show
    #[arg(long)]
    ranking: bool,
    /// Rank in the sets of this folder instead: in each folder of it memories.jsonl and events.jsonl
    #[arg(long, value_name = "DIR", requires = "ranking", conflicts_with = "split")]
    sets: Option<PathBuf>,
    /// Also measure the ranking of this shell command, which speaks the protocol of `interleaf bench-serve`
    #[arg(long, value_name = "COMMAND", requires = "ranking")]
    compare: Option<String>,
    /// Fit the program's models of relevance on the stores of `train`, and write them into its source
    #[arg(long, conflicts_with_all = ["split", "family", "details", "json"], requires = "model")]
    fit: bool,
    #[command(flatten)]
    program: Program,
}

/// Maximum length of an event in the list of wrong answers, in characters.
const MAX_QUERY_CHARS: usize = 100;

/// Measures the program and BM25 on the same events and prints a table, or fits the program's model.
///
/// # Errors
/// If the data or the program cannot be used.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    if let Some(model) = args.model.as_ref().filter(|_| args.fit) {
        return fit::run(&args.program.path()?, model, out);
    }
    if args.split == Split::Sealed && (args.details || args.family.is_some()) {
        bail!("of sealed stores only totals are printed\n\nhint: leave out --details and --family");
    }
    let mut families = match &args.sets {
        Some(folder) => family::read_folder(folder)?,
        None => family::read_split(args.split)?,
    };
    families.retain(|family| args.family.as_ref().is_none_or(|text| family.name.contains(text)));
    let program = args.program.path()?;
    if args.ranking {
        let (model, compared) = (args.model.as_deref(), args.compare.as_deref());
        let ranking = Ranking { program: &program, model, compared };
        return ranking.print(&families, args.sets.is_some(), args.json, out);
    }
    let without_cues: Vec<Family> = families.iter().map(Family::without_cues).collect();
    let shown = answers_of(&program, None, &without_cues)?;
    let shown_by_cues = answers_of(&program, None, &families)?;
    let by_words = baseline::answers(&families, |family| {
        let index = bm25::Index::new(family);
        Box::new(move |query| index.scores(query))
    });
    let mut wrong: Vec<&Shown> = shown.iter().collect();
    let mut rows = vec![
        ("Interleaf", Figures::of(&shown)),
        ("Interleaf with cues", Figures::of(&shown_by_cues)),
        ("stemmed BM25", Figures::of(&by_words)),
    ];
    let shown_by_model;
    if let Some(model) = args.model.as_deref() {
        shown_by_model = answers_of(&program, Some(model), &without_cues)?;
        wrong = shown_by_model.iter().collect();
        rows.push(("Interleaf with a model", Figures::of(&shown_by_model)));
        let by_both = answers_of(&program, Some(model), &families)?;
        rows.push(("Interleaf with a model and cues", Figures::of(&by_both)));
        let opened = Model::open(model)?;
        let mixed = baseline::answers(&families, |family| {
            let mix = VectorMix::new(&opened, family);
            Box::new(move |query| mix.scores(query))
        });
        rows.push(("the model and BM25, mixed", Figures::of(&mixed)));
    }
    if args.details {
        wrong.iter().filter(|shown| !shown.is_right()).try_for_each(|shown| print_wrong(shown, out))?;
    }
    if args.json {
        return rows.iter().try_for_each(|(name, figures)| {
            let row = json!({ "method": name, "figures": figures, "markdown": table::row(name, figures) });
            Ok(writeln!(out, "{row}")?)
        });
    }
    writeln!(
        out,
        "{} stores, {} events that need a memory, {} that need none\n\n{}",
        families.len(),
        rows[0].1.needing,
        rows[0].1.silent,
        table::head()
    )?;
    rows.iter().try_for_each(|(name, figures)| Ok(writeln!(out, "{}", table::row(name, figures))?))
}

/// Answers all events with the program, a store at a time on each processor.
fn answers_of(program: &Path, model: Option<&Path>, families: &[Family]) -> Result<Vec<Shown>> {
    let answers = families.par_iter().map(|family| answers_of_family(program, model, family));
    Ok(answers.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
}

fn answers_of_family(program: &Path, model: Option<&Path>, family: &Family) -> Result<Vec<Shown>> {
    let store = Store::new(program, model, family)?;
    let answer = |(number, event)| {
        let answer = store.answer(event, number);
        Shown { titles: answer.titles, ..Shown::new(family, event, answer.whole, answer.text) }
    };
    Ok(family.events.iter().enumerate().map(answer).collect())
}

fn print_wrong(shown: &Shown, out: &mut dyn Write) -> Result<()> {
    let query = truncate(&collapse_whitespace(&shown.event.occasion.query()), MAX_QUERY_CHARS).into_owned();
    let needs = if shown.is_needing() { shown.event.needs.join(", ") } else { "nothing".to_owned() };
    let titles = shown.titles.iter().map(|id| format!("the title of {id}"));
    let showed: Vec<String> = shown.memories.iter().cloned().chain(titles).collect();
    let showed = if showed.is_empty() { "nothing".to_owned() } else { showed.join(", ") };
    let (family, kind) = (&shown.family, &shown.event.kind);
    Ok(writeln!(out, "{family} {kind}: {query}\n    needs {needs}; showed {showed}")?)
}
