//! `interleaf project join`.

use std::io::{Seek, Write};

use super::{active_memories, described, memory_count};
use crate::command::confirm::require_person;
use crate::command::output::Output;
use crate::error::{Error, Result};
use crate::memory::{ImportTrust, NearDuplicates};
use crate::project::{KnownProject, KnownProjects};
use crate::project_context::ProjectContext;

/// Use the memories of another project in this one
///
/// Memories that this project has already are copied to the other one.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The other project: its name, its id, or its folder
    #[arg(required_unless_present = "undo")]
    project: Option<String>,
    /// End a join, and use this project's own memories again
    #[arg(long, conflicts_with = "project")]
    undo: bool,
}

pub(super) fn run(args: &Args, mut context: ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    require_person("interleaf project join")?;
    let data = context.folders.data.clone();
    let Some(other) = &args.project else {
        let was_joined = context.project.leave(&data)?;
        let result =
            if was_joined { "This project uses its own memories again." } else { "It is not joined." };
        return Ok(writeln!(out, "{result}")?);
    };
    let known = KnownProjects::read(&data);
    let other = known.get(other)?;
    let memories = active_memories(other, &context);
    // What cannot be copied would no longer be found, so it is copied first.
    let copied = if other.id == context.project.id { 0 } else { copy_memories(&context, other)? };
    context.project.join(&data, &other.id)?;
    let own = if copied > 0 { format!(", and {} from here", memory_count(copied)) } else { String::new() };
    writeln!(
        out,
        "Joined to {}: its {} are used here{own}. To undo: interleaf project join --undo",
        described(other),
        memory_count(memories.unwrap_or_default())
    )?;
    Ok(())
}

/// Copies the memories of this project to the other one, and returns their number. All of them are this
/// person's, so they keep their origins.
fn copy_memories(context: &ProjectContext, other: &KnownProject) -> Result<u64> {
    let from = context.memories()?;
    if from.counts()?.is_empty() {
        return Ok(0);
    }
    let unwritable = |error: std::io::Error| {
        Error::unavailable(format!("cannot write a temporary file: {error}")).hint("free some space")
    };
    let mut file = tempfile::tempfile().map_err(unwritable)?;
    from.export(&mut file)?;
    file.rewind().map_err(unwritable)?;
    let to = context.memories_in(&other.database_file())?.with_actor("interleaf project join");
    let report = to.import(std::io::BufReader::new(file), ImportTrust::Own, NearDuplicates::Written);
    match (report.stopped_by, report.refused.into_iter().next()) {
        (Some(error), _) => Err(error.context("the memories of this project cannot be copied")),
        (None, Some((_, error))) => Err(error.context("a memory of this project cannot be copied")),
        (None, None) => Ok(report.written),
    }
}
