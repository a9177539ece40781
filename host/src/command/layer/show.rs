//! `interleaf layer show`: everything about the layers of one name.

use std::io::Write;

use crate::contract;
use crate::dirs::read_file;
use crate::error::Error;
use crate::layer::{LARGEST, Offer, OnFailure, Standing};
use crate::project_context::ProjectContext;

use super::list::{describe, describe_idle};
use super::review::Review;
use crate::command::output::Output;

/// Shows it.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The layer
    name: String,
}

/// Shows what takes part under this name, then what a person would be shown before they accept a file of it.
pub fn run(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let (roster, team) = (context.roster(), context.team());
    let members = roster.members().iter().filter(|member| member.layer.name == args.name.as_str());
    let members: Vec<_> = members.collect();
    let files: Vec<_> = team.shelf.iter().filter(|(offer, _)| offer.name == args.name).collect();
    if members.is_empty() && files.is_empty() {
        let error = Error::not_found(format!("there is no layer {}", args.name));
        return Err(error.hint("interleaf layer list shows those there are").into());
    }
    for member in &members {
        describe(member, out)?;
        for sentence in member.layer.grants.sentences() {
            writeln!(out, "    - {sentence}")?;
        }
    }
    for (offer, standing) in files.into_iter().filter(|(_, standing)| !standing.is_accepted()) {
        writeln!(out)?;
        describe_idle(offer, standing, out)?;
        review(offer, standing, context, out)?;
    }
    Ok(())
}

fn review(
    offer: &Offer,
    standing: &Standing,
    context: &ProjectContext,
    out: &mut Output,
) -> anyhow::Result<()> {
    let Some(digest) = standing.digest() else { return Ok(()) };
    let Ok(Some(wasm)) = read_file(&offer.file, LARGEST) else { return Ok(()) };
    let inspection = contract::inspect(&wasm)?;
    let config = context.config.layer(&offer.name);
    let grants = config.asks.unwrap_or_default();
    let on_failure = OnFailure::pinned(&grants, config.on_failure);
    let before = standing.before();
    Review {
        root: &context.project.root,
        offer,
        digest,
        inspection: &inspection,
        grants: &grants,
        on_failure,
        before,
    }
    .print(out)
}
