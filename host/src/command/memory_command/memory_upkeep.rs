//! `interleaf memory gc`: what the worker does once a day, now.

use std::io::Write;

use crate::command::confirm::agreed;
use crate::command::output::Output;
use crate::error::Error;
use crate::memory::{Category, Status};
use crate::project_context::ProjectContext;

/// Collects.
#[derive(Debug, clap::Args)]
pub struct GcArgs {
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
pub fn gc(args: &GcArgs, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let memories = context.memories()?.with_actor("interleaf memory gc");
    let archives = context.config.policy.archive_retired;
    let gone = if archives { "archived" } else { "deleted" };
    let due = memories.preview_retention()?;
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
        let done = memories.apply_retention()?;
        if !args.json {
            writeln!(out, "{} retired, {} {gone}", done.expired.len(), done.collected.len())?;
        }
    }
    Ok(())
}

/// Counts.
#[derive(Debug, clap::Args)]
pub struct StatsArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Prints how many memories there are of each category and status, and how many there may be.
pub fn stats(args: &StatsArgs, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let (counts, policy) = (context.memories()?.counts()?, &context.config.policy);
    let count = |category, status| {
        let of = counts.iter().find(|(of, is, _)| (*of, *is) == (category, status));
        of.map_or(0, |(_, _, count)| *count)
    };
    if args.json {
        let one = |category: &Category| {
            let of = |status| count(*category, status);
            let (active, retired) = (of(Status::Active), of(Status::Retired));
            let counts =
                serde_json::json!({ "active": active, "retired": retired, "archived": of(Status::Archived) });
            (category.to_string(), counts)
        };
        return out.json(&Category::ALL.iter().map(one).collect::<serde_json::Map<_, _>>());
    }
    writeln!(
        out,
        "{}",
        out.faint(&format!("{:<16} {:>7} {:>7} {:>8}  kept", "category", "active", "retired", "archived"))
    )?;
    for &category in Category::ALL {
        let [active, retired, archived] =
            [Status::Active, Status::Retired, Status::Archived].map(|status| count(category, status));
        let kept = policy.of(category).summary();
        writeln!(out, "{:<16} {active:>7} {retired:>7} {archived:>8}  {kept}", category.as_str())?;
    }
    let total: u64 =
        counts.iter().filter(|(_, status, _)| *status == Status::Active).map(|(_, _, n)| n).sum();
    Ok(writeln!(out, "{total} active in {}", context.project.root.display())?)
}

/// Checks.
#[derive(Debug, clap::Args)]
pub struct VerifyArgs {
    /// Print JSON, one flaw a line
    #[arg(long)]
    json: bool,
}

/// Prints what is wrong and what to do; an error where anything is.
pub fn verify(args: &VerifyArgs, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
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
