//! `interleaf project forget`.

use std::fs;
use std::io::Write;

use super::{active_memories, described, memory_count};
use crate::command::confirm::{ask, require_person};
use crate::command::output::Output;
use crate::error::Error;
use crate::project::KnownProjects;
use crate::project_context::ProjectContext;

/// Delete the memories of a project, and everything else that Interleaf keeps of it
///
/// Nothing in the project's own folder changes.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The project: its name, its id, or its folder
    project: String,
    /// Do not ask for confirmation
    #[arg(short, long)]
    yes: bool,
}

pub(super) fn run(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    require_person("interleaf project forget")?;
    let known = KnownProjects::read(&context.folders.data);
    let project = known.get(&args.project)?;
    let users: Vec<_> = known.iter().filter(|other| other.joined_to.as_ref() == Some(&project.id)).collect();
    if let Some(user) = users.first() {
        let what = format!("{} uses the memories of {}", described(user), described(project));
        return Err(Error::conflict(what).hint("run interleaf project join --undo there first").into());
    }
    let memories = active_memories(project, context).unwrap_or_default();
    let question = format!("Delete {} of {} for good?", memory_count(memories), described(project));
    if !ask(&question, args.yes, &format!("interleaf project forget {} --yes", project.id), out)? {
        return Ok(writeln!(out, "Not forgotten.")?);
    }
    project.delete()?;
    // What was fetched from its remote is of no use without its records.
    let _ = fs::remove_dir_all(context.replica_folder(&project.id));
    Ok(writeln!(out, "Forgotten: {}", described(project))?)
}
