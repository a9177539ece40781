//! `interleaf memory verify`: what in the store breaks a rule, because it came from an older version or from elsewhere.

use std::io::Write;

use crate::command::output::Output;
use crate::error::Error;
use crate::project_context::ProjectContext;

/// Checks.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Print JSON, one flaw a line
    #[arg(long)]
    json: bool,
}

/// Prints what is wrong and what to do; an error where anything is.
pub fn run(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let (checked, flaws) = context.memories()?.verify()?;
    for flaw in &flaws {
        match args.json {
            true => out.json(&serde_json::json!({ "id": flaw.id, "flaw": flaw.what, "next": flaw.next }))?,
            false => writeln!(out, "{}  {}\n    {}", out.strong(&flaw.id), flaw.what, flaw.next)?,
        }
    }
    match flaws.len() {
        0 if args.json => Ok(()),
        0 => Ok(writeln!(out, "Checked {checked}: every memory keeps the rules.")?),
        count => Err(Error::unavailable(format!("{count} of {checked} memories break a rule")).into()),
    }
}
