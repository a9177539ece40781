//! `interleaf project list`.

use std::io::Write;

use serde_json::json;

use super::{active_memories, described, memory_count};
use crate::command::output::Output;
use crate::project::{KnownProject, KnownProjects};
use crate::project_context::ProjectContext;

/// List the projects that have memories; `*` marks this one
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let known = KnownProjects::read(&context.folders.data);
    if args.json {
        return known.iter().try_for_each(|project| {
            out.json(&json!({
                "id": project.id, "name": project.name, "root": project.root, "gone": project.is_gone(),
                "joined_to": project.joined_to, "memories": active_memories(project, context),
                "current": project.id == context.project.id,
            }))
        });
    }
    known.iter().try_for_each(|project| print(project, context, out))?;
    if known.iter().next().is_none() {
        writeln!(out, "No project has memories yet.")?;
    }
    Ok(())
}

fn print(project: &KnownProject, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let mark = if project.id == context.project.id { "*" } else { " " };
    let mut facts = match (&project.joined_to, active_memories(project, context)) {
        (Some(target), _) => format!("uses the memories of {target}"),
        (None, Some(memories)) => memory_count(memories),
        (None, None) => "its memories cannot be read".to_owned(),
    };
    if project.is_gone() {
        facts.push_str("; the folder is gone");
    }
    Ok(writeln!(out, "{mark} {}  {}  {}", project.id, described(project), out.faint(&facts))?)
}
