//! `interleaf memory gc`: what the worker does once a day, now.

use std::io::Write;

use crate::command::ask::agreed;
use crate::command::output::Output;
use crate::project_context::ProjectContext;

/// Collects.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Do not ask
    #[arg(short, long)]
    yes: bool,
    /// Only say what would go
    #[arg(long)]
    dry_run: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Shows what is due, asks, and does it.
pub fn run(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let memories = context.memories()?.written_by("interleaf memory gc");
    let archives = context.config.policy.archive_retired;
    let gone = if archives { "archived" } else { "deleted" };
    let due = memories.due_upkeep()?;
    let lists = [("retired", &due.expired), (gone, &due.collected)];
    if args.json {
        let ids = |list: &[(String, String)]| list.iter().map(|(id, _)| id.clone()).collect::<Vec<_>>();
        out.json(&serde_json::json!({ "expired": ids(&due.expired), "collected": ids(&due.collected) }))?;
    } else {
        for (id, title, what) in
            lists.iter().flat_map(|(what, list)| list.iter().map(move |(id, title)| (id, title, what)))
        {
            writeln!(out, "to be {what}: {title} ({id})")?;
        }
    }
    if due.is_empty() {
        return if args.json { Ok(()) } else { Ok(writeln!(out, "There is nothing to collect.")?) };
    }
    if args.dry_run {
        return Ok(());
    }
    let question =
        format!("{} to be retired, {} to be {gone}. Go on?", due.expired.len(), due.collected.len());
    if agreed(&question, args.yes, "interleaf memory gc --yes", out)? {
        let done = memories.keep_up()?;
        if !args.json {
            writeln!(out, "{} retired, {} {gone}", done.expired.len(), done.collected.len())?;
        }
    }
    Ok(())
}
