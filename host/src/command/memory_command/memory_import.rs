//! `interleaf memory import`: reads memories from a file.

use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressStyle};
use interleaf_text::for_terminal;

use crate::command::output::Output;
use crate::command::remember::caller_origin;
use crate::error::{Error, Result};
use crate::memory::{ImportTrust, NearDuplicates, Origin};
use crate::project_context::ProjectContext;

/// Maximum number of refused entries that the error lists.
const MAX_LISTED_REFUSALS: usize = 10;

/// Import memories from a file: a JSON list, or one JSON object per line
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The file; `-` is standard input
    file: PathBuf,
    /// Keep the origins that the file states, because it is your own (only at a terminal, outside Claude
    /// Code)
    #[arg(long, alias = "mine")]
    keep_origins: bool,
    /// Also write entries that say nearly the same as a memory, in other words
    #[arg(long)]
    force: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Imports the memories.
///
/// # Errors
/// `Invalid` with the refused entries, after the others were written; the error that ended the import.
pub fn run(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let import_trust = import_trust(args.keep_origins)?;
    let input = open(&args.file)?;
    let memories = context.memories()?.with_actor("interleaf memory import");
    let near_duplicates = if args.force { NearDuplicates::Written } else { NearDuplicates::Refused };
    // The disk has everything once the import is done, and not after each of its thousand transactions.
    context.database.set_durable(false);
    let mut imported = memories.import(input, import_trust, near_duplicates);
    context.database.checkpoint()?;
    let stopped_by = imported.stopped_by.take();
    let refused: Vec<String> = imported
        .refused
        .iter()
        .map(|(position, error)| format!("entry {position}: {}", for_terminal(&error.to_string())))
        .collect();
    if args.json {
        out.json(&serde_json::json!({
            "written": imported.written, "duplicates": imported.duplicates,
            "untagged": imported.untagged, "displaced": imported.evicted, "refused": refused,
        }))?;
    } else {
        writeln!(out, "{} written, {} already known", imported.written, imported.duplicates)?;
        if imported.untagged > 0 {
            writeln!(
                out,
                "{} without some of their tags, which an imported memory cannot have",
                imported.untagged
            )?;
        }
        if imported.evicted > 0 {
            writeln!(out, "{} retired to make room: interleaf memory stats", imported.evicted)?;
        }
    }
    if let Some(error) = stopped_by {
        return Err(error.context("the import ended before the end of the file").into());
    }
    if refused.is_empty() {
        return Ok(());
    }
    let list = refused.iter().take(MAX_LISTED_REFUSALS).cloned().collect::<Vec<_>>().join("\n  ");
    let entries =
        if refused.len() == 1 { "1 entry was".to_owned() } else { format!("{} entries were", refused.len()) };
    Err(Error::invalid(format!("{entries} refused:\n  {list}"))
        .hint(
            "correct them and import the file again; what is already known is not written twice, and --force \
             also writes what says nearly the same as a memory",
        )
        .into())
}

/// Returns whether the origins that the file states are trusted.
fn import_trust(keep_origins: bool) -> Result<ImportTrust> {
    match keep_origins {
        false => Ok(ImportTrust::Untrusted),
        true if caller_origin() == Origin::Person => Ok(ImportTrust::Own),
        true => Err(Error::denied("only a person at a terminal can keep the origins of an import")
            .hint("leave out --keep-origins, or run it in a terminal outside Claude Code")),
    }
}

fn open(file: &Path) -> Result<Box<dyn Read>> {
    match file.to_str() {
        Some("-") => Ok(Box::new(io::stdin().lock())),
        _ => match File::open(file) {
            Ok(input) => Ok(Box::new(with_progress(input))),
            Err(error) => Err(Error::unavailable(format!("cannot read {}: {error}", file.display()))),
        },
    }
}

/// Shows a progress bar at a terminal while the file is read.
fn with_progress(file: File) -> impl Read {
    let size = file.metadata().map_or(0, |metadata| metadata.len());
    let bar = if io::stderr().is_terminal() { ProgressBar::new(size) } else { ProgressBar::hidden() };
    if let Ok(style) =
        ProgressStyle::with_template("importing [{bar:30}] {bytes} of {total_bytes}, {elapsed}")
    {
        bar.set_style(style);
    }
    bar.wrap_read(file)
}
