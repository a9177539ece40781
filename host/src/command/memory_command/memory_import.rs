//! `interleaf memory import`: memories from a file.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::PathBuf;

use anyhow::Context as _;

use crate::command::output::Output;
use crate::command::remember;
use crate::error::Error;
use crate::memory::{ImportTrust, Origin};
use crate::project_context::ProjectContext;

/// Imports memories.
#[derive(Debug, clap::Args)]
pub struct Import {
    /// The file; `-` is standard input
    file: PathBuf,
    /// They are this user's own: keep the origins they state (only at a terminal, outside Claude Code)
    #[arg(long)]
    mine: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Imports.
pub(super) fn import(args: &Import, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let trust = match args.mine {
        false => ImportTrust::Untrusted,
        true if remember::whose_words() == Origin::Person => ImportTrust::Own,
        true => {
            return Err(Error::denied("only a person at a terminal can vouch for an import")
                .hint("leave --mine out, or run it in a terminal of your own, outside Claude Code")
                .into());
        }
    };
    let input: Box<dyn Read> = match args.file.to_str() {
        Some("-") => Box::new(io::stdin().lock()),
        _ => Box::new(
            File::open(&args.file).with_context(|| format!("{} cannot be read", args.file.display()))?,
        ),
    };
    let imported = context.memories()?.with_actor("interleaf memory import").import(input, trust)?;
    let refused: Vec<String> =
        imported.refused.iter().map(|(place, error)| format!("entry {place}: {error}")).collect();
    if args.json {
        out.json(&serde_json::json!({
            "written": imported.written, "duplicates": imported.duplicates,
            "untagged": imported.untagged, "displaced": imported.evicted, "refused": refused,
        }))?;
    } else {
        writeln!(out, "{} written, {} known already", imported.written, imported.duplicates)?;
        if imported.untagged > 0 {
            writeln!(out, "{} lost tags that an imported memory cannot carry", imported.untagged)?;
        }
        if imported.evicted > 0 {
            writeln!(out, "{} retired to make room: interleaf memory stats", imported.evicted)?;
        }
    }
    if refused.is_empty() {
        return Ok(());
    }
    let list = refused.iter().take(10).cloned().collect::<Vec<_>>().join("\n  ");
    Err(Error::invalid(format!("{} entries were not written:\n  {list}", refused.len()))
        .hint("mend them and import the file again; what is known already is not written twice")
        .into())
}
