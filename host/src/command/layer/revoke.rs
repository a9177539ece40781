//! `interleaf layer revoke`: what was accepted does not run any more, and a gate gives no pinned answer any more.

use std::io::Write;

use crate::error::Error;
use crate::layer::{Trust, Whose};
use crate::project_context::ProjectContext;

use super::only_a_person;
use crate::command::output::Output;

/// Takes it back.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The layer
    name: String,
}

/// Takes back what was accepted under this name, for the project and for the person's own.
pub fn run(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    only_a_person("revoke")?;
    let mut trust = Trust::read(&context.folders, &context.project.id);
    let mut revoked = 0;
    for whose in [Whose::Project, Whose::Person] {
        revoked += trust.revoke(whose, &args.name)?;
    }
    if revoked == 0 {
        let error = Error::not_found(format!("no layer {} was accepted here", args.name));
        return Err(error.hint("interleaf layer list shows what was").into());
    }
    Ok(writeln!(out, "Revoked: {} runs no more from the next event on.", args.name)?)
}
